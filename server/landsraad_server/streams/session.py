"""One client's stream, whatever carries it.

A transport makes a session for each stream, gives it what the client sends (`PlaySession.on_message`), writes what its
outbox gives until that is finished, and calls `end` when the client has gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from landsraad.v1 import play_pb2
from landsraad.wire.frames import item
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.refusals import on_wire
from landsraad_server.streams.outbox import Outbox

if TYPE_CHECKING:
    from landsraad_server.streams.log_stream import LogStream, Why

#: So many logs at a time are told by a snapshot: each can be large, and all of them together have to fit in.
AT_ONCE = 32


class Session:
    """What streams of players and spectators have in common: logs, by subscription, and an outbox."""

    __slots__ = (
        "_address",
        "_context",
        "_tasks",
        "behind",
        "draining",
        "hall",
        "outbox",
        "streams",
    )

    def __init__(self, hall: MatchHosts, *, address: str = "") -> None:
        self.hall = hall
        self.streams: dict[int, LogStream] = {}
        self.outbox = Outbox(self._full, self._drained)
        #: logs that were cut, and are told again as soon as the client has read what waits
        self.behind: dict[LogStream, None] = {}
        self.draining = False  # sent away, but what is on its way here has to be answered
        self._address = address
        self._tasks: set[asyncio.Task[None]] = set()
        #: of the call: what a transport hands over comes in that of its connection
        self._context = copy_context()
        hall.figures.streams += 1

    def has(self, stream: LogStream) -> bool:
        """Whether a log is still followed on this stream."""
        return self.streams.get(stream.subscription) is stream

    def close_stream(self, stream: LogStream, reason: Why) -> None:
        """End a subscription, and tell the client why."""
        if self.has(stream):
            stream.flush()
            self.outbox.make_room()
        if self.has(stream):  # and was not closed as too slow for that
            del self.streams[stream.subscription]
            self.behind.pop(stream, None)
            stream.farewell(reason)
            self.left(stream)

    def falls_behind(self, stream: LogStream) -> None:
        """A log was cut, or has a snapshot to read: it is told when the client has read what waits."""
        self.behind[stream] = None
        self.outbox.watched = True

    def left(self, stream: LogStream) -> None:
        """A subscription has ended."""
        stream.host.unlisten(stream)

    def refuse(self, subscription: int, error: Exception, seq: int = 0, position: HostedMatch | None = None) -> None:
        """Say in the stream why something is not done."""
        stream = self.streams.get(subscription)
        if stream is not None:
            stream.flush()
        self.hall.unforeseen("stream", "" if position is None else position.match, error)
        codec = None if position is None or position.live is None else position.live.codec
        refusal = on_wire(error, codec, seq)
        self.hall.figures.refused(refusal.reason)
        self.outbox.put(item(subscription, "refusal", refusal.SerializeToString()))

    def flush(self) -> None:
        """Let out what waits for company."""
        for stream in tuple(self.streams.values()):
            if self.has(stream):  # and was not cut off by what another one has let out
                stream.flush()

    def hint(self, reason: Why) -> str:
        """Where to connect after a subscription has ended."""
        return "" if reason == play_pb2.CLOSED_REASON_DRAINING else self._address

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that waits, for as long as the stream lasts."""
        task = asyncio.get_running_loop().create_task(work, context=self._context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _full(self) -> None:
        hopeless = self.outbox.full  # it does not even read what it has asked for
        if hopeless:
            self.outbox.close()
        for stream in tuple(self.streams.values()):
            stream.cut()
        if hopeless:
            self.close(play_pb2.CLOSED_REASON_SLOW)

    def _drained(self) -> None:
        """Take up some of those that were cut. All at once they would fill the outbox again, and be closed for that."""
        room = AT_ONCE
        for stream in tuple(self.behind):
            if stream.cut_off:
                if not room:
                    continue
                room -= 1
            del self.behind[stream]
            stream.drained()
        self.outbox.watched = bool(self.behind)

    def close(self, reason: Why) -> None:
        """End all subscriptions, and the stream as soon as that is written."""
        self.draining = reason == play_pb2.CLOSED_REASON_DRAINING
        self.outbox.close()  # first: what is said now is the last, and nothing is too much
        for stream in tuple(self.streams.values()):
            stream.close(reason)

    def end(self) -> None:
        """The client has gone; once is enough."""
        streams, self.streams = self.streams, {}
        self.behind.clear()
        for stream in streams.values():
            self.left(stream)
        for task in tuple(self._tasks):
            task.cancel()
        self.outbox.abandon()
        self.hall.figures.streams -= 1
