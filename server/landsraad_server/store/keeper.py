"""Keeps an embedded server running: when it ends unasked, by whatever signal, it is started again.

Its address and its data stay. Workers see their connection break, answer that the store is unavailable, and connect
again.
"""

from __future__ import annotations

import asyncio
from collections import deque

import structlog

from landsraad_server.store.embedded import START_SECONDS, EmbeddedServer
from landsraad_server.store.errors import StartFailed

#: Looking costs a microsecond, works on every system, and needs no thread that could outlive its loop.
_LOOK_SECONDS = 0.02
#: So many ends in so many seconds, and we stop pretending that starting it again will help.
_MOST_RESTARTS, _WITHIN_SECONDS = 5, 60.0

_log = structlog.get_logger()


class Keeper:
    """Run `run` as a task in the main thread of the owner, and cancel it before the server is stopped."""

    def __init__(self, server: EmbeddedServer) -> None:
        self.restarts = 0
        self._server = server
        self._recent: deque[float] = deque(maxlen=_MOST_RESTARTS)

    async def run(self) -> None:
        """For ever; raises StartFailed if the server will not stay up."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            code = self._server.exit_code()
            if code is not None and self._server.wanted:
                self._note(code)
                await self._restart()

    def _note(self, code: int) -> None:
        now = asyncio.get_running_loop().time()
        if len(self._recent) == _MOST_RESTARTS and now - self._recent[0] < _WITHIN_SECONDS:
            raise StartFailed(
                f"the embedded store ended {_MOST_RESTARTS + 1} times within a minute, last with code {code}"
            )
        self._recent.append(now)
        self.restarts += 1
        _log.warning("store_ended", exit_code=code, restarts=self.restarts)

    async def _restart(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + START_SECONDS
        self._server.launch()
        while not self._server.answers():
            self._server.check_start(deadline - loop.time())
            await asyncio.sleep(_LOOK_SECONDS)
