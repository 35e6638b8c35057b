"""Clock sets: sorted sets of match clocks, leased by workers when they run out.

A clock's true deadline is the `due` in the head of the match's log. Each match with a clock is a member of one of a few
sorted sets, scored by time in ms. A worker that finds one run out leases it by moving the score ahead; nothing is ever
popped, so a clock cannot be lost with its worker. A firing is only a hint: read the head, and either commit the timeout
or settle the lease for the deadline found there. Firing too early is therefore harmless. To prevent firing too late,
arm the clock *after* each commit whose deadline is earlier than the one before. (A lease holder that read the head
before that commit finds its lease touched when it settles, and then only the earlier time counts.)
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from landsraad_server.store import keys
from landsraad_server.store.errors import StoreError, StoreUnavailable
from landsraad_server.store.pipeline import Link
from landsraad_server.store.resp import Reply
from landsraad_server.store.scripts import ARM, LEASE, SETTLE

#: Seconds for which arming is coalesced: far below what a player could notice, while each act of a bot arms a clock.
GATHER_SECONDS = 0.1
#: Milliseconds after which an unsettled lease expires and other workers see the clock again.
LEASE_MS = 10_000
#: Most clocks leased from one set at a time, so that one worker does not take them all.
BATCH = 32


class Lease(NamedTuple):
    """A clock that seems to have run out, leased to one worker."""

    match: str
    score: bytes


class ClockSets:
    """Access to all clocks. Callers pass the time in ms since 1970."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._armed: dict[str, int] = {}  # not yet written
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def arm(self, match: str, due: int) -> None:
        """Make the clock fire at `due` at the latest. Writes are coalesced for GATHER_SECONDS."""
        self._armed[match] = min(due, self._armed.get(match, due))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_SECONDS, self.flush)

    def close(self) -> None:
        """Write the armed clocks and stop retrying."""
        self._closed = True
        self.flush()

    def flush(self) -> None:
        """Write the armed clocks now; what cannot be written is retried."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        armed, self._armed = self._armed, {}
        by_set: dict[int, dict[str, int]] = {}
        for match, due in armed.items():
            by_set.setdefault(keys.clock_number(match), {})[match] = due
        for number, members in by_set.items():
            self._write(keys.clock_set(number), members)

    def _write(self, key: bytes, members: dict[str, int]) -> None:
        def written(reply: Reply) -> None:
            if isinstance(reply, StoreError) and not self._closed:
                for match, due in members.items():
                    self.arm(match, due)

        arguments = tuple(part for match, due in members.items() for part in (match.encode(), due))
        try:
            ARM.send(self._link, (key,), arguments, written)
        except StoreUnavailable as error:
            written(error)

    async def lease(self, now: int, lease_ms: int = LEASE_MS) -> list[Lease]:
        """Lease clocks that have run out at `now`, of all sets; a worker leases those of its `ClockShare`.

        Each has to be settled, else it can be leased again after `lease_ms`.
        """
        # The half marks a leased clock for arm.lua.
        until = b"%d.5" % (now + lease_ms)
        found = await asyncio.gather(*(self._leased(number, now, until) for number in range(keys.CLOCK_SETS)))
        return [Lease(match.decode(), until) for matches in found for match in matches]

    async def _leased(self, number: int, now: int, until: bytes) -> Sequence[bytes]:
        """Lease clocks of one set; none if its node is unreachable, so that those of other sets can still fire."""
        with suppress(StoreUnavailable):
            matches: Sequence[bytes] = await LEASE.call(self._link, (keys.clock_set(number),), now, until, BATCH)
            return matches
        return ()

    async def settle(self, lease: Lease, due: int) -> None:
        """Release a leased clock: it fires next at `due`, or never if that is 0."""
        next_time = (due,) if due else ()
        await SETTLE.call(self._link, (self._set_of(lease.match),), lease.match.encode(), lease.score, *next_time)

    async def disarm(self, match: str) -> None:
        """Remove the match's clock."""
        self._armed.pop(match, None)
        key = self._set_of(match)
        await self._link.call(key, b"ZREM", key, match.encode())

    async def armed(self, match: str) -> float | None:
        """Return the score of the match's clock: its time in ms, plus a half if it is leased; None if there is none."""
        key = self._set_of(match)
        score = await self._link.call(key, b"ZSCORE", key, match.encode(), read=True)
        return None if score is None else float(score)

    async def all_armed(self, matches: Sequence[str]) -> dict[str, float | None]:
        """Return the scores of several matches' clocks, as `armed` does: one command for each set."""
        by_set: dict[bytes, list[str]] = {}
        for match in matches:
            by_set.setdefault(self._set_of(match), []).append(match)
        found = await asyncio.gather(
            *(
                self._link.call(key, b"ZMSCORE", key, *(match.encode() for match in members), read=True)
                for key, members in by_set.items()
            )
        )
        return {
            match: None if score is None else float(score)
            for members, scores in zip(by_set.values(), found, strict=True)
            for match, score in zip(members, scores, strict=True)
        }

    def _set_of(self, match: str) -> bytes:
        return keys.clock_set(keys.clock_number(match))
