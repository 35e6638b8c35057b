"""Clock poller: acts on match clocks that have run out.

All deadlines stand in the store. Nothing else in the service sleeps until a time of day, so one source of time decides
for a whole worker what is due, and tests can replace it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.periodic_task import PeriodicTask
from landsraad_server.matches.service_clock import SERVICE_CLOCK, now_ms
from landsraad_server.matches.timeouts import process_timeouts
from landsraad_server.store.clock_sets import Lease
from landsraad_server.store.clock_share import ClockShare
from landsraad_server.store.errors import StoreError


class ClockPoller(PeriodicTask):
    """Lease expired clocks of this worker's share, process their timeouts, and release delayed records."""

    every_seconds = 0.1

    def __init__(self, hosts: MatchHosts) -> None:
        super().__init__()
        self._hosts = hosts
        self._share = ClockShare(hosts.store.link, hosts.presence.worker)

    async def run_tick(self) -> None:
        """Start the work of one tick without waiting for it: a slow match must not hold up the others."""
        self._share.divide(self._hosts.store.roster.workers)
        with suppress(StoreError):
            # Before a clock can run out: it may have stood while the store was away.
            await self.refresh_pauses()
            for lease in await self._share.poll(self._release_delayed()):
                self._hosts.spawn(self._fire(lease))

    async def refresh_pauses(self) -> None:
        """Note that the store is there, and learn for how long it was not."""
        now = self._hosts.now
        await self._hosts.pauses.refresh(now(), clock=SERVICE_CLOCK if now is now_ms else None)

    async def tick(self) -> None:
        """Do all work that is due now, of all clock sets, and wait until it is done. Tests call this."""
        due = await self._hosts.store.clocks.lease(self._release_delayed())
        await asyncio.gather(*map(self._fire, due))

    def _release_delayed(self) -> int:
        """Release what delayed spectators may see by now; return the time."""
        now = self._hosts.now()
        for delayed in tuple(self._hosts.delayed.values()):
            delayed.release(now)
        self._hosts.talk_feeds.release(now)
        return now

    async def _fire(self, lease: Lease) -> None:
        """Process the timeouts of one match. An expired clock is only a hint: the match knows what has timed out."""
        try:
            due = await process_timeouts(self._hosts, lease.match)
            await self._hosts.store.clocks.settle(lease, due)
        except Exception as error:  # noqa: BLE001  the lease expires, and a worker tries again
            self._hosts.log_unexpected("clock", lease.match, error)
