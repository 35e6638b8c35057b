"""Sweeper: repair what a worker that died between two writes left undone. All of its writes are idempotent.

The log is written first; the index and the clocks, which lie in other hash slots, come after. Their intended content is
stored with the log (`listing`, and the head's `due`), so repairing is copying, and needs no knowledge of the games.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

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
        seen: set[str] = set()
        for node in self._link.nodes():
            cursor = b"0"
            while True:
                cursor, found = await node.call(
                    b"", b"SCAN", cursor, b"MATCH", keys.ANY_HEAD, b"COUNT", BATCH, read=True
                )
                matches = [keys.match_of_head(key) for key in found]
                await self._examine(matches, repairs)
                seen.update(matches)
                if cursor == b"0":
                    break
        for state in IndexState:
            await self._drop_orphans(state, seen, repairs)
        return repairs

    async def _examine(self, matches: list[str], repairs: Repairs) -> None:
        """Compare the index and the clocks of these matches with their logs: one command for each, and a few in all."""
        if not matches:
            return
        stored, listed, armed = await asyncio.gather(
            asyncio.gather(*map(self._stored, matches)), self._index.records(matches), self._clocks.all_armed(matches)
        )
        repairs.matches += len(matches)
        for match, (raw_head, listing) in zip(matches, stored, strict=True):
            await self._repair(match, raw_head, listing, listed[match], armed[match], repairs)

    def _stored(self, match: str) -> asyncio.Future[Any]:
        """Read a match's head and its listing, which lie in the same slot."""
        head_key = keys.head(match)
        return self._link.call(head_key, b"MGET", head_key, keys.listing(match), read=True)

    async def _repair(
        self,
        match: str,
        raw_head: bytes | None,
        listing: bytes | None,
        listed: bytes | None,
        armed: float | None,
        repairs: Repairs,
    ) -> None:
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

    async def _drop_orphans(self, state: IndexState, seen: set[str], repairs: Repairs) -> None:
        """Remove listings of matches without a log; as logs are written first, these are not about to appear.

        Matches whose head this sweep has seen have one.
        """
        async for rows in self._index.all(state, BATCH):
            unseen = [row.match for row in rows if row.match not in seen]
            heads = await asyncio.gather(
                *(self._link.call(keys.head(match), b"EXISTS", keys.head(match), read=True) for match in unseen)
            )
            for match, exists in zip(unseen, heads, strict=True):
                if not exists:
                    await self._index.remove(match)
                    repairs.dropped += 1
