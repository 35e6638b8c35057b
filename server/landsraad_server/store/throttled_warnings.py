"""What operators read of a store in trouble: the same thing once a minute, however many commands meet it."""

from __future__ import annotations

import time
from typing import Final

import structlog

from landsraad_server.store.errors import StoreError

_AGAIN_SECONDS: Final = 60.0

_log = structlog.get_logger()


class ThrottledWarnings:
    """What was told, and when."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, ...], float] = {}

    def tell(self, event: str, error: StoreError, resource: str) -> None:
        """Log that this has happened, unless it is known."""
        # Of what the server says only its code: the rest may quote anything.
        code = str(error).partition(" ")[0]
        what = (event, resource, type(error).__name__, code if code.isupper() else "")
        now = time.monotonic()
        if now - self._told.get(what, -_AGAIN_SECONDS) < _AGAIN_SECONDS:
            return
        self._told[what] = now
        _log.warning(event, resource=resource, fault=what[2], code=what[3])
