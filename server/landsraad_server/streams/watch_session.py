"""The stream of a spectator."""

from __future__ import annotations

from landsraad.v1 import common_pb2
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.spectator_delay import Delayed
from landsraad_server.streams.log_stream import LogStream
from landsraad_server.streams.session import Session


class WatchSession(Session):
    """One log and nothing else: the stream ends with it."""

    __slots__ = ("_spectator",)

    def __init__(
        self, hall: MatchHosts, host: MatchHost | Delayed, *, address: str = "", opened_with: str = ""
    ) -> None:
        super().__init__(hall, address=address)
        self._spectator = LogStream(self, 0, host, None)
        self._spectator.opened_with = opened_with
        self.streams[0] = self._spectator
        hall.figures.spectators += 1

    def begin(self, position: HostedMatch, cursor: common_pb2.Cursor | None) -> None:
        """To be called while a request is settled."""
        self._spectator.begin(position, cursor)

    def left(self, stream: LogStream) -> None:
        """Nothing more comes."""
        super().left(stream)
        self.hall.figures.spectators -= 1
        self.outbox.close()
