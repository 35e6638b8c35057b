"""Network delay: measure a client's round-trip time by pings. It does not count against the clocks of its seats."""

from __future__ import annotations

from collections.abc import Callable

from landsraad.v1 import play_pb2
from landsraad.wire.frames import item
from landsraad_server.matches.match_clocks import MOST_NETWORK_MS

#: Least time between two pings.
_EVERY_MS = 5_000


class NetworkDelay:
    """The round-trip time of one stream, in ms.

    A client can delay its pongs to gain time on its clock. `MOST_NETWORK_MS` limits that gain.
    """

    __slots__ = ("_now", "_pinged_at", "_send", "_token", "_waiting", "ms")

    def __init__(self, now: Callable[[], int], send: Callable[[bytes], None]) -> None:
        self.ms = 0
        self._now = now
        self._send = send
        self._token = 0
        self._pinged_at = 0
        self._waiting = False

    def ping(self) -> None:
        """Send a ping, unless one was sent just now."""
        now = self._now()
        if not self._waiting and now - self._pinged_at >= _EVERY_MS:
            self._token += 1
            self._pinged_at, self._waiting = now, True
            self._send(item(0, "ping", play_pb2.Ping(token=self._token).SerializeToString()))

    def on_pong(self, token: int) -> None:
        """Measure the round trip, unless the pong answers an older ping."""
        if self._waiting and token == self._token:
            self._waiting = False
            self.ms = min(MOST_NETWORK_MS, max(0, self._now() - self._pinged_at))
