"""The stream of a spectator."""

from __future__ import annotations

from landsraad.v1 import common_pb2
from landsraad_server.hosting.delayed import Delayed
from landsraad_server.hosting.hall import Hall
from landsraad_server.hosting.host import Host
from landsraad_server.hosting.position import Position
from landsraad_server.sessions.following import LogStream
from landsraad_server.sessions.session import Session


class WatchSession(Session):
    """One log and nothing else: the stream ends with it."""

    __slots__ = ("_spectator",)

    def __init__(self, hall: Hall, host: Host | Delayed, *, address: str = "", opened_with: str = "") -> None:
        super().__init__(hall, address=address)
        self._spectator = LogStream(self, 0, host, None)
        self._spectator.opened_with = opened_with
        self.streams[0] = self._spectator
        hall.figures.spectators += 1

    def begin(self, position: Position, cursor: common_pb2.Cursor | None) -> None:
        """To be called while a request is settled."""
        self._spectator.begin(position, cursor)

    def left(self, stream: LogStream) -> None:
        """Nothing more comes."""
        super().left(stream)
        self.hall.figures.spectators -= 1
        self.outbox.close()
