"""A gRPC server with the part of the interface of `grpc.aio.Server` that the service uses."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import grpc

from landsraad_http2.connection import Connection
from landsraad_http2.context import Context, Explain, Handler
from landsraad_http2.counters import RefusalCounters
from landsraad_http2.guard import STRAY
from landsraad_http2.headers import Request, status
from landsraad_http2.limits import Limits
from landsraad_http2.listening import BACKLOG, bound, take_no_more
from landsraad_http2.messages import known_encoding
from landsraad_http2.quotas import ClientQuotas
from landsraad_http2.running import Runner
from landsraad_http2.stream import Http2Stream
from landsraad_http2.turns import Turns

_UNIMPLEMENTED: Final = grpc.StatusCode.UNIMPLEMENTED.value[0]
#: Seconds in which whoever was cancelled has to clean up.
_CLEANING_SECONDS: Final = 2.0


@dataclass
class _Details:
    """The argument of generic handlers; see grpc.HandlerCallDetails."""

    method: str
    invocation_metadata: Any


class Server:
    """A server of grpc.aio handlers. Create it in the running loop."""

    def __init__(
        self, *, shared_port: bool = False, limits: Limits | None = None, explain: Explain = lambda bad: (bad.text, ())
    ) -> None:
        self._shared_port = shared_port
        self._explain = explain
        self._limits = limits or Limits()
        self._loop = asyncio.get_running_loop()
        self._generic: list[grpc.GenericRpcHandler] = []
        self._methods: dict[str, Handler] = {}
        self._known: dict[bytes, Request] = {}
        #: what clients make us keep, by their addresses
        self.kept = ClientQuotas(self._limits)
        self.counters = RefusalCounters()
        self._turns = Turns()
        self._sockets: list[tuple[Any, ssl.SSLContext | None]] = []
        self._listening: list[asyncio.Server] = []
        #: those that are open
        self.connections: set[Connection] = set()
        self._stopping = False
        self._stopped = False
        self._last_gone = asyncio.Event()  # set once the last connection has gone while we stop
        self._runner = Runner()
        #: the calls that are being answered
        self.contexts = self._runner.contexts

    # ------------------------------------------------------------------------------------------------- before it starts

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        """Add handlers that are looked up once for each method."""
        self._generic += handlers

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Handler]) -> None:
        """Add the methods of a service by name."""
        self._methods.update((f"/{service}/{name}", handler) for name, handler in handlers.items())

    def add_insecure_port(self, address: str) -> int:
        """Listen without TLS on "host:port" (0: a free port); return the port. Raise RuntimeError on failure."""
        return self._add(address, None)

    def add_secure_port(self, address: str, credentials: ssl.SSLContext) -> int:
        """Listen with TLS."""
        return self._add(address, credentials)

    def _add(self, address: str, credentials: ssl.SSLContext | None) -> int:
        sockets = bound(address, shared=self._shared_port)
        self._sockets += [(one, credentials) for one in sockets]
        port: int = sockets[0].getsockname()[1]
        return port

    # ---------------------------------------------------------------------------------------------------- while it runs

    async def start(self) -> None:
        for one, credentials in self._sockets:
            listening = await self._loop.create_server(
                self.protocol,
                sock=one,
                backlog=BACKLOG,
                ssl=credentials,
                ssl_handshake_timeout=self._limits.answer_seconds if credentials else None,
            )
            self._listening.append(listening)

    def protocol(self) -> Connection:
        """Create the protocol of a new connection."""
        return Connection(
            self._limits,
            self._known,
            self.kept,
            self._turns,
            self.counters,
            self._accept,
            self._came,
            self._gone,
            self._explain,
        )

    def _came(self, connection: Connection) -> None:
        self.connections.add(connection)
        if self._stopped:
            connection.close()
        elif self._stopping:  # it was knocking, or shaking hands, when we began to go
            connection.drain()

    def _gone(self, connection: Connection) -> None:
        self.connections.discard(connection)
        if not self.connections:
            self._last_gone.set()

    def _accept(self, stream: Http2Stream, request: Request, connection: Connection) -> None:
        """Accept a call."""
        handler = self._methods.get(request.path) or self._found(request)
        if handler is None:
            stream.finish(status(_UNIMPLEMENTED, "there is no such method"))
            connection.spend(STRAY)
        elif not known_encoding(request.encoding):
            stream.finish(status(_UNIMPLEMENTED, "messages that are compressed like this cannot be read"))
            connection.spend(STRAY)
        else:
            self._runner.begin(Context(stream, request, handler, connection, self._explain))

    def _found(self, request: Request) -> Handler | None:
        for generic in self._generic:
            handler: Handler | None = generic.service(_Details(request.path, request.metadata))
            if handler is not None:
                self._methods[request.path] = handler
                return handler
        return None

    def figures(self) -> dict[str, float]:
        """Return gauges and counters by name, for metrics. Safe to call from any thread."""
        counters = self.counters
        return {
            "kept_bytes": self.kept.bytes,
            "connections": len(self.connections),
            "refused_streams": counters.refused_streams,
            "evicted_streams": counters.evicted_streams,
            "expired_streams": counters.expired_streams,
            "goaways": counters.goaways.total(),
        }

    # ---------------------------------------------------------------------------------------------------------- the end

    async def stop(self, grace: float | None) -> None:
        """Refuse new calls; cancel running ones after so many seconds."""
        await self._stop_listening()
        self._stopping = True
        self._last_gone.clear()
        for connection in tuple(self.connections):
            connection.drain()
        if grace:
            with suppress(TimeoutError):
                async with asyncio.timeout(grace):
                    if self.connections:  # they go when their last call has ended, and they have heard that we go
                        await self._last_gone.wait()
                    await self._runner.idle.wait()
        for context in tuple(self.contexts):
            context.end(grpc.StatusCode.UNAVAILABLE, "the service ends")
            context.cancel()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._runner.idle.wait(), _CLEANING_SECONDS)
        await self._close()

    async def _stop_listening(self) -> None:
        """Close the listening sockets once connections just accepted are attached."""
        await take_no_more(one for one, _ in self._sockets)
        for listening in self._listening:
            listening.close()
        if not self._listening:
            for one, _ in self._sockets:
                one.close()
        self._listening.clear()
        self._sockets.clear()

    async def _close(self) -> None:
        """Close all connections, and wait until their output is flushed: the loop may end next."""
        self._stopped = True
        for connection in tuple(self.connections):
            connection.leave()
            connection.close()
        if self.connections:  # each aborts by itself if its client takes nothing
            self._last_gone.clear()
            await self._last_gone.wait()
