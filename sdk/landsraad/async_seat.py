"""A seat that a client plays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, Self

from landsraad.backoff import BackoffTimer
from landsraad.errors import IllegalAct, LandsraadError, RefusedByService, SeatLost, error_from_refusal, is_retryable
from landsraad.models import Clock, MatchInfo, Result, Ticket
from landsraad.seat_input import ActOut, InputOut, OrdersOut
from landsraad.seat_log import LogGap, SeatDecision, SeatLog, Update
from landsraad.talk_calls import SeatTalk, TalkStreams
from landsraad.v1 import act_pb2, matches_pb2, matches_service_pb2, play_pb2, play_service_pb2
from landsraad.wire.frames import client_item
from landsraad_engine.kernel.grammar import Act, Options

if TYPE_CHECKING:
    from landsraad.play_stream import PlayStream


class _StreamOver(Exception):
    """The match has ended before an input was acknowledged."""


class Calling(TalkStreams, Protocol):
    """The part of a client that a seat uses."""

    retry_timeout: float

    async def call(self, method: str, request: Any, answer: Any, *, token: str = "", codec: Any = None) -> Any: ...

    async def connection(self, match: str, hint: str = "") -> PlayStream: ...


class AsyncSeat(SeatTalk):
    """A seat of a match. It connects when it is first used, and reconnects by itself.

    Iterating over a seat yields its decisions, one after the other, until the match is over.

    Example:
        ::

            async for decision in seat:
                await seat.answer(decision.sample(rng), decision)
            print(seat.result)
    """

    def __init__(self, client: Calling, ticket: Ticket, match: MatchInfo | None = None, *, hint: str = "") -> None:
        self._ticket = ticket
        self._hint = hint
        self._client: Calling = client
        self._log = SeatLog(ticket.seat)
        if match is not None:
            self._log.set_match(match)
        self._connection: PlayStream | None = None
        self._number = 0
        self._seq = 0
        self._input_lock = asyncio.Lock()
        self._pending: tuple[InputOut, asyncio.Future[None]] | None = None
        #: epoch and number of the last decision that was answered; its log entry may come after the Ack
        self._answered = (0, 0)
        #: epochs and numbers of the decisions that this client has answered, or is answering
        self._own_answers: set[tuple[int, int]] = set()
        self._offered: SeatDecision | None = None
        self._over = False
        self._error: LandsraadError | None = None
        self._changed = asyncio.Event()
        self._changes = 0
        self._closings = 0
        #: epoch and number of the last entry when the subscription was last closed for an unknown reason
        self._unknown_end = (0, -1)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    # --------------------------------------------------------------------------------------------------------- reading

    @property
    def ticket(self) -> Ticket:
        """The seat's ticket. Keep it: `client.seat(ticket)` comes back to the seat, even from another process."""
        return self._ticket

    @property
    def match(self) -> MatchInfo | None:
        """The match as last reported by the service."""
        return self._log.match

    @property
    def result(self) -> Result | None:
        """The result of the match; None until it is over."""
        return self.match.result if self.match is not None else None

    @property
    def view(self) -> Any:
        """The seat's knowledge of the table, typed by the game. A view never changes; read it again for a newer one.

        It can be read once the first decision or update has come.
        """
        return self._log.view()

    @property
    def clock(self) -> Clock | None:
        """The seat's clock as last reported; None if the match has none."""
        return self._log.clock

    @property
    def plays(self) -> Options:
        """The out-of-turn plays that are possible now."""
        return self._log.plays

    @property
    def timeouts(self) -> int:
        """The number of decisions for which the time ran out, so that the service took the default act instead.

        It counts since this client has taken the seat. An answer that another client gave in your place counts as well.
        """
        if self.match is None or self.match.clock is None:
            return self._log.missed_windows  # reaction windows have a time of their own
        return self._log.missed_windows + len(self._log.closed_by_answer - self._own_answers)

    # --------------------------------------------------------------------------------------------------------- waiting

    async def next_decision(self, timeout: float | None = None) -> SeatDecision | None:  # noqa: ASYNC109  as `Seat` has it
        """Wait for the seat's next decision.

        Args:
            timeout: Seconds to wait; by default, without limit.

        Returns:
            The decision that is open now; None when the match is over.

        Raises:
            TimeoutError: No decision was put to the seat in time.
            SeatLost: Another client plays the seat now, or its credential was revoked.
            UnknownGame: The game is not installed here.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                decision = await seat.next_decision(timeout=30)
                print(decision.why, decision.options.count(limit=100), "legal acts")
        """
        async with asyncio.timeout(timeout):
            await self._subscribe()
            await asyncio.sleep(0)  # let the loop read the stream even if the caller never answers
            while not self._over:
                decision = self._open_decision()
                if decision is not None:
                    return decision
                await self._change()
        return None

    def __aiter__(self) -> AsyncIterator[SeatDecision]:
        return self._decisions()

    async def _decisions(self) -> AsyncIterator[SeatDecision]:
        while (decision := await self.next_decision()) is not None:
            yield decision

    async def updates(self) -> AsyncIterator[Update]:
        """Follow the match until it is over.

        Yields:
            An update whenever something has happened: the new entries of the seat's log, its view, and the open
            decision.

        Raises:
            SeatLost: Another client plays the seat now, or its credential was revoked.
            UnknownGame: The game is not installed here.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                async for update in seat.updates():
                    if update.decision is not None:
                        await seat.answer(update.decision.sample(rng), update.decision)
        """
        await self._subscribe()
        seen = -1
        while True:
            if self._changes == seen:
                await self._change()
                continue
            seen, over = self._changes, self._over
            yield self._log.update(None if over else self._open_decision())
            if over:
                return

    def _open_decision(self) -> SeatDecision | None:
        """Return the open decision, unless it has been answered already."""
        question = self._log.question
        if question is None or (self._log.epoch, question[0]) <= self._answered:
            return None
        number, rule, window = question
        if self._offered is None or self._offered.number != number:
            options, view, clock = self._log.options, self.view, self.clock
            worlds = self._log.worlds(view)
            self._offered = SeatDecision(
                self.number, options, rule, window, number=number, view=view, clock=clock, worlds=worlds
            )
        return self._offered

    async def _change(self) -> None:
        """Wait until something has changed."""
        if self._error is None:
            await self._changed.wait()
        self._raise_error()
        if self._connection is None and not self._over:
            raise SeatLost("the seat was closed here")

    def _raise_error(self) -> None:
        """Raise the error that has ended the subscription, if any; without the traceback of its earlier raises."""
        if self._error is not None:
            raise self._error.with_traceback(None)

    def _wake_waiters(self) -> None:
        """Wake all tasks that wait for a change."""
        self._changes += 1
        self._changed.set()
        self._changed = asyncio.Event()

    # ---------------------------------------------------------------------------------------------------------- acting

    async def answer(self, act: Act, decision: SeatDecision | None = None) -> None:
        """Answer a decision. The answer counts exactly once, even if the connection is lost meanwhile.

        Args:
            act: A legal act.
            decision: The decision to answer; by default, the one that the seat returned last.

        Raises:
            IllegalAct: The act is not legal. The decision stays open; `rule`, `fields` and `nearest` tell more.
            Stale: The match has moved on, and this decision is no longer open.
            MatchOver: The match has ended.
            SeatLost: Another client plays the seat now, or its credential was revoked.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                from landsraad.errors import Stale

                decision = await seat.next_decision()
                try:
                    await seat.answer(decision.sample(rng), decision)
                except Stale:
                    print("Your time was up, or the match has moved on.")
        """
        decision = decision or self._offered
        await self._subscribe()
        with self._locating("" if decision is None else decision.why):
            given = ActOut(self._log.write(act), decision=None if decision is None else decision.number)
            # A rewind during the call starts a new epoch, in which the same decision may be open again.
            epoch = self._log.epoch
            with self._answering(epoch, given.decision):
                await self._input(given)
        if decision is not None:
            self._answered = max(self._answered, (epoch, decision.number))

    async def play(self, act: Act) -> None:
        """Make an out-of-turn play. It counts exactly once.

        Args:
            act: One of `plays`.

        Raises:
            IllegalAct: The play is not legal now.
            Stale: The match has moved on since the play was offered.
            MatchOver: The match has ended.
            SeatLost: Another client plays the seat now, or its credential was revoked.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                await seat.next_decision()
                if seat.plays.choices:
                    await seat.play(seat.plays.sample(rng))
        """
        await self._subscribe()
        with self._locating(self._why()):
            await self._input(ActOut(self._log.write(act), during=self._log.during or None))

    async def orders(self, *orders: str) -> None:
        """Replace the standing orders of the seat.

        Args:
            *orders: "auto" passes in every reaction window where the seat could only pass; the name of a window passes
                in that window; "ask:" and the name of a play offers that play. `GameInfo.standing_orders` lists them
                all.

        Raises:
            BadRequest: The game does not know one of the orders.
            MatchOver: The match has ended.
            SeatLost: Another client plays the seat now, or its credential was revoked.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                await seat.orders("auto")
        """
        await self._subscribe()
        await self._input(OrdersOut(orders))

    async def explain(self, act: Act) -> RefusedByService | None:
        """Ask the service whether an act would be legal now. Nothing is done.

        Args:
            act: The act to check.

        Returns:
            The refusal that the act would meet; None if it is legal.

        Raises:
            IllegalAct: The act does not belong to this game.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                decision = await seat.next_decision()
                assert await seat.explain(decision.sample(rng)) is None
        """
        await self._subscribe()
        why = self._why()
        with self._locating(why):
            message = act_pb2.Act.FromString(self._log.write(act))
        request = play_service_pb2.ExplainRequest(match=self._ticket.match, seat=self.number, act=message)
        said = await self._call("Play/Explain", request, play_service_pb2.ExplainResponse)
        if said.legal:
            return None
        refusal = error_from_refusal(said.refusal, self._log.codec)
        refusal.locate(self._ticket.match, self.number, why)
        return refusal

    async def resign(self) -> None:
        """Give up the seat for good.

        Raises:
            WrongState: The match has not begun; use `leave`.
            MatchOver: The match has ended.
            ConnectionLost: The service cannot be reached.
        """
        request = matches_service_pb2.ResignRequest(name=self._ticket.match, seat=self.number)
        await self._call("Matches/Resign", request, matches_pb2.Match)

    async def leave(self) -> None:
        """Give the seat back before the match has begun.

        Raises:
            WrongState: The match has begun; use `resign`.
            ConnectionLost: The service cannot be reached.
        """
        request = matches_service_pb2.LeaveMatchRequest(name=self._ticket.match, seat=self.number)
        await self._call("Matches/LeaveMatch", request, matches_pb2.Match)

    async def close(self) -> None:
        """Stop playing the seat from this client. It stays taken: `client.seat(ticket)` comes back to it."""
        self._closings += 1
        if self._connection is not None:
            self._connection.remove(self._number)
            self._connection = None
            self._release()
            self._wake_waiters()

    def _why(self) -> str:
        """Return the rule of the open decision; empty if there is none."""
        return "" if self._log.question is None else self._log.question[1]

    @contextmanager
    def _locating(self, why: str) -> Iterator[None]:
        """Name match, seat and question in the refusal of an act: a bot may play many matches at a time."""
        try:
            yield
        except IllegalAct as refused:
            refused.locate(self._ticket.match, self.number, why)
            raise

    @contextmanager
    def _answering(self, epoch: int, number: int | None) -> Iterator[None]:
        """Keep a decision among the seat's own answers, unless the answer is refused."""
        if number is None and self._log.question is not None:
            number = self._log.question[0]
        key = (epoch, number or 0)
        new = key not in self._own_answers
        self._own_answers.add(key)
        try:
            yield
        except RefusedByService:
            if new:
                self._own_answers.discard(key)
            raise

    async def _call(self, method: str, request: Any, answer: Any) -> Any:
        codec = self._log.codec if self._log.match is not None else None
        return await self._client.call(method, request, answer, token=self._ticket.credential, codec=codec)

    async def _input(self, given: InputOut) -> None:
        """Send an input until it is accepted or refused for good."""
        await self._subscribe()
        async with self._input_lock:
            # Never reuse the number of another input, even of one whose sender was cancelled: the service would repeat
            # its stored answer to that one.
            self._seq = given.seq = max(self._seq, self._log.last_seq) + 1
            retries = BackoffTimer(self._client.retry_timeout)
            while True:
                try:
                    await self._send(given)
                except RefusedByService as refused:
                    if not is_retryable(refused):
                        raise
                    await retries.wait(refused, refused.retry_after)
                else:
                    return

    async def _send(self, given: InputOut) -> None:
        """Send an input once, and return when it is acknowledged."""
        self._raise_error()  # the seat may have been lost while another input was sent
        if self._connection is not None:
            answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._pending = (given, answered)
            self._connection.send(given.item(self._number))
            try:
                await answered
                return
            except _StreamOver:
                """Perhaps by this very input. A call with the same number tells, and cannot apply it twice."""
            except RefusedByService as refused:
                # During a rolling upgrade this worker can only show the match. A call may meet one that plays it.
                if refused.reason != "other_build":
                    raise
            finally:
                self._pending = None
        await self._send_alone(given)

    async def _send_alone(self, given: InputOut) -> None:
        """Send an input by a unary call, when the stream cannot deliver it or no longer reports on this seat."""
        await self._call(*given.call(self._ticket.match, self.number))

    # -------------------------------------------------------------------------------------------- as a subscriber

    async def _subscribe(self) -> None:
        """Connect, unless connected, and wait until the log has arrived."""
        self._raise_error()
        if self._connection is None and not self._over:
            closings = self._closings
            connection = await self._client.connection(self._ticket.match, self._hint)
            if closings != self._closings:
                raise SeatLost("the seat was closed here")
            if self._connection is None:  # no other task has connected meanwhile
                self._connection = connection
                self._number = connection.add(self)
        while not self._log.number and not self._over:
            await self._change()

    def follow_from_first(self) -> None:
        """Begin with the first entry of the log. A seat that is taken up again begins with a snapshot all the same."""
        self._log.from_first = self._connection is None and self.match is not None

    def opening_items(self, number: int) -> Iterable[bytes]:
        """Return the items that open a stream: a subscription from the seat's cursor, an input without answer.

        Args:
            number: The number of the subscription on the new stream.

        Yields:
            The items.
        """
        ticket, start = self._ticket, {"from": self._log.cursor}
        subscribe = play_pb2.Subscribe(
            match=ticket.match, seat=self.number, credential=ticket.credential, plays=True, **start
        )
        yield client_item(play_pb2.ClientItem(subscription=number, subscribe=subscribe))
        if self._pending is not None:
            yield self._pending[0].item(number)

    def receive(self, item: play_pb2.ServerItem) -> None:
        """Apply one item of the stream.

        Args:
            item: An item of this seat's subscription.
        """
        kind = item.WhichOneof("item")
        try:
            match kind:
                case "ack":
                    self._acknowledged(item.ack)
                case "refusal":
                    self._refused(item.refusal)
                case "closed":
                    self._closed(item.closed)
                case _:
                    if kind == "rewound":
                        self._offered = None
                    self._log.apply(item)
        except LogGap:
            self._renew()
        except LandsraadError as error:
            self.fail(error)

    def end_frame(self) -> None:
        """Wake the waiting tasks, once all items of a frame have been received."""
        self._wake_waiters()

    def fail(self, error: LandsraadError) -> None:
        """End the subscription with an error, although the match goes on.

        Args:
            error: The error to raise in all tasks that wait for this seat.
        """
        self._error = error
        self._fail_input(error)
        self._wake_waiters()

    def _renew(self) -> None:
        """Subscribe again from the seat's cursor, under another number. Late items of the old number are ignored."""
        if self._connection is not None and self._error is None:  # the seat may have been lost during the delay
            self._connection.remove(self._number)
            self._number = self._connection.add(self)

    def _acknowledged(self, ack: play_pb2.Ack) -> None:
        answered = self._unanswered(ack.seq)
        if answered is not None:
            answered.set_result(None)

    def _refused(self, refusal: Any) -> None:
        if refusal.seq:
            self._fail_input(error_from_refusal(refusal, self._log.codec), refusal.seq)
            return
        error = error_from_refusal(refusal)  # of the subscription itself
        if is_retryable(error):
            delay = error.retry_after or 0.5
            asyncio.get_running_loop().call_later(delay, self._renew)
        elif self._connection is None or not self._connection.follow(error):
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
            case play_pb2.CLOSED_REASON_REPLACED:
                self._drop()
                self.fail(SeatLost("another stream plays this seat now"))
            case play_pb2.CLOSED_REASON_REVOKED:
                self._drop()
                self.fail(SeatLost("the seat's credential was revoked"))
            case play_pb2.CLOSED_REASON_UNSUBSCRIBED:
                self._drop()
                self.fail(SeatLost("the service has ended the subscription of this seat"))
            case reason if reason in play_pb2.ClosedReason.values() or self._has_moved_on():
                if self._connection is not None:
                    self._connection.restart()
            case reason:
                self._drop()
                self.fail(SeatLost(f"the service has ended this subscription twice for reason {reason}, unknown here"))

    def _has_moved_on(self) -> bool:
        """Return True if entries have come since the subscription was last closed for an unknown reason."""
        before, self._unknown_end = self._unknown_end, (self._log.epoch, self._log.number)
        return before != self._unknown_end

    def _unanswered(self, seq: int | None = None) -> asyncio.Future[None] | None:
        """Return the future of the pending input, by its number if given; None if its sender no longer waits."""
        if self._pending is None:
            return None
        given, answered = self._pending
        return answered if not answered.done() and seq in (None, given.seq) else None

    def _fail_input(self, error: Exception, seq: int | None = None) -> None:
        answered = self._unanswered(seq)
        if answered is not None:
            answered.set_exception(error)

    def _release(self) -> None:
        """Tell the sender of the pending input that the stream will not answer it."""
        self._fail_input(_StreamOver())

    def _drop(self) -> None:
        """Forget the subscription: the service has ended it for good."""
        if self._connection is not None:
            self._connection.forget(self._number)
            self._connection = None
