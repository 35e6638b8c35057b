"""Sweeper: repair what a worker that died between two writes left undone. All of its writes are idempotent.

The log is written first; the index and the clocks, which lie in other hash slots, come after. Their intended content is
stored with the log (`listing`, and the head's `due`), so repairing is copying, and needs no knowledge of the games.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from landsraad_server.store import keys
from landsraad_server.store.clock_sets import ClockSets
from landsraad_server.store.entries import parse_head
from landsraad_server.store.match_index import IndexState, MatchIndex
from landsraad_server.store.pipeline import Link

#: Matches examined together: sweeping ten thousand must not delay acts.
BATCH = 200


@dataclass(slots=True)
class Repairs:
    """Statistics of one sweep."""

    matches: int = 0  # examined
    listed: int = 0  # listings that were missing or outdated
    armed: int = 0  # clocks that were missing or too late
    dropped: int = 0  # listings without a log


class Sweeper:
    """Sweeps all matches; one worker at a time is enough."""

    def __init__(self, link: Link, index: MatchIndex, clocks: ClockSets) -> None:
        self._link = link
        self._index = index
        self._clocks = clocks

    async def claim_sweep(self, period_ms: int) -> bool:
        """Claim the sweep of this period; True for one worker in each period."""
        reply = await self._link.call(keys.SWEPT, b"SET", keys.SWEPT, b"", b"NX", b"PX", period_ms)
        return reply is not None

    async def sweep(self) -> Repairs:
        """Examine all matches and all listings once."""
        repairs = Repairs()
        for node in self._link.nodes():
            cursor = b"0"
            while True:
                cursor, found = await node.call(
                    b"", b"SCAN", cursor, b"MATCH", keys.ANY_HEAD, b"COUNT", BATCH, read=True
                )
                matches = [keys.match_of_head(key) for key in found]
                await asyncio.gather(*(self._repair(match, repairs) for match in matches))
                if cursor == b"0":
                    break
        for state in IndexState:
            await self._drop_orphans(state, repairs)
        return repairs

    async def _repair(self, match: str, repairs: Repairs) -> None:
        head_key, listing_key = keys.head(match), keys.listing(match)
        raw_head, listing, listed, armed = await asyncio.gather(
            self._link.call(head_key, b"GET", head_key, read=True),
            self._link.call(listing_key, b"GET", listing_key, read=True),
            self._index.record(match),
            self._clocks.armed(match),
        )
        repairs.matches += 1
        if listing is not None and listing != listed:
            # Two statements: `+=` would read the count before the await, and lose what others add meanwhile.
            repaired = await self._index.put(match, listing)
            repairs.listed += repaired
        due = parse_head(raw_head).due
        # A leased clock is being handled, or its lease expires; its score is never too late for long.
        leased = armed is not None and not armed.is_integer()
        if due and not leased and (armed is None or armed > due):
            self._clocks.arm(match, due)
            repairs.armed += 1

    async def _drop_orphans(self, state: IndexState, repairs: Repairs) -> None:
        """Remove listings of matches without a log; as logs are written first, these are not about to appear."""
        async for rows in self._index.all(state, BATCH):
            heads = await asyncio.gather(
                *(self._link.call(keys.head(row.match), b"EXISTS", keys.head(row.match), read=True) for row in rows)
            )
            for row, exists in zip(rows, heads, strict=True):
                if not exists:
                    await self._index.remove(row.match)
                    repairs.dropped += 1
