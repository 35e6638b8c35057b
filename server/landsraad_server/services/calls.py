"""What all services share: methods as handlers, who calls, and refusals as the status of a call."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass

from landsraad.v1.errors_pb2 import Refusal
from landsraad.wire import refusals as wire
from landsraad.wire.codec import Codec
from landsraad_server import logs
from landsraad_server.metrics import Figures
from landsraad_server.refusals import Denied, foreseen, on_wire

Context = grpc.aio.ServicerContext[Any, Any]
Method = Callable[[Any, "Call"], Awaitable[Any]]

#: Trailing metadata under which a fault can be found in the log.
REQUEST_ID = "landsraad-request-id"

_STATUS = {code.value[0]: code for code in grpc.StatusCode}


class Call:
    """One call: its metadata, and how it ends."""

    __slots__ = ("codec", "context", "trailing")

    def __init__(self, context: Context) -> None:
        self.context = context
        self.trailing: list[tuple[str, str | bytes]] = []
        #: of the match that the call is about, once it is known: refusals of the engine name acts
        self.codec: Codec | None = None

    @property
    def bearer(self) -> str:
        """What stands behind Bearer in the metadata; empty if there is nothing."""
        for key, value in self.context.invocation_metadata() or ():
            if key == "authorization" and isinstance(value, str):
                scheme, _, bearer = value.partition(" ")
                return bearer.strip() if scheme.lower() == "bearer" else ""
        return ""

    @property
    def peer(self) -> str:
        """The address that the call comes from, without its port."""
        return self.context.peer().rpartition(":")[0]

    async def abort(self, refusal: Refusal) -> NoReturn:
        """End the call with a refusal as its status."""
        status = wire.status(refusal)
        self.trailing.append(("grpc-status-details-bin", status.SerializeToString()))
        await self.context.abort(_STATUS[status.code], status.message, tuple(self.trailing))
        raise AssertionError("abort raises")


def handlers(service: ServiceDescriptor, methods: object, figures: Figures) -> grpc.GenericRpcHandler:
    """The methods of a service: of the same names, but in our spelling. One answers with a message, or its bytes."""
    table = {
        name: _handler(descriptor, getattr(methods, spelled(name)), figures)
        for name, descriptor in service.methods_by_name.items()
    }
    return grpc.method_handlers_generic_handler(service.full_name, table)


def spelled(name: str) -> str:
    """The name of a method as Python spells it."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _handler(descriptor: MethodDescriptor, method: Method, figures: Figures) -> grpc.RpcMethodHandler[Any, Any]:
    read = _reader(GetMessageClass(descriptor.input_type))

    async def unary(request: Any, context: Context) -> Any:
        call = Call(context)
        try:
            answer = await method(_given(request), call)
        except Exception as error:  # noqa: BLE001  cancellation is none of these, and goes on up
            await _end(call, error, descriptor.full_name, figures)
        if call.trailing:
            context.set_trailing_metadata(tuple(call.trailing))
        return answer

    async def stream(request: Any, context: Context) -> None:
        """Streams read and write through the context, so that reading and writing do not wait for each other."""
        call = Call(context)
        try:
            await method(request if descriptor.client_streaming else _given(request), call)
        except Exception as error:  # noqa: BLE001
            await _end(call, error, descriptor.full_name, figures)

    if descriptor.client_streaming:
        return grpc.stream_stream_rpc_method_handler(stream, read, _write)
    if descriptor.server_streaming:
        return grpc.unary_stream_rpc_method_handler(stream, read, _write)
    return grpc.unary_unary_rpc_method_handler(unary, read, _write)


async def _end(call: Call, error: Exception, method: str, figures: Figures) -> NoReturn:
    refusal = on_wire(error, call.codec)
    figures.refused(refusal.reason)
    if not foreseen(error):
        figures.faults += 1
        request_id = secrets.token_hex(8)
        call.trailing.append((REQUEST_ID, request_id))
        logs.fault(method, error, request_id=request_id)
    await call.abort(refusal)


class Unreadable:
    """Bytes that are no message: refused by the method, not by the transport, which would call it INTERNAL."""


def _reader(kind: Any) -> Callable[[bytes], Any]:
    parse = kind.FromString

    def read(data: bytes) -> Any:
        try:
            return parse(data)
        except Exception:  # noqa: BLE001  protobuf's own exception has no stable place
            return Unreadable()

    return read


def _given(request: Any) -> Any:
    if isinstance(request, Unreadable):
        raise unreadable()
    return request


def unreadable() -> Denied:
    """What a client sent is no message of this protocol."""
    return Denied("BAD_FIELD", "the request is not a message of this protocol")


def _write(answer: Any) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()
