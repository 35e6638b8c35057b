"""One match of the service in the process: the engine's match, its seats, and who follows it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from landsraad.testing.faults import Faults
from landsraad.transport import CallRefused
from landsraad.v1 import common_pb2, log_pb2, matches_pb2, play_pb2, play_service_pb2
from landsraad.wire.catalog import options_message, read_options
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries, write_observation
from landsraad.wire.frames import item
from landsraad.wire.refusals import refusal, refused
from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.chance import commitment
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.match import Match

Input = play_pb2.SubmitItem | play_pb2.OrdersItem | play_service_pb2.SubmitRequest


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


@dataclass(slots=True)
class Sitting:
    """Who plays a seat, and the last input that was accepted from it."""

    credential: str = ""
    orders: tuple[str, ...] = ()
    entropy: bytes = b""
    bot: Bot | None = None
    seq: int = 0
    ack: play_pb2.Ack = field(default_factory=play_pb2.Ack)


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
        self._check_orders("standing_orders", orders)
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

    def _check_orders(self, field: str, orders: Iterable[str], seq: int = 0) -> None:
        if problem := execution.strange_order(self.game, orders):
            raise CallRefused(refusal("BAD_FIELD", f"{field}: {problem}", violations=[(field, problem)], seq=seq))

    # ---------------------------------------------------------------------------------------------------------- inputs

    def submit(self, seat: int, given: Input) -> play_pb2.Ack:
        """An act or standing orders; a repeated one gets its answer again."""
        sitting = self.sittings[seat]
        if given.seq and given.seq == sitting.seq:
            return play_pb2.Ack(seq=given.seq, entry=sitting.ack.entry, last=sitting.ack.last, repeated=True)
        if given.seq and given.seq < sitting.seq:
            raise CallRefused(refusal("SUPERSEDED", f"input {sitting.seq} was taken already", seq=given.seq))
        if self._faults.take("store_lost"):
            raise CallRefused(refusal("STORE_LOST", "the store cannot be reached", seq=given.seq, retry_ms=1))
        match = self.live()
        before = len(match.log(seat))
        try:
            if isinstance(given, play_pb2.OrdersItem):
                self._check_orders("orders", given.orders, given.seq)
                match.set_orders(seat, tuple(given.orders))
            else:
                meant = given.WhichOneof("meant_for")
                named = {"decision_id": "decision", "during": "during"}
                kwargs = {named[meant]: getattr(given, meant)} if meant else {}
                match.submit(seat, self.codec.read_act(given.act), **kwargs)
        except Refused as error:
            raise CallRefused(refused(error, self.codec, given.seq)) from None
        entry = 0 if isinstance(given, play_pb2.OrdersItem) else before + 1
        sitting.seq, sitting.ack = given.seq, play_pb2.Ack(seq=given.seq, entry=entry, last=len(match.log(seat)))
        return sitting.ack

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
        resume = common_pb2.Cursor(epoch=1, **{"from": follower.sent + 1})
        closed = play_pb2.Closed(reason=reason, resume=resume)
        follower.send(item(follower.number, "closed", closed.SerializeToString()))

    def tell(self) -> None:
        """Tell everybody what is new; first the bots of the house go on."""
        self._go_on()
        for follower in list(self.followers):
            self._tell(follower)

    def _open(self, follower: LocalSubscription, start: common_pb2.Cursor | None) -> None:
        follower.send(item(follower.number, "match", self.info.SerializeToString()))
        seat = follower.seat
        assert self.match is not None
        log = self.match.log(seat)
        if start is not None and 0 < getattr(start, "from") <= len(log) + 1:
            follower.sent = getattr(start, "from") - 1
        else:
            reason = play_pb2.SNAPSHOT_REASON_ASKED if start is None else play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
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
            epoch=1,
            last_seq=0 if seat is None else self.sittings[seat].seq,
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
