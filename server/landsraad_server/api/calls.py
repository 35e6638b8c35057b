"""Call handling shared by all services: method handlers, call metadata, rate limits and refusals as gRPC status."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass

from landsraad.v1.errors_pb2 import Refusal
from landsraad.wire import refusals as wire
from landsraad.wire.codec import Codec
from landsraad.wire.match_names import cell_of
from landsraad_server.accounts.rate_limiter import CallKind, RateLimiter, address_of
from landsraad_server.config import Network
from landsraad_server.refusals import SOON_MS, Denied, is_expected, to_refusal
from landsraad_server.request_limits import MOST_BYTES
from landsraad_server.telemetry import logs, tracing
from landsraad_server.telemetry.metrics import Counters
from landsraad_server.telemetry.tracing import Tracing
from landsraad_server.transports.protocol import Rejection

Context = grpc.aio.ServicerContext[Any, Any]
Method = Callable[[Any, "RpcCall"], Awaitable[Any]]

_log = structlog.get_logger()

#: Trailing metadata key of the id by which a fault can be found in the log.
REQUEST_ID = "landsraad-request-id"
#: Trailing metadata key of the serialised google.rpc.Status.
_DETAILS = "grpc-status-details-bin"

#: Calls that need no account and cost a worker as much as a hundred acts.
HEAVY = frozenset({"Catalog/GetGame", "Replays/GetReplay", "Replays/GetCertificate", "Replays/ListReplays"})

_STATUS = {code.value[0]: code for code in grpc.StatusCode}


class RateGate:
    """Rate limit by address in front of all methods of a server; also counts refusals."""

    def __init__(
        self,
        counters: Counters,
        rate_limiter: RateLimiter | None = None,
        proxies: tuple[Network, ...] = (),
        tracing: Tracing = tracing.OFF,
    ) -> None:
        self.counters = counters
        self.proxies = proxies
        self.tracing = tracing
        self._rate_limiter = rate_limiter

    async def admit(self, call: RpcCall, name: str, *, streams: bool) -> None:
        """Charge the call to its address; Denied if the address is over its rate."""
        if self._rate_limiter is not None:
            await self._rate_limiter.charge_address(CallKind.CONNECT if streams else CallKind.CALL, call.address)
            if name in HEAVY:
                await self._rate_limiter.charge_address(CallKind.HEAVY, call.address)


class RpcCall:
    """One call: its metadata, and how it ends."""

    __slots__ = ("_proxies", "codec", "context", "trailing")

    def __init__(self, context: Context, proxies: tuple[Network, ...] = ()) -> None:
        self._proxies = proxies
        self.context = context
        self.trailing: list[tuple[str, str | bytes]] = []
        #: codec of the call's match once that is known: refusals of the engine name acts
        self.codec: Codec | None = None

    @property
    def bearer(self) -> str:
        """Return the bearer token of the call; empty if there is none."""
        scheme, _, bearer = self._metadata("authorization").partition(" ")
        return bearer.strip() if scheme.lower() == "bearer" else ""

    @property
    def address(self) -> str:
        """Return the client's address without its port."""
        return address_of(self.context.peer(), self._metadata("x-forwarded-for"), self._proxies)

    @property
    def cell(self) -> str:
        """Return the cell that the call is meant for, by its metadata `match`; empty if it names none."""
        return cell_of(self._metadata("match"))

    def trace(self) -> str:
        """Return the trace id of the call; empty if there is none."""
        return tracing.trace_of(self.context.invocation_metadata())

    def _metadata(self, name: str) -> str:
        """Return the last value of that name: proxies append theirs to those that they receive."""
        found = ""
        for key, value in self.context.invocation_metadata() or ():
            if key == name and isinstance(value, str):
                found = value
        return found

    async def abort(self, refusal: Refusal) -> NoReturn:
        """End the call with a refusal as its status."""
        status = wire.status(refusal)
        self.trailing.append((_DETAILS, status.SerializeToString()))
        await self.context.abort(_STATUS[status.code], status.message, tuple(self.trailing))
        raise AssertionError("abort raises")


def handlers(
    service: ServiceDescriptor, methods: object, rate_gate: RateGate, *, unreadable: bool = False
) -> grpc.GenericRpcHandler:
    """Make the handlers of a service, whose methods have the same names in snake case and return messages or bytes.

    Unreadable requests are refused here or, if `unreadable` is set, passed on to the methods.
    """
    take = (lambda request: request) if unreadable else require_readable
    table = {
        name: _handler(descriptor, getattr(methods, snake_case(name)), rate_gate, take)
        for name, descriptor in service.methods_by_name.items()
    }
    return grpc.method_handlers_generic_handler(service.full_name, table)


