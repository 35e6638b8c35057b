"""Standard gRPC services: health checking and reflection, on the public port and on the operators'.

Unlike the library's implementations they answer malformed requests with error details, and a Watch call does not delay
shutdown. They are exempt from rate limits: probes come often, and need an answer even while the store is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection

from landsraad_server.api import reflection_names
from landsraad_server.api.calls import Context, RpcCall, UnreadableRequest, message_reader
from landsraad_server.refusals import to_refusal
from landsraad_server.transports.protocol import TransportServer

_HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"]
_POOL = descriptor_pool.Default()


class StandardServices:
    """Health checking and reflection of one server."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._up = self._shutting_down = False
        #: replaced by a new event at each change of status
        self._changed = asyncio.Event()

    def register(self, server: TransportServer, services: Iterable[str]) -> None:
        """Add both to a server; reflection lists these services, health and itself."""
        names = tuple(services)
        self._names = ("", *names)  # "" stands for the whole server
        listed = (*names, _HEALTH.full_name, *reflection_names.NAMES)
        reflector = reflection.aio.ReflectionServicer(listed, pool=reflection_names.MethodPool(_POOL))
        health = {"Check": self._check, "List": self._list, "Watch": self._watch}
        described = {"ServerReflectionInfo": reflector.ServerReflectionInfo}
        server.add_generic_rpc_handlers((_handlers(_HEALTH, health, _HEALTH.full_name),))
        for name in reflection_names.NAMES:
            server.add_generic_rpc_handlers((_handlers(reflection_names.SERVICE, described, name),))

    def set_health(self, *, up: bool) -> None:
        """Set the health status of the server and all its services."""
        self._up = up and not self._shutting_down
        self._notify()

    def shut_down(self) -> None:
        """Report NOT_SERVING from now on, and end all Watch calls."""
        self._up, self._shutting_down = False, True
        self._notify()

    def _notify(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    # ------------------------------------------------------------------------------------------------------- health

    def _status(self, name: str) -> Any:
        """Return the status of a service; None if it is unknown."""
        if name not in self._names:
            return None
        serving = health_pb2.HealthCheckResponse
        return serving(status=serving.SERVING if self._up else serving.NOT_SERVING)

    async def _check(self, request: Any, context: Context) -> Any:
        status = self._status(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND)
        return status

    async def _list(self, _request: Any, _context: Context) -> Any:
        return health_pb2.HealthListResponse(statuses={name: self._status(name) for name in self._names})

    async def _watch(self, request: Any, context: Context) -> None:
        unknown = health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)
        sent = None
        while True:
            changed, shutting_down = (
                self._changed,
                self._shutting_down,
            )  # read both before writing: the status may change meanwhile
            status = self._status(request.service) or unknown
            if status != sent:
                await context.write(status)
                sent = status
            if shutting_down:
                return
            await changed.wait()


def _handlers(
    service: ServiceDescriptor, methods: Mapping[str, Callable[..., Any]], called: str
) -> grpc.GenericRpcHandler:
    table = {name: _handler(service.methods_by_name[name], method) for name, method in methods.items()}
    return grpc.method_handlers_generic_handler(called, table)


def _handler(descriptor: MethodDescriptor, method: Callable[..., Any]) -> grpc.RpcMethodHandler[Any, Any]:
    read = message_reader(GetMessageClass(descriptor.input_type))
    write = GetMessageClass(descriptor.output_type).SerializeToString

    async def answer(request: Any, context: Context) -> Any:
        return await method(await _readable(request, context), context)

    async def converse(requests: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
        async for answer in method(_all_readable(requests, context), context):
            yield answer

    if descriptor.client_streaming:
        return grpc.stream_stream_rpc_method_handler(converse, read, write)
    if descriptor.server_streaming:  # the method writes to the context itself
        return grpc.unary_stream_rpc_method_handler(answer, read, write)
    return grpc.unary_unary_rpc_method_handler(answer, read, write)


async def _readable(request: Any, context: Context) -> Any:
    """Return the request; end the call if it could not be parsed."""
    if isinstance(request, UnreadableRequest):
        await RpcCall(context).abort(to_refusal(request.refusal()))
    return request


async def _all_readable(requests: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
    async for request in requests:
        yield await _readable(request, context)
