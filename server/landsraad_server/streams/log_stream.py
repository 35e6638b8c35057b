"""Log streams: send one information log to one client, from a cursor on and without gaps.

A stream first reads from the store what the client has missed, and then sends each record as it is committed. If the
client reads too slowly, the stream skips entries and sends a snapshot later, which stands in for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from landsraad.v1 import common_pb2, play_pb2
from landsraad.wire.frames import entries_item, item
from landsraad.wire.seat_semantics import cursor_at, first_wanted, snapshot_reason
from landsraad_server.matches import match_messages
from landsraad_server.matches.history import History
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.record_fanout import LogSlice, RecordFanout
from landsraad_server.matches.records import Presence, SeatState
from landsraad_server.matches.requests import MatchCall
from landsraad_server.matches.spectator_delay import DelayedHost
from landsraad_server.streams.observations import observation, public_observation, snapshot_bytes

if TYPE_CHECKING:
    from landsraad_server.streams.session import Session

#: Entries in one item.
CHUNK = 256
#: Size of the largest part of a log that is sent again; for more, a snapshot is shorter.
MOST_RESENT_BYTES = 2 << 20

SnapshotReason: TypeAlias = play_pb2.SnapshotReason.ValueType
ClosedReason: TypeAlias = play_pb2.ClosedReason.ValueType


class Flow(Enum):
    """The state of a stream: how the client keeps up with its log."""

    CATCHING_UP = "the entries that the client has missed are being read from the store"
    FLOWING = "the client gets every entry"
    CUT = "the client reads too slowly: entries are skipped until it has read what waits"
    REFILLING = "a snapshot has been requested in place of the skipped entries"
    PROBATION = "the client has a snapshot to read; if it is too slow for that, the stream is closed"


#: The states in which records are sent as they come. In all others a later reading of the log will include them.
_LISTENING = (Flow.FLOWING, Flow.PROBATION)


class LogStream:
    """A listener of a host that sends one log to a client; `seat` is None for the spectators' log."""

    __slots__ = (
        "_flush_scheduled",
        "_mark",
        "_nonce",
        "_queued_bodies",
        "_queued_clock",
        "_queued_entries",
        "_sent_match",
        "_sent_presence",
        "_unchecked",
        "flow",
        "host",
        "log",
        "opened_with",
        "seat",
        "sent",
        "session",
        "subscription",
    )

    def __init__(self, session: Session, subscription: int, host: MatchHost | DelayedHost, seat: int | None) -> None:
        self.session = session
        self.subscription = subscription
        self.host = host
        self.seat = seat
        self.log = -1 if seat is None else seat  # The index of the log in `LogCounters`.
        self.opened_with = ""  # The account token that opened the stream, if one did: it may be revoked.
        self.flow = Flow.CATCHING_UP
        self.sent = 0  # The number of the last entry that was sent.
        self._nonce = b""  # That of the commit with the last entry that was sent or queued.
        self._mark = b""  # The mark that the client has.
        self._unchecked: common_pb2.Cursor | None = None  # The mark of this cursor is not compared with the log yet.
        self._sent_presence: list[Presence] = []
        self._sent_match = b""  # The match message that was sent last, without presence.
        # Coalesced output: the number of queued entries, their bytes, and the last clock item.
        self._flush_scheduled = False
        self._queued_entries = 0
        self._queued_bodies: list[bytes] = []
        self._queued_clock = b""

    # ---------------------------------------------------------------------------------------------------- beginning

    def begin(self, hosted: HostedMatch, cursor: common_pb2.Cursor | None) -> None:
        """Send the match message, and the log from the cursor on. Call this while a request is settled."""
        self.host.add_listener(self)
        self.send_match(hosted)
        start = first_wanted(cursor)
        if cursor is not None and cursor.mark and start > 1 and isinstance(self.host, MatchHost):
            self.sent, self._mark = start - 1, cursor.mark
            if not self._is_at_end(hosted, cursor):
                self._unchecked = cursor
            self.catch_up(hosted)
            return
        reason = snapshot_reason(cursor, epoch=self.host.head.epoch, last=hosted.log_counters.counts[self.log])
        if hosted.of_other_build and not start:
            self.catch_up(hosted)  # A snapshot needs the rules of the match's build; its log does not.
        elif reason is not None:
            self.send_snapshot(hosted, reason)
        else:
            self.sent = start - 1
            self.catch_up(hosted)

    def _is_at_end(self, hosted: HostedMatch, cursor: common_pb2.Cursor) -> bool:
        """Return whether a cursor follows the last entry of this very log. If so, nothing has to be read."""
        at_end = self.sent == hosted.log_counters.counts[self.log]
        return at_end and cursor.mark == self.host.mark(hosted.log_nonces[self.log])

    def catch_up(self, hosted: HostedMatch) -> None:
        """Read missing entries from the store, and then send new ones as they come."""
        if self.flow in (Flow.CUT, Flow.REFILLING):
            return  # Entries were discarded: a snapshot will stand in for them.
        if self._unchecked is None and self.sent >= hosted.log_counters.counts[self.log]:
            self._start_flowing(hosted)
        elif self.session.is_open(self):
            self.flow = Flow.CATCHING_UP
            self.session.spawn(self._read_history(hosted))

    async def _read_history(self, hosted: HostedMatch) -> None:
        hosts = self.session.hosts
        number = len(hosted.seats) if self.seat is None else self.seat
        try:
            cursor = self._unchecked
            first = self.sent + 1 if cursor is None else self.sent
            history = await self.host.history(number, first, hosted.waypoints)
            if self.flow is not Flow.CATCHING_UP or not self.session.is_open(self):
                return
            if cursor is not None:
                self._unchecked = None
                if not await self._belongs(history, cursor):
                    return
            if self.send_history(history):
                self.run_on_host(MatchCall(read=self._on_history_sent))
            else:
                self.request_snapshot(play_pb2.SNAPSHOT_REASON_CURSOR_TOO_OLD)
        except Exception as error:  # noqa: BLE001  the client reconnects, and another attempt may succeed
            hosts.log_unexpected("catch up", self.host.match, error)
            self.on_failed()

    async def _belongs(self, history: History, cursor: common_pb2.Cursor) -> bool:
        """Return whether the entries before a cursor are those of this log; if they are not, see to it being told."""
        host, last = self.host, self.sent
        assert isinstance(host, MatchHost)
        nonce = history.nonce_of(last)
        stands = nonce is not None and host.is_mark_of(cursor.mark, nonce)
        epoch = host.epoch_of_mark(cursor.mark)
        if stands and epoch == host.head.epoch:
            return True
        self.sent, self._mark = last if stands else 0, b""
        if epoch is None:
            self.request_snapshot(play_pb2.SNAPSHOT_REASON_OTHER_EPOCH)  # It was never told.
        elif stands or not await host.on_other_history(epoch, cursor.mark):
            self.run_on_host(MatchCall(read=self._send_rewound, acknowledges=self.seat is not None))
        return False

    def _send_rewound(self, hosted: HostedMatch) -> None:
        if self.flow is Flow.CATCHING_UP and self.session.is_open(self):
            self.on_rewound(hosted, self.host.head.epoch, hosted.log_counters.counts)

    def _on_history_sent(self, hosted: HostedMatch) -> None:
        """Look for entries that were committed while the history was read."""
        if self.flow is Flow.CATCHING_UP and self.session.is_open(self):
            self.send_match(hosted)
            self.catch_up(hosted)

    def send_history(self, history: History) -> bool:
        """Send the missing entries in chunks; False if they are too large."""
        bodies = [body for _, body in history.after(self.sent)]
        if sum(map(len, bodies)) > MOST_RESENT_BYTES:
            return False
        for at in range(0, len(bodies), CHUNK):
            if self.flow is Flow.CATCHING_UP:  # Else an earlier chunk has filled the outbox.
                chunk = bodies[at : at + CHUNK]
                # The mark is that of the last entry of all, so it comes with the last chunk.
                nonce = history.last_nonce if at + CHUNK >= len(bodies) else b""
                self.queue_entries(LogSlice(len(chunk), b"".join(chunk)), nonce)
                self.flush()
        return True

    def queue_entries(self, new: LogSlice, nonce: bytes = b"") -> None:
        """Queue the next entries until `flush`; `nonce` is that of the commit with the last of them."""
        self._nonce = nonce
        self.sent += new.entries
        self._queued_entries += new.entries
        self._queued_bodies.append(new.bodies)

    def flush_later(self) -> None:
        """Flush after the linger time at the latest, together with all that is queued until then."""
        self._flush_scheduled = True
        self.session.hosts.coalescing.add(self)

    def on_timer(self) -> None:
        """Flush: the linger time is over."""
        self._flush_scheduled = False
        if self.session.is_open(self):
            self.flush()

    def flush(self) -> None:
        """Send the queued entries as one item, and then the queued clock."""
        if self._queued_bodies:
            first = self.sent - self._queued_entries + 1
            self._mark = self.host.mark(self._nonce)
            encoded = entries_item(self.subscription, first, b"".join(self._queued_bodies), self._mark)
            self._queued_entries = 0
            self._queued_bodies.clear()
            self.session.outbox.put(encoded, log=True)
        if self._queued_clock:
            encoded, self._queued_clock = self._queued_clock, b""
            self.session.outbox.put(encoded, log=True)

    def queue_clock(self, clock: bytes) -> None:
        """Queue a clock message, which is sent after the queued entries and replaces an earlier one."""
        self._queued_clock = item(self.subscription, "clock", clock)

    def _discard_queued(self) -> None:
        """Discard the queued output: a snapshot stands in for it."""
        self._queued_entries = 0
        self._queued_bodies.clear()
        self._queued_clock = b""

    def _start_flowing(self, hosted: HostedMatch) -> None:
        self.flow = Flow.FLOWING
        self._on_caught_up(hosted)

    def _on_caught_up(self, hosted: HostedMatch) -> None:
        """Complete the output once all entries of the log are sent."""
        self.send_extras(hosted)
        self.flush()
        if hosted.over:
            self.finish()

    def finish(self) -> None:
        """Close the stream of a match that is over, after a snapshot if its last entries have filled the outbox."""
        self.flush()
        self.session.outbox.make_room()
        if self.flow in _LISTENING:
            self.close(play_pb2.CLOSED_REASON_OVER)

    # -------------------------------------------------------------------------------------- events, as a RecordListener

    def on_record(self, hosted: HostedMatch, fanout: RecordFanout) -> None:
        """Queue the record's entries, and flush at once if the client has something to decide."""
        seat = self.seat
        if seat is not None and seat in fanout.seats and not self.keeps_seat(hosted, fanout.seats[seat]):
            return
        if self.flow not in _LISTENING:
            return
        urgent = fanout.match_changed
        has_entries = False
        if fanout.slices:
            new = fanout.slices[self.log]
            if new.entries:
                has_entries = True
                last = fanout.counts[self.log]
                if last - new.entries > self.sent:
                    self.catch_up(hosted)
                    return
                if last > self.sent:
                    # A client that has nothing new to decide can wait for more entries.
                    urgent = urgent or (seat is not None and fanout.question_entries[seat] > self.sent)
                    self.queue_entries(new, self.host.head.nonce)
        if fanout.match_changed:
            self.send_match(hosted)
        else:
            self._send_presence(fanout.presence)
        if has_entries:  # An item without entries would reveal that another player has given a sealed answer.
            self.send_extras(hosted)
        if urgent:
            self.flush()
        elif not self._flush_scheduled and (self._queued_bodies or self._queued_clock):
            self.flush_later()
        if fanout.status_changed and hosted.over:
            self.finish()

    def keeps_seat(self, hosted: HostedMatch, seat: SeatState) -> bool:
        """React to a change of the seat's state; False if this stream does not play the seat any more."""
        return True

    def on_rewound(self, hosted: HostedMatch, epoch: int, stands: Sequence[int]) -> None:
        """Tell the client from where the log is void, and send a snapshot of the new epoch."""
        last = min(self.sent, stands[self.log], hosted.log_counters.counts[self.log])
        self.put("rewound", play_pb2.Rewound(epoch=epoch, last=last).SerializeToString())
        self.send_match(hosted)
        self.send_snapshot(hosted, play_pb2.SNAPSHOT_REASON_OTHER_EPOCH)

    def on_archived(self) -> None:
        """Close the stream. A client that lacks entries reconnects, and reads them from the archive."""
        all_sent = self.flow in _LISTENING
        self.close(play_pb2.CLOSED_REASON_OVER if all_sent else play_pb2.CLOSED_REASON_UNAVAILABLE)

    def on_failed(self) -> None:
        """Close the stream: the client has to reconnect."""
        self.close(play_pb2.CLOSED_REASON_UNAVAILABLE)

    # -------------------------------------------------------------------------------------------------- slow readers

    def on_overflow(self) -> None:
        """Stop sending entries: the outbox was full, and has discarded entries and perhaps the match message."""
        self._sent_match = b""
        self._discard_queued()
        if self.flow is Flow.REFILLING:
            return
        before, self.flow = self.flow, Flow.CUT
        if before is Flow.PROBATION:
            self.session.hosts.counters.slow += 1
            self.close(play_pb2.CLOSED_REASON_SLOW)
        else:
            self.session.mark_lagging(self)

    @property
    def is_cut(self) -> bool:
        """Tell whether entries are skipped until the client has read what waits."""
        return self.flow is Flow.CUT

    def on_drained(self) -> None:
        """Go on: the client has read all that waited."""
        if self.flow is Flow.CUT:
            self.request_snapshot(play_pb2.SNAPSHOT_REASON_SLOW)
        elif self.flow is Flow.PROBATION:
            self.flow = Flow.FLOWING

    def request_snapshot(self, reason: SnapshotReason) -> None:
        """Request a snapshot that stands in for skipped entries."""
        self.flow = Flow.REFILLING
        send = partial(self._send_requested_snapshot, reason=reason)
        # A snapshot of a seat tells which inputs have been accepted.
        self.run_on_host(MatchCall(read=send, acknowledges=self.seat is not None))

    def run_on_host(self, call: MatchCall[None]) -> None:
        """Run a call on the match's host. If it fails, close the stream, so that the client reconnects."""

        def on_done(future: asyncio.Future[None]) -> None:
            error = None if future.cancelled() else future.exception()
            if isinstance(error, Exception):
                self.session.hosts.log_unexpected("go on", self.host.match, error)
                self.on_failed()

        call.future.add_done_callback(on_done)
        self.host.put(call)

    def _send_requested_snapshot(self, hosted: HostedMatch, reason: SnapshotReason) -> None:
        if self.session.is_open(self):
            self.flow = Flow.CATCHING_UP
            self.send_match(hosted)
            self.send_snapshot(hosted, reason)
            if reason == play_pb2.SNAPSHOT_REASON_SLOW and self.flow is Flow.FLOWING and self.session.is_open(self):
                self.flow = Flow.PROBATION
                self.session.mark_lagging(self)

    # ------------------------------------------------------------------------------------------------------- messages

    def send_snapshot(self, hosted: HostedMatch, reason: SnapshotReason) -> None:
        """Send all that the client may know of the match."""
        if hosted.of_other_build:
            self.on_failed()
            return
        if self.flow is Flow.CUT:  # The outbox has just filled: the snapshot is sent when there is room.
            return
        self._discard_queued()
        self.sent = hosted.log_counters.counts[self.log]
        self.flow = Flow.FLOWING  # Set before the snapshot is put, which may itself fill the outbox.
        head = self.host.head
        told = public_observation(hosted, head) if self.seat is None else observation(hosted, self.seat, head.epoch)
        self._mark = self.host.mark(hosted.log_nonces[self.log])
        self.put("snapshot", snapshot_bytes(told, reason, self._mark))
        if self.flow is Flow.FLOWING:
            self._on_caught_up(hosted)

    def send_match(self, hosted: HostedMatch) -> None:
        """Send the match message if it has changed. If only presence has, send that alone.

        Not every change of terms is public: an unchanged message would reveal that, for example, orders were given.
        """
        match = match_messages.match_message(hosted)
        body = match.SerializeToString()
        for seat in match.seats:
            seat.ClearField("presence")
        without_presence = match.SerializeToString(deterministic=True)
        if without_presence == self._sent_match:
            self._send_presence([(number, seat.presence) for number, seat in enumerate(hosted.seats)])
            return
        self._sent_match = without_presence
        self._sent_presence = [seat.presence for seat in hosted.seats]
        self.put("match", body)

    def _send_presence(self, seats: list[tuple[int, Presence]]) -> None:
        for number, presence in seats:
            if self._sent_presence[number] is not presence:
                self._sent_presence[number] = presence
                message = play_pb2.PresenceItem(seat=number, presence=match_messages.presence(presence))
                self.put("presence", message.SerializeToString())

    def send_extras(self, hosted: HostedMatch) -> None:
        """Send what only some kinds of streams have."""

    # -------------------------------------------------------------------------------------------------------- ending

    def close(self, reason: ClosedReason) -> None:
        """Close the stream, and tell the client the reason and where to resume."""
        self.session.close_stream(self, reason)

    def send_closed(self, reason: ClosedReason) -> None:
        """Send the last item of the stream."""
        # If entries were discarded, it is unknown which of them the client has read: resume with a snapshot.
        number = 0 if self.flow in (Flow.CUT, Flow.REFILLING) else self.sent + 1
        resume = cursor_at(self.host.head.epoch, number, self._mark if number > 1 else b"")
        closed = play_pb2.Closed(reason=reason, resume=resume, address_hint=self.session.reconnect_hint(reason))
        self.put("closed", closed.SerializeToString(), log=False)

    def put(self, name: str, body: bytes, *, log: bool = True) -> None:
        """Send a message as an item. `log` says that a snapshot can stand in for it."""
        self.send(item(self.subscription, name, body), log=log)

    def send(self, encoded: bytes, *, log: bool) -> None:
        """Send an encoded item after all queued output."""
        self.flush()
        if not log or self.session.is_open(self):  # Flushing may have filled the outbox and closed the stream.
            self.session.outbox.put(encoded, log=log)
