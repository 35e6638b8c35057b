"""Keeps an embedded server running: when it ends unasked, by whatever signal, it is started again.

Its address and its data stay. Workers see their connection break, answer that the store is unavailable, and connect
again as soon as it answers; so there is nothing here to wait for.
"""

from __future__ import annotations

import asyncio
from collections import deque

import structlog

from landsraad_server.store.embedded_server import EmbeddedServer
from landsraad_server.store.errors import StartFailed

#: Looking costs a microsecond, works on every system, and needs no thread that could outlive its loop.
_LOOK_SECONDS = 0.02
#: So many restarts in so many seconds, and we stop pretending that one more will help.
_MOST_RESTARTS, _WITHIN_SECONDS = 5, 60.0
#: Longer before each further restart, in case that what is wrong mends itself.
_PAUSE_SECONDS = 0.2

_log = structlog.get_logger()


class EmbeddedServerWatchdog:
    """Run `run` as a task in the main thread of the owner, and cancel it when the server is stopped."""

    def __init__(self, server: EmbeddedServer) -> None:
        self.restarts = 0
        self._server = server
        self._recent: deque[float] = deque()

    async def run(self) -> None:
        """For ever; raises StartFailed if the server will not stay up."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self.look(asyncio.get_running_loop().time())

    def look(self, now: float) -> None:
        """Start the server again if it has ended."""
        code = self._server.exit_code()
        if code is None or not self._server.wanted:
            return
        while self._recent and now - self._recent[0] > _WITHIN_SECONDS:
            self._recent.popleft()
        again = len(self._recent)
        if again == _MOST_RESTARTS:
            raise StartFailed(
                f"the embedded store ended {again + 1} times within a minute, last with code {code}; its log says:\n"
                f"{self._server.last_words()}"
            )
        if again and now - self._recent[-1] < _PAUSE_SECONDS * again:
            return
        self._recent.append(now)
        self.restarts += 1
        _log.warning("store_ended", exit_code=code, restarts=self.restarts)
        self._server.launch()
