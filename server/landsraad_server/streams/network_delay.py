"""How long the network takes between a client and us: not counted against its seats' clocks."""

from __future__ import annotations

from collections.abc import Callable

from landsraad.v1 import play_pb2
from landsraad.wire.frames import item
from landsraad_server.matches.match_clocks import MOST_NETWORK_MS

#: A network does not change its mind more often.
_EVERY_MS = 5_000


class Network:
    """The way of one stream there and back, as the client's answers to our pings tell.

    A client can hold an answer back, and has no more from it than `MOST_NETWORK_MS`.
    """

    __slots__ = ("_asked_at", "_now", "_say", "_token", "_waiting", "ms")

    def __init__(self, now: Callable[[], int], say: Callable[[bytes], None]) -> None:
        self.ms = 0
        self._now = now
        self._say = say
        self._token = 0
        self._asked_at = 0
        self._waiting = False

    def ask(self) -> None:
        """Send a ping, unless one was sent just now."""
        now = self._now()
        if not self._waiting and now - self._asked_at >= _EVERY_MS:
            self._token += 1
            self._asked_at, self._waiting = now, True
            self._say(item(0, "ping", play_pb2.Ping(token=self._token).SerializeToString()))

    def heard(self, token: int) -> None:
        """The client has answered."""
        if self._waiting and token == self._token:
            self._waiting = False
            self.ms = min(MOST_NETWORK_MS, max(0, self._now() - self._asked_at))
