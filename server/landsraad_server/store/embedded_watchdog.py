"""Watchdog of an embedded server: restart it whenever it exits unasked.

Its URL and its data stay the same. Workers notice the broken connection, answer that the store is unavailable, and
reconnect once the server answers again. If its disk is full, it is restarted once there is room.
"""

from __future__ import annotations

import asyncio
from collections import deque

import structlog

from landsraad_server.store.embedded_server import EmbeddedServer
from landsraad_server.store.errors import StartFailed

#: Polling interval. A poll costs a microsecond, works on every system, and needs no thread that outlives the loop.
_LOOK_SECONDS = 0.02
#: Restarts within so many seconds after which the watchdog gives up.
_MOST_RESTARTS, _WITHIN_SECONDS = 5, 60.0
#: Seconds between attempts to find room on a full disk.
_ROOM_SECONDS = 0.2
#: Backoff in seconds, multiplied by the number of recent restarts.
_PAUSE_SECONDS = 0.2

_log = structlog.get_logger()


class EmbeddedServerWatchdog:
    """Restarts a server. Run `run` as a task in the owner's main thread, and cancel it once the server is stopped."""

    def __init__(self, server: EmbeddedServer) -> None:
        self.restarts = 0
        self._server = server
        self._recent: deque[float] = deque()
        self._disk_full = False
        self._next_look = 0.0  # at the disk

    async def run(self) -> None:
        """Poll for ever; StartFailed if the server will not stay up."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self.check(asyncio.get_running_loop().time())

    def check(self, now: float) -> None:
        """Restart the server if it has exited."""
        if not self._server.wanted:
            return
        code = self._server.exit_code()
        if code is None:
            self._server.admit_clients()
            return
        if now < self._next_look:
            return
        if self._server.disk_is_full():  # Restarting would be in vain, and says nothing about the server.
            self._next_look = now + _ROOM_SECONDS
            if not self._disk_full:
                self._disk_full = True
                _log.error("store_disk_full", exit_code=code)
            return
        if self._disk_full:
            self._disk_full = False
            self._recent.clear()
        while self._recent and now - self._recent[0] > _WITHIN_SECONDS:
            self._recent.popleft()
        again = len(self._recent)
        if again == _MOST_RESTARTS:
            raise StartFailed(
                f"the embedded store ended {again + 1} times within a minute, last with code {code}; its log says:\n"
                f"{self._server.log_tail()}"
            )
        if again and now - self._recent[-1] < _PAUSE_SECONDS * again:
            return
        self._recent.append(now)
        self.restarts += 1
        _log.warning("store_ended", exit_code=code, restarts=self.restarts)
        self._server.launch()
