"""Fair scheduling of the event loop: input is handled in slices, with a share of each turn for each client address.

A connection with more than a slice of work waits with the rest, and its reading is paused until that is done. Small
senders come first. So a flood delays others by one turn at most.
"""

from __future__ import annotations

import asyncio
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Final

from landsraad_http2.quotas import ClientQuota

if TYPE_CHECKING:
    from landsraad_http2.connection import Connection

#: Seconds that a connection may work at a time; all addresses in one turn; and each at least, however many they are.
SLICE_SECONDS: Final = 0.001
_TURN_SECONDS: Final = 0.005
_LEAST_SECONDS: Final = 0.0002
#: What a call is charged for its handler, which runs later in the turn.
CALL_SECONDS: Final = 0.0005
#: The same for each byte that a compressed message may become, and how many those are of one.
UNPACK_SECONDS: Final = 2.5e-9
MOST_UNFOLDED: Final = 1032
#: Bytes that are taken apart between two looks at the clock.
STEP_BYTES: Final = 2048


class Turns:
    """The scheduler of one server."""

    __slots__ = ("_active", "_fresh", "_loop", "_share", "_stale", "left")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._active: list[ClientQuota] = []
        # Addresses that wait: those of which nothing waited before come first.
        self._fresh: deque[ClientQuota] = deque()
        self._stale: deque[ClientQuota] = deque()
        self._share = _TURN_SECONDS
        #: seconds of work that are left in this turn
        self.left = _TURN_SECONDS

    def enter(self, quota: ClientQuota) -> None:
        """Give a client its share of this turn."""
        if not self._active:
            self._loop.call_soon(self._next)
        self._active.append(quota)
        quota.active = True
        quota.left = min(quota.left, 0.0) + self._share  # what it has overdrawn, it waits for

    def wait(self, quota: ClientQuota, *, fresh: bool) -> None:
        """Let a client continue in a later turn."""
        if not quota.waiting:
            quota.waiting = True
            (self._fresh if fresh else self._stale).append(quota)

    def _next(self) -> None:
        """Begin a turn: renew all shares, and run waiting clients as far as time allows."""
        active, self._active = self._active, []
        for quota in active:
            quota.active = False
            quota.left = min(quota.left, 0.0)
        self._share = max(_LEAST_SECONDS, _TURN_SECONDS / len(active))
        started = perf_counter()
        for _ in range(len(self._fresh) + len(self._stale)):
            quota = (self._fresh or self._stale).popleft()
            quota.waiting = False
            self.enter(quota)
            _catch_up(quota)
            if quota.fresh or quota.stale:
                self.wait(quota, fresh=False)
            if perf_counter() - started >= _TURN_SECONDS:
                break
        # Who comes now may still work a little: the loop reads between two turns, and nobody waits for nothing.
        self.left = max(_TURN_SECONDS - (perf_counter() - started), SLICE_SECONDS)


def _catch_up(quota: ClientQuota) -> None:
    """Run the waiting connections of a client: new ones first, then round robin."""
    fresh, stale = quota.fresh, quota.stale
    while quota.left > 0 and (fresh or stale):
        connection: Connection = (fresh or stale).popleft()
        started = perf_counter()
        if connection.catch_up(started + min(SLICE_SECONDS, quota.left)):
            stale.append(connection)
        quota.left -= perf_counter() - started
