"""One information log on one stream: from a cursor on, without a gap, however slowly its reader reads."""

from __future__ import annotations

import asyncio
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from landsraad.v1 import common_pb2, play_pb2
from landsraad.wire.frames import entries_item, item
from landsraad_server.matches import match_messages
from landsraad_server.matches.history import History
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.record_fanout import LogSlice, RecordFanout
from landsraad_server.matches.records import Presence, SeatState
from landsraad_server.matches.requests import MatchCall
from landsraad_server.matches.spectator_delay import DelayedHost
from landsraad_server.streams.observations import cursor_at, first_wanted, is_valid_cursor, observation, snapshot_bytes

if TYPE_CHECKING:
    from landsraad_server.streams.session import Session

#: Entries in one item.
CHUNK = 256
#: A longer part of the log than this is not sent again: a snapshot says it shorter.
MOST_RESENT_BYTES = 2 << 20

Reason: TypeAlias = play_pb2.SnapshotReason.ValueType
Why: TypeAlias = play_pb2.ClosedReason.ValueType


class Flow(Enum):
    """How the client keeps up with its log."""

    OPENING = "what it has missed is being read"
    FLOWING = "it gets every entry"
    CUT = "it read too slowly: entries are left out until it has read the rest"
    REFILLING = "a snapshot is on its way"
    PROBATION = "it has a snapshot to read; if it is too slow for that, it is closed"


#: In these it hears of every record; in all others whatever happens will be in what is about to be read.
_HEARING = (Flow.FLOWING, Flow.PROBATION)


