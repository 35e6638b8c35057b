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
from landsraad_server.matches.spectator_delay import Delayed
from landsraad_server.streams.observations import cursor_at, fits, observation, snapshot_bytes, wanted

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
        "_clock",
        "_entries",
        "_known",
        "_lingers",
        "_match",
        "_waiting",
        "flow",
        "host",
        "log",
        "opened_with",
        "seat",
        "sent",
        "session",
        "subscription",
    )

    def __init__(self, session: Session, subscription: int, host: MatchHost | Delayed, seat: int | None) -> None:
        self.session = session
        self.subscription = subscription
        self.host = host
        self.seat = seat
        self.log = -1 if seat is None else seat  # its place in `Marks`
        self.opened_with = ""  # an account's token that may be revoked meanwhile, if it was by one
        self.flow = Flow.OPENING
        self.sent = 0  # number of the last entry that was sent
        self._known: list[Presence] = []
        self._match = b""  # what was told of the match last
        # What waits for company: so many entries, their bytes; and the item that tells of the clock.
        self._lingers = False
        self._entries = 0
        self._waiting: list[bytes] = []
        self._clock = b""

    # ---------------------------------------------------------------------------------------------------- beginning

    def begin(self, position: HostedMatch, cursor: common_pb2.Cursor | None) -> None:
        """Tell how the match stands, and the log from the cursor on; to be called while a request is settled."""
        self.host.listen(self)
        self.tell_match(position)
        start = wanted(cursor)
        if position.elsewhere and not start:
            self.catch_up(position)  # what is known needs the rules; what was told does not
        elif cursor is None or not start:
            self.snapshot(position, play_pb2.SNAPSHOT_REASON_ASKED)
        elif not fits(cursor, self.host.head.epoch) or start > position.marks.counts[self.log] + 1:
            self.snapshot(position, play_pb2.SNAPSHOT_REASON_OTHER_EPOCH)
        else:
            self.sent = start - 1
            self.catch_up(position)

    def catch_up(self, position: HostedMatch) -> None:
        """Read from the store what is missing, then go on."""
        if self.flow in (Flow.CUT, Flow.REFILLING):
            return  # some of what was sent has been thrown away meanwhile: a snapshot comes
        if self.sent >= position.marks.counts[self.log]:
            self._flows(position)
        elif self.session.has(self):
            self.flow = Flow.OPENING
            self.session.spawn(self._read(position))

    async def _read(self, position: HostedMatch) -> None:
        hall = self.session.hall
        number = len(position.seats) if self.seat is None else self.seat
        try:
            history = await self.host.history(number, self.sent + 1, position.waypoints)
            if self.flow is not Flow.OPENING or not self.session.has(self):
                return
            if self.resend(history):
                self.ask(MatchCall(read=self._caught_up))
            else:
                self.refill(play_pb2.SNAPSHOT_REASON_CURSOR_TOO_OLD)
        except Exception as error:  # noqa: BLE001  what cannot be read now may be read by another stream
            hall.unforeseen("catch up", self.host.match, error)
            self.lost()

    def _caught_up(self, position: HostedMatch) -> None:
        """What was missed is told; but whatever else has happened meanwhile was not heard."""
        if self.flow is Flow.OPENING and self.session.has(self):
            self.tell_match(position)
            self.catch_up(position)

    def resend(self, history: History) -> bool:
        """Tell what was missed; False if that is too much."""
        bodies = [body for _, body in history.after(self.sent)]
        if sum(map(len, bodies)) > MOST_RESENT_BYTES:
            return False
        for at in range(0, len(bodies), CHUNK):
            if self.flow is Flow.OPENING:  # else it was cut by what it has told
                chunk = bodies[at : at + CHUNK]
                self.tell_entries(LogSlice(len(chunk), b"".join(chunk)))
                self.flush()
        return True

    def tell_entries(self, share: LogSlice) -> None:
        """Tell the next entries; they wait until something is `flush`ed."""
        self.sent += share.entries
        self._entries += share.entries
        self._waiting.append(share.bodies)

    def linger(self) -> None:
        """Let what waits go out in a moment, together with what still comes, if it does not before."""
        self._lingers = True
        self.session.hall.lingering.add(self)

    def come_out(self) -> None:
        """See Lingerer."""
        self._lingers = False
        if self.session.has(self):
            self.flush()

    def flush(self) -> None:
        """Let out what waits."""
        if self._waiting:
            first = self.sent - self._entries + 1
            said = entries_item(self.subscription, first, b"".join(self._waiting))
            self._entries = 0
            self._waiting.clear()
            self.session.outbox.put(said, log=True)
        if self._clock:
            said, self._clock = self._clock, b""
            self.session.outbox.put(said, log=True)

    def later(self, clock: bytes) -> None:
        """Let the clock be told after the entries that wait; of several the last one holds."""
        self._clock = item(self.subscription, "clock", clock)

    def _drop(self) -> None:
        """What waits is not told any more: a snapshot stands in for it."""
        self._entries = 0
        self._waiting.clear()
        self._clock = b""

    def _flows(self, position: HostedMatch) -> None:
        self.flow = Flow.FLOWING
        self._is_told(position)

    def _is_told(self, position: HostedMatch) -> None:
        """All that stands in the log was told."""
        self.tell_more(position)
        self.flush()
        if position.over:
            self.finish()

    def finish(self) -> None:
        """The match is over, and all of it was told; but where the last of it was too much, a snapshot comes first."""
        self.flush()
        self.session.outbox.make_room()
        if self.flow in _HEARING:
            self.close(play_pb2.CLOSED_REASON_OVER)

    # -------------------------------------------------------------------------------------------------- what happens

    def hear(self, position: HostedMatch, report: RecordFanout) -> None:
        """See Listener."""
        seat = self.seat
        if seat is not None and seat in report.seats and not self.stays(position, report.seats[seat]):
            return
        if self.flow not in _HEARING:
            return
        urgent = report.agreed
        news = False
        if report.shares:
            share = report.shares[self.log]
            if share.entries:
                news = True
                last = report.counts[self.log]
                if last - share.entries > self.sent:
                    self.catch_up(position)
                    return
                if last > self.sent:
                    # Whoever has nothing new to decide can wait a little for more.
                    urgent = urgent or (seat is not None and report.asked[seat] > self.sent)
                    self.tell_entries(share)
        if report.agreed:
            self.tell_match(position)
        else:
            self._tell_presence(report.presence)
        if news:  # any item at any other moment would tell that somebody has answered unseen
            self.tell_more(position)
        if urgent:
            self.flush()
        elif not self._lingers and (self._waiting or self._clock):
            self.linger()
        if report.standing and position.over:
            self.finish()

    def stays(self, position: HostedMatch, seat: SeatState) -> bool:
        """The state of the seat itself has changed: whether it is still played here."""
        return True

    def rewound(self, position: HostedMatch, epoch: int) -> None:
        """See Listener."""
        last = min(self.sent, position.marks.counts[self.log])
        self.put("rewound", play_pb2.Rewound(epoch=epoch, last=last).SerializeToString())
        self.tell_match(position)
        self.snapshot(position, play_pb2.SNAPSHOT_REASON_OTHER_EPOCH)

    def gone(self) -> None:
        """See Listener. Whoever was not told all comes again, and is told by the archive."""
        all_told = self.flow in _HEARING
        self.close(play_pb2.CLOSED_REASON_OVER if all_told else play_pb2.CLOSED_REASON_UNAVAILABLE)

    def lost(self) -> None:
        """See Listener."""
        self.close(play_pb2.CLOSED_REASON_UNAVAILABLE)

    # -------------------------------------------------------------------------------------------------- slow readers

    def cut(self) -> None:
        """Too much waits: entries that waited were thrown away, and with them perhaps what was said of the match."""
        self._match = b""
        self._drop()
        if self.flow is Flow.REFILLING:
            return
        before, self.flow = self.flow, Flow.CUT
        if before is Flow.PROBATION:
            self.session.hall.figures.slow += 1
            self.close(play_pb2.CLOSED_REASON_SLOW)
        else:
            self.session.falls_behind(self)

    @property
    def cut_off(self) -> bool:
        """Whether it has to be told anew."""
        return self.flow is Flow.CUT

    def drained(self) -> None:
        """The client has read all there was."""
        if self.flow is Flow.CUT:
            self.refill(play_pb2.SNAPSHOT_REASON_SLOW)
        elif self.flow is Flow.PROBATION:
            self.flow = Flow.FLOWING

    def refill(self, reason: Reason) -> None:
        """Let a snapshot stand in for what was left out."""
        self.flow = Flow.REFILLING
        self.ask(MatchCall(read=partial(self._refilled, reason=reason)))

    def ask(self, call: MatchCall[None]) -> None:
        """Let the match's host do what this cannot go on without; where that fails, the client has to come again."""

        def looked(future: asyncio.Future[None]) -> None:
            error = None if future.cancelled() else future.exception()
            if isinstance(error, Exception):
                self.session.hall.unforeseen("go on", self.host.match, error)
                self.lost()

        call.future.add_done_callback(looked)
        self.host.put(call)

    def _refilled(self, position: HostedMatch, reason: Reason) -> None:
        if self.session.has(self):
            self.flow = Flow.OPENING
            self.tell_match(position)
            self.snapshot(position, reason)
            if reason == play_pb2.SNAPSHOT_REASON_SLOW and self.flow is Flow.FLOWING and self.session.has(self):
                self.flow = Flow.PROBATION
                self.session.falls_behind(self)

    # --------------------------------------------------------------------------------------------------- what is told

    def snapshot(self, position: HostedMatch, reason: Reason) -> None:
        """Tell the whole view."""
        if position.elsewhere:
            self.lost()
            return
        if self.flow is Flow.CUT:  # by what was told before it: it comes when there is room
            return
        self._drop()
        self.sent = position.marks.counts[self.log]
        self.flow = Flow.FLOWING  # before it is put: this may be what is too much
        self.put("snapshot", snapshot_bytes(observation(position, self.seat, self.host.head.epoch), reason))
        if self.flow is Flow.FLOWING:
            self._is_told(position)

    def tell_match(self, position: HostedMatch) -> None:
        """Tell what is agreed, and where the match stands, if that is news: some of it is not everybody's to know."""
        match = match_messages.match_message(position)
        said = match.SerializeToString()
        for seat in match.seats:
            seat.ClearField("presence")  # which is told by itself
        agreed = match.SerializeToString(deterministic=True)
        if agreed == self._match:
            self._tell_presence([(number, seat.presence) for number, seat in enumerate(position.seats)])
            return
        self._match = agreed
        self._known = [seat.presence for seat in position.seats]
        self.put("match", said)

    def _tell_presence(self, seats: list[tuple[int, Presence]]) -> None:
        for number, presence in seats:
            if self._known[number] is not presence:
                self._known[number] = presence
                said = play_pb2.PresenceItem(seat=number, presence=match_messages.presence(presence))
                self.put("presence", said.SerializeToString())

    def tell_more(self, position: HostedMatch) -> None:
        """What only some streams tell."""

    # -------------------------------------------------------------------------------------------------------- ending

    def close(self, reason: Why) -> None:
        """Say why, and where to go on, and hear no more."""
        self.session.close_stream(self, reason)

    def farewell(self, reason: Why) -> None:
        """The last item."""
        # Where entries were thrown away, nobody knows which of them have been read: only a snapshot misses none.
        number = 0 if self.flow in (Flow.CUT, Flow.REFILLING) else self.sent + 1
        resume = cursor_at(self.host.head.epoch, number)
        closed = play_pb2.Closed(reason=reason, resume=resume, address_hint=self.session.hint(reason))
        self.put("closed", closed.SerializeToString(), log=False)

    def put(self, name: str, body: bytes, *, log: bool = True) -> None:
        """Let an item be written."""
        self.send(item(self.subscription, name, body), log=log)

    def send(self, said: bytes, *, log: bool) -> None:
        """Let the bytes of an item be written, after what has waited."""
        self.flush()
        if not log or self.session.has(self):  # what has waited may have been too much, and the end of it
            self.session.outbox.put(said, log=log)
