"""Servers of our own transport, and clients that keep no rules; on either loop that may serve."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import pytest
import pytest_asyncio

from landsraad_http2 import frames
from landsraad_http2.limits import Limits
from landsraad_http2.server import Server
from landsraad_server.api.calls import explain_rejection
from landsraad_server.process import event_loop
from landsraad_testkit.http2_peer import SERVICE, Methods, Peer

# What the fixtures below are, for the annotations of tests (which cannot import this file when they run).
Serve = Callable[..., Awaitable[tuple[Server, int]]]
Connect = Callable[..., Awaitable[Peer]]


@pytest.hookimpl(optionalhook=True)
def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Each test twice: with asyncio's own loop, and with that of a worker, whose transports are others."""
    return {"asyncio": asyncio.new_event_loop, "served": event_loop.factory()}


@pytest_asyncio.fixture
async def methods() -> Methods:
    """What all servers of a test do."""
    return Methods()


@pytest_asyncio.fixture
async def serve(methods: Methods) -> AsyncIterator[Serve]:
    """Start a server: it, and its port. `serve(stream_window=1)`: with such limits; `tls`: with that context."""
    servers: list[Server] = []

    async def run(host: str = "127.0.0.1", tls: ssl.SSLContext | None = None, **limits: Any) -> tuple[Server, int]:
        server = Server(limits=Limits(**limits), explain=explain_rejection)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods.handlers()),))
        port = server.add_secure_port(f"{host}:0", tls) if tls else server.add_insecure_port(f"{host}:0")
        await server.start()
        servers.append(server)
        return server, port

    yield run
    for server in servers:
        await server.stop(None)


@pytest_asyncio.fixture
async def connect(serve: Serve) -> AsyncIterator[Connect]:
    """A client that has said its settings, of a new server with these limits; `greet=False`: that has said nothing."""
    peers: list[Peer] = []

    async def run(
        *settings: tuple[int, int], greet: bool = True, port: int = 0, source: str = "127.0.0.1", **limits: Any
    ) -> Peer:
        if not port:
            _, port = await serve(**limits)
        peers.append(peer := Peer(*await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))))
        if greet:
            peer.send_preface(*settings)
            await peer.next(frames.SETTINGS)
        return peer

    yield run
    for peer in peers:
        peer.cut()
