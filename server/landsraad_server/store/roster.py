"""Roster: heartbeats, addresses and builds of all workers, and the matches in which each has players.

By it the players of a killed worker can be marked as away, and the players of one match can meet at one worker. A
worker sends a heartbeat every second. A worker that finds another one silent takes it over by moving its time ahead, as
with clock leases: if the finder dies too, the dead worker is found again. All times are the store's own, since the
clocks of workers' machines may differ by more than the time after which a worker is dead.

Each worker knows the whole roster, and reads it by its changes: a counter and a stream of the last announcements and
withdrawals stand beside it. It is read in full at the start, after a reconnect, when the reader is further behind than
the stream reaches, and every few minutes. So a second of an unchanged roster costs each worker two small commands,
however many workers there are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from landsraad_server.store import keys
from landsraad_server.store.pipeline import Link
from landsraad_server.store.resp import Reply
from landsraad_server.store.scripts import BEAT, CLAIM, ROSTER, WITHDRAW

#: A worker without a heartbeat for this long is dead: much longer than any pause of a healthy one.
DEAD_MS = 5000
#: Dead workers claimed at a time.
_BATCH = 8
#: Changes kept for readers, many more than come between two heartbeats.
_KEPT_CHANGES = 1000
#: Seconds after which the roster is read in full although nothing seems to be amiss.
_FULL_SECONDS = 300.0
_ANNOUNCED = (keys.ADDRESSES, keys.ROSTER_VERSION, keys.ROSTER_CHANGES)


class WorkerAnnouncement(NamedTuple):
    """The build of a worker (one word), and where clients reach it; no address: nowhere but at the shared port."""

    build: str
    address: str

    def encode(self) -> bytes:
        """Encode for storage."""
        return f"{self.build} {self.address}".encode()

    @classmethod
    def decode(cls, told: bytes) -> WorkerAnnouncement:
        """Decode what `encode` has returned."""
        build, _, address = told.decode().partition(" ")
        return cls(build, address)


class Roster:
    """Access to the roster, and this process's copy of it."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.version = 0
        #: what each worker has announced, as of `version`
        self.workers: dict[str, WorkerAnnouncement] = {}
        self._read_in_full = 0.0

    def heartbeat(self, worker: str, announced: WorkerAnnouncement | None = None) -> asyncio.Future[Reply]:
        """Record that a worker is alive, and announce it if that is new; resolves to 1 if it was not in the roster."""
        told = (announced.encode(), _KEPT_CHANGES) if announced is not None else ()
        return BEAT.call(self._link, (keys.ROSTER, *_ANNOUNCED), worker.encode(), *told)

    def withdraw_address(self, worker: str) -> asyncio.Future[Reply]:
        """Withdraw what a worker has announced, until it announces it again."""
        return WITHDRAW.call(self._link, _ANNOUNCED, worker.encode(), _KEPT_CHANGES)

    def distrust(self) -> None:
        """Read the roster in full the next time: a failover may have lost its last changes."""
        self.version = 0

    async def refresh(self) -> bool:
        """Read what has changed since the last time; return whether anything has."""
        clock = asyncio.get_running_loop().time()
        if clock > self._read_in_full + _FULL_SECONDS:
            self.distrust()
        version, whole, told = await ROSTER.call(self._link, (keys.ROSTER, *_ANNOUNCED), self.version, DEAD_MS)
        changes = {
            worker.decode(): WorkerAnnouncement.decode(announced) if announced else None
            for worker, announced in zip(told[::2], told[1::2], strict=True)
        }
        if whole:
            self._read_in_full = clock
        if not whole and version < self.version:  # Two reads at once, and this was the earlier one.
            return False
        self.version = version
        known = ({} if whole else self.workers) | changes
        workers = {worker: announced for worker, announced in known.items() if announced is not None}
        changed = workers != self.workers
        self.workers = workers
        return changed

    def addresses(self) -> dict[str, list[str]]:
        """Return the known addresses of workers, by build."""
        found: dict[str, list[str]] = {}
        for announced in self.workers.values():
            if announced.address:
                found.setdefault(announced.build, []).append(announced.address)
        return found

    async def mark_dead(self, worker: str) -> None:
        """Mark a worker as dead at once, instead of after DEAD_MS without a heartbeat."""
        await self.withdraw_address(worker)
        # XX: a worker that shut down in order has left the roster and needs no repair.
        await self._link.call(keys.ROSTER, b"ZADD", keys.ROSTER, b"XX", 0, worker.encode())

    def add_matches(self, worker: str, matches: Iterable[str]) -> asyncio.Future[Reply]:
        """Record that a worker has players in these matches: before the first is present, and after its heartbeat."""
        present = keys.present(worker)
        return self._link.call(present, b"SADD", present, *(match.encode() for match in matches))

    def remove_match(self, worker: str, match: str) -> asyncio.Future[Reply]:
        """Record that a worker has no players in a match any more."""
        present = keys.present(worker)
        return self._link.call(present, b"SREM", present, match.encode())

    async def claim_dead(self) -> list[str]:
        """Return workers that have died, claimed for the caller to clean up after."""
        found = await CLAIM.call(self._link, (keys.ROSTER,), DEAD_MS, _BATCH)
        return [worker.decode() for worker in found]

    async def matches_of(self, worker: str) -> list[str]:
        """Return the matches in which a worker has, or had, players."""
        present = keys.present(worker)
        return [match.decode() for match in await self._link.call(present, b"SMEMBERS", present, read=True)]

    async def forget(self, worker: str) -> None:
        """Remove a worker once its players are marked as away."""
        present = keys.present(worker)
        await self._link.call(present, b"DEL", present)
        await self.withdraw_address(worker)
        await self._link.call(keys.ROSTER, b"ZREM", keys.ROSTER, worker.encode())
