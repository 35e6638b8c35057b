"""Clocks of live matches: when to look at a match next. The truth about a clock is the `due` in the head of the log.

Each match with a clock is a member of one of a few sorted sets, scored by time in ms. A worker that finds one run out
leases it by moving the score ahead; nothing is ever popped, so a clock cannot be lost with its worker. A firing is
only a hint: read the head, and commit the timeout or settle for the time found there. Too early is therefore
harmless, and too late is what the rules here prevent: arm *after* each commit whose clock runs out earlier than the
one before. (A lease holder that read the head before that commit finds its lease touched when it settles, and then
only the earlier time counts.)
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

#: How long arming waits for company: far below what a player's clock can notice, and a bot's every act arms one.
GATHER_SECONDS = 0.1
#: How long a worker may take over what it leased before others see it again.
LEASE_MS = 10_000
#: Clocks taken from one set at a time, so that one worker does not take all.
BATCH = 32


class Lease(NamedTuple):
    """A clock that has run out, or so it seems, and is now for its holder to look at."""

    match: str
    score: bytes


class Clocks:
    """All clocks, as one worker sees them. Time is given in ms since 1970 by the caller."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._armed: dict[str, int] = {}  # to be written
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def arm(self, match: str, due: int) -> None:
        """Let the clock fire at `due` at the latest. Written in a moment, together with others."""
        self._armed[match] = min(due, self._armed.get(match, due))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_SECONDS, self.flush)

    def close(self) -> None:
        """Write what is armed, for the last time."""
        self._closed = True
        self.flush()

    def flush(self) -> None:
        """Write what is armed now. What cannot be written stays for the next time."""
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
        """Clocks that have run out at `now`. Each is to be settled, or will be leased again in `lease_ms`."""
        # The half marks a leased clock for arm.lua.
        until = b"%d.5" % (now + lease_ms)
        found = await asyncio.gather(*(self._leased(number, now, until) for number in range(keys.CLOCK_SETS)))
        return [Lease(match.decode(), until) for matches in found for match in matches]

    async def _leased(self, number: int, now: int, until: bytes) -> Sequence[bytes]:
        """Matches of one set. If it is away, those of others are leased nevertheless, and want to be looked at."""
        with suppress(StoreUnavailable):
            matches: Sequence[bytes] = await LEASE.call(self._link, (keys.clock_set(number),), now, until, BATCH)
            return matches
        return ()

    async def settle(self, lease: Lease, due: int) -> None:
        """Give back a leased clock: it fires next at `due`, or never if that is 0."""
        next_time = (due,) if due else ()
        await SETTLE.call(self._link, (self._set_of(lease.match),), lease.match.encode(), lease.score, *next_time)

    async def disarm(self, match: str) -> None:
        """The match needs no clock any more."""
        self._armed.pop(match, None)
        key = self._set_of(match)
        await self._link.call(key, b"ZREM", key, match.encode())

    async def armed(self, match: str) -> float | None:
        """When the clock fires as far as the store knows; with a half if it is leased."""
        key = self._set_of(match)
        score = await self._link.call(key, b"ZSCORE", key, match.encode(), read=True)
        return None if score is None else float(score)

    def _set_of(self, match: str) -> bytes:
        return keys.clock_set(keys.clock_number(match))
