"""Health and reflection, the standard services: at the port of a worker, and at that of operators.

Unlike the library's they have a typed answer to bytes that are no message, and whoever watches the health of a server
does not keep it from stopping. Nobody is counted or kept out here, for probes come often, and have to be answered while
the store is lost as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection

from landsraad_server.api import reflection_names
from landsraad_server.api.calls import Context, RpcCall, UnreadableRequest, reader
from landsraad_server.http2.server import Server
from landsraad_server.refusals import on_wire

_HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"]


class StandardServices:
    """Health and reflection of one server."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._up = self._leaving = False
        #: set, and replaced by another one, when there is something to tell
        self._news = asyncio.Event()

    def register(self, server: Server | grpc.aio.Server, services: Iterable[str]) -> None:
        """Offer both, beside these services; reflection tells of health and of itself, too."""
        names = tuple(services)
        self._names = ("", *names)  # the first stands for the whole server
        told = reflection.aio.ReflectionServicer((*names, _HEALTH.full_name, *reflection_names.NAMES))
        health = {"Check": self._check, "List": self._list, "Watch": self._watch}
        described = {"ServerReflectionInfo": told.ServerReflectionInfo}
        server.add_generic_rpc_handlers((_handlers(_HEALTH, health, _HEALTH.full_name),))
        for name in reflection_names.NAMES:
            server.add_generic_rpc_handlers((_handlers(reflection_names.SERVICE, described, name),))

    def say(self, *, up: bool) -> None:
        """How the server is, and with it all its services."""
        self._up = up and not self._leaving
        self._tell()

    def leave(self) -> None:
        """It is about to stop: from now on nothing serves, and whoever watches is told so and sent away."""
        self._up, self._leaving = False, True
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    # ------------------------------------------------------------------------------------------------------- health

    def _status(self, name: str) -> Any:
        """None of a service that is not here."""
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
        told = None
        while True:
            news, leaving = self._news, self._leaving  # what is told belongs to both; more may come while it is written
            status = self._status(request.service) or unknown
            if status != told:
                await context.write(status)
                told = status
            if leaving:
                return
            await news.wait()


def _handlers(
    service: ServiceDescriptor, methods: Mapping[str, Callable[..., Any]], called: str
) -> grpc.GenericRpcHandler:
    table = {name: _handler(service.methods_by_name[name], method) for name, method in methods.items()}
    return grpc.method_handlers_generic_handler(called, table)


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
    if isinstance(request, UnreadableRequest):
        await RpcCall(context).abort(on_wire(request.refusal()))
    return request


async def _all_readable(requests: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
    async for request in requests:
        yield await _readable(request, context)
