"""What all services share: methods as handlers, who calls, and refusals as the status of a call."""

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
from landsraad_server.accounts.admission import Admission, CallKind, address_of
from landsraad_server.config import Network
from landsraad_server.http2.messages import BadMessage, BadMetadata, TooLarge, TooMuch
from landsraad_server.limits import MOST_BYTES
from landsraad_server.refusals import SOON_MS, Denied, foreseen, on_wire
from landsraad_server.telemetry import logs, tracing
from landsraad_server.telemetry.metrics import Counters
from landsraad_server.telemetry.tracing import Tracing

Context = grpc.aio.ServicerContext[Any, Any]
Method = Callable[[Any, "RpcCall"], Awaitable[Any]]

_log = structlog.get_logger()

#: Trailing metadata under which a fault can be found in the log.
REQUEST_ID = "landsraad-request-id"
#: ... and under which a status stands whole.
_DETAILS = "grpc-status-details-bin"

#: Calls that anybody may make, and that take a worker as long as a hundred acts.
HEAVY = frozenset({"Catalog/GetGame", "Replays/GetReplay", "Replays/GetCertificate", "Replays/ListReplays"})

_STATUS = {code.value[0]: code for code in grpc.StatusCode}


class RateGate:
    """What stands before the methods of a server: it counts what is refused, and keeps out whoever comes too often."""

    def __init__(
        self,
        figures: Counters,
        admission: Admission | None = None,
        proxies: tuple[Network, ...] = (),
        tracing: Tracing = tracing.OFF,
    ) -> None:
        self.figures = figures
        self.proxies = proxies
        self.tracing = tracing
        self._admission = admission

    async def enter(self, call: RpcCall, name: str, *, streams: bool) -> None:
        """Denied if there were too many from this address."""
        if self._admission is not None:
            await self._admission.address(CallKind.CONNECT if streams else CallKind.CALL, call.address)
            if name in HEAVY:
                await self._admission.address(CallKind.HEAVY, call.address)


class RpcCall:
    """One call: its metadata, and how it ends."""

    __slots__ = ("_proxies", "codec", "context", "trailing")

    def __init__(self, context: Context, proxies: tuple[Network, ...] = ()) -> None:
        self._proxies = proxies
        self.context = context
        self.trailing: list[tuple[str, str | bytes]] = []
        #: of the match that the call is about, once it is known: refusals of the engine name acts
        self.codec: Codec | None = None

    @property
    def bearer(self) -> str:
        """What stands behind Bearer in the metadata; empty if there is nothing."""
        scheme, _, bearer = self._metadata("authorization").partition(" ")
        return bearer.strip() if scheme.lower() == "bearer" else ""

    @property
    def address(self) -> str:
        """The address that the call comes from, without its port."""
        return address_of(self.context.peer(), self._metadata("x-forwarded-for"), self._proxies)

    def trace(self) -> str:
        """The trace that it belongs to; empty if there is none."""
        return tracing.trace_of(self.context.invocation_metadata())

    def _metadata(self, name: str) -> str:
        """The last value of that name: proxies add theirs behind those that they were sent."""
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
    service: ServiceDescriptor, methods: object, door: RateGate, *, unreadable: bool = False
) -> grpc.GenericRpcHandler:
    """The methods of a service: of the same names, but in our spelling. One answers with a message, or its bytes.

    Requests that could not be read are refused here; or, if `unreadable` is set, given to the methods as well.
    """
    take = (lambda request: request) if unreadable else given
    table = {
        name: _handler(descriptor, getattr(methods, spelled(name)), door, take)
        for name, descriptor in service.methods_by_name.items()
    }
    return grpc.method_handlers_generic_handler(service.full_name, table)


