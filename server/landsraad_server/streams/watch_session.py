"""Watch session: the stream of a spectator."""

from __future__ import annotations

from landsraad.v1 import common_pb2
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.spectator_delay import DelayedHost
from landsraad_server.streams.log_stream import LogStream
from landsraad_server.streams.session import Session


class WatchSession(Session):
    """A session with the spectators' log alone, which ends with it."""

    __slots__ = ("_spectator",)

    def __init__(
        self, hosts: MatchHosts, host: MatchHost | DelayedHost, *, address: str = "", opened_with: str = ""
    ) -> None:
        super().__init__(hosts, address=address)
        self._spectator = LogStream(self, 0, host, None)
        self._spectator.opened_with = opened_with
        self.add_stream(self._spectator)
        hosts.counters.spectators += 1

    def begin(self, hosted: HostedMatch, cursor: common_pb2.Cursor | None) -> None:
        """Send the log from the cursor on. Call this while a request is settled."""
        self._spectator.begin(hosted, cursor)

    def on_closed(self, stream: LogStream) -> None:
        """Close the outbox with the only subscription."""
        super().on_closed(stream)
        self.hosts.counters.spectators -= 1
        self.outbox.close()
