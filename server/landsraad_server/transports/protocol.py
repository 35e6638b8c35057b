"""Transport protocol: the surface of a gRPC server that services and sessions use.

A transport is a callable that returns a `TransportServer`. Another distribution registers one as an entry point of the
group `landsraad.transports`. It imports nothing of this package: all types below are structural.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import grpc

#: Certificate chain, private key, and the authority that signs client certificates or None; all PEM.
TlsFiles: TypeAlias = tuple[Path, Path, Path | None]


class Rejection(Protocol):
    """A message or metadata that a transport rejects before a handler sees it."""

    @property
    def kind(self) -> str:
        """Return "large" (one message), "much" (everything of a client together), "metadata" or "" (anything else)."""

    @property
    def code(self) -> grpc.StatusCode:
        """Return the status code with which the call ends."""

    @property
    def text(self) -> str:
        """Return what is wrong."""

    @property
    def length(self) -> int:
        """Return the length of a message that is too large; 0 otherwise."""


#: Returns the status message and the trailing metadata of a rejection.
Explain: TypeAlias = Callable[[Any], tuple[str, Iterable[tuple[str, "str | bytes"]]]]


class TransportServer(Protocol):
    """A gRPC server with the handlers and contexts of grpc.aio."""

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler], /) -> None:
        """Serve these handlers."""

    def listen(self, address: str, tls: TlsFiles | None = None) -> int:
        """Listen on "host:port" and return the port; 0 picks a free one. RuntimeError if that is impossible."""

    async def start(self) -> None:
        """Start to serve."""

    async def stop(self, grace: float | None) -> None:
        """Take no new calls, and cancel those that still run after the grace period in seconds."""


class TransportFactory(Protocol):
    """Constructor of servers, called in the running event loop."""

    def __call__(
        self, *, message_bytes: int, shared_port: bool, explain: Explain, proxies: Sequence[str] = ()
    ) -> TransportServer:
        """Return a server.

        It reads no message above `message_bytes`. With `shared_port` several processes may listen on one port.
        `explain` words what the transport itself rejects, if it can send details.
        `proxies` are networks whose addresses stand for many clients each; a transport without limits for an address
        ignores them.
        """


class PushStream(Protocol):
    """The messages of one call by callback, without a task that waits for them."""

    on_writable: Callable[[], None]

    @property
    def writable(self) -> bool:
        """Return whether more should be sent now; `on_writable` is called when it is time to go on."""

    def send(self, message: bytes, /) -> None:
        """Send a message; BufferError if far too much waits for the client."""

    def receive(self, on_message: Callable[[bytes], None], on_end: Callable[[], None], /) -> None:
        """Pass on messages as they come, then the end of the client's messages."""

    def at_end_of_turn(self, write: Callable[[], None], /) -> Callable[[], None]:
        """Return a function that calls `write` once at the end of this turn of the loop."""


@runtime_checkable
class PushContext(Protocol):
    """A context that can push: a session on it needs no task. Optional for a transport."""

    @property
    def stream(self) -> PushStream:
        """Return the stream of the call."""

    def parsed(self, message: bytes, /) -> Any:
        """Return a message as the handler's deserializer reads it."""
