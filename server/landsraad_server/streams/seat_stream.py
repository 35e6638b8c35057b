"""Seat stream: one seat on one client's session, with its log, acknowledgements, clock and open plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from landsraad.v1 import common_pb2, play_pb2
from landsraad.wire.frames import ack_item
from landsraad.wire.seat_semantics import Ack, first_wanted, fits
from landsraad_engine.kernel.execution import plays
from landsraad_server.matches import match_changes, match_messages
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.records import REVOKED, Presence, SeatState
from landsraad_server.matches.requests import MatchCall
from landsraad_server.refusals import Denied
from landsraad_server.streams.log_stream import ClosedReason, LogStream
from landsraad_server.streams.network_delay import NetworkDelay

if TYPE_CHECKING:
    from landsraad_server.streams.session import Session


#: Number of standing orders that a seat may send between two entries of the public log.
MOST_ORDERS = 64


class SeatStream(LogStream):
    """A log stream that also plays the seat, until it is closed or a newer stream takes the seat."""

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
        sends_plays: bool,
    ) -> None:
        super().__init__(session, subscription, host, seat)
        self.number = seat
        self._proof = proof
        self._network = network
        #: Stands in the match's log, so that streams on other workers see that a newer one has the seat.
        self.token = session.hosts.presence.new_stream_token()
        self._has_left = False
        self._is_opening = True  # Items that were sent after the Subscribe are not handled yet.
        self.in_flight = 0  # Inputs without an answer.
        self._close_reason: ClosedReason | None = None  # Set while the closing waits for answers.
        self._sends_plays = sends_plays
        self._sent_plays: Any = None  # The plays that were sent last.
        self._orders_count = self._orders_since = 0  # Standing orders since this entry of the public log.

    def take_seat(self, hosted: HostedMatch, now: int) -> None:
        """Take the seat for this stream. This is the `run` of a request."""
        self._proof.check(hosted, self.number)
        if not hosted.over:
            state = hosted.changes.seat(self.number)
            if state.asked_at and hosted.waits_until(self.number):
                state.asked_at = now  # The clock has waited for the house bot.
            state.stream, state.away_at = self.token, 0
            if state.presence is not Presence.RESIGNED:
                state.presence = Presence.HERE

    async def open(self, begin: Callable[[HostedMatch], None]) -> None:
        """Take the seat, and then call `begin` with the match.

        Raises:
            Denied: The client does not hold the seat any more.
        """
        presence = self.session.hosts.presence
        presence.add_seat(self.host.match)
        call = MatchCall(self.take_seat, begin)
        self.host.put(call)
        try:
            await call.future
        except Denied:
            self._has_left = True
            presence.remove_seat(self.host.match)
            raise
        except BaseException:  # The client has gone, or it is unknown whether the change was committed.
            self.leave_seat()
            raise

    def begin(self, hosted: HostedMatch, cursor: common_pb2.Cursor | None) -> None:
        """Send the log from the cursor on, unless a newer stream has taken the seat in the same batch."""
        if hosted.over or hosted.seats[self.number].stream == self.token:
            super().begin(hosted, cursor)
        else:  # Nothing was sent, so the client resumes at its own cursor, or with a snapshot if that is invalid.
            valid = cursor is not None and fits(cursor, self.host.head.epoch)
            self.sent = (first_wanted(cursor) if valid else 0) - 1
            self._mark = cursor.mark if cursor is not None and valid else b""
            self.close(play_pb2.CLOSED_REASON_REPLACED)

    def keeps_seat(self, hosted: HostedMatch, seat: SeatState) -> bool:
        """Close the stream if the seat was revoked or taken by a newer stream. Reclaim it if it has no stream."""
        if seat.stream == self.token:
            return True
        if seat.stream:
            revoked = seat.stream == REVOKED
            self.close(play_pb2.CLOSED_REASON_REVOKED if revoked else play_pb2.CLOSED_REASON_REPLACED)
            return False
        if self.session.is_open(self) and not hosted.over:
            self.run_on_host(MatchCall(self._reclaim_seat))  # Another worker took this one for dead.
        return True

    def on_rewound(self, hosted: HostedMatch, epoch: int, stands: Sequence[int]) -> None:
        """Check the proof again: the client may have lost the seat in entries that the stream did not get."""
        if self._proof.holds(hosted, self.number):
            super().on_rewound(hosted, epoch, stands)
        else:
            self.close(play_pb2.CLOSED_REASON_REVOKED)

    def close(self, reason: ClosedReason) -> None:
        """Close the stream. The end of the match, and an Unsubscribe, wait for the answers to earlier inputs."""
        if reason == play_pb2.CLOSED_REASON_OVER and (self._is_opening or self.in_flight):
            self._close_reason = reason
        elif reason == play_pb2.CLOSED_REASON_UNSUBSCRIBED and self.in_flight:
            self._close_reason = self._close_reason or reason
        else:
            super().close(reason)

    def on_opened(self) -> None:
        """Note that the items which were sent after the Subscribe are handled."""
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
        """Release the seat, and mark it as away."""
        self.host.remove_listener(self)
        if not self._has_left:
            self._has_left = True
            self.session.hosts.presence.vacate_seat(self.host.match, self._mark_left)

    def _mark_left(self, hosted: HostedMatch, now: int) -> None:
        if hosted.seats[self.number].stream == self.token and not hosted.over:
            match_changes.mark_away(hosted, self.number, now)

    # ------------------------------------------------------------------------------------------------------- messages

    def count_orders(self) -> bool:
        """Count standing orders; False if there are too many. Each is a log entry, and none waits for its turn."""
        hosted = self.host.hosted
        public = self._orders_since if hosted is None else hosted.log_counters.counts[-1]
        if self._orders_since != public:
            self._orders_count, self._orders_since = 0, public
        self._orders_count += 1
        return self._orders_count <= MOST_ORDERS

    def on_answered(self, hosted: HostedMatch | None, seq: int, outcome: Ack | Exception) -> None:
        """Send the answer to an input."""
        self.in_flight -= 1
        self.session.hosts.counters.in_flight -= 1
        if isinstance(outcome, Ack):
            seq, entry, last, repeated = outcome
            self.send(ack_item(self.subscription, seq, entry, last, repeated=repeated), log=False)
        else:
            self.session.refuse(self.subscription, outcome, seq, hosted)
        self._close_if_answered()

    def send_extras(self, hosted: HostedMatch) -> None:
        """Send the clock and the open plays."""
        if hosted.terms.clock is None and not hosted.log_counters.window_at and not self._sends_plays:
            return
        if hosted.running is None or hosted.of_other_build:
            return
        if hosted.terms.clock is not None or hosted.window_ends:
            clock = match_messages.clock_message(hosted, self.number, self.session.hosts.now())
            # The clock is coalesced with the entries: a new question flushes both.
            self.queue_clock(clock.SerializeToString())
            if clock.limited and clock.decision_id:
                self._network.ping()
        # If much was missed, the entries may be older than the match, and the client may have lost the seat by now.
        if self._sends_plays and not hosted.over and self._proof.holds(hosted, self.number):
            self._send_plays(hosted)

    def _send_plays(self, hosted: HostedMatch) -> None:
        game = hosted.game
        options = plays(game.g, self.number)
        current = (hosted.log_counters.steps[self.number], options.plain())
        if current != self._sent_plays:
            self._sent_plays = current
            offer = play_pb2.Plays(during=current[0], options=game.codec.options(options))
            self.put("plays", offer.SerializeToString())
