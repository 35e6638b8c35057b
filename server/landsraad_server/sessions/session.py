"""One client's stream, whatever carries it.

A transport makes a session for each stream, gives it what the client sends (`PlaySession.on_message`), writes what
`outbox.take` gives until that is empty, and calls `end` when the client has gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from landsraad.v1 import play_pb2
from landsraad.wire.frames import item
from landsraad_server.hosting.hall import Hall
from landsraad_server.hosting.position import Position
from landsraad_server.refusals import on_wire
from landsraad_server.sessions.outbox import Outbox

if TYPE_CHECKING:
    from landsraad_server.sessions.following import LogStream, Why


class Session:
    """What streams of players and spectators have in common: logs, by subscription, and an outbox."""

    def __init__(self, hall: Hall, *, address: str = "") -> None:
        self.hall = hall
        self.streams: dict[int, LogStream] = {}
        self.outbox = Outbox(self._full, self._drained)
        self.draining = False  # sent away, but what is on its way here has to be answered
        self._address = address
        self._tasks: set[asyncio.Task[None]] = set()
        hall.figures.streams += 1

    def has(self, stream: LogStream) -> bool:
        """Whether a log is still followed on this stream."""
        return self.streams.get(stream.subscription) is stream

    def close_stream(self, stream: LogStream, reason: Why | None) -> None:
        """End a subscription; the client is told why, if a reason is given."""
        if self.has(stream) and reason is not None:
            stream.farewell(reason)
        if self.streams.pop(stream.subscription, None) is not None:
            self.left(stream)

    def left(self, stream: LogStream) -> None:
        """A subscription has ended."""
        stream.host.unlisten(stream)

    def refuse(self, subscription: int, error: Exception, seq: int = 0, position: Position | None = None) -> None:
        """Say in the stream why something is not done."""
        self.hall.unforeseen("stream", "" if position is None else position.match, error)
        codec = None if position is None or position.live is None else position.live.codec
        refusal = on_wire(error, codec, seq)
        self.hall.figures.refused(refusal.reason)
        self.outbox.put(item(subscription, "refusal", refusal.SerializeToString()))

    def hint(self, reason: Why) -> str:
        """Where to connect after a subscription has ended."""
        return "" if reason == play_pb2.CLOSED_REASON_DRAINING else self._address

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that waits, for as long as the stream lasts."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _full(self) -> None:
        for stream in tuple(self.streams.values()):
            stream.cut()
        if self.outbox.full:  # it does not even read what it has asked for
            self.close(play_pb2.CLOSED_REASON_SLOW)

    def _drained(self) -> None:
        for stream in tuple(self.streams.values()):
            stream.drained()

    def close(self, reason: Why) -> None:
        """End all subscriptions, and the stream as soon as that is written."""
        self.draining = reason == play_pb2.CLOSED_REASON_DRAINING
        for stream in tuple(self.streams.values()):
            stream.close(reason)
        self.outbox.close()

    def end(self) -> None:
        """The client has gone; once is enough."""
        streams, self.streams = self.streams, {}
        for stream in streams.values():
            self.left(stream)
        for task in tuple(self._tasks):
            task.cancel()
        self.outbox.close()
        self.hall.figures.streams -= 1
