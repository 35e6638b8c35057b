"""The abuse guard: budgets for legal frames that cost work and serve no call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landsraad_http2.frames import ENHANCE_YOUR_CALM, ConnectionFault
from landsraad_http2.limits import Limits

if TYPE_CHECKING:
    from landsraad_http2.quotas import ClientQuota

# The cost of each kind, in proportion to its work. Honest clients cancel thousands of calls at a time, so a budget
# covers that; it is refilled every few seconds.
RESET: Final = 4
STRAY: Final = 4
LATE: Final = 1
EMPTY: Final = 4
PRIORITY: Final = 2
PING: Final = 10
SETTINGS: Final = 40
#: One more for each so many bytes of settings, and for each so many streams that a new window goes through.
SETTING_BYTES: Final = 100
WIDENED_STREAMS: Final = 8
#: One for each so many headers of a block beyond those that a call may have: a byte is enough for a header.
FIELDS: Final = 2
USUAL_FIELDS: Final = 24
#: A block that is too long to be read, however long it is.
TOO_LONG: Final = 400
#: One for each so many bytes of a block that was not seen before, beyond those that a call may have.
BLOCK_BYTES: Final = 128
USUAL_BLOCK_BYTES: Final = 1024
#: A frame of data or a window update that is too small to be worth its while: with fewer bytes, and a part of a message
#: that was there before; with a smaller increment, or of a stream that is over.
SMALL: Final = 1
SMALL_BYTES: Final = 64
SMALL_INCREMENT: Final = 64
#: What a connection may spend though the budget of its address is used up: to connect, and little else.
_GRACE: Final = 300


class AbuseGuard:
    """The abuse guard of one connection."""

    __slots__ = ("_budget", "_left", "_ping_seconds", "_pinged", "_quota", "_strikes", "_strikes_left")

    def __init__(self, limits: Limits, quota: ClientQuota) -> None:
        self._quota = quota
        self._budget = self._left = limits.abuse_budget
        self._ping_seconds = limits.ping_seconds
        self._strikes = self._strikes_left = limits.ping_strikes
        self._pinged = float("-inf")

    def spend(self, cost: int) -> None:
        """Charge useless work; raise ConnectionFault once the budget of the connection or of its address is spent."""
        self._left -= cost
        enough = self._quota.abuse.take(cost)
        if self._left < 0 or not (enough or self._budget - self._left <= _GRACE):
            raise ConnectionFault(ENHANCE_YOUR_CALM, "too many frames that lead to nothing")

    def renew(self) -> None:
        """Refill the budget."""
        self._left = self._budget

    def ping(self, now: float, *, busy: bool) -> None:
        """Count a ping. While messages go out (`busy`), pings are free: clients measure bandwidth with them, grpc-go
        with one for each message.
        """
        if busy:
            self._strikes_left = self._strikes
        else:
            self.spend(PING)
            if now - self._pinged >= self._ping_seconds:
                self._strikes_left = self._strikes
            else:
                self._strikes_left -= 1
                if self._strikes_left < 0:
                    # gRPC clients ping less often after this debug data
                    raise ConnectionFault(ENHANCE_YOUR_CALM, "too_many_pings")
        self._pinged = now