def snake_case(name: str) -> str:
    """Return the Python name of a gRPC method."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _handler(
    descriptor: MethodDescriptor, method: Method, rate_gate: RateGate, take: Callable[[Any], Any]
) -> grpc.RpcMethodHandler[Any, Any]:
    read = message_reader(GetMessageClass(descriptor.input_type))
    name = f"{descriptor.containing_service.name}/{descriptor.name}"
    streams = descriptor.client_streaming or descriptor.server_streaming

    async def unary(request: Any, context: Context) -> Any:
        call = RpcCall(context, rate_gate.proxies)
        try:
            await rate_gate.admit(call, name, streams=streams)
            answer = await method(take(request), call)
        except Exception as error:  # noqa: BLE001 everything but cancellation, which propagates
            return await _refuse(call, error, name, rate_gate.counters, _resource(request))
        if call.trailing:
            context.set_trailing_metadata(tuple(call.trailing))
        _log.debug("answered", call=name, resource=_resource(request), trace=call.trace)
        return answer

    async def stream(request: Any, context: Context) -> None:
        """Streams read and write through the context, so that reading and writing do not wait for each other."""
        call = RpcCall(context, rate_gate.proxies)
        try:
            await rate_gate.admit(call, name, streams=streams)
            await method(request if descriptor.client_streaming else take(request), call)
        except Exception as error:  # noqa: BLE001
            await _refuse(call, error, name, rate_gate.counters, _resource(request))
            return
        _log.debug("ended", call=name, resource=_resource(request), trace=call.trace)

    answer = rate_gate.tracing.trace_calls(descriptor, stream if streams else unary)
    if descriptor.client_streaming:
        return grpc.stream_stream_rpc_method_handler(answer, read, _write)
    if descriptor.server_streaming:
        return grpc.unary_stream_rpc_method_handler(answer, read, _write)
    return grpc.unary_unary_rpc_method_handler(answer, read, _write)


def _resource(request: Any) -> str:
    """Return the resource name in a request; empty if there is none."""
    for field in ("match", "name"):
        named = getattr(request, field, "")
        if named and isinstance(named, str):
            return named
    return ""


async def _refuse(call: RpcCall, error: Exception, method: str, counters: Counters, resource: str) -> None:
    """End the call with a refusal. The handler returns then: its context knows that the call has ended."""
    refusal = to_refusal(error, call.codec)
    counters.refused(refusal.reason)
    tracing.refused(refusal.reason)
    _log.debug("refused", call=method, code=refusal.code, resource=resource, trace=call.trace)
    if not is_expected(error):
        counters.faults += 1
        request_id = secrets.token_hex(8)
        call.trailing.append((REQUEST_ID, request_id))
        logs.fault(method, error, request_id=request_id, trace=call.trace())
    try:
        await call.abort(refusal)
    except grpc.aio.AbortError as aborted:
        # grpc.aio's context keeps it, and its traceback the context: a cycle that only the collector would find.
        aborted.__traceback__ = aborted.__context__ = None


class UnreadableRequest:
    """Placeholder for a request that cannot be parsed, with the reason.

    If the parser raised, the transport would refuse the call without our error details, or as INTERNAL.
    """

    def __init__(self, reason: str, message: str) -> None:
        self._why = reason, message

    def refusal(self) -> Denied:
        """Return the refusal of this request."""
        return Denied(*self._why)


def message_reader(kind: Any) -> Callable[[bytes], Any]:
    """Make a parser of a message type; it returns UnreadableRequest for bytes that are malformed or too long."""
    parse = kind.FromString

    def read(data: bytes) -> Any:
        if len(data) > MOST_BYTES:
            return UnreadableRequest("TOO_LARGE", _too_large(len(data)))
        try:
            return parse(data)
        except Exception:  # noqa: BLE001  protobuf's own exception has no stable place
            return UnreadableRequest("BAD_FIELD", "the request is not a message of this protocol")

    return read


def require_readable(request: Any) -> Any:
    """Return the request; Denied if it could not be parsed."""
    if isinstance(request, UnreadableRequest):
        raise request.refusal()
    return request


def explain_rejection(bad: Rejection) -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """Return the status message and details for a message or metadata that a transport rejects.

    A transport reads larger messages than the limit in the catalog, so that it can answer them properly.
    """
    match bad.kind:
        case "large":
            denied = Denied("TOO_LARGE", _too_large(bad.length))
        case "much":
            denied = Denied("OVERLOADED", bad.text, retry_ms=SOON_MS)
        case "metadata":
            denied = Denied("BAD_FIELD" if bad.code is grpc.StatusCode.INVALID_ARGUMENT else "TOO_LARGE", bad.text)
        case _:
            return bad.text, ()
    status = wire.status(to_refusal(denied))
    return status.message, ((_DETAILS, status.SerializeToString()),)


def _too_large(length: int) -> str:
    return f"a message has {MOST_BYTES} bytes at most, not {length}"


def _write(answer: Any) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()
