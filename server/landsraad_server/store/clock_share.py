"""Clock share: the clock sets that one worker polls.

Each clock set has one poller, so a fleet polls as often as a single worker would. The workers of the roster share the
sets by rendezvous hashing: a worker becomes the poller of its own sets as soon as it sees the roster change. The poller
renews its right with every poll. If it dies, any other worker takes over after `SILENCE_MS`, whatever the roster says;
so deadlines are never later than that. Two workers may poll one set for a moment: what they find is leased, so no clock
fires twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from hashlib import blake2b

from landsraad_server.store import keys
from landsraad_server.store.clock_sets import BATCH, LEASE_MS, Lease
from landsraad_server.store.errors import StoreUnavailable
from landsraad_server.store.pipeline import Link
from landsraad_server.store.scripts import POLL

#: Milliseconds without a poll, by the store's own time, after which a set gets another poller.
SILENCE_MS = 1500


class ClockShare:
    """One worker's part in polling the clock sets."""

    def __init__(self, link: Link, worker: str) -> None:
        self._link = link
        self._worker = worker
        #: the sets that this worker polls at present
        self.polled: set[int] = set()
        self._own: frozenset[int] = frozenset()
        self._workers: frozenset[str] = frozenset()
        self._look_again = [0.0] * keys.CLOCK_SETS  # When a set of another poller may have none, by the loop's time.

    def divide(self, workers: Collection[str]) -> None:
        """Divide the sets among the workers of the roster."""
        present = frozenset(workers)
        if present != self._workers:
            self._workers = present
            self._own = frozenset(
                number for number in range(keys.CLOCK_SETS) if _poller_of(number, present) == self._worker
            )

    async def poll(self, now: int, lease_ms: int = LEASE_MS) -> list[Lease]:
        """Lease the clocks of this worker's sets that have run out at `now`; look at other sets only when needed."""
        clock = asyncio.get_running_loop().time()
        wanted = [
            number
            for number in range(keys.CLOCK_SETS)
            if number in self.polled or number in self._own or self._look_again[number] <= clock
        ]
        until = b"%d.5" % (now + lease_ms)  # As in ClockSets.lease.
        found = await asyncio.gather(*(self._poll(number, now, until) for number in wanted))
        return [lease for leases in found for lease in leases]

    async def _poll(self, number: int, now: int, until: bytes) -> list[Lease]:
        """Poll one set; nothing if its node is unreachable, so that those of other sets can still fire."""
        set_keys = (keys.clock_set(number), keys.clock_poller(number))
        try:
            found = await POLL.call(
                self._link, set_keys, now, until, BATCH, self._worker.encode(), SILENCE_MS, int(number in self._own)
            )
        except StoreUnavailable:
            return []
        if isinstance(found, int):
            self.polled.discard(number)
            self._look_again[number] = asyncio.get_running_loop().time() + max(0, found) / 1000
            return []
        self.polled.add(number)
        return [Lease(match.decode(), until) for match in found]


def _poller_of(number: int, workers: Collection[str]) -> str:
    """Return the worker whose own a set is; empty if there are no workers."""
    return max(workers, key=lambda worker: blake2b(f"{number} {worker}".encode()).digest(), default="")
