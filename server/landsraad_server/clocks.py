"""Time: one source for the whole worker, and the hand that fires the clocks of matches."""

from __future__ import annotations

import asyncio
import time

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
    """Asks the store which clocks have run out, and has a look at those matches."""

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
            try:
                await self.turn()
            except StoreError:
                continue  # what was not done now is due the next time

    async def turn(self) -> None:
        """Once: every clock that has run out."""
        for lease in await self._hall.store.clocks.lease(self._hall.now()):
            self._hall.spawn(self._fire(lease))

    async def _fire(self, lease: Lease) -> None:
        """A firing is only a hint: what has run out, the match itself says."""
        try:
            due = await look(self._hall, lease.match)
            await self._hall.store.clocks.settle(lease, due)
        except Exception as error:  # noqa: BLE001  the lease runs out, and somebody looks again
            self._hall.unforeseen("clock", lease.match, error)
