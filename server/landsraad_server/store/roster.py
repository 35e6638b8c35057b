"""Which workers there are, where each listens and which build it is, and in which matches each of them has players: so
that the players of one that was killed can be told to be away, and those of one match can meet.

A worker shows itself every second. Whoever finds one that has not done so for a while takes it on by moving its time
ahead, as with clocks: if the finder dies, too, it is found again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from landsraad_server.store import keys
from landsraad_server.store.pipeline import Link
from landsraad_server.store.resp import Reply
from landsraad_server.store.scripts import LEASE

#: A worker that was not seen for so long is dead: much longer than any pause of a live one.
DEAD_MS = 5000
#: Dead workers taken on at a time.
_BATCH = 8


class Roster:
    """The roster, as one worker sees it. Time is given in ms since 1970 by the caller."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def heartbeat(self, worker: str, now: int) -> asyncio.Future[Reply]:
        """Show that a worker is alive; 1 if it was not known, or not any more."""
        return self._link.call(keys.ROSTER, b"ZADD", keys.ROSTER, now, worker.encode())

    def announce_address(self, worker: str, address: str, build: str) -> asyncio.Future[Reply]:
        """Say where a worker can be reached, and whose matches it plays (a word)."""
        told = f"{build} {address}".encode()
        return self._link.call(keys.ADDRESSES, b"HSET", keys.ADDRESSES, worker.encode(), told)

    def withdraw_address(self, worker: str) -> asyncio.Future[Reply]:
        """Say that a worker cannot be reached, at least until it says again where it listens."""
        return self._link.call(keys.ADDRESSES, b"HDEL", keys.ADDRESSES, worker.encode())

    async def addresses(self, now: int) -> dict[str, list[str]]:
        """Where the workers that are alive can be reached, by their builds."""
        seen, told = await asyncio.gather(
            self._link.call(keys.ROSTER, b"ZRANGEBYSCORE", keys.ROSTER, now - DEAD_MS, b"+inf", read=True),
            self._link.call(keys.ADDRESSES, b"HGETALL", keys.ADDRESSES, read=True),
        )
        known = dict(zip(told[::2], told[1::2], strict=True))
        found: dict[str, list[str]] = {}
        for worker in seen:
            build, _, address = known.get(worker, b"").decode().partition(" ")
            if address:
                found.setdefault(build, []).append(address)
        return found

    async def mark_dead(self, worker: str) -> None:
        """Somebody has seen it die: nobody has to wait until it was silent for long enough."""
        await self.withdraw_address(worker)
        # As if it had never been seen; unless it is gone from here: after one that went in order nothing is left to do.
        await self._link.call(keys.ROSTER, b"ZADD", keys.ROSTER, b"XX", 0, worker.encode())

    def add_matches(self, worker: str, matches: Iterable[str]) -> asyncio.Future[Reply]:
        """The worker, which has shown itself, has players in these matches: to be said before the first is there."""
        present = keys.present(worker)
        return self._link.call(present, b"SADD", present, *(match.encode() for match in matches))

    def remove_match(self, worker: str, match: str) -> asyncio.Future[Reply]:
        """It has none there any more: to be said when the last of them is gone."""
        present = keys.present(worker)
        return self._link.call(present, b"SREM", present, match.encode())

    async def claim_dead(self, now: int) -> list[str]:
        """Workers that have died; for the caller to take on."""
        found = await LEASE.call(self._link, (keys.ROSTER,), now - DEAD_MS, now, _BATCH)
        return [worker.decode() for worker in found]

    async def matches_of(self, worker: str) -> list[str]:
        """Where a worker has, or had, players."""
        present = keys.present(worker)
        return [match.decode() for match in await self._link.call(present, b"SMEMBERS", present, read=True)]

    async def forget(self, worker: str) -> None:
        """Nobody needs to look after this worker any more."""
        present = keys.present(worker)
        await self._link.call(present, b"DEL", present)
        await self.withdraw_address(worker)
        await self._link.call(keys.ROSTER, b"ZREM", keys.ROSTER, worker.encode())
