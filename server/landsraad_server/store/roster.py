"""Roster: heartbeats, addresses and builds of all workers, and the matches in which each has players.

By it the players of a killed worker can be marked as away, and the players of one match can meet at one worker. A
worker sends a heartbeat every second. A worker that finds another one silent takes it over by moving its time ahead, as
with clock leases: if the finder dies too, the dead worker is found again. All times are the store's own, since the
clocks of workers' machines may differ by more than the time after which a worker is dead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from landsraad_server.store import keys
from landsraad_server.store.pipeline import Link
from landsraad_server.store.resp import Reply
from landsraad_server.store.scripts import ALIVE, BEAT, CLAIM

#: A worker without a heartbeat for this long is dead: much longer than any pause of a healthy one.
DEAD_MS = 5000
#: Dead workers claimed at a time.
_BATCH = 8


class Roster:
    """Access to the roster."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def heartbeat(self, worker: str) -> asyncio.Future[Reply]:
        """Record that a worker is alive; resolves to 1 if it was not, or no longer, in the roster."""
        return BEAT.call(self._link, (keys.ROSTER,), worker.encode())

    def announce_address(self, worker: str, address: str, build: str) -> asyncio.Future[Reply]:
        """Publish where a worker can be reached, and its build (one word)."""
        announced = f"{build} {address}".encode()
        return self._link.call(keys.ADDRESSES, b"HSET", keys.ADDRESSES, worker.encode(), announced)

    def withdraw_address(self, worker: str) -> asyncio.Future[Reply]:
        """Remove a worker's address until it is announced again."""
        return self._link.call(keys.ADDRESSES, b"HDEL", keys.ADDRESSES, worker.encode())

    async def addresses(self) -> dict[str, list[str]]:
        """Return the addresses of the workers that are alive, by build."""
        seen, announced = await asyncio.gather(
            ALIVE.call(self._link, (keys.ROSTER,), DEAD_MS),
            self._link.call(keys.ADDRESSES, b"HGETALL", keys.ADDRESSES, read=True),
        )
        known = dict(zip(announced[::2], announced[1::2], strict=True))
        found: dict[str, list[str]] = {}
        for worker in seen:
            build, _, address = known.get(worker, b"").decode().partition(" ")
            if address:
                found.setdefault(build, []).append(address)
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
