"""Play service: decisions, acts, standing orders and observations of a seat, by stream or by plain calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple, Protocol, TypeVar

from landsraad.v1 import play_pb2
from landsraad.v1 import play_service_pb2 as api
from landsraad.wire.seat_semantics import Ack, meant_for, read_act
from landsraad_server.accounts.authentication import Authenticator, match_id
from landsraad_server.accounts.rate_limiter import CallKind, RateLimiter
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.session_streams import OpenStreams
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import MatchStage
from landsraad_server.matches.requests import ActInput, AuthorizedInput, OrdersInput, SeatInput, in_play
from landsraad_server.refusals import SOON_MS, Denied, bad_field, to_refusal
from landsraad_server.streams.decision_wait import DecisionWaiter, decision_message
from landsraad_server.streams.observations import observation
from landsraad_server.streams.play_session import PlaySession

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Play"]

T = TypeVar("T")
Answered = Callable[[HostedMatch | None, int, Ack | Exception], None]

_MOST_WAIT_MS = 30_000


class PlayService:
    """Implementation of the Play service."""

    def __init__(
        self,
        hosts: MatchHosts,
        authenticator: Authenticator,
        rate_limiter: RateLimiter,
        streams: OpenStreams,
        *,
        address: str,
    ) -> None:
        self._hosts = hosts
        self._authenticator = authenticator
        self._rate_limiter = rate_limiter
        self._streams = streams
        self._address = address

    async def connect(self, requests: object, call: RpcCall) -> None:
        """Serve a stream that plays any number of seats."""
        bearer = call.bearer
        owner = await self._authenticator.stream_owner(bearer) if bearer else call.address
        authorizer = _SeatAuthorizer(self._authenticator, self._rate_limiter, call.address)
        session = PlaySession(self._hosts, authorizer, bearer, address=self._address)
        await self._streams.serve(session, call.context, owner, session)

    async def submit(self, request: api.SubmitRequest, call: RpcCall) -> api.SubmitResponse:
        decision, during = meant_for(request)
        seat = await self._seat(request, call)
        host = seat.host
        ack = await _submit_and_wait(
            seat, lambda done: ActInput(request.seat, request.seq, request.act, decision, during, done)
        )
        answer = api.SubmitResponse(ack=ack.message())
        if ack.entry:
            waypoints = await self._hosts.read(host.match, lambda hosted: hosted.waypoints)
            history = await self._hosts.history(
                host.match, request.seat, ack.entry, waypoints, last=ack.entry + ack.entries - 1
            )
            bodies = [body for _, body in islice(history.after(ack.entry - 1), ack.entries)]
            answer.entries.MergeFromString(b"".join(bodies))
            answer.entries.first = ack.entry
        return answer

    async def set_standing_orders(
        self, request: api.SetStandingOrdersRequest, call: RpcCall
    ) -> api.SetStandingOrdersResponse:
        """Replace the standing orders of a seat."""
        seat = await self._seat(request, call)
        orders = tuple(request.orders)
        ack = await _submit_and_wait(seat, lambda done: OrdersInput(request.seat, request.seq, orders, done))
        return api.SetStandingOrdersResponse(ack=ack.message())

    async def get_observation(self, request: api.GetObservationRequest, call: RpcCall) -> bytes:
        """Return all that a seat knows of its match."""
        seat = await self._seat(request, call)

        def observe(hosted: HostedMatch) -> bytes:
            if hosted.stage is MatchStage.OPEN:
                raise Denied("WRONG_STATE", "the match has not begun yet")
            return observation(hosted, request.seat, seat.host.head.epoch)

        return await self._hosts.read(seat.host.match, seat.checked(observe), acknowledges=True)

    async def get_decision(self, request: api.GetDecisionRequest, call: RpcCall) -> play_pb2.Decision:
        """Return the open decision of a seat; with `wait_ms`, wait until there is a new one."""
        if request.wait_ms > _MOST_WAIT_MS:
            raise bad_field("wait_ms", f"cannot exceed {_MOST_WAIT_MS}")
        seat = await self._seat(request, call)
        host = seat.host
        waiter = DecisionWaiter(request.seat, request.after_decision_id)

        def look(hosted: HostedMatch) -> bool:
            if not request.wait_ms or waiter.satisfied(hosted):
                return True
            host.add_listener(waiter)
            return False

        if request.wait_ms:
            self._streams.add_waiter(waiter)
        try:
            satisfied = await self._hosts.read(host.match, look)
            if not satisfied:
                await waiter.wait(request.wait_ms)
        finally:
            self._streams.waiting.discard(waiter)
            host.remove_listener(waiter)
        if waiter.dismissed:
            raise Denied("DRAINING", "this worker is shutting down: send the same request to another", retry_ms=SOON_MS)
        if not satisfied:  # the seat may have been lost while the call waited
            await self._authenticator.prove_seat(request.match, request.seat, call.bearer)
        now = self._hosts.now()
        tell = seat.checked(lambda hosted: decision_message(hosted, request.seat, now))
        return await self._hosts.read(host.match, tell, acknowledges=True)

    async def explain(self, request: api.ExplainRequest, call: RpcCall) -> api.ExplainResponse:
        """Try an act without committing it, and return whether it is legal."""
        seat = await self._seat(request, call)

        def try_out(hosted: HostedMatch) -> api.ExplainResponse:
            game = in_play(hosted)
            try:
                game.try_out(request.seat, read_act(game.codec, request.act))
            except Exception as error:  # noqa: BLE001  what Submit would say is the answer here
                self._hosts.log_unexpected("explain", hosted.match, error)
                return api.ExplainResponse(refusal=to_refusal(error, game.codec))
            return api.ExplainResponse(legal=True)

        return await self._hosts.read(seat.host.match, seat.checked(try_out))

    async def _seat(self, request: _SeatRequest, call: RpcCall) -> _ProvenSeat:
        """Authenticate the caller for a seat and return both."""
        name = match_id(request.match)
        proof = await self._authenticator.prove_seat(request.match, request.seat, call.bearer)

        def known(hosted: HostedMatch) -> None:
            if hosted.running is not None:
                call.codec = hosted.running.codec

        await self._hosts.read(name, known)
        return _ProvenSeat(self._hosts.host(name), request.seat, proof)


class _SeatRequest(Protocol):
    """A request that names a seat."""

    match: str
    seat: int


class _ProvenSeat(NamedTuple):
    """A seat with the proof that the caller may play it."""

    host: MatchHost
    number: int
    proof: SeatProof

    def checked(self, read: Callable[[HostedMatch], T]) -> Callable[[HostedMatch], T]:
        """Wrap a read so that it is refused if the caller has just lost the seat."""

        def run(hosted: HostedMatch) -> T:
            self.proof.check(hosted, self.number)
            return read(hosted)

        return run


class _SeatAuthorizer:
    """Authorizes the seats of one stream; failed attempts are charged to the stream's address."""

    def __init__(self, authenticator: Authenticator, rate_limiter: RateLimiter, address: str) -> None:
        self._authenticator = authenticator
        self._rate_limiter = rate_limiter
        self._address = address

    async def seat(self, match: str, seat: int, bearer: str) -> SeatProof:
        """Return the proof for a seat; see `play_session.SeatAuthorizer`."""
        try:
            return await self._authenticator.prove_seat(match, seat, bearer)
        except Denied:
            await self._rate_limiter.charge_address(CallKind.CALL, self._address)
            raise


async def _submit_and_wait(seat: _ProvenSeat, make: Callable[[Answered], SeatInput]) -> Ack:
    """Queue an input at the seat's host and wait for its acknowledgement."""
    answered: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()

    def done(_position: HostedMatch | None, _seq: int, outcome: Ack | Exception) -> None:
        if answered.done():
            return
        if isinstance(outcome, Exception):
            answered.set_exception(outcome)
        else:
            answered.set_result(outcome)

    seat.host.put(AuthorizedInput(seat.proof, make(done)))
    return await answered
