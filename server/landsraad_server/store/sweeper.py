"""Repairs what a worker that died between two writes has left undone. Everything it does may be done twice.

The log comes first; the index and the clocks, which lie in other hash slots, come after. What they should say stands
with the log (`listing`, and the head's `due`), so repairing is copying, and needs no knowledge of the game.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from landsraad_server.store import keys
from landsraad_server.store.clock_sets import Clocks
from landsraad_server.store.entries import parse_head
from landsraad_server.store.match_index import IndexState, MatchIndex
from landsraad_server.store.pipeline import Link

#: Matches looked at together, so that sweeping ten thousand does not hold up anybody's act.
BATCH = 200


@dataclass(slots=True)
class Repairs:
    """What one sweep found and mended."""

    matches: int = 0  # looked at
    listed: int = 0  # missing or outdated in the index
    armed: int = 0  # clocks missing or too late
    dropped: int = 0  # in the index without a log


class Sweeper:
    """Sweeps everything; one worker at a time is enough."""

    def __init__(self, link: Link, index: MatchIndex, clocks: Clocks) -> None:
        self._link = link
        self._index = index
        self._clocks = clocks

    async def turn(self, period_ms: int) -> bool:
        """Whether it is this worker's turn to sweep: true for one of them in each period."""
        reply = await self._link.call(keys.SWEPT, b"SET", keys.SWEPT, b"", b"NX", b"PX", period_ms)
        return reply is not None

    async def sweep(self) -> Repairs:
        """Look at all matches and all lines of the index once."""
        repairs = Repairs()
        for node in self._link.nodes():
            cursor = b"0"
            while True:
                cursor, found = await node.call(
                    b"", b"SCAN", cursor, b"MATCH", keys.ANY_HEAD, b"COUNT", BATCH, read=True
                )
                matches = [keys.match_of_head(key) for key in found]
                await asyncio.gather(*(self._mend(match, repairs) for match in matches))
                if cursor == b"0":
                    break
        for state in IndexState:
            await self._drop_ghosts(state, repairs)
        return repairs

    async def _mend(self, match: str, repairs: Repairs) -> None:
        head_key, listing_key = keys.head(match), keys.listing(match)
        raw_head, listing, listed, armed = await asyncio.gather(
            self._link.call(head_key, b"GET", head_key, read=True),
            self._link.call(listing_key, b"GET", listing_key, read=True),
            self._index.record(match),
            self._clocks.armed(match),
        )
        repairs.matches += 1
        if listing is not None and listing != listed:
            # Not in one line: the count would be read before others add to it, and written after.
            mended = await self._index.put(match, listing)
            repairs.listed += mended
        due = parse_head(raw_head).due
        # A leased clock is in somebody's hands, or comes back by itself; it never stands too late for long.
        leased = armed is not None and not armed.is_integer()
        if due and not leased and (armed is None or armed > due):
            self._clocks.arm(match, due)
            repairs.armed += 1

    async def _drop_ghosts(self, state: IndexState, repairs: Repairs) -> None:
        """Take lines out of the index whose match is gone (its log comes first, so it is not about to appear)."""
        async for rows in self._index.all(state, BATCH):
            heads = await asyncio.gather(
                *(self._link.call(keys.head(row.match), b"EXISTS", keys.head(row.match), read=True) for row in rows)
            )
            for row, exists in zip(rows, heads, strict=True):
                if not exists:
                    await self._index.remove(row.match)
                    repairs.dropped += 1