class LogStream:
    """A listener of a host that sends on one log; ``seat`` is None for the spectators'."""

    __slots__ = (
        "_flush_scheduled",
        "_queued_bodies",
        "_queued_clock",
        "_queued_entries",
        "_sent_match",
        "_sent_presence",
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
        self.log = -1 if seat is None else seat  # its place in `Marks`
        self.opened_with = ""  # an account's token that may be revoked meanwhile, if it was by one
        self.flow = Flow.OPENING
        self.sent = 0  # number of the last entry that was sent
        self._sent_presence: list[Presence] = []
        self._sent_match = b""  # what was told of the match last
        # What waits for company: so many entries, their bytes; and the item that tells of the clock.
        self._flush_scheduled = False
        self._queued_entries = 0
        self._queued_bodies: list[bytes] = []
        self._queued_clock = b""

    # ---------------------------------------------------------------------------------------------------- beginning

    def begin(self, hosted: HostedMatch, cursor: common_pb2.Cursor | None) -> None:
        """Tell how the match stands, and the log from the cursor on; to be called while a request is settled."""
        self.host.add_listener(self)
        self.send_match(hosted)
        start = first_wanted(cursor)
        if hosted.elsewhere and not start:
            self.catch_up(hosted)  # what is known needs the rules; what was told does not
        elif cursor is None or not start:
            self.send_snapshot(hosted, play_pb2.SNAPSHOT_REASON_ASKED)
        elif not is_valid_cursor(cursor, self.host.head.epoch) or start > hosted.marks.counts[self.log] + 1:
            self.send_snapshot(hosted, play_pb2.SNAPSHOT_REASON_OTHER_EPOCH)
        else:
            self.sent = start - 1
            self.catch_up(hosted)

    def catch_up(self, hosted: HostedMatch) -> None:
        """Read from the store what is missing, then go on."""
        if self.flow in (Flow.CUT, Flow.REFILLING):
            return  # some of what was sent has been thrown away meanwhile: a snapshot comes
        if self.sent >= hosted.marks.counts[self.log]:
            self._start_flowing(hosted)
        elif self.session.is_open(self):
            self.flow = Flow.OPENING
            self.session.spawn(self._read_history(hosted))

    async def _read_history(self, hosted: HostedMatch) -> None:
        hosts = self.session.hosts
        number = len(hosted.seats) if self.seat is None else self.seat
        try:
            history = await self.host.history(number, self.sent + 1, hosted.waypoints)
            if self.flow is not Flow.OPENING or not self.session.is_open(self):
                return
            if self.send_history(history):
                self.run_on_host(MatchCall(read=self._on_history_sent))
            else:
                self.request_snapshot(play_pb2.SNAPSHOT_REASON_CURSOR_TOO_OLD)
        except Exception as error:  # noqa: BLE001  what cannot be read now may be read by another stream
            hosts.log_unexpected("catch up", self.host.match, error)
            self.on_failed()

    def _on_history_sent(self, hosted: HostedMatch) -> None:
        """What was missed is told; but whatever else has happened meanwhile was not heard."""
        if self.flow is Flow.OPENING and self.session.is_open(self):
            self.send_match(hosted)
            self.catch_up(hosted)

    def send_history(self, history: History) -> bool:
        """Tell what was missed; False if that is too much."""
        bodies = [body for _, body in history.after(self.sent)]
        if sum(map(len, bodies)) > MOST_RESENT_BYTES:
            return False
        for at in range(0, len(bodies), CHUNK):
            if self.flow is Flow.OPENING:  # else it was cut by what it has told
                chunk = bodies[at : at + CHUNK]
                self.queue_entries(LogSlice(len(chunk), b"".join(chunk)))
                self.flush()
        return True

    def queue_entries(self, share: LogSlice) -> None:
        """Tell the next entries; they wait until something is `flush`ed."""
        self.sent += share.entries
        self._queued_entries += share.entries
        self._queued_bodies.append(share.bodies)

    def flush_later(self) -> None:
        """Let what waits go out in a moment, together with what still comes, if it does not before."""
        self._flush_scheduled = True
        self.session.hosts.coalescing.add(self)

    def on_timer(self) -> None:
        """See Lingerer."""
        self._flush_scheduled = False
        if self.session.is_open(self):
            self.flush()

    def flush(self) -> None:
        """Let out what waits."""
        if self._queued_bodies:
            first = self.sent - self._queued_entries + 1
            said = entries_item(self.subscription, first, b"".join(self._queued_bodies))
            self._queued_entries = 0
            self._queued_bodies.clear()
            self.session.outbox.put(said, log=True)
        if self._queued_clock:
            said, self._queued_clock = self._queued_clock, b""
            self.session.outbox.put(said, log=True)

    def queue_clock(self, clock: bytes) -> None:
        """Let the clock be told after the entries that wait; of several the last one holds."""
        self._queued_clock = item(self.subscription, "clock", clock)

    def _discard_queued(self) -> None:
        """What waits is not told any more: a snapshot stands in for it."""
        self._queued_entries = 0
        self._queued_bodies.clear()
        self._queued_clock = b""

    def _start_flowing(self, hosted: HostedMatch) -> None:
        self.flow = Flow.FLOWING
        self._on_caught_up(hosted)

    def _on_caught_up(self, hosted: HostedMatch) -> None:
        """All that stands in the log was told."""
        self.send_extras(hosted)
        self.flush()
        if hosted.over:
            self.finish()

    def finish(self) -> None:
        """The match is over, and all of it was told; but where the last of it was too much, a snapshot comes first."""
        self.flush()
        self.session.outbox.make_room()
        if self.flow in _HEARING:
            self.close(play_pb2.CLOSED_REASON_OVER)

    # -------------------------------------------------------------------------------------------------- what happens

    def on_record(self, hosted: HostedMatch, fanout: RecordFanout) -> None:
        """See Listener."""
        seat = self.seat
        if seat is not None and seat in fanout.seats and not self.keeps_seat(hosted, fanout.seats[seat]):
            return
        if self.flow not in _HEARING:
            return
        urgent = fanout.match_changed
        news = False
        if fanout.slices:
            share = fanout.slices[self.log]
            if share.entries:
                news = True
                last = fanout.counts[self.log]
                if last - share.entries > self.sent:
                    self.catch_up(hosted)
                    return
                if last > self.sent:
                    # Whoever has nothing new to decide can wait a little for more.
                    urgent = urgent or (seat is not None and fanout.question_entries[seat] > self.sent)
                    self.queue_entries(share)
        if fanout.match_changed:
            self.send_match(hosted)
        else:
            self._send_presence(fanout.presence)
        if news:  # any item at any other moment would tell that somebody has answered unseen
            self.send_extras(hosted)
        if urgent:
            self.flush()
        elif not self._flush_scheduled and (self._queued_bodies or self._queued_clock):
            self.flush_later()
        if fanout.status_changed and hosted.over:
            self.finish()

    def keeps_seat(self, hosted: HostedMatch, seat: SeatState) -> bool:
        """The state of the seat itself has changed: whether it is still played here."""
        return True

    def on_rewound(self, hosted: HostedMatch, epoch: int) -> None:
        """See Listener."""
        last = min(self.sent, hosted.marks.counts[self.log])
        self.put("rewound", play_pb2.Rewound(epoch=epoch, last=last).SerializeToString())
        self.send_match(hosted)
        self.send_snapshot(hosted, play_pb2.SNAPSHOT_REASON_OTHER_EPOCH)

    def on_archived(self) -> None:
        """See Listener. Whoever was not told all comes again, and is told by the archive."""
        all_told = self.flow in _HEARING
        self.close(play_pb2.CLOSED_REASON_OVER if all_told else play_pb2.CLOSED_REASON_UNAVAILABLE)

    def on_failed(self) -> None:
        """See Listener."""
        self.close(play_pb2.CLOSED_REASON_UNAVAILABLE)

    # -------------------------------------------------------------------------------------------------- slow readers

    def on_overflow(self) -> None:
        """Too much waits: entries that waited were thrown away, and with them perhaps what was said of the match."""
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
        """Whether it has to be told anew."""
        return self.flow is Flow.CUT

    def on_drained(self) -> None:
        """The client has read all there was."""
        if self.flow is Flow.CUT:
            self.request_snapshot(play_pb2.SNAPSHOT_REASON_SLOW)
        elif self.flow is Flow.PROBATION:
            self.flow = Flow.FLOWING

    def request_snapshot(self, reason: Reason) -> None:
        """Let a snapshot stand in for what was left out."""
        self.flow = Flow.REFILLING
        self.run_on_host(MatchCall(read=partial(self._send_requested_snapshot, reason=reason)))

    def run_on_host(self, call: MatchCall[None]) -> None:
        """Let the match's host do what this cannot go on without; where that fails, the client has to come again."""

        def looked(future: asyncio.Future[None]) -> None:
            error = None if future.cancelled() else future.exception()
            if isinstance(error, Exception):
                self.session.hosts.log_unexpected("go on", self.host.match, error)
                self.on_failed()

        call.future.add_done_callback(looked)
        self.host.put(call)

    def _send_requested_snapshot(self, hosted: HostedMatch, reason: Reason) -> None:
        if self.session.is_open(self):
            self.flow = Flow.OPENING
            self.send_match(hosted)
            self.send_snapshot(hosted, reason)
            if reason == play_pb2.SNAPSHOT_REASON_SLOW and self.flow is Flow.FLOWING and self.session.is_open(self):
                self.flow = Flow.PROBATION
                self.session.mark_lagging(self)

    # --------------------------------------------------------------------------------------------------- what is told

    def send_snapshot(self, hosted: HostedMatch, reason: Reason) -> None:
        """Tell the whole view."""
        if hosted.elsewhere:
            self.on_failed()
            return
        if self.flow is Flow.CUT:  # by what was told before it: it comes when there is room
            return
        self._discard_queued()
        self.sent = hosted.marks.counts[self.log]
        self.flow = Flow.FLOWING  # before it is put: this may be what is too much
        self.put("snapshot", snapshot_bytes(observation(hosted, self.seat, self.host.head.epoch), reason))
        if self.flow is Flow.FLOWING:
            self._on_caught_up(hosted)

    def send_match(self, hosted: HostedMatch) -> None:
        """Tell what is agreed, and where the match stands, if that is news: some of it is not everybody's to know."""
        match = match_messages.match_message(hosted)
        said = match.SerializeToString()
        for seat in match.seats:
            seat.ClearField("presence")  # which is told by itself
        agreed = match.SerializeToString(deterministic=True)
        if agreed == self._sent_match:
            self._send_presence([(number, seat.presence) for number, seat in enumerate(hosted.seats)])
            return
        self._sent_match = agreed
        self._sent_presence = [seat.presence for seat in hosted.seats]
        self.put("match", said)

    def _send_presence(self, seats: list[tuple[int, Presence]]) -> None:
        for number, presence in seats:
            if self._sent_presence[number] is not presence:
                self._sent_presence[number] = presence
                said = play_pb2.PresenceItem(seat=number, presence=match_messages.presence(presence))
                self.put("presence", said.SerializeToString())

    def send_extras(self, hosted: HostedMatch) -> None:
        """What only some streams tell."""

    # -------------------------------------------------------------------------------------------------------- ending

    def close(self, reason: Why) -> None:
        """Say why, and where to go on, and hear no more."""
        self.session.close_stream(self, reason)

    def send_closed(self, reason: Why) -> None:
        """The last item."""
        # Where entries were thrown away, nobody knows which of them have been read: only a snapshot misses none.
        number = 0 if self.flow in (Flow.CUT, Flow.REFILLING) else self.sent + 1
        resume = cursor_at(self.host.head.epoch, number)
        closed = play_pb2.Closed(reason=reason, resume=resume, address_hint=self.session.reconnect_hint(reason))
        self.put("closed", closed.SerializeToString(), log=False)

    def put(self, name: str, body: bytes, *, log: bool = True) -> None:
        """Let an item be written."""
        self.send(item(self.subscription, name, body), log=log)

    def send(self, said: bytes, *, log: bool) -> None:
        """Let the bytes of an item be written, after what has waited."""
        self.flush()
        if not log or self.session.is_open(self):  # what has waited may have been too much, and the end of it
            self.session.outbox.put(said, log=log)
