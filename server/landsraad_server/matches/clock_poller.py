"""Time: one source for the whole worker, and the hand that does what is due.

Nothing in the service waits for a time of day by itself: what is due is found here, by that one source.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.periodic_task import PeriodicTask
from landsraad_server.matches.timeouts import look
from landsraad_server.store.clock_sets import Lease
from landsraad_server.store.errors import StoreError


def now_ms() -> int:
    """Milliseconds since 1970. Tests pass another source instead of this one."""
    return time.time_ns() // 1_000_000


class ClockPoller(PeriodicTask):
    """Asks the store which clocks have run out, has a look at those matches, and lets delayed ones go on."""

    every_seconds = 0.1

    def __init__(self, hall: MatchHosts) -> None:
        super().__init__()
        self._hall = hall

    async def take_turn(self) -> None:
        """See Round; but one match that takes its time does not hold up the others."""
        with suppress(StoreError):
            for lease in await self._due():
                self._hall.spawn(self._fire(lease))

    async def turn(self) -> None:
        """Once, and all that follows from it."""
        await asyncio.gather(*map(self._fire, await self._due()))

    async def _due(self) -> list[Lease]:
        """Every clock that has run out; spectators are told at once what they may be told by now."""
        now = self._hall.now()
        for delayed in tuple(self._hall.delayed.values()):
            delayed.release(now)
        return await self._hall.store.clocks.lease(now)

    async def _fire(self, lease: Lease) -> None:
        """A firing is only a hint: what has run out, the match itself says."""
        try:
            due = await look(self._hall, lease.match)
            await self._hall.store.clocks.settle(lease, due)
        except Exception as error:  # noqa: BLE001  the lease runs out, and somebody looks again
            self._hall.unforeseen("clock", lease.match, error)