def spelled(name: str) -> str:
    """The name of a method as Python spells it."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _handler(
    descriptor: MethodDescriptor, method: Method, door: RateGate, take: Callable[[Any], Any]
) -> grpc.RpcMethodHandler[Any, Any]:
    read = reader(GetMessageClass(descriptor.input_type))
    name = f"{descriptor.containing_service.name}/{descriptor.name}"
    streams = descriptor.client_streaming or descriptor.server_streaming

    async def unary(request: Any, context: Context) -> Any:
        call = RpcCall(context, door.proxies)
        try:
            await door.enter(call, name, streams=streams)
            answer = await method(take(request), call)
        except Exception as error:  # noqa: BLE001  cancellation is none of these, and goes on up
            await _end(call, error, name, door.figures, _resource(request))
        if call.trailing:
            context.set_trailing_metadata(tuple(call.trailing))
        _log.debug("answered", call=name, resource=_resource(request), trace=call.trace)
        return answer

    async def stream(request: Any, context: Context) -> None:
        """Streams read and write through the context, so that reading and writing do not wait for each other."""
        call = RpcCall(context, door.proxies)
        try:
            await door.enter(call, name, streams=streams)
            await method(request if descriptor.client_streaming else take(request), call)
        except Exception as error:  # noqa: BLE001
            await _end(call, error, name, door.figures, _resource(request))
        _log.debug("ended", call=name, resource=_resource(request), trace=call.trace)

    answer = door.tracing.answering(descriptor, stream if streams else unary)
    if descriptor.client_streaming:
        return grpc.stream_stream_rpc_method_handler(answer, read, _write)
    if descriptor.server_streaming:
        return grpc.unary_stream_rpc_method_handler(answer, read, _write)
    return grpc.unary_unary_rpc_method_handler(answer, read, _write)


def _resource(request: Any) -> str:
    """What a call is about."""
    for field in ("match", "name"):
        named = getattr(request, field, "")
        if named and isinstance(named, str):
            return named
    return ""


async def _end(call: RpcCall, error: Exception, method: str, figures: Counters, resource: str) -> NoReturn:
    refusal = on_wire(error, call.codec)
    figures.refused(refusal.reason)
    tracing.refused(refusal.reason)
    _log.debug("refused", call=method, code=refusal.code, resource=resource, trace=call.trace)
    if not foreseen(error):
        figures.faults += 1
        request_id = secrets.token_hex(8)
        call.trailing.append((REQUEST_ID, request_id))
        logs.fault(method, error, request_id=request_id, trace=call.trace())
    await call.abort(refusal)


class UnreadableRequest:
    """What stands for bytes that are not taken, with the reason: the transport would say it without our details, or
    call it INTERNAL.
    """

    def __init__(self, reason: str, message: str) -> None:
        self._why = reason, message

    def refusal(self) -> Denied:
        """What is raised for it."""
        return Denied(*self._why)


def reader(kind: Any) -> Callable[[bytes], Any]:
    """Reads a message of a kind; what stands for it, if it is none or too large."""
    parse = kind.FromString

    def read(data: bytes) -> Any:
        if len(data) > MOST_BYTES:
            return UnreadableRequest("TOO_LARGE", _too_large(len(data)))
        try:
            return parse(data)
        except Exception:  # noqa: BLE001  protobuf's own exception has no stable place
            return UnreadableRequest("BAD_FIELD", "the request is not a message of this protocol")

    return read


def given(request: Any) -> Any:
    """The request; Denied if it could not be read."""
    if isinstance(request, UnreadableRequest):
        raise request.refusal()
    return request


def explained(bad: BadMessage) -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """What our own transport says of a message, or of metadata, that it does not take, as we would say it.

    It reads far larger ones than we take, to be able to answer them; what is told is the limit that the catalog tells.
    """
    match bad:
        case TooLarge():
            denied = Denied("TOO_LARGE", _too_large(bad.length))
        case TooMuch():
            denied = Denied("OVERLOADED", bad.text, retry_ms=SOON_MS)
        case BadMetadata():
            denied = Denied("BAD_FIELD" if bad.code is grpc.StatusCode.INVALID_ARGUMENT else "TOO_LARGE", bad.text)
        case _:
            return bad.text, ()
    status = wire.status(on_wire(denied))
    return status.message, ((_DETAILS, status.SerializeToString()),)


def _too_large(length: int) -> str:
    return f"a message has {MOST_BYTES} bytes at most, not {length}"


def _write(answer: Any) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()
