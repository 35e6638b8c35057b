"""One seat on one stream: its log, its acknowledgements, its clock, the plays that are open to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from landsraad.v1 import common_pb2, play_pb2
from landsraad.wire.frames import ack_item
from landsraad_engine.kernel.execution import plays
from landsraad_server.matches import match_changes, match_messages
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.records import REVOKED, Presence, SeatState
from landsraad_server.matches.requests import Ack, MatchCall
from landsraad_server.refusals import Denied
from landsraad_server.streams.log_stream import LogStream, Why
from landsraad_server.streams.network_delay import Network
from landsraad_server.streams.observations import fits, wanted

if TYPE_CHECKING:
    from landsraad_server.streams.session import Session


#: How often the standing orders of a seat may come while nothing happens that everybody sees.
MOST_ORDERS = 64


class SeatStream(LogStream):
    """Plays a seat until it is closed, or a newer stream takes the seat."""

    __slots__ = (
        "_claim",
        "_last_words",
        "_left",
        "_network",
        "_offered",
        "_offers",
        "_opening",
        "_ordered",
        "_ordered_at",
        "in_flight",
        "number",
        "token",
    )

    def __init__(
        self,
        session: Session,
        subscription: int,
        host: MatchHost,
        seat: int,
        claim: SeatProof,
        *,
        network: Network,
        offers: bool,
    ) -> None:
        super().__init__(session, subscription, host, seat)
        self.number = seat
        self._claim = claim
        self._network = network
        #: stands in the match's log, so that streams on other workers see that a newer one has the seat
        self.token = session.hall.attendance.token()
        self._left = False
        self._opening = True  # what was sent behind its Subscribe waits for it
        self.in_flight = 0  # inputs that wait for their answer
        self._last_words: Why | None = None  # why it is closed as soon as none waits any more
        self._offers = offers
        self._offered: Any = None  # the plays that were told
        self._ordered = self._ordered_at = 0  # how often orders came, since which public entry

    def take_seat(self, position: HostedMatch, now: int) -> None:
        """The `run` of the request that opens it."""
        self._claim.check(position, self.number)
        if not position.over:
            state = position.seat(self.number)
            if state.asked_at and position.waits(self.number):
                state.asked_at = now  # the clock has waited for it
            state.stream, state.away_at = self.token, 0
            if state.presence is not Presence.RESIGNED:
                state.presence = Presence.HERE

    async def enter(self, begin: Callable[[HostedMatch], None]) -> None:
        """Take the seat, and begin."""
        attendance = self.session.hall.attendance
        attendance.arrives(self.host.match)
        call = MatchCall(self.take_seat, begin)
        self.host.put(call)
        try:
            await call.future
        except Denied:  # it is theirs no longer
            self._left = True
            attendance.left(self.host.match)
            raise
        except BaseException:  # the client has gone, or nobody knows whether it is done
            self.leave()
            raise

    def begin(self, position: HostedMatch, cursor: common_pb2.Cursor | None) -> None:
        """As of any log; but another stream may have come in the same moment."""
        if position.over or position.seats[self.number].stream == self.token:
            super().begin(position, cursor)
        else:  # nothing was told: it goes on where it wanted to begin, and where there is no such place, by a snapshot
            good = cursor is not None and fits(cursor, self.host.head.epoch)
            self.sent = (wanted(cursor) if good else 0) - 1
            self.close(play_pb2.CLOSED_REASON_REPLACED)

    def stays(self, position: HostedMatch, seat: SeatState) -> bool:
        """A newer stream may have it."""
        if seat.stream == self.token:
            return True
        if seat.stream:
            revoked = seat.stream == REVOKED
            self.close(play_pb2.CLOSED_REASON_REVOKED if revoked else play_pb2.CLOSED_REASON_REPLACED)
            return False
        if self.session.has(self) and not position.over:
            self.ask(MatchCall(self._take_back))  # somebody took this worker for dead
        return True

    def rewound(self, position: HostedMatch, epoch: int) -> None:
        """What came of the log's new end was not heard: the seat may be somebody else's by now."""
        if self._claim.holds(position, self.number):
            super().rewound(position, epoch)
        else:
            self.close(play_pb2.CLOSED_REASON_REVOKED)

    def close(self, reason: Why) -> None:
        """The end of a match comes after the answers to what was sent before it; so does a farewell of the client's."""
        if reason == play_pb2.CLOSED_REASON_OVER and (self._opening or self.in_flight):
            self._last_words = reason
        elif reason == play_pb2.CLOSED_REASON_UNSUBSCRIBED and self.in_flight:
            self._last_words = self._last_words or reason
        else:
            super().close(reason)

    def opened(self) -> None:
        """What has waited for it is taken."""
        self._opening = False
        self._end_if_due()

    def _end_if_due(self) -> None:
        if self._last_words is None or self._opening or self.in_flight:
            return
        if self._last_words == play_pb2.CLOSED_REASON_OVER:
            self.finish()
        else:
            self.close(self._last_words)

    def _take_back(self, position: HostedMatch, now: int) -> None:
        if not position.seats[self.number].stream and self.session.has(self):
            self.take_seat(position, now)

    def leave(self) -> None:
        """The seat is played here no longer."""
        self.host.unlisten(self)
        if not self._left:
            self._left = True
            self.session.hall.attendance.leaves(self.host.match, self._leave_seat)

    def _leave_seat(self, position: HostedMatch, now: int) -> None:
        if position.seats[self.number].stream == self.token and not position.over:
            match_changes.clear(position, self.number, now)

    # --------------------------------------------------------------------------------------------------- what is told

    def orders_again(self) -> bool:
        """Whether orders may come once more: each stands in the match's log for good, and they wait for nobody."""
        position = self.host.position
        public = self._ordered_at if position is None else position.marks.counts[-1]
        if self._ordered_at != public:
            self._ordered, self._ordered_at = 0, public
        self._ordered += 1
        return self._ordered <= MOST_ORDERS

    def answered(self, position: HostedMatch | None, seq: int, outcome: Ack | Exception) -> None:
        """An input has its answer."""
        self.in_flight -= 1
        self.session.hall.figures.in_flight -= 1
        if isinstance(outcome, Ack):
            seq, entry, last, repeated = outcome
            self.send(ack_item(self.subscription, seq, entry, last, repeated=repeated), log=False)
        else:
            self.session.refuse(self.subscription, outcome, seq, position)
        self._end_if_due()

    def tell_more(self, position: HostedMatch) -> None:
        """The clock and the open plays."""
        if position.terms.clock is None and not position.marks.window_at and not self._offers:
            return
        if position.live is None or position.elsewhere:
            return
        if position.terms.clock is not None or position.window_ends:
            clock = match_messages.clock_message(position, self.number, self.session.hall.now())
            # Where there is something new to decide, the question before it has not waited either.
            self.later(clock.SerializeToString())
            if clock.limited and clock.decision_id:
                self._network.ask()
        # What is told may be older than the position, if much was missed: then the seat may be somebody else's by now.
        if self._offers and not position.over and self._claim.holds(position, self.number):
            self._tell_plays(position)

    def _tell_plays(self, position: HostedMatch) -> None:
        game = position.game
        options = plays(game.g, self.number)
        told = (position.marks.steps[self.number], options.plain())
        if told != self._offered:
            self._offered = told
            offer = play_pb2.Plays(during=told[0], options=game.codec.options(options))
            self.put("plays", offer.SerializeToString())
