"""A seat that a client plays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any, Protocol, Self

from google.protobuf.message import Message

from landsraad.errors import PASSING, LandsraadError, RefusedByService, SeatLost, error_of
from landsraad.models import Clock, MatchInfo, Result, Ticket
from landsraad.retry import RetryTimer
from landsraad.seat_log import LogGap, SeatDecision, SeatLog, Update
from landsraad.v1 import matches_pb2, matches_service_pb2, play_pb2, play_service_pb2
from landsraad_engine.kernel.grammar import Act, Options

if TYPE_CHECKING:
    from landsraad.connection import Connection


class _StreamOver(Exception):
    """The match has ended before an input was acknowledged."""


class Calling(Protocol):
    """What a seat needs of its client."""

    patience: float

    async def call(self, method: str, request: Any, answer: Any, *, token: str = "", codec: Any = None) -> Any: ...

    async def connection(self, hint: str = "") -> Connection: ...


class AsyncSeat:
    """A seat of a match. It connects when it is first asked for a turn, and stays connected by itself.

    ::

        async for turn in seat:
            await seat.answer(turn.sample(rng))
    """

    def __init__(self, client: Calling, ticket: Ticket, match: MatchInfo | None = None, *, hint: str = "") -> None:
        self._ticket = ticket
        self._hint = hint
        self._client = client
        self._following = SeatLog(ticket.seat)
        if match is not None:
            self._following.adopt(match)
        self._connection: Connection | None = None
        self._number = 0
        self._seq = 0
        self._one_at_a_time = asyncio.Lock()
        self._pending: tuple[play_pb2.ClientItem, asyncio.Future[None]] | None = None
        #: epoch and number of the last question that was answered: the entry that says so may come after the Ack
        self._answered = (0, 0)
        self._offered: SeatDecision | None = None
        self._over = False
        self._error: LandsraadError | None = None
        self._bell = asyncio.Event()
        self._changes = 0
        self._closings = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    # --------------------------------------------------------------------------------------------------------- reading

    @property
    def ticket(self) -> Ticket:
        """What lets a client come back to the seat."""
        return self._ticket

    @property
    def number(self) -> int:
        """The seat's number, from 0."""
        return self._ticket.seat

    @property
    def match(self) -> MatchInfo | None:
        """The match as it was last heard of."""
        return self._following.match

    @property
    def result(self) -> Result | None:
        """How the match ended, once it has."""
        return self.match.result if self.match is not None else None

    @property
    def view(self) -> Any:
        """What the seat knows now; a later one does not change it. Nothing, before the first `turn()`."""
        return self._following.view()

    @property
    def clock(self) -> Clock | None:
        """The seat's clock as it was last told."""
        return self._following.clock

    @property
    def plays(self) -> Options:
        """The out-of-turn plays that are open now."""
        return self._following.plays

    # --------------------------------------------------------------------------------------------------------- waiting

    async def turn(self, within: float | None = None) -> SeatDecision | None:
        """Wait until the seat is asked; None when the match is over. TimeoutError if that takes more seconds."""
        async with asyncio.timeout(within):
            await self._subscribe()
            await asyncio.sleep(0)  # whoever does not answer shall not keep the loop from hearing why
            while not self._over:
                turn = self._open_turn()
                if turn is not None:
                    return turn
                await self._change()
        return None

    def __aiter__(self) -> AsyncIterator[SeatDecision]:
        return self._turns()

    async def _turns(self) -> AsyncIterator[SeatDecision]:
        while (turn := await self.turn()) is not None:
            yield turn

    async def updates(self) -> AsyncIterator[Update]:
        """Everything that happens, as it happens, up to the end of the match."""
        await self._subscribe()
        seen = -1
        while True:
            if self._changes == seen:
                await self._change()
                continue
            seen, over = self._changes, self._over
            yield self._following.update(None if over else self._open_turn())
            if over:
                return

    def _open_turn(self) -> SeatDecision | None:
        """The open question, unless it is answered already."""
        question = self._following.question
        if question is None or (self._following.epoch, question[0]) <= self._answered:
            return None
        decision, rule, window = question
        if self._offered is None or self._offered.decision != decision:
            options, view, clock = self._following.options, self.view, self.clock
            self._offered = SeatDecision(self.number, options, rule, window, decision=decision, view=view, clock=clock)
        return self._offered

    async def _change(self) -> None:
        if self._error is None:
            await self._bell.wait()
        self._say_what_ended_it()
        if self._connection is None and not self._over:
            raise SeatLost("the seat was closed here")

    def _say_what_ended_it(self) -> None:
        """To everybody who asks, each with a traceback of its own: it would grow with each time that it is raised."""
        if self._error is not None:
            raise self._error.with_traceback(None)

    def _ring(self) -> None:
        """Wake everybody who waits for a change."""
        self._changes += 1
        self._bell.set()
        self._bell = asyncio.Event()

    # ---------------------------------------------------------------------------------------------------------- acting

    async def answer(self, act: Act, turn: SeatDecision | None = None) -> None:
        """Answer a question (the one that `turn` gave last): exactly once, whatever happens to the connection.

        A `RefusedByService` says why it was not taken; the question is then still open, or (`Stale`) another one is.
        """
        turn = turn or self._offered
        await self._subscribe()
        submit = play_pb2.SubmitItem(act=self._following.message(act))
        if turn is not None:
            submit.decision_id = turn.decision
        epoch = self._following.epoch  # a later one, of which we hear meanwhile, may put the same question again
        await self._input(play_pb2.ClientItem(submit=submit))
        if turn is not None:
            self._answered = max(self._answered, (epoch, turn.decision))

    async def play(self, act: Act) -> None:
        """Make an out-of-turn play."""
        await self._subscribe()
        submit = play_pb2.SubmitItem(act=self._following.message(act))
        if self._following.during:
            submit.during = self._following.during
        await self._input(play_pb2.ClientItem(submit=submit))

    async def orders(self, *orders: str) -> None:
        """Standing orders in place of those before: names of windows to pass on, "auto", "ask:" and a play."""
        await self._subscribe()
        await self._input(play_pb2.ClientItem(standing_orders=play_pb2.OrdersItem(orders=orders)))

    async def explain(self, act: Act) -> RefusedByService | None:
        """Why the service would not take an act now; None if it would. It costs nothing and changes nothing."""
        await self._subscribe()
        message = self._following.message(act)
        request = play_service_pb2.ExplainRequest(match=self._ticket.match, seat=self.number, act=message)
        said = await self._call("Play/Explain", request, play_service_pb2.ExplainResponse)
        return None if said.legal else error_of(said.refusal, self._following.codec)

    async def resign(self) -> None:
        """Give the seat up for good."""
        request = matches_service_pb2.ResignRequest(name=self._ticket.match, seat=self.number)
        await self._call("Matches/Resign", request, matches_pb2.Match)

    async def leave(self) -> None:
        """Give the seat back before the match has begun."""
        request = matches_service_pb2.LeaveMatchRequest(name=self._ticket.match, seat=self.number)
        await self._call("Matches/LeaveMatch", request, matches_pb2.Match)

    async def close(self) -> None:
        """Play on this stream no longer. The seat stays taken: `client.seat(ticket)` comes back to it."""
        self._closings += 1
        if self._connection is not None:
            self._connection.remove(self._number)
            self._connection = None
            self._release()
            self._ring()

    async def _call(self, method: str, request: Any, answer: Any) -> Any:
        codec = self._following.codec if self._following.match is not None else None
        return await self._client.call(method, request, answer, token=self._ticket.credential, codec=codec)

    async def _input(self, item: play_pb2.ClientItem) -> None:
        """Send an input until it is taken or refused for good."""
        await self._subscribe()
        async with self._one_at_a_time:
            # Never the number of another input, even of one whose sender did not wait for the answer: it would get the
            # stored answer to that one.
            self._seq = seq = max(self._seq, self._following.last_seq) + 1
            (item.submit if item.HasField("submit") else item.standing_orders).seq = seq
            patience = RetryTimer(self._client.patience)
            while True:
                try:
                    await self._send(item)
                except RefusedByService as refused:
                    if refused.reason not in PASSING:
                        raise
                    await patience.wait(refused, refused.retry_after)
                else:
                    return

    async def _send(self, item: play_pb2.ClientItem) -> None:
        """Send an input once, and return when it is acknowledged."""
        self._say_what_ended_it()  # since it was sent last, or while another one was
        if self._connection is not None:
            answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            item.subscription = self._number  # another one than when it was sent last, perhaps
            self._pending = (item, answered)
            self._connection.send(item)
            try:
                await answered
                return
            except _StreamOver:
                """Perhaps by this very input. A call tells: it has the same number, so it cannot do it twice."""
            except RefusedByService as refused:
                # A fleet is rolled, and this worker only tells the match. A call may meet one that plays it.
                if refused.reason != "other_build":
                    raise
            finally:
                self._pending = None
        await self._send_alone(item)

    async def _send_alone(self, item: play_pb2.ClientItem) -> None:
        """Send an input by a call: where the stream leads, it is not taken, or nothing more is said about this seat."""
        where: dict[str, Any] = {"match": self._ticket.match, "seat": self.number}
        if item.HasField("submit"):
            act = play_service_pb2.SubmitRequest(**where, **_fields(item.submit))
            await self._call("Play/Submit", act, play_service_pb2.SubmitResponse)
        else:
            orders = play_service_pb2.SetStandingOrdersRequest(**where, **_fields(item.standing_orders))
            await self._call("Play/SetStandingOrders", orders, play_service_pb2.SetStandingOrdersResponse)

    # -------------------------------------------------------------------------------------------- as a subscriber

    async def _subscribe(self) -> None:
        """Connect, unless this is done, and wait until the seat knows where it is."""
        self._say_what_ended_it()
        if self._connection is None and not self._over:
            closings = self._closings
            connection = await self._client.connection(self._hint)
            if closings != self._closings:
                raise SeatLost("the seat was closed here")
            if self._connection is None:  # nobody else has done it meanwhile
                self._connection = connection
                self._number = connection.add(self)
        while not self._following.number and not self._over:
            await self._change()

    def opening(self, number: int) -> Iterable[play_pb2.ClientItem]:
        """What begins a stream: from where the seat is, with what was not answered yet."""
        subscribe = play_pb2.Subscribe(
            match=self._ticket.match,
            seat=self.number,
            credential=self._ticket.credential,
            plays=True,
            **{"from": self._following.cursor},
        )
        yield play_pb2.ClientItem(subscription=number, subscribe=subscribe)
        if self._pending is not None:
            self._pending[0].subscription = number
            yield self._pending[0]

    def take(self, item: play_pb2.ServerItem) -> None:
        """Something was said about this seat."""
        kind = item.WhichOneof("item")
        try:
            match kind:
                case "ack":
                    self._acknowledged(item.ack)
                case "refusal":
                    self._refused(item.refusal)
                case "closed":
                    self._closed(item.closed)
                case "snapshot":
                    self._following.hear_snapshot(item.snapshot.observation)
                case "rewound":
                    self._following.hear_rewound(item.rewound)
                    self._offered = None
                case "match" | "entries" | "clock" | "plays" | "presence":
                    getattr(self._following, f"hear_{kind}")(getattr(item, kind))
        except LogGap:
            self._renew()
        except LandsraadError as error:
            self.fail(error)

    def settle(self) -> None:
        """A frame has been taken."""
        self._ring()

    def fail(self, error: LandsraadError) -> None:
        """It is over, though the match is not."""
        self._error = error
        self._fail_input(error)
        self._ring()

    def _renew(self) -> None:
        """Subscribe again from where the seat is, under another number: what still comes for this one is not heard."""
        if self._connection is not None and self._error is None:  # it was lost, perhaps, while it was waited
            self._connection.remove(self._number)
            self._number = self._connection.add(self)

    def _acknowledged(self, ack: play_pb2.Ack) -> None:
        answered = self._unanswered(ack.seq)
        if answered is not None:
            answered.set_result(None)

    def _refused(self, refusal: Any) -> None:
        if refusal.seq:
            self._fail_input(error_of(refusal, self._following.codec), refusal.seq)
            return
        error = error_of(refusal)  # of the subscription itself
        if error.reason in PASSING:
            delay = error.retry_after or 0.5
            asyncio.get_running_loop().call_later(delay, self._renew)
        else:
            self._drop()
            self.fail(error)

    def _closed(self, closed: play_pb2.Closed) -> None:
        match closed.reason:
            case play_pb2.CLOSED_REASON_OVER:
                self._over = True
                self._drop()
                self._release()
            case play_pb2.CLOSED_REASON_SLOW:
                self._renew()
            case play_pb2.CLOSED_REASON_DRAINING | play_pb2.CLOSED_REASON_UNAVAILABLE:
                if self._connection is not None:
                    self._connection.restart()
            case play_pb2.CLOSED_REASON_REPLACED:
                self._drop()
                self.fail(SeatLost("another stream plays this seat now"))
            case play_pb2.CLOSED_REASON_REVOKED:
                self._drop()
                self.fail(SeatLost("the seat's credential was revoked"))
            case _:
                self._drop()
                self.fail(SeatLost("the service plays this seat no longer on this stream"))

    def _unanswered(self, seq: int | None = None) -> asyncio.Future[None] | None:
        """What the sender of the input that is under way (with this number) waits for, if anybody still does."""
        if self._pending is None:
            return None
        item, answered = self._pending
        return answered if not answered.done() and seq in (None, _seq(item)) else None

    def _fail_input(self, error: Exception, seq: int | None = None) -> None:
        answered = self._unanswered(seq)
        if answered is not None:
            answered.set_exception(error)

    def _release(self) -> None:
        """The input that is under way gets no answer on the stream any more."""
        self._fail_input(_StreamOver())

    def _drop(self) -> None:
        """The service has ended the subscription for good."""
        if self._connection is not None:
            self._connection.forget(self._number)
            self._connection = None


def _seq(item: play_pb2.ClientItem) -> int:
    return item.submit.seq if item.HasField("submit") else item.standing_orders.seq


def _fields(message: Message) -> dict[str, Any]:
    """The fields of an item, which those of the call have the names of."""
    return {field.name: value for field, value in message.ListFields()}
