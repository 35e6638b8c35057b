"""What can be wanted of a match. A host runs requests one after the other, and settles them once the log has it.

`run` reads and writes the position, or raises what refuses the request; `settle` is told the outcome when the entry
that holds it is committed, or, if nothing was written, when the position is known to be that of the log's end. So what
is said, yes or no, is never said of a position that the match has left behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from landsraad import games
from landsraad.v1.act_pb2 import Act
from landsraad.wire.seat_semantics import Ack, check_in_play, check_known_orders, check_orders, earlier_answer, read_act
from landsraad_engine.errors import Refused
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import Ending, MatchResult, MatchStage
from landsraad_server.matches.running_match import RunningMatch
from landsraad_server.telemetry.tracing import CURRENT

T = TypeVar("T")

#: Refusals that tell of a client that is late rather than wrong.
_HARMLESS = ("stale", "over")
#: What is said of a play, too, if another seat's play was faster: that does not move the match on to another step.
_OVERTAKEN = ("not_now", "against_rules")


class MatchRequest(Protocol):
    """See above."""

    def run(self, position: HostedMatch, now: int) -> Any: ...

    def settle(self, position: HostedMatch | None, outcome: Any) -> None:
        """The outcome is what `run` has returned, or the exception; without a position it is an exception."""


class CommitTick:
    """That the match has a turn, and commits what there is to commit."""

    def run(self, position: HostedMatch, now: int) -> None:
        """See Request."""

    def settle(self, position: HostedMatch | None, outcome: Any) -> None:
        """See Request."""


class MatchCall(Generic[T]):
    """For code that can wait: a change, which gives something back, or a look at the settled position.

    A change is not made any more, not even again, if nobody waits for it by then: whoever has asked may have asked
    another worker meanwhile, and what was said there must not be taken back. Unless it has to be made in `any_case`.
    """

    __slots__ = ("_any_case", "_read", "_run", "cause", "future")

    def __init__(
        self,
        run: Callable[[HostedMatch, int], T] | None = None,
        read: Callable[[HostedMatch], T] | None = None,
        *,
        any_case: bool = False,
    ) -> None:
        self._run = run
        self._read = read
        self._any_case = any_case
        self.future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        #: the call, or stream, that waits for it; None if there are no traces
        self.cause = CURRENT.get()

    def run(self, position: HostedMatch, now: int) -> T | None:
        if self._run is None or (self.future.cancelled() and not self._any_case):
            return None
        return self._run(position, now)

    def settle(self, position: HostedMatch | None, outcome: Any) -> None:
        if self.future.done():
            return
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
        elif self._read is None:
            self.future.set_result(outcome)
        else:
            assert position is not None
            try:
                self.future.set_result(self._read(position))
            except Exception as error:  # noqa: BLE001  whoever waits is told, and says what it means
                self.future.set_exception(error)


class SeatInput:
    """An input of a seat, once and only once: see Play.Submit in the protocol."""

    __slots__ = ("_done", "seat", "seq")

    def __init__(self, seat: int, seq: int, done: Callable[[HostedMatch | None, int, Ack | Exception], None]) -> None:
        self.seat = seat
        self.seq = seq
        self._done = done

    def run(self, position: HostedMatch, now: int) -> Ack:
        state = position.seats[self.seat]
        again = earlier_answer(self.seq, state)
        if again is not None:
            return again
        entry = self.accept(position)
        state = position.changes.seat(self.seat)
        state.seq, state.entry = self.seq, entry
        state.last = position.last(self.seat)
        return Ack(self.seq, entry, state.last)

    def accept(self, position: HostedMatch) -> int:
        """Do what the input wants; the number of its entry in the seat's log."""
        raise NotImplementedError

    def settle(self, position: HostedMatch | None, outcome: Any) -> None:
        self._done(position, self.seq, outcome)


class ActInput(SeatInput):
    """An answer, or an out-of-turn play."""

    __slots__ = ("act", "decision", "during", "network_ms")

    def __init__(
        self,
        seat: int,
        seq: int,
        act: Act,
        decision: int | None,
        during: int | None,
        done: Callable[[HostedMatch | None, int, Ack | Exception], None],
        *,
        network_ms: int = 0,
    ) -> None:
        super().__init__(seat, seq, done)
        self.act = act
        self.decision = decision
        self.during = during
        self.network_ms = network_ms

    def run(self, position: HostedMatch, now: int) -> Ack:
        try:
            return super().run(position, now)
        except Refused as refusal:
            if not (refusal.reason in _HARMLESS or self._overtaken(position, refusal.reason)):
                self._count(position, now)
            raise

    def _overtaken(self, position: HostedMatch, reason: str) -> bool:
        if self.during is None or reason not in _OVERTAKEN:
            return False
        game = in_play(position)
        return game.is_play(self.seat, read_act(game.codec, self.act), self.during)

    def accept(self, position: HostedMatch) -> int:
        game = in_play(position)
        act = read_act(game.codec, self.act)
        entry = game.scribe.last(self.seat) + 1
        game.submit(self.seat, act, self.decision, self.during)
        position.changes.seat(self.seat).network_ms = self.network_ms
        return entry

    def _count(self, position: HostedMatch, now: int) -> None:
        """Refused acts are only counted, but there may be a limit."""
        count = position.changes.refuse(self.seat)
        limit = position.terms.illegal_limit
        if limit and position.seats[self.seat].refused + count >= limit and not position.over:
            position.end(MatchResult(Ending.ILLEGAL_ACTS, cause=self.seat), now)


class OrdersInput(SeatInput):
    """Standing orders, in place of those before."""

    __slots__ = ("orders",)

    def __init__(
        self,
        seat: int,
        seq: int,
        orders: tuple[str, ...],
        done: Callable[[HostedMatch | None, int, Ack | Exception], None],
    ) -> None:
        super().__init__(seat, seq, done)
        self.orders = orders

    def accept(self, position: HostedMatch) -> int:
        check_orders(self.orders)
        check_known(position, self.orders)
        if position.stage is MatchStage.OPEN:
            position.changes.plan(self.seat).orders = self.orders
            return 0
        in_play(position).set_orders(self.seat, self.orders)
        return 0


class AuthorizedInput:
    """An input by a call: who sends it has to have the seat still in its turn. A stream that loses it hears of that."""

    __slots__ = ("_claim", "_given")

    def __init__(self, claim: SeatProof, given: SeatInput) -> None:
        self._claim = claim
        self._given = given

    def run(self, position: HostedMatch, now: int) -> Ack:
        """See Request."""
        self._claim.check(position, self._given.seat)
        return self._given.run(position, now)

    def settle(self, position: HostedMatch | None, outcome: Any) -> None:
        """See Request."""
        self._given.settle(position, outcome)


def in_play(position: HostedMatch) -> RunningMatch:
    """Return the game; refuse what only a match that is being played can take."""
    check_in_play(position.stage)
    return position.game


def check_known(position: HostedMatch, orders: tuple[str, ...], field: str = "orders") -> None:
    """Deny standing orders that mean nothing in the game, as far as this build can tell."""
    if position.ours:
        check_known_orders(games.load(position.terms.game), orders, field)
