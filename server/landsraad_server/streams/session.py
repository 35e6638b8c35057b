"""Session: the stream of one client, on any transport.

A transport makes a session for each stream. It passes the client's frames to `PlaySession.on_message`, writes what the
outbox returns until the outbox is finished, and calls `end` when the client has gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, Protocol

from landsraad.v1 import play_pb2
from landsraad.wire.frames import item, subscription_of
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.refusals import to_refusal
from landsraad_server.streams.outbox import Outbox

if TYPE_CHECKING:
    from landsraad_server.streams.log_stream import ClosedReason, LogStream

#: Logs of one session for which a snapshot may be on its way: each can be large, and all must fit into the outbox.
SNAPSHOTS_AT_ONCE = 32


class OpenedByToken(Protocol):
    """A stream or session that was opened with the token of an account, and ends with it."""

    def close(self, reason: ClosedReason) -> None:
        """End, and tell the client the reason."""


class Session:
    """The common part of players' and spectators' sessions: log streams, by subscription, and an outbox."""

    __slots__ = (
        "_address",
        "_context",
        "_tasks",
        "by_token",
        "draining",
        "hosts",
        "lagging",
        "outbox",
        "streams",
    )

    def __init__(self, hosts: MatchHosts, *, address: str = "") -> None:
        self.hosts = hosts
        self.streams: dict[int, LogStream] = {}
        #: the streams that were opened with the token of an account, which may be revoked, by that token
        self.by_token: dict[str, dict[OpenedByToken, None]] = {}
        self.outbox = Outbox(self._on_full, self._on_drained)
        #: streams that must be told when the client has read all that waits, in the order in which they fell behind
        self.lagging: dict[LogStream, None] = {}
        self.draining = False  # The worker stops: the session answers what is on its way, and takes nothing new.
        self._address = address
        self._tasks: set[asyncio.Task[None]] = set()
        #: the context of the call: a transport may pass frames on in the context of its connection
        self._context = copy_context()
        hosts.counters.streams += 1

    def is_open(self, stream: LogStream) -> bool:
        """Tell whether a subscription is still open."""
        return self.streams.get(stream.subscription) is stream

    def add_stream(self, stream: LogStream) -> None:
        """Add a subscription."""
        self.streams[stream.subscription] = stream
        if stream.opened_with:
            self.by_token.setdefault(stream.opened_with, {})[stream] = None

    def drop_stream(self, stream: LogStream) -> bool:
        """Remove a subscription; False if it was removed before."""
        if not self.is_open(stream):
            return False
        del self.streams[stream.subscription]
        self.lagging.pop(stream, None)
        if stream.opened_with:
            same = self.by_token[stream.opened_with]
            del same[stream]
            if not same:
                del self.by_token[stream.opened_with]
        return True

    def close_stream(self, stream: LogStream, reason: ClosedReason) -> None:
        """End a subscription, and tell the client the reason."""
        if self.is_open(stream):
            stream.flush()
            self.outbox.make_room()
        if self.drop_stream(stream):  # Flushing may have closed it as too slow.
            stream.send_closed(reason)
            self.on_closed(stream)

    def mark_lagging(self, stream: LogStream) -> None:
        """Call the stream's `on_drained` when the client has read all that waits."""
        self.lagging[stream] = None
        self.outbox.report_empty = True

    def on_closed(self, stream: LogStream) -> None:
        """Release a subscription that has ended."""
        stream.host.remove_listener(stream)

    def refuse(self, subscription: int, error: Exception, seq: int = 0, hosted: HostedMatch | None = None) -> None:
        """Send a refusal of an input or a subscription."""
        stream = self.streams.get(subscription)
        if stream is not None:
            stream.flush()
        self.hosts.log_unexpected("stream", "" if hosted is None else hosted.match, error)
        codec = None if hosted is None or hosted.running is None else hosted.running.codec
        refusal = to_refusal(error, codec, seq)
        self.hosts.counters.refused(refusal.reason)
        self.outbox.put(item(subscription, "refusal", refusal.SerializeToString()))

    def flush(self) -> None:
        """Send all coalesced output."""
        for stream in tuple(self.streams.values()):
            if self.is_open(stream):  # Flushing another stream may have closed it.
                stream.flush()

    def reconnect_hint(self, reason: ClosedReason) -> str:
        """Return the address to which the client should reconnect; empty for any."""
        return "" if reason == play_pb2.CLOSED_REASON_DRAINING else self._address

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background, until the session ends."""
        task = asyncio.get_running_loop().create_task(work, context=self._context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _on_full(self, discarded: list[bytes]) -> None:
        hopeless = self.outbox.full  # The client does not even read the answers to its requests.
        if hopeless:
            self.outbox.close()
        # Each cut stream costs a snapshot, so the others go on: a client may have thousands that are quiet.
        for subscription in dict.fromkeys(map(subscription_of, discarded)):
            stream = self.streams.get(subscription)
            if stream is not None:
                stream.on_overflow()
        if hopeless:
            self.close(play_pb2.CLOSED_REASON_SLOW)

    def _on_drained(self) -> None:
        """Let some lagging streams go on. All at once would fill the outbox again, and be closed for that."""
        room = SNAPSHOTS_AT_ONCE
        for stream in tuple(self.lagging):
            if stream.is_cut:
                if not room:
                    continue
                room -= 1
            del self.lagging[stream]
            stream.on_drained()
        self.outbox.report_empty = bool(self.lagging)

    def close(self, reason: ClosedReason) -> None:
        """End all subscriptions, and the session as soon as all output is written."""
        self.draining = reason == play_pb2.CLOSED_REASON_DRAINING
        self.outbox.close()  # Closed first: nothing of the last items may be discarded.
        for stream in tuple(self.streams.values()):
            stream.close(reason)

    def end(self) -> None:
        """Release everything: the client has gone. Call this once."""
        streams, self.streams = self.streams, {}
        self.lagging.clear()
        self.by_token.clear()
        for stream in streams.values():
            self.on_closed(stream)
        for task in tuple(self._tasks):
            task.cancel()
        self.outbox.abandon()
        self.hosts.counters.streams -= 1
