"""One match of the service in the process: the engine's match, its seats and its subscriptions."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from landsraad.testing.faults import Faults
from landsraad.testing.local_talk import LocalTalk
from landsraad.transport import CallRefused
from landsraad.v1 import common_pb2, log_pb2, matches_pb2, play_pb2, play_service_pb2
from landsraad.wire.catalog import options_message, read_options
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries, write_observation
from landsraad.wire.frames import item
from landsraad.wire.refusals import Denied, refusal, refused
from landsraad.wire.seat_semantics import (
    FIRST_EPOCH,
    Ack,
    check_in_play,
    check_known_orders,
    check_orders,
    cursor_at,
    earlier_answer,
    first_wanted,
    meant_for,
    read_act,
    snapshot_reason,
)
from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.chance import commitment
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.bot import Bot
from landsraad_engine.play.build import engine_build
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import put_question

#: As an item of a stream, or as the request of a call.
Orders = play_pb2.OrdersItem | play_service_pb2.SetStandingOrdersRequest
Input = play_pb2.SubmitItem | play_service_pb2.SubmitRequest | Orders


@dataclass(slots=True)
class LocalSubscription:
    """A subscription of a seat, or of a spectator (None)."""

    number: int
    seat: int | None
    send: Callable[[bytes], None]
    wants_plays: bool = False
    #: the number of log entries that it has received
    sent: int = 0
    plays: bytes = b""


#: The last input of a seat that has sent none.
_NO_INPUT = Ack(0, 0, 0)


@dataclass(slots=True)
class LocalSeat:
    """A seat with its player's credential, and its last accepted input."""

    credential: str = ""
    orders: tuple[str, ...] = ()
    entropy: bytes = b""
    bot: Bot | None = None
    last_input: Ack = _NO_INPUT


