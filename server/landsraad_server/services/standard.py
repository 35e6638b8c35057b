"""Health and reflection, the standard services: at the port of a worker, and at that of operators.

They are the library's, with what those leave out: `List`, and a typed answer to bytes that are no message. Nobody is
counted or kept out here, for probes come often, and have to be answered while the store is lost as well.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2
from grpc_health.v1.health import aio as health
from grpc_reflection.v1alpha import reflection, reflection_pb2

from landsraad_server.http2.server import Server
from landsraad_server.refusals import on_wire
from landsraad_server.services.calls import Call, Context, Unreadable, reader

_HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"]
_REFLECTION = reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"]


class Standard:
    """Health and reflection of one server."""

    def __init__(self) -> None:
        self._health = health.HealthServicer()
        self._services: tuple[str, ...] = ()

    def register(self, server: Server | grpc.aio.Server, services: Iterable[str]) -> None:
        """Offer both, beside these services; reflection tells of health and of itself, too."""
        self._services = tuple(services)
        told = reflection.aio.ReflectionServicer((*self._services, _HEALTH.full_name, _REFLECTION.full_name))
        asked = {"Check": self._health.Check, "List": self._list, "Watch": self._health.Watch}
        described = {"ServerReflectionInfo": told.ServerReflectionInfo}
        server.add_generic_rpc_handlers((_handlers(_HEALTH, asked), _handlers(_REFLECTION, described)))

    async def say(self, *, up: bool) -> None:
        """How the server, and each of its services, is."""
        status = health_pb2.HealthCheckResponse.SERVING if up else health_pb2.HealthCheckResponse.NOT_SERVING
        for name in ("", *self._services):  # the first stands for the whole server
            await self._health.set(name, status)

    async def leave(self) -> None:
        """It is about to stop: from now on, nothing serves."""
        await self._health.enter_graceful_shutdown()

    async def _list(self, _request: Any, context: Context) -> Any:
        statuses = {
            name: await self._health.Check(health_pb2.HealthCheckRequest(service=name), context)
            for name in ("", *self._services)
        }
        return health_pb2.HealthListResponse(statuses=statuses)


def _handlers(service: ServiceDescriptor, methods: Mapping[str, Callable[..., Any]]) -> grpc.GenericRpcHandler:
    table = {name: _handler(service.methods_by_name[name], method) for name, method in methods.items()}
    return grpc.method_handlers_generic_handler(service.full_name, table)


def _handler(descriptor: MethodDescriptor, method: Callable[..., Any]) -> grpc.RpcMethodHandler[Any, Any]:
    read = reader(GetMessageClass(descriptor.input_type))
    write = GetMessageClass(descriptor.output_type).SerializeToString

    async def answer(request: Any, context: Context) -> Any:
        return await method(await _readable(request, context), context)

    async def converse(requests: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
        async for said in method(_all_readable(requests, context), context):
            yield said

    if descriptor.client_streaming:
        return grpc.stream_stream_rpc_method_handler(converse, read, write)
    if descriptor.server_streaming:  # it writes for itself
        return grpc.unary_stream_rpc_method_handler(answer, read, write)
    return grpc.unary_unary_rpc_method_handler(answer, read, write)


async def _readable(request: Any, context: Context) -> Any:
    """The request; the call ends if it could not be read."""
    if isinstance(request, Unreadable):
        await Call(context).abort(on_wire(request.refusal()))
    return request


async def _all_readable(requests: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
    async for request in requests:
        yield await _readable(request, context)
