"""Time: one source for the whole worker, and the hand that does what is due.

Nothing in the service waits for a time of day by itself: what is due is found here, by that one source.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from landsraad_server.hosting.hall import Hall
from landsraad_server.hosting.overtime import look
from landsraad_server.store.clocks import Lease
from landsraad_server.store.errors import StoreError

#: How often a worker asks which clocks have run out.
_EVERY_SECONDS = 0.1


def now_ms() -> int:
    """Milliseconds since 1970. Tests pass another source instead of this one."""
    return time.time_ns() // 1_000_000


class Timekeeper:
    """Asks the store which clocks have run out, has a look at those matches, and lets delayed ones go on."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            self._hall.spawn(self._turn())  # one match that takes its time does not hold up the others

    async def _turn(self) -> None:
        with suppress(StoreError):  # what was not done now is due the next time
            await self.turn()

    async def turn(self) -> None:
        """Once: every clock that has run out, and what may be told to spectators by now."""
        for delayed in tuple(self._hall.delayed.values()):
            delayed.release(self._hall.now())
        leases = await self._hall.store.clocks.lease(self._hall.now())
        await asyncio.gather(*map(self._fire, leases))

    async def _fire(self, lease: Lease) -> None:
        """A firing is only a hint: what has run out, the match itself says."""
        try:
            due = await look(self._hall, lease.match)
            await self._hall.store.clocks.settle(lease, due)
        except Exception as error:  # noqa: BLE001  the lease runs out, and somebody looks again
            self._hall.unforeseen("clock", lease.match, error)
