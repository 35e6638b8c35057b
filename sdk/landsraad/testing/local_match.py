"""One match of the service in the process: the engine's match, its seats, and who follows it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from landsraad.testing.faults import Faults
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
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.match import Match

#: As an item of a stream, or as the request of a call.
Orders = play_pb2.OrdersItem | play_service_pb2.SetStandingOrdersRequest
Input = play_pb2.SubmitItem | play_service_pb2.SubmitRequest | Orders


@dataclass(slots=True)
class LocalSubscription:
    """A subscription: of a seat, or of a spectator (None)."""

    number: int
    seat: int | None
    send: Callable[[bytes], None]
    wants_plays: bool = False
    #: how many entries of the log it has been sent
    sent: int = 0
    plays: bytes = b""


#: The last input of a seat that has sent none.
_NO_INPUT = Ack(0, 0, 0)


@dataclass(slots=True)
class Sitting:
    """Who plays a seat, and the last input that was accepted from it."""

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
        self.sittings = [Sitting() for _ in range(seats)]
        self.followers: list[LocalSubscription] = []
        self._faults = faults
        self._house = house
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
        )
        for seat, sitting in zip(self.info.seats, self.sittings, strict=True):
            if seat.fill == matches_pb2.SEAT_FILL_HOUSE_BOT:
                self._seat_bot(seat, sitting)

    # ----------------------------------------------------------------------------------------------------------- seats

    def join(self, wanted: int | None, player: str, orders: Iterable[str], entropy: bytes) -> int:
        """Take a seat; the match begins with the last one."""
        self.expect(common_pb2.MATCH_STATE_OPEN)
        free = [n for n, seat in enumerate(self.info.seats) if not seat.player]
        if (wanted if wanted is not None else next(iter(free), -1)) not in free:
            raise CallRefused(refusal("SEAT_TAKEN", "that seat is taken"))
        number = free[0] if wanted is None else wanted
        orders = tuple(orders)
        self._check_join(orders)
        self.sittings[number] = Sitting(secrets.token_hex(8), orders, entropy)
        self.info.seats[number].player = player or f"player {number}"
        if len(free) == 1:
            self.begin()
        return number

    def leave(self, number: int) -> None:
        """Give a seat back."""
        self.expect(common_pb2.MATCH_STATE_OPEN)
        self.sittings[number] = Sitting()
        self.info.seats[number].player = ""

    def begin(self) -> None:
        """Bots of the house take the seats that are free, and the match begins."""
        self.expect(common_pb2.MATCH_STATE_OPEN)
        for seat, sitting in zip(self.info.seats, self.sittings, strict=True):
            if not seat.player:
                self._seat_bot(seat, sitting)
        self.match = Match(
            self.game,
            len(self.sittings),
            self.options,
            secret=self.secret,
            name=self.info.name,
            entropy=[sitting.entropy for sitting in self.sittings],
            orders={n: sitting.orders for n, sitting in enumerate(self.sittings)},
        )
        self.info.state = common_pb2.MATCH_STATE_LIVE
        self._go_on()
        for follower in self.followers:
            self._open(follower, None)

    def _seat_bot(self, seat: matches_pb2.Seat, sitting: Sitting) -> None:
        seat.player = "a bot of the house"
        sitting.bot = self._house(self.game.id)
        sitting.orders = (execution.AUTO,)

    def _check_join(self, orders: tuple[str, ...]) -> None:
        try:
            check_orders(orders, "standing_orders")
            check_known_orders(self.game, orders, "standing_orders")
        except Denied as denied:
            raise CallRefused(denied.refusal()) from None

    # ---------------------------------------------------------------------------------------------------------- inputs

    def submit(self, seat: int, given: Input) -> Ack:
        """Take an act or standing orders; a repeated one gets its answer again.

        Raises:
            CallRefused: it was not taken.
        """
        try:
            return self._submit(seat, given)
        except Refused as error:
            raise CallRefused(refused(error, self.codec, given.seq)) from None
        except Denied as denied:
            raise CallRefused(denied.refusal(given.seq)) from None

    def _submit(self, seat: int, given: Input) -> Ack:
        sitting = self.sittings[seat]
        again = earlier_answer(given.seq, sitting.last_input)
        if again is not None:
            return again
        if self._faults.take("store_lost"):
            raise Denied("STORE_LOST", "the store cannot be reached", retry_ms=1)
        entry = self._order(seat, given.orders) if isinstance(given, Orders) else self._act(seat, given)
        last = 0 if self.match is None else len(self.match.log(seat))
        sitting.last_input = Ack(given.seq, entry, last)
        return sitting.last_input

    def _act(self, seat: int, given: play_pb2.SubmitItem | play_service_pb2.SubmitRequest) -> int:
        """Take an act, and return the number of its entry."""
        check_in_play(self.info.state)
        assert self.match is not None
        entry = len(self.match.log(seat)) + 1
        decision, during = meant_for(given)
        self.match.submit(seat, read_act(self.codec, given.act), decision, during)
        return entry

    def _order(self, seat: int, given: Iterable[str]) -> int:
        """Take standing orders, which have no entry."""
        orders = tuple(given)
        check_orders(orders)
        check_known_orders(self.game, orders)
        if self.info.state == common_pb2.MATCH_STATE_OPEN:
            self.sittings[seat].orders = orders
        else:
            check_in_play(self.info.state)
            assert self.match is not None
            self.match.set_orders(seat, orders)
        return 0

    def resign(self, seat: int) -> None:
        """The seat takes the default act of every question from now on."""
        self.live().set_absent(seat)
        self.info.seats[seat].presence = matches_pb2.PRESENCE_RESIGNED
        self.tell()

    def abort(self, reason: str) -> None:
        """The match ends for everybody."""
        self.expect(common_pb2.MATCH_STATE_OPEN, common_pb2.MATCH_STATE_LIVE)
        self._end(common_pb2.MatchResult(kind=common_pb2.RESULT_KIND_ABORTED, reason=reason))
        self.tell()

    def live(self) -> Match:
        """The match, if it is being played."""
        self.expect(common_pb2.MATCH_STATE_LIVE)
        assert self.match is not None
        return self.match

    def expect(self, *states: int) -> None:
        """Refuse what is not possible in the state in which the match is."""
        if self.info.state not in states:
            over = self.info.state == common_pb2.MATCH_STATE_OVER
            raise CallRefused(refusal("OVER" if over else "WRONG_STATE", "not in this state of the match"))

    def _go_on(self) -> None:
        """Let the bots of the house answer, and note the end."""
        assert self.match is not None
        match = self.match
        while (ask := match.g.ask) is not None:
            bots = [(seat, bot) for seat in match.waiting if (bot := self.sittings[seat].bot) is not None]
            if not bots:
                return
            seat, bot = bots[0]
            view = self.game.facade(match.g, seat)
            match.submit(seat, bot.decide(view, Decision(seat, ask.options[seat], ask.why, ask.window)))
        if match.result is not None and self.info.state == common_pb2.MATCH_STATE_LIVE:
            ending, winners = match.result
            kind = common_pb2.RESULT_KIND_PLAYED
            self._end(common_pb2.MatchResult(kind=kind, ending=ending, winners=winners))

    def _end(self, result: common_pb2.MatchResult) -> None:
        self.info.state = common_pb2.MATCH_STATE_OVER
        self.info.result.CopyFrom(result)

    # --------------------------------------------------------------------------------------------------------- telling

    def follow(self, follower: LocalSubscription, start: common_pb2.Cursor | None) -> None:
        """Tell somebody everything from here on."""
        for other in [one for one in self.followers if one.seat is not None and one.seat == follower.seat]:
            self.unfollow(other, play_pb2.CLOSED_REASON_REPLACED)
        self.followers.append(follower)
        if self.match is None:
            follower.send(item(follower.number, "match", self.info.SerializeToString()))
        else:
            self._open(follower, start)

    def unfollow(self, follower: LocalSubscription, reason: play_pb2.ClosedReason.ValueType) -> None:
        """Tell somebody nothing more."""
        self.followers.remove(follower)
        closed = play_pb2.Closed(reason=reason, resume=cursor_at(FIRST_EPOCH, follower.sent + 1))
        follower.send(item(follower.number, "closed", closed.SerializeToString()))

    def tell(self) -> None:
        """Tell everybody what is new; first the bots of the house go on."""
        if self.match is not None:
            self._go_on()
            for follower in list(self.followers):
                self._tell(follower)

    def _open(self, follower: LocalSubscription, start: common_pb2.Cursor | None) -> None:
        follower.send(item(follower.number, "match", self.info.SerializeToString()))
        seat = follower.seat
        assert self.match is not None
        log = self.match.log(seat)
        reason = snapshot_reason(start, epoch=FIRST_EPOCH, last=len(log))
        if reason is None:
            follower.sent = first_wanted(start) - 1
        else:
            body = play_pb2.Snapshot(observation=self.observation(seat), reason=reason)
            follower.send(item(follower.number, "snapshot", body.SerializeToString()))
            follower.sent = len(log)
        self._tell(follower)

    def _tell(self, follower: LocalSubscription) -> None:
        assert self.match is not None
        log = self.match.log(follower.seat)
        new = log[follower.sent :]
        if new:
            elements = [self.codec.entry(entry) for entry in new]
            follower.send(item(follower.number, "entries", write_entries(follower.sent + 1, elements)))
            follower.sent = len(log)
        if follower.seat is not None:
            follower.send(item(follower.number, "clock", self.clock(follower.seat).SerializeToString()))
            plays = self.plays(follower.seat).SerializeToString()
            if follower.wants_plays and plays != follower.plays:
                follower.plays = plays
                follower.send(item(follower.number, "plays", plays))
        if self.info.state == common_pb2.MATCH_STATE_OVER:
            follower.send(item(follower.number, "match", self.info.SerializeToString()))
            self.unfollow(follower, play_pb2.CLOSED_REASON_OVER)

    # --------------------------------------------------------------------------------------------------------- reading

    def observation(self, seat: int | None) -> log_pb2.Observation:
        """What a seat knows now."""
        assert self.match is not None
        seen = write_observation(
            self.match.view(seat),
            match=self.info.name,
            number=len(self.match.log(seat)),
            epoch=FIRST_EPOCH,
            last_seq=0 if seat is None else self.sittings[seat].last_input.seq,
            during=0 if seat is None else self.match.step(seat),
        )
        return log_pb2.Observation.FromString(seen)

    def plays(self, seat: int) -> play_pb2.Plays:
        """The out-of-turn plays that are open to a seat."""
        assert self.match is not None
        options = self.codec.options(execution.plays(self.match.g, seat))
        return play_pb2.Plays(during=self.match.step(seat), options=options)

    def clock(self, seat: int) -> play_pb2.Clock:
        """There is no limit here; only the default act is told."""
        assert self.match is not None
        ask = self.match.g.ask
        clock = play_pb2.Clock(decision_id=self.match.decision(seat))
        if ask is not None and seat in self.match.waiting:
            clock.default.CopyFrom(self.codec.act(ask.default_for(seat)))
        return clock

    def entries(self, seat: int | None, first: int, most: int) -> list[bytes]:
        """Some entries of a log, written."""
        assert self.match is not None
        return [self.codec.entry(entry) for entry in self.match.log(seat)[first - 1 : first - 1 + most]]
