"""Match requests: reads and changes of a match, which its host runs in batches.

`run` reads and changes the hosted match, or raises a refusal. `settle` gets the outcome once the changes are committed
or, if there are none, once the store has confirmed that the match is at the end of its log. So no answer, not even a
refusal, rests on a stale copy of the match. `run` is called again if another worker commits first.
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

#: Refusals of clients that are late rather than wrong.
_HARMLESS = ("stale", "over")
#: Refusals that an out-of-turn play may get because another seat's play in the same step came first.
_OVERTAKEN = ("not_now", "against_rules")


class MatchRequest(Protocol):
    """A read or a change of a match."""

    @property
    def observes(self) -> bool:
        """Tell whether the request only reads the match."""

    @property
    def acknowledges(self) -> bool:
        """Tell whether an outcome acknowledges a change, which may have been made before: it must be durable then."""

    def run(self, hosted: HostedMatch, now: int) -> Any:
        """Read or change the match, or raise a refusal. It may be called again, on a newer version."""

    def settle(self, hosted: HostedMatch | None, outcome: Any) -> None:
        """Take the outcome: the result of `run`, or an exception. Without a match it is an exception."""


class CommitTick:
    """A request without effect: it lets the host run a batch, which commits pending changes."""

    acknowledges = False
    observes = False

    def run(self, hosted: HostedMatch, now: int) -> None:
        """Do nothing."""

    def settle(self, hosted: HostedMatch | None, outcome: Any) -> None:
        """Do nothing."""


class MatchCall(Generic[T]):
    """A request whose outcome is awaited: a change, or a read of the settled match.

    Args:
        run: The change; its result is the outcome.
        read: Reads the outcome from the match after the change.
        acknowledges: Whether the outcome acknowledges a change. By default that of a change does.
        any_case: Make the change even if the future was cancelled. By default it is skipped then, also in a repeated
            batch: the client may have repeated its request at another worker, whose answer must stay valid.
    """

    __slots__ = ("_any_case", "_read", "_run", "acknowledges", "cause", "future", "observes")

    def __init__(
        self,
        run: Callable[[HostedMatch, int], T] | None = None,
        read: Callable[[HostedMatch], T] | None = None,
        *,
        acknowledges: bool = False,
        any_case: bool = False,
    ) -> None:
        self.acknowledges = acknowledges or run is not None
        self.observes = run is None
        self._run = run
        self._read = read
        self._any_case = any_case
        self.future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        #: the span of the call or stream that waits for it; None if there are no traces
        self.cause = CURRENT.get()

    def run(self, hosted: HostedMatch, now: int) -> T | None:
        """Make the change, unless its caller has given up."""
        if self._run is None or (self.future.cancelled() and not self._any_case):
            return None
        return self._run(hosted, now)

    def settle(self, hosted: HostedMatch | None, outcome: Any) -> None:
        """Resolve the future."""
        if self.future.done():
            return
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
        elif self._read is None:
            self.future.set_result(outcome)
        else:
            assert hosted is not None
            try:
                self.future.set_result(self._read(hosted))
            except Exception as error:  # noqa: BLE001  the caller gets it, and decides what it means
                self.future.set_exception(error)


class SeatInput:
    """An input of a seat, accepted exactly once: a repeated one gets the stored answer. See Play.Submit."""

    acknowledges = True
    observes = False
    __slots__ = ("_done", "seat", "seq")

    def __init__(self, seat: int, seq: int, done: Callable[[HostedMatch | None, int, Ack | Exception], None]) -> None:
        self.seat = seat
        self.seq = seq
        self._done = done

    def run(self, hosted: HostedMatch, now: int) -> Ack:
        """Accept the input and store its answer, or return the stored answer of a repeated one."""
        state = hosted.seats[self.seat]
        again = earlier_answer(self.seq, state)
        if again is not None:
            return again
        entry = self.accept(hosted)
        state = hosted.changes.seat(self.seat)
        state.seq, state.entry = self.seq, entry
        state.last = hosted.last(self.seat)
        return Ack(self.seq, entry, state.last)

    def accept(self, hosted: HostedMatch) -> int:
        """Apply the input, and return the number of its entry in the seat's log."""
        raise NotImplementedError

    def settle(self, hosted: HostedMatch | None, outcome: Any) -> None:
        """Pass the outcome on to the callback."""
        self._done(hosted, self.seq, outcome)


class ActInput(SeatInput):
    """An answer to the open question, or an out-of-turn play."""

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

    def run(self, hosted: HostedMatch, now: int) -> Ack:
        """Accept the act, and count a refusal against the seat."""
        try:
            return super().run(hosted, now)
        except Refused as refusal:
            if not (refusal.reason in _HARMLESS or self._overtaken(hosted, refusal.reason)):
                self._count(hosted, now)
            raise

    def _overtaken(self, hosted: HostedMatch, reason: str) -> bool:
        if self.during is None or reason not in _OVERTAKEN:
            return False
        game = in_play(hosted)
        return game.is_play(self.seat, read_act(game.codec, self.act), self.during)

    def accept(self, hosted: HostedMatch) -> int:
        """Submit the act to the game."""
        game = in_play(hosted)
        act = read_act(game.codec, self.act)
        entry = game.recorder.last(self.seat) + 1
        game.submit(self.seat, act, self.decision, self.during)
        hosted.changes.seat(self.seat).network_ms = self.network_ms
        return entry

    def _count(self, hosted: HostedMatch, now: int) -> None:
        """Count a refused act, and end the match if the seat has reached the limit of its terms."""
        count = hosted.changes.refuse(self.seat)
        limit = hosted.terms.illegal_limit
        if limit and hosted.seats[self.seat].refused + count >= limit and not hosted.over:
            hosted.end(MatchResult(Ending.ILLEGAL_ACTS, cause=self.seat), now)


class OrdersInput(SeatInput):
    """Standing orders, which replace earlier ones."""

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

    def accept(self, hosted: HostedMatch) -> int:
        """Set the orders in the game, or in the terms of a match that has not begun."""
        check_orders(self.orders)
        check_known(hosted, self.orders)
        if hosted.stage is MatchStage.OPEN:
            hosted.changes.plan(self.seat).orders = self.orders
            return 0
        in_play(hosted).set_orders(self.seat, self.orders)
        return 0


class AuthorizedInput:
    """An input by a unary call. The proof is checked in the same batch; a stream that loses its seat is closed."""

    acknowledges = True
    observes = False
    __slots__ = ("_input", "_proof")

    def __init__(self, proof: SeatProof, given: SeatInput) -> None:
        self._proof = proof
        self._input = given

    def run(self, hosted: HostedMatch, now: int) -> Ack:
        """Check the proof, and run the input."""
        self._proof.check(hosted, self._input.seat)
        return self._input.run(hosted, now)

    def settle(self, hosted: HostedMatch | None, outcome: Any) -> None:
        """Settle the input."""
        self._input.settle(hosted, outcome)


def in_play(hosted: HostedMatch) -> RunningMatch:
    """Return the game of a running match; refuse the request if the match is not running."""
    check_in_play(hosted.stage)
    return hosted.game


def check_known(hosted: HostedMatch, orders: tuple[str, ...], field: str = "orders") -> None:
    """Deny standing orders that mean nothing in the game, as far as this build can tell."""
    if hosted.ours:
        check_known_orders(games.load(hosted.terms.game), orders, field)
