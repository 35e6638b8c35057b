"""The service in the process, served over real gRPC on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from landsraad.testing.streams import LocalStream
from landsraad.transport import CallFailed, CallRefused
from landsraad.v1 import (
    errors_pb2,
)
from landsraad.wire.refusals import status
from landsraad.wire.services import SERVICES

if TYPE_CHECKING:
    from landsraad.testing.service import LocalService

_CODES = {code.value[0]: code for code in grpc.StatusCode}


@asynccontextmanager
async def listening(service: LocalService, address: str = "localhost:0") -> AsyncIterator[str]:
    """Serve during the block.

    Args:
        service: The service.
        address: The address to listen at; port 0 takes a free one.

    Yields:
        The address, with the port that was found.
    """
    server = grpc.aio.server()
    for described in SERVICES:
        handlers = {name: _handler(service, described.name, method) for name, method in _methods(described)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(described.full_name, handlers),))
    port = server.add_insecure_port(address)
    await server.start()
    try:
        yield f"{address.rpartition(':')[0]}:{port}"
    finally:
        await server.stop(None)


def _methods(described: Any) -> list[tuple[str, Any]]:
    return list(described.methods_by_name.items())


def _handler(service: LocalService, name: str, method: Any) -> grpc.RpcMethodHandler[Any, Any]:
    """Make the handler of a method: a stream for `Connect`, `WatchMatch` and `Read`, else a unary call."""
    read: Callable[[bytes], Message] = GetMessageClass(method.input_type).FromString

    async def unary(request: Message, context: Any) -> Message:
        token = _token(context)
        try:
            return service.answer(f"{name}/{method.name}", request, token)
        except CallRefused as refused:
            await _abort(context, refused.refusal)
            raise

    async def connect(requests: AsyncIterator[bytes], context: Any) -> None:
        stream = service.transport().connect(token=_token(context))
        reader = asyncio.create_task(_pump(requests, stream))
        try:
            await _send_frames(stream, context)
        finally:
            reader.cancel()
            stream.cancel()

    async def stream(request: Any, context: Any) -> None:
        transport = service.transport()
        opened: Callable[..., AsyncIterator[Message]] = transport.watch if name == "Watch" else transport.read_talk
        try:
            async for message in opened(request, token=_token(context)):
                await context.write(message)
        except CallRefused as refused:
            await _abort(context, refused.refusal)

    write = GetMessageClass(method.output_type).SerializeToString
    if method.name == "Connect":
        return grpc.stream_stream_rpc_method_handler(connect, None, write)
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(stream, read, write)
    return grpc.unary_unary_rpc_method_handler(unary, read, write)


async def _pump(requests: AsyncIterator[bytes], stream: LocalStream) -> None:
    async for frame in requests:
        await stream.write(frame)


async def _send_frames(stream: LocalStream, context: Any) -> None:
    try:
        while (frame := await stream.read()) is not None:
            await context.write(frame)
    except CallFailed as failed:
        await context.abort(grpc.StatusCode.UNAVAILABLE, str(failed))


def _token(context: Any) -> str:
    metadata = dict(context.invocation_metadata() or ())
    return str(metadata.get("authorization", "")).removeprefix("Bearer ")


async def _abort(context: Any, refusal: errors_pb2.Refusal) -> None:
    said = status(refusal)
    details = (("grpc-status-details-bin", said.SerializeToString()),)
    await context.abort(_CODES[said.code], said.message, details)
