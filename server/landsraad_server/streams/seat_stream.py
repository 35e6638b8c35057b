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
from landsraad_server.streams.network_delay import NetworkDelay
from landsraad_server.streams.observations import first_wanted, is_valid_cursor

if TYPE_CHECKING:
    from landsraad_server.streams.session import Session


#: How often the standing orders of a seat may come while nothing happens that everybody sees.
MOST_ORDERS = 64


class SeatStream(LogStream):
    """Plays a seat until it is closed, or a newer stream takes the seat."""

    __slots__ = (
        "_close_reason",
        "_has_left",
        "_is_opening",
        "_network",
        "_orders_count",
        "_orders_since",
        "_proof",
        "_sends_plays",
        "_sent_plays",
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
        proof: SeatProof,
        *,
        network: NetworkDelay,
        offers: bool,
    ) -> None:
        super().__init__(session, subscription, host, seat)
        self.number = seat
        self._proof = proof
        self._network = network
        #: stands in the match's log, so that streams on other workers see that a newer one has the seat
        self.token = session.hosts.presence.new_stream_token()
        self._has_left = False
        self._is_opening = True  # what was sent behind its Subscribe waits for it
        self.in_flight = 0  # inputs that wait for their answer
        self._close_reason: Why | None = None  # why it is closed as soon as none waits any more
        self._sends_plays = offers
        self._sent_plays: Any = None  # the plays that were told
        self._orders_count = self._orders_since = 0  # how often orders came, since which public entry

    def take_seat(self, hosted: HostedMatch, now: int) -> None:
        """The `run` of the request that opens it."""
        self._proof.check(hosted, self.number)
        if not hosted.over:
            state = hosted.seat(self.number)
            if state.asked_at and hosted.waits(self.number):
                state.asked_at = now  # the clock has waited for it
            state.stream, state.away_at = self.token, 0
            if state.presence is not Presence.RESIGNED:
                state.presence = Presence.HERE

    async def open(self, begin: Callable[[HostedMatch], None]) -> None:
        """Take the seat, and begin."""
        presence = self.session.hosts.presence
        presence.add_seat(self.host.match)
        call = MatchCall(self.take_seat, begin)
        self.host.put(call)
        try:
            await call.future
        except Denied:  # it is theirs no longer
            self._has_left = True
            presence.remove_seat(self.host.match)
            raise
        except BaseException:  # the client has gone, or nobody knows whether it is done
            self.leave_seat()
            raise

    def begin(self, hosted: HostedMatch, cursor: common_pb2.Cursor | None) -> None:
        """As of any log; but another stream may have come in the same moment."""
        if hosted.over or hosted.seats[self.number].stream == self.token:
            super().begin(hosted, cursor)
        else:  # nothing was told: it goes on where it wanted to begin, and where there is no such place, by a snapshot
            good = cursor is not None and is_valid_cursor(cursor, self.host.head.epoch)
            self.sent = (first_wanted(cursor) if good else 0) - 1
            self.close(play_pb2.CLOSED_REASON_REPLACED)

    def keeps_seat(self, hosted: HostedMatch, seat: SeatState) -> bool:
        """A newer stream may have it."""
        if seat.stream == self.token:
            return True
        if seat.stream:
            revoked = seat.stream == REVOKED
            self.close(play_pb2.CLOSED_REASON_REVOKED if revoked else play_pb2.CLOSED_REASON_REPLACED)
            return False
        if self.session.is_open(self) and not hosted.over:
            self.run_on_host(MatchCall(self._reclaim_seat))  # somebody took this worker for dead
        return True

    def on_rewound(self, hosted: HostedMatch, epoch: int) -> None:
        """What came of the log's new end was not heard: the seat may be somebody else's by now."""
        if self._proof.holds(hosted, self.number):
            super().on_rewound(hosted, epoch)
        else:
            self.close(play_pb2.CLOSED_REASON_REVOKED)

    def close(self, reason: Why) -> None:
        """The end of a match comes after the answers to what was sent before it; so does a farewell of the client's."""
        if reason == play_pb2.CLOSED_REASON_OVER and (self._is_opening or self.in_flight):
            self._close_reason = reason
        elif reason == play_pb2.CLOSED_REASON_UNSUBSCRIBED and self.in_flight:
            self._close_reason = self._close_reason or reason
        else:
            super().close(reason)

    def on_opened(self) -> None:
        """What has waited for it is taken."""
        self._is_opening = False
        self._close_if_answered()

    def _close_if_answered(self) -> None:
        if self._close_reason is None or self._is_opening or self.in_flight:
            return
        if self._close_reason == play_pb2.CLOSED_REASON_OVER:
            self.finish()
        else:
            self.close(self._close_reason)

    def _reclaim_seat(self, hosted: HostedMatch, now: int) -> None:
        if not hosted.seats[self.number].stream and self.session.is_open(self):
            self.take_seat(hosted, now)

    def leave_seat(self) -> None:
        """The seat is played here no longer."""
        self.host.remove_listener(self)
        if not self._has_left:
            self._has_left = True
            self.session.hosts.presence.vacate_seat(self.host.match, self._mark_left)

    def _mark_left(self, hosted: HostedMatch, now: int) -> None:
        if hosted.seats[self.number].stream == self.token and not hosted.over:
            match_changes.mark_away(hosted, self.number, now)

    # --------------------------------------------------------------------------------------------------- what is told

    def count_orders(self) -> bool:
        """Whether orders may come once more: each stands in the match's log for good, and they wait for nobody."""
        hosted = self.host.hosted
        public = self._orders_since if hosted is None else hosted.marks.counts[-1]
        if self._orders_since != public:
            self._orders_count, self._orders_since = 0, public
        self._orders_count += 1
        return self._orders_count <= MOST_ORDERS

    def on_answered(self, hosted: HostedMatch | None, seq: int, outcome: Ack | Exception) -> None:
        """An input has its answer."""
        self.in_flight -= 1
        self.session.hosts.counters.in_flight -= 1
        if isinstance(outcome, Ack):
            seq, entry, last, repeated = outcome
            self.send(ack_item(self.subscription, seq, entry, last, repeated=repeated), log=False)
        else:
            self.session.refuse(self.subscription, outcome, seq, hosted)
        self._close_if_answered()

    def send_extras(self, hosted: HostedMatch) -> None:
        """The clock and the open plays."""
        if hosted.terms.clock is None and not hosted.marks.window_at and not self._sends_plays:
            return
        if hosted.live is None or hosted.elsewhere:
            return
        if hosted.terms.clock is not None or hosted.window_ends:
            clock = match_messages.clock_message(hosted, self.number, self.session.hosts.now())
            # Where there is something new to decide, the question before it has not waited either.
            self.queue_clock(clock.SerializeToString())
            if clock.limited and clock.decision_id:
                self._network.ping()
        # What is told may be older than the position, if much was missed: then the seat may be somebody else's by now.
        if self._sends_plays and not hosted.over and self._proof.holds(hosted, self.number):
            self._send_plays(hosted)

    def _send_plays(self, hosted: HostedMatch) -> None:
        game = hosted.game
        options = plays(game.g, self.number)
        told = (hosted.marks.steps[self.number], options.plain())
        if told != self._sent_plays:
            self._sent_plays = told
            offer = play_pb2.Plays(during=told[0], options=game.codec.options(options))
            self.put("plays", offer.SerializeToString())