class LocalMatch:
    """A match from its first open seat to its result."""

    def __init__(self, game: Game, wanted: matches_pb2.Match, faults: Faults, house: Callable[[str], Bot]) -> None:
        seats = len(wanted.seats)
        self.game = game
        self.codec = codec_for(game)
        self.secret = secrets.token_bytes(16)
        self.options = read_options(wanted.options)
        self.match: Match | None = None
        self.local_seats = [LocalSeat() for _ in range(seats)]
        self.subscriptions: list[LocalSubscription] = []
        self._faults = faults
        self._house = house
        self.talk = LocalTalk(self)
        self.info = matches_pb2.Match(
            name=f"matches/{secrets.token_hex(6)}",
            game=wanted.game,
            options=options_message(game.parse_options(self.options, seats)),
            seats=[
                matches_pb2.Seat(number=n, fill=seat.fill or matches_pb2.SEAT_FILL_OPEN)
                for n, seat in enumerate(wanted.seats)
            ],
            title=wanted.title,
            state=common_pb2.MATCH_STATE_OPEN,
            commitment=bytes.fromhex(commitment(self.secret)),
            engine_build=engine_build(),
            content_digest=game.content_digest(game.parse_options(self.options, seats)),
        )
        for seat, local_seat in zip(self.info.seats, self.local_seats, strict=True):
            if seat.fill == matches_pb2.SEAT_FILL_HOUSE_BOT:
                self._seat_bot(seat, local_seat)

    # ----------------------------------------------------------------------------------------------------------- seats

    def join(self, wanted: int | None, player: str, orders: Iterable[str], entropy: bytes) -> int:
        """Take a seat. The match begins with the last one."""
        self.expect(common_pb2.MATCH_STATE_OPEN)
        free = [n for n, seat in enumerate(self.info.seats) if not seat.player]
        if (wanted if wanted is not None else next(iter(free), -1)) not in free:
            raise CallRefused(refusal("SEAT_TAKEN", "that seat is taken"))
        number = free[0] if wanted is None else wanted
        orders = tuple(orders)
        self._check_join(orders)
        self.local_seats[number] = LocalSeat(secrets.token_hex(8), orders, entropy)
        self.info.seats[number].player = player or f"player {number}"
        if len(free) == 1:
            self.begin()
        return number

    def leave(self, number: int) -> None:
        """Give a seat back."""
        self.expect(common_pb2.MATCH_STATE_OPEN)
        self.local_seats[number] = LocalSeat()
        self.info.seats[number].player = ""

    def begin(self) -> None:
        """Fill the free seats with bots of the house, and begin."""
        self.expect(common_pb2.MATCH_STATE_OPEN)
        for seat, local_seat in zip(self.info.seats, self.local_seats, strict=True):
            if not seat.player:
                self._seat_bot(seat, local_seat)
        self.match = Match(
            self.game,
            len(self.local_seats),
            self.options,
            secret=self.secret,
            name=self.info.name,
            entropy=[local_seat.entropy for local_seat in self.local_seats],
            orders={n: local_seat.orders for n, local_seat in enumerate(self.local_seats)},
        )
        self.info.state = common_pb2.MATCH_STATE_LIVE
        self._play_house_bots()
        for subscription in self.subscriptions:
            self._send_opening(subscription, None)

    def _seat_bot(self, seat: matches_pb2.Seat, local_seat: LocalSeat) -> None:
        seat.player = "a bot of the house"
        local_seat.bot = self._house(self.game.id)
        local_seat.orders = (execution.AUTO,)

    def _check_join(self, orders: tuple[str, ...]) -> None:
        try:
            check_orders(orders, "standing_orders")
            check_known_orders(self.game, orders, "standing_orders")
        except Denied as denied:
            raise CallRefused(denied.refusal()) from None

    # ---------------------------------------------------------------------------------------------------------- inputs

    def submit(self, seat: int, given: Input) -> Ack:
        """Accept an act or standing orders. A repeated input gets its stored answer.

        Raises:
            CallRefused: The input was refused.
        """
        try:
            return self._submit(seat, given)
        except Refused as error:
            raise CallRefused(refused(error, self.codec, given.seq)) from None
        except Denied as denied:
            raise CallRefused(denied.refusal(given.seq)) from None

    def _submit(self, seat: int, given: Input) -> Ack:
        local_seat = self.local_seats[seat]
        again = earlier_answer(given.seq, local_seat.last_input)
        if again is not None:
            return again
        if self._faults.take("store_lost"):
            raise Denied("STORE_LOST", "the store cannot be reached", retry_ms=1)
        entry = self._order(seat, given.orders) if isinstance(given, Orders) else self._act(seat, given)
        last = 0 if self.match is None else len(self.match.log(seat))
        local_seat.last_input = Ack(given.seq, entry, last)
        return local_seat.last_input

    def _act(self, seat: int, given: play_pb2.SubmitItem | play_service_pb2.SubmitRequest) -> int:
        """Accept an act; return the number of its entry."""
        check_in_play(self.info.state)
        assert self.match is not None
        entry = len(self.match.log(seat)) + 1
        decision, during = meant_for(given)
        self.match.submit(seat, read_act(self.codec, given.act), decision, during)
        return entry

    def _order(self, seat: int, given: Iterable[str]) -> int:
        """Accept standing orders; return 0, for they have no entry."""
        orders = tuple(given)
        check_orders(orders)
        check_known_orders(self.game, orders)
        if self.info.state == common_pb2.MATCH_STATE_OPEN:
            self.local_seats[seat].orders = orders
        else:
            check_in_play(self.info.state)
            assert self.match is not None
            self.match.set_orders(seat, orders)
        return 0

    def resign(self, seat: int) -> None:
        """Let the seat take the default act of every question from now on."""
        self.live().set_absent(seat)
        self.info.seats[seat].presence = matches_pb2.PRESENCE_RESIGNED
        self.publish()

    def abort(self, reason: str) -> None:
        """End the match for all its players."""
        self.expect(common_pb2.MATCH_STATE_OPEN, common_pb2.MATCH_STATE_LIVE)
        self._end(common_pb2.MatchResult(kind=common_pb2.RESULT_KIND_ABORTED, reason=reason))
        self.publish()

    def live(self) -> Match:
        """Return the match, if it is being played."""
        self.expect(common_pb2.MATCH_STATE_LIVE)
        assert self.match is not None
        return self.match

    def expect(self, *states: int) -> None:
        """Refuse a request that is impossible in the present state of the match."""
        if self.info.state not in states:
            over = self.info.state == common_pb2.MATCH_STATE_OVER
            raise CallRefused(refusal("OVER" if over else "WRONG_STATE", "not in this state of the match"))

    def _play_house_bots(self) -> None:
        """Let the bots of the house answer, and note the end of the match."""
        assert self.match is not None
        match = self.match
        while match.g.ask is not None:
            bots = [(seat, bot) for seat in match.waiting if (bot := self.local_seats[seat].bot) is not None]
            if not bots:
                return
            seat, bot = bots[0]
            match.submit(seat, bot.decide(*put_question(match, seat)))
        if match.result is not None and self.info.state == common_pb2.MATCH_STATE_LIVE:
            ending, winners = match.result
            kind = common_pb2.RESULT_KIND_PLAYED
            self._end(common_pb2.MatchResult(kind=kind, ending=ending, winners=winners))

    def _end(self, result: common_pb2.MatchResult) -> None:
        self.info.state = common_pb2.MATCH_STATE_OVER
        self.info.result.CopyFrom(result)

    # --------------------------------------------------------------------------------------------------------- telling

    def subscribe(self, subscription: LocalSubscription, start: common_pb2.Cursor | None) -> None:
        """Send the log from a cursor on, and everything that follows."""
        for other in [one for one in self.subscriptions if one.seat is not None and one.seat == subscription.seat]:
            self.unsubscribe(other, play_pb2.CLOSED_REASON_REPLACED)
        self.subscriptions.append(subscription)
        if self.match is None:
            subscription.send(item(subscription.number, "match", self.info.SerializeToString()))
        else:
            self._send_opening(subscription, start)

    def unsubscribe(self, subscription: LocalSubscription, reason: play_pb2.ClosedReason.ValueType) -> None:
        """End a subscription."""
        self.subscriptions.remove(subscription)
        closed = play_pb2.Closed(reason=reason, resume=cursor_at(FIRST_EPOCH, subscription.sent + 1))
        subscription.send(item(subscription.number, "closed", closed.SerializeToString()))

    def publish(self) -> None:
        """Let the bots of the house play, then send all news to all subscriptions."""
        if self.match is not None:
            self._play_house_bots()
            for subscription in list(self.subscriptions):
                self._send_news(subscription)

    def _send_opening(self, subscription: LocalSubscription, start: common_pb2.Cursor | None) -> None:
        subscription.send(item(subscription.number, "match", self.info.SerializeToString()))
        seat = subscription.seat
        assert self.match is not None
        log = self.match.log(seat)
        reason = snapshot_reason(start, epoch=FIRST_EPOCH, last=len(log))
        if reason is None:
            subscription.sent = first_wanted(start) - 1
        else:
            body = play_pb2.Snapshot(observation=self.observation(seat), reason=reason)
            subscription.send(item(subscription.number, "snapshot", body.SerializeToString()))
            subscription.sent = len(log)
        self._send_news(subscription)

    def _send_news(self, subscription: LocalSubscription) -> None:
        assert self.match is not None
        log = self.match.log(subscription.seat)
        new = log[subscription.sent :]
        if new:
            first = subscription.sent + 1
            elements = self.codec.numbered_entries(first, new)
            subscription.send(item(subscription.number, "entries", write_entries(first, elements)))
            subscription.sent = len(log)
        if subscription.seat is not None:
            subscription.send(item(subscription.number, "clock", self.clock(subscription.seat).SerializeToString()))
            plays = self.plays(subscription.seat).SerializeToString()
            if subscription.wants_plays and plays != subscription.plays:
                subscription.plays = plays
                subscription.send(item(subscription.number, "plays", plays))
        if self.info.state == common_pb2.MATCH_STATE_OVER:
            subscription.send(item(subscription.number, "match", self.info.SerializeToString()))
            self.unsubscribe(subscription, play_pb2.CLOSED_REASON_OVER)

    # --------------------------------------------------------------------------------------------------------- reading

    def observation(self, seat: int | None) -> log_pb2.Observation:
        """Write the present view of a seat."""
        assert self.match is not None
        seen = write_observation(
            self.match.view(seat),
            match=self.info.name,
            number=len(self.match.log(seat)),
            epoch=FIRST_EPOCH,
            last_seq=0 if seat is None else self.local_seats[seat].last_input.seq,
            during=0 if seat is None else self.match.step(seat),
        )
        return log_pb2.Observation.FromString(seen)

    def plays(self, seat: int) -> play_pb2.Plays:
        """Write the out-of-turn plays of a seat."""
        assert self.match is not None
        options = self.codec.options(execution.plays(self.match.g, seat))
        return play_pb2.Plays(during=self.match.step(seat), options=options)

    def clock(self, seat: int) -> play_pb2.Clock:
        """Write the clock of a seat: no limit, only the default act."""
        assert self.match is not None
        ask = self.match.g.ask
        clock = play_pb2.Clock(decision_id=self.match.decision(seat))
        if ask is not None and seat in self.match.waiting:
            clock.default.CopyFrom(self.codec.act(ask.default_for(seat)))
        return clock

    def entries(self, seat: int | None, first: int, limit: int) -> list[bytes]:
        """Write some entries of a log."""
        assert self.match is not None
        return self.codec.numbered_entries(first, self.match.log(seat)[first - 1 : first - 1 + limit])
