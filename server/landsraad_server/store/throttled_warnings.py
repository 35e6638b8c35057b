"""Throttled warnings: log the same trouble of the store once a minute, however many commands meet it."""

from __future__ import annotations

import time
from typing import Final

import structlog

from landsraad_server.store.errors import StoreError

_INTERVAL_SECONDS: Final = 60.0

_log = structlog.get_logger()


class ThrottledWarnings:
    """Times of the last warning of each kind."""

    def __init__(self) -> None:
        self._last_logged: dict[tuple[str, ...], float] = {}

    def warn(self, event: str, error: StoreError, resource: str) -> None:
        """Log a warning unless the same one was logged within the last minute."""
        # Only the error code of the server's message: the rest may quote anything.
        code = str(error).partition(" ")[0]
        what = (event, resource, type(error).__name__, code if code.isupper() else "")
        now = time.monotonic()
        if now - self._last_logged.get(what, -_INTERVAL_SECONDS) < _INTERVAL_SECONDS:
            return
        self._last_logged[what] = now
        _log.warning(event, resource=resource, fault=what[2], code=what[3])
