"""One seat on one stream: its log from a cursor on, its acknowledgements, its clock."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

from landsraad.v1 import common_pb2, play_pb2
from landsraad.wire.entries import write_entries
from landsraad.wire.frames import item
from landsraad_engine.kernel import plays
from landsraad_server import describing
from landsraad_server.hosting.host import Host
from landsraad_server.hosting.position import Position
from landsraad_server.hosting.records import Presence, Record
from landsraad_server.hosting.requests import Ack, Call
from landsraad_server.sessions.observing import cursor_at, observation, snapshot_bytes, wanted

if TYPE_CHECKING:
    from landsraad_server.sessions.session import Session

#: Entries in one item.
CHUNK = 256
#: A longer part of the log than this is not sent again: a snapshot says it shorter.
MOST_RESENT_BYTES = 2 << 20


class Flow(Enum):
    """How the client keeps up with its log."""

    OPENING = "what it has missed is being read"
    FLOWING = "it gets every entry"
    CUT = "it read too slowly: entries are left out until it has read the rest"
    REFILLING = "a snapshot is on its way"
    PROBATION = "it has a snapshot to read; if it is too slow for that, it is closed"


class SeatStream:
    """A listener of the host; see above."""

    __slots__ = ("_known", "_offered", "_session", "flow", "host", "in_flight", "seat", "sent", "subscription", "token")

    def __init__(self, session: Session, subscription: int, host: Host, seat: int, token: str, *, offers: bool) -> None:
        self.host = host
        self.seat = seat
        self.subscription = subscription
        #: stands in the log, so that other workers see that a newer stream has the seat
        self.token = token
        self.flow = Flow.OPENING
        self.sent = 0  # number of the last entry that was sent
        self.in_flight = 0  # inputs that wait for their answer
        self._session = session
        self._known: list[Presence] = []
        self._offered: Any = None if offers else False  # the plays that were told; False: they are not wanted

    # ---------------------------------------------------------------------------------------------------- beginning

    def begin(self, position: Position, cursor: common_pb2.Cursor | None) -> None:
        """Tell how the match stands, and the log from the cursor on."""
        self.host.listen(self)
        self._tell_match(position)
        if not position.over and position.seats[self.seat].stream != self.token:
            self.close(play_pb2.CLOSED_REASON_REPLACED)  # by one that came in the same moment
            return
        start = wanted(cursor)
        if cursor is None or not start:
            self.snapshot(position, play_pb2.SNAPSHOT_REASON_ASKED)
            return
        last = position.marks.counts[self.seat]
        if cursor.epoch not in (0, self.host.head.epoch) or start > last + 1:
            self.snapshot(position, play_pb2.SNAPSHOT_REASON_OTHER_EPOCH)
            return
        self.sent = start - 1
        self.catch_up(position)

    def catch_up(self, position: Position) -> None:
        """Read from the store what is missing, then go on."""
        if self.sent == position.marks.counts[self.seat]:
            self._flows(position)
            return
        self.flow = Flow.OPENING
        self._session.spawn(self._read(position))

    async def _read(self, position: Position) -> None:
        hall = self._session.hall
        first, bodies = await hall.log(self.host.match, self.seat, self.sent + 1, position.waypoints)
        if self.flow is not Flow.OPENING or not self._session.plays(self):
            return
        if sum(map(len, bodies)) > MOST_RESENT_BYTES:
            self.refill(play_pb2.SNAPSHOT_REASON_CURSOR_TOO_OLD)
            return
        for at in range(0, len(bodies), CHUNK):
            self._put("entries", write_entries(first + at, bodies[at : at + CHUNK]))
        self.sent += len(bodies)
        self.host.put(Call(read=self.catch_up))

    def _flows(self, position: Position) -> None:
        self.flow = Flow.FLOWING
        self._tell_clock(position)
        self._tell_plays(position)
        self._close_if_over(position)

    # ---------------------------------------------------------------------------------------------- what happens

    def hear(self, position: Position, record: Record) -> None:
        """See Listener."""
        mine = record.seats.get(self.seat)
        if mine is not None and mine.stream != self.token and mine.stream:
            self.close(play_pb2.CLOSED_REASON_REPLACED)
            return
        if self.flow not in (Flow.FLOWING, Flow.PROBATION):
            return  # whatever it is, it will be in what is about to be read
        if record.told and record.marks is not None:
            bodies = record.log(self.seat)
            if bodies:
                last = record.marks.counts[self.seat]
                first = last - len(bodies) + 1
                if first > self.sent + 1:
                    self.catch_up(position)
                    return
                if last > self.sent:
                    self.sent = last
                    self._put("entries", write_entries(first, bodies))
        if record.standing is not None or record.terms is not None:
            self._tell_match(position)
        elif record.seats:
            self._tell_presence(position)
        if position.terms.clock is not None:
            self._tell_clock(position)
        if self._offered is not False:
            self._tell_plays(position)
        if position.over:
            self._close_if_over(position)

    def rewound(self, position: Position, epoch: int) -> None:
        """See Listener."""
        last = min(self.sent, position.marks.counts[self.seat])
        self._put("rewound", play_pb2.Rewound(epoch=epoch, last=last).SerializeToString())
        self._tell_match(position)
        self.snapshot(position, play_pb2.SNAPSHOT_REASON_OTHER_EPOCH)

    def gone(self) -> None:
        """See Listener."""
        self.close(play_pb2.CLOSED_REASON_OVER)

    def answered(self, position: Position | None, seq: int, outcome: Ack | Exception) -> None:
        """An input has its answer."""
        self.in_flight -= 1
        if isinstance(outcome, Ack):
            self._put("ack", play_pb2.Ack(**outcome._asdict()).SerializeToString(), log=False)
        else:
            self.refuse(outcome, seq)

    def refuse(self, error: Exception, seq: int = 0) -> None:
        """Say why something is not done."""
        self._session.refuse(self.subscription, error, seq, self.host.position)

    # ------------------------------------------------------------------------------------------------ slow clients

    def cut(self) -> None:
        """Too much waits: entries that waited were thrown away."""
        if self.flow is Flow.PROBATION:
            self.close(play_pb2.CLOSED_REASON_SLOW)
        elif self.flow is not Flow.REFILLING:
            self.flow = Flow.CUT

    def drained(self) -> None:
        """The client has read all there was."""
        if self.flow is Flow.CUT:
            self.refill(play_pb2.SNAPSHOT_REASON_SLOW)
        elif self.flow is Flow.PROBATION:
            self.flow = Flow.FLOWING

    def refill(self, reason: play_pb2.SnapshotReason) -> None:
        """Let a snapshot stand in for what was left out."""
        self.flow = Flow.REFILLING
        self.host.put(Call(read=partial(self._refilled, reason=reason)))

    def _refilled(self, position: Position, reason: play_pb2.SnapshotReason) -> None:
        if self._session.plays(self):
            self._tell_match(position)
            self.snapshot(position, reason)
            if reason == play_pb2.SNAPSHOT_REASON_SLOW and self.flow is Flow.FLOWING:
                self.flow = Flow.PROBATION

    # ------------------------------------------------------------------------------------------------- what is told

    def snapshot(self, position: Position, reason: play_pb2.SnapshotReason) -> None:
        """Tell the whole view."""
        self.sent = position.marks.counts[self.seat]
        seen = observation(position, self.seat, self.host.head.epoch)
        self._put("snapshot", snapshot_bytes(seen, reason))
        self._flows(position)

    def _tell_match(self, position: Position) -> None:
        self._known = [seat.presence for seat in position.seats]
        self._put("match", describing.match_message(position).SerializeToString())

    def _tell_presence(self, position: Position) -> None:
        for number, seat in enumerate(position.seats):
            if self._known[number] is not seat.presence:
                self._known[number] = seat.presence
                said = play_pb2.PresenceItem(seat=number, presence=seat.presence.value)
                self._put("presence", said.SerializeToString())

    def _tell_clock(self, position: Position) -> None:
        if position.terms.clock is not None and position.live is not None:
            clock = describing.clock_message(position, self.seat, self._session.hall.now())
            self._put("clock", clock.SerializeToString())

    def _tell_plays(self, position: Position) -> None:
        if self._offered is False or position.live is None or position.over:
            return
        game = position.game
        options = plays(game.g, self.seat)
        told = (position.marks.steps[self.seat], options.plain())
        if told != self._offered:
            self._offered = told
            offer = play_pb2.Plays(during=told[0], options=game.codec.options(options))
            self._put("plays", offer.SerializeToString())

    def _close_if_over(self, position: Position) -> None:
        if position.over:
            self.close(play_pb2.CLOSED_REASON_OVER)

    def close(self, reason: play_pb2.ClosedReason) -> None:
        """This stream plays the seat no longer; says why, and where to go on."""
        self._session.close_seat(self, reason)

    def farewell(self, reason: play_pb2.ClosedReason) -> None:
        """The last item."""
        resume = cursor_at(self.host.head.epoch, self.sent + 1)
        closed = play_pb2.Closed(reason=reason, resume=resume, address_hint=self._session.hint(reason))
        self._put("closed", closed.SerializeToString(), log=False)

    def _put(self, name: str, body: bytes, *, log: bool = True) -> None:
        self._session.outbox.put(self.subscription, item(self.subscription, name, body), log=log)
