"""Fair shares of the event loop: what came is handled in slices, and each address has its share of a turn.

A connection that sends more than a slice of work waits with the rest, and nothing more is read from it until that is
done. Whoever sends little comes first. So a flood delays others by the length of one turn at most.
"""

from __future__ import annotations

import asyncio
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Final

from landsraad_http2.accounts import Account

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
    """Gives out the shares of one server."""

    __slots__ = ("_active", "_fresh", "_loop", "_share", "_stale", "left")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._active: list[Account] = []
        # Addresses that wait: those of which nothing waited before come first.
        self._fresh: deque[Account] = deque()
        self._stale: deque[Account] = deque()
        self._share = _TURN_SECONDS
        #: seconds of work that are left in this turn
        self.left = _TURN_SECONDS

    def enter(self, account: Account) -> None:
        """Give an account its share: it begins to work in this turn."""
        if not self._active:
            self._loop.call_soon(self._next)
        self._active.append(account)
        account.active = True
        account.left = min(account.left, 0.0) + self._share  # what it has overdrawn, it waits for

    def wait(self, account: Account, *, fresh: bool) -> None:
        """Let an account go on in a later turn. It is active in this one, and so there is another."""
        if not account.waiting:
            account.waiting = True
            (self._fresh if fresh else self._stale).append(account)

    def _next(self) -> None:
        """A new turn: everybody may work again, and of those that wait as many as there is time for."""
        active, self._active = self._active, []
        for account in active:
            account.active = False
            account.left = min(account.left, 0.0)
        self._share = max(_LEAST_SECONDS, _TURN_SECONDS / len(active))
        started = perf_counter()
        for _ in range(len(self._fresh) + len(self._stale)):
            account = (self._fresh or self._stale).popleft()
            account.waiting = False
            self.enter(account)
            _catch_up(account)
            if account.fresh or account.stale:
                self.wait(account, fresh=False)
            if perf_counter() - started >= _TURN_SECONDS:
                break
        # Who comes now may still work a little: the loop reads between two turns, and nobody waits for nothing.
        self.left = max(_TURN_SECONDS - (perf_counter() - started), SLICE_SECONDS)


def _catch_up(account: Account) -> None:
    """Let the connections of an account work that wait: those that have just come first, then in turn."""
    fresh, stale = account.fresh, account.stale
    while account.left > 0 and (fresh or stale):
        connection: Connection = (fresh or stale).popleft()
        started = perf_counter()
        if connection.catch_up(started + min(SLICE_SECONDS, account.left)):
            stale.append(connection)
        account.left -= perf_counter() - started
