"""Play: what a seat knows, what it is asked, what it does."""

from __future__ import annotations

import asyncio
from functools import partial

import grpc

from landsraad.v1 import play_pb2
from landsraad.v1 import play_service_pb2 as api
from landsraad_server.accounts import Accounts, match_id
from landsraad_server.hosting.hall import Hall
from landsraad_server.hosting.host import Host
from landsraad_server.hosting.position import Position
from landsraad_server.hosting.requests import Ack, ActInput, OrdersInput, SeatInput, must_be_live
from landsraad_server.refusals import bad_field, on_wire
from landsraad_server.services.calls import Call, Context, Unreadable, unreadable
from landsraad_server.sessions.deciding import Waiter, decision_message
from landsraad_server.sessions.observing import observation
from landsraad_server.sessions.session import Session

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Play"]

_MOST_WAIT_MS = 30_000
_MOST_ENTRIES = 256


class Play:
    """See the protocol."""

    def __init__(self, hall: Hall, accounts: Accounts, *, address: str) -> None:
        self.sessions: set[Session] = set()
        self._hall = hall
        self._accounts = accounts
        self._address = address

    # ---------------------------------------------------------------------------------------------------- streaming

    async def connect(self, requests: object, call: Call) -> None:
        """One stream: this coroutine writes, a task reads."""
        context, bearer = call.context, call.bearer
        session = Session(self._hall, _Gate(self._accounts, bearer), address=self._address)
        self.sessions.add(session)
        reader = asyncio.create_task(_read(session, context))
        reader.add_done_callback(lambda _: session.outbox.close())
        try:
            while frame := await session.outbox.take():
                await context.write(frame)
        finally:
            reader.cancel()
            self.sessions.discard(session)
            session.end()
        if reader.done() and not reader.cancelled():
            reader.result()  # what was wrong with what it has read

    def drain(self) -> None:
        """Send all streams away, with their cursors."""
        for session in tuple(self.sessions):
            session.close(play_pb2.CLOSED_REASON_DRAINING)

    # --------------------------------------------------------------------------------------------------------- unary

    async def submit(self, request: api.SubmitRequest, call: Call) -> api.SubmitResponse:
        meant = request.WhichOneof("meant_for")
        make = partial(
            ActInput,
            request.seat,
            request.seq,
            request.act,
            request.decision_id if meant == "decision_id" else None,
            request.during if meant == "during" else None,
        )
        ack = await self._input(request.match, request.seat, call, make)
        answer = api.SubmitResponse(ack=play_pb2.Ack(**ack._asdict()))
        if ack.entry:
            match = match_id(request.match)
            waypoints = await self._hall.ask(match, read=lambda position: position.waypoints)
            first, bodies = await self._hall.log(match, request.seat, ack.entry, waypoints)
            answer.entries.MergeFromString(b"".join(bodies[:_MOST_ENTRIES]))
            answer.entries.first = first
        return answer

    async def set_standing_orders(
        self, request: api.SetStandingOrdersRequest, call: Call
    ) -> api.SetStandingOrdersResponse:
        make = partial(OrdersInput, request.seat, request.seq, tuple(request.orders))
        ack = await self._input(request.match, request.seat, call, make)
        return api.SetStandingOrdersResponse(ack=play_pb2.Ack(**ack._asdict()))

    async def get_observation(self, request: api.GetObservationRequest, call: Call) -> bytes:
        host = await self._host(request.match, request.seat, call)
        return await self._hall.ask(
            host.match, read=lambda position: observation(position, request.seat, host.head.epoch)
        )

    async def get_decision(self, request: api.GetDecisionRequest, call: Call) -> play_pb2.Decision:
        if request.wait_ms > _MOST_WAIT_MS:
            raise bad_field("wait_ms", f"{_MOST_WAIT_MS} at most")
        host = await self._host(request.match, request.seat, call)
        waiter = Waiter(request.seat, request.after_decision_id)

        def look(position: Position) -> bool:
            if waiter.satisfied(position) or not request.wait_ms:
                return True
            host.listen(waiter)
            return False

        try:
            if not await self._hall.ask(host.match, read=look):
                await waiter.wait(request.wait_ms)
        finally:
            host.unlisten(waiter)
        return await self._hall.ask(
            host.match, read=lambda position: decision_message(position, request.seat, self._hall.now())
        )

    async def explain(self, request: api.ExplainRequest, call: Call) -> api.ExplainResponse:
        host = await self._host(request.match, request.seat, call)

        def try_out(position: Position) -> api.ExplainResponse:
            must_be_live(position)
            game = position.game
            try:
                game.try_out(request.seat, game.codec.read_act(request.act))
            except Exception as error:  # noqa: BLE001  what Submit would say is the answer here
                return api.ExplainResponse(refusal=on_wire(error, game.codec))
            return api.ExplainResponse(legal=True)

        return await self._hall.ask(host.match, read=try_out)

    # --------------------------------------------------------------------------------------------------------- shared

    async def _host(self, match: str, seat: int, call: Call) -> Host:
        name = match_id(match)
        await self._accounts.seat(match, seat, call.bearer)
        host = self._hall.host(name)

        def known(position: Position) -> None:
            if position.live is not None:
                call.codec = position.live.codec

        await self._hall.ask(name, read=known)
        return host

    async def _input(self, match: str, seat: int, call: Call, make: partial[SeatInput]) -> Ack:
        host = await self._host(match, seat, call)
        answered: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()

        def done(position: Position | None, seq: int, outcome: Ack | Exception) -> None:
            if answered.done():
                return
            if isinstance(outcome, Exception):
                answered.set_exception(outcome)
            else:
                answered.set_result(outcome)

        host.put(make(done))
        return await answered


class _Gate:
    """Who may play a seat on a stream: whoever has its credential, or is known by the call's own token."""

    def __init__(self, accounts: Accounts, bearer: str) -> None:
        self._accounts = accounts
        self._bearer = bearer

    async def seat(self, match: str, seat: int, credential: str) -> None:
        await self._accounts.seat(match, seat, credential or self._bearer)


async def _read(session: Session, context: Context) -> None:
    """Take what the client sends, until it has sent its last, and has its answers."""
    while (frame := await context.read()) is not grpc.aio.EOF:
        if isinstance(frame, Unreadable):
            raise unreadable()
        session.on_message(frame)
    await session.settled()
