"""Play: what a seat knows, what it is asked, what it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar

from landsraad.v1 import play_pb2
from landsraad.v1 import play_service_pb2 as api
from landsraad_server.accounts.admission import Admission, CallKind
from landsraad_server.accounts.authentication import Authenticator, match_id
from landsraad_server.api.calls import RpcCall, given
from landsraad_server.api.session_streams import Streams
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import MatchStage
from landsraad_server.matches.requests import Ack, ActInput, AuthorizedInput, OrdersInput, SeatInput, in_play, read_act
from landsraad_server.refusals import SOON_MS, Denied, bad_field, on_wire
from landsraad_server.streams.decision_wait import Waiter, decision_message
from landsraad_server.streams.observations import observation
from landsraad_server.streams.play_session import PlaySession

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Play"]

T = TypeVar("T")
Answered = Callable[[HostedMatch | None, int, Ack | Exception], None]

_MOST_WAIT_MS = 30_000
_MOST_ENTRIES = 256


class PlayService:
    """See the protocol."""

    def __init__(
        self, hall: MatchHosts, accounts: Authenticator, admission: Admission, streams: Streams, *, address: str
    ) -> None:
        self._hall = hall
        self._accounts = accounts
        self._admission = admission
        self._streams = streams
        self._address = address

    async def connect(self, requests: object, call: RpcCall) -> None:
        bearer = call.bearer
        who = await self._accounts.holder(bearer) if bearer else call.address
        gate = _SeatAuthorizer(self._accounts, self._admission, call.address)
        session = PlaySession(self._hall, gate, bearer, address=self._address)
        await self._streams.carry(session, call.context, who, _Readable(session))

    async def submit(self, request: api.SubmitRequest, call: RpcCall) -> api.SubmitResponse:
        meant = request.WhichOneof("meant_for")
        decision = request.decision_id if meant == "decision_id" else None
        during = request.during if meant == "during" else None
        seat = await self._seat(request, call)
        host = seat.host
        ack = await _answer_to(
            seat, lambda done: ActInput(request.seat, request.seq, request.act, decision, during, done)
        )
        answer = api.SubmitResponse(ack=play_pb2.Ack(**ack._asdict()))
        if ack.entry:
            waypoints = await self._hall.read(host.match, lambda position: position.waypoints)
            history = await self._hall.history(host.match, request.seat, ack.entry, waypoints)
            # Up to what followed from it and no further: the answer to a repeated call is the same, whatever came then.
            count = min(ack.last - ack.entry + 1, _MOST_ENTRIES)
            bodies = [body for _, body in islice(history.after(ack.entry - 1), count)]
            answer.entries.MergeFromString(b"".join(bodies))
            answer.entries.first = ack.entry
        return answer

    async def set_standing_orders(
        self, request: api.SetStandingOrdersRequest, call: RpcCall
    ) -> api.SetStandingOrdersResponse:
        seat = await self._seat(request, call)
        orders = tuple(request.orders)
        ack = await _answer_to(seat, lambda done: OrdersInput(request.seat, request.seq, orders, done))
        return api.SetStandingOrdersResponse(ack=play_pb2.Ack(**ack._asdict()))

    async def get_observation(self, request: api.GetObservationRequest, call: RpcCall) -> bytes:
        seat = await self._seat(request, call)

        def observe(position: HostedMatch) -> bytes:
            if position.stage is MatchStage.OPEN:
                raise Denied("WRONG_STATE", "the match has not begun yet")
            return observation(position, request.seat, seat.host.head.epoch)

        return await self._hall.read(seat.host.match, seat.checked(observe))

    async def get_decision(self, request: api.GetDecisionRequest, call: RpcCall) -> play_pb2.Decision:
        if request.wait_ms > _MOST_WAIT_MS:
            raise bad_field("wait_ms", f"{_MOST_WAIT_MS} at most")
        seat = await self._seat(request, call)
        host = seat.host
        waiter = Waiter(request.seat, request.after_decision_id)

        def look(position: HostedMatch) -> bool:
            if not request.wait_ms or waiter.satisfied(position):
                return True
            host.listen(waiter)
            return False

        if request.wait_ms:
            self._streams.awaits(waiter)
        try:
            satisfied = await self._hall.read(host.match, look)
            if not satisfied:
                await waiter.wait(request.wait_ms)
        finally:
            self._streams.waiting.discard(waiter)
            host.unlisten(waiter)
        if waiter.sent_away:
            raise Denied("DRAINING", "this worker is about to stop: ask another", retry_ms=SOON_MS)
        if not satisfied:  # who might play the seat when it was asked may not any more
            await self._accounts.seat(request.match, request.seat, call.bearer)
        now = self._hall.now()
        tell = seat.checked(lambda position: decision_message(position, request.seat, now))
        return await self._hall.read(host.match, tell)

    async def explain(self, request: api.ExplainRequest, call: RpcCall) -> api.ExplainResponse:
        seat = await self._seat(request, call)

        def try_out(position: HostedMatch) -> api.ExplainResponse:
            game = in_play(position)
            try:
                game.try_out(request.seat, read_act(game, request.act))
            except Exception as error:  # noqa: BLE001  what Submit would say is the answer here
                self._hall.unforeseen("explain", position.match, error)
                return api.ExplainResponse(refusal=on_wire(error, game.codec))
            return api.ExplainResponse(legal=True)

        return await self._hall.read(seat.host.match, seat.checked(try_out))

    async def _seat(self, request: _OfASeat, call: RpcCall) -> _Seat:
        """The seat that a call is for, for whoever may play it."""
        name = match_id(request.match)
        claim = await self._accounts.seat(request.match, request.seat, call.bearer)

        def known(position: HostedMatch) -> None:
            if position.live is not None:
                call.codec = position.live.codec

        await self._hall.read(name, known)
        return _Seat(self._hall.host(name), request.seat, claim)


class _OfASeat(Protocol):
    """A request of somebody who plays a seat."""

    match: str
    seat: int


class _Seat(NamedTuple):
    """A seat, and by what somebody plays it."""

    host: MatchHost
    number: int
    claim: SeatProof

    def checked(self, read: Callable[[HostedMatch], T]) -> Callable[[HostedMatch], T]:
        """What is read for them, unless they have just lost the seat."""

        def run(position: HostedMatch) -> T:
            self.claim.check(position, self.number)
            return read(position)

        return run


class _SeatAuthorizer:
    """Says for one stream who may play a seat. Attempts that fail are counted as calls of the stream's address."""

    def __init__(self, accounts: Authenticator, admission: Admission, address: str) -> None:
        self._accounts = accounts
        self._admission = admission
        self._address = address

    async def seat(self, match: str, seat: int, bearer: str) -> SeatProof:
        """See Gate."""
        try:
            return await self._accounts.seat(match, seat, bearer)
        except Denied:
            await self._admission.address(CallKind.CALL, self._address)
            raise


async def _answer_to(seat: _Seat, make: Callable[[Answered], SeatInput]) -> Ack:
    answered: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()

    def done(_position: HostedMatch | None, _seq: int, outcome: Ack | Exception) -> None:
        if answered.done():
            return
        if isinstance(outcome, Exception):
            answered.set_exception(outcome)
        else:
            answered.set_result(outcome)

    seat.host.put(AuthorizedInput(seat.claim, make(done)))
    return await answered


class _Readable:
    """Gives a session what could be read of what its client has sent; what could not ends the stream."""

    def __init__(self, session: PlaySession) -> None:
        self._session = session
        self.settled = session.settled

    def on_message(self, frame: Any) -> None:
        """See Listening."""
        self._session.on_message(given(frame))
