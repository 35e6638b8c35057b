"""Transports: calls and streams to a service, over gRPC or (``landsraad.testing``) inside the process.

Clients use this small interface only, so that both transports carry the same contract.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status

from landsraad.errors import BadAddress, BadTls
from landsraad.v1 import errors_pb2, play_pb2, talk_service_pb2, watch_service_pb2
from landsraad.wire.match_names import cell_of, match_of
from landsraad.wire.refusals import refusal_of

if TYPE_CHECKING:
    from grpc.aio import Metadata

Answer = TypeVar("Answer", bound=Message)

#: Address of the person for whom a trusted proxy, such as the page of the service, makes its calls. Rate limits by
#: address charge it instead of the proxy.
ON_BEHALF_OF: ContextVar[str] = ContextVar("on_behalf_of", default="")


class CallRefused(Exception):
    """The service has answered with a refusal."""

    def __init__(self, refusal: errors_pb2.Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class CallFailed(Exception):
    """The call has failed without an answer of the service."""


class Stream(Protocol):
    """The stream of Play.Connect. CallFailed or CallRefused tell how it has ended."""

    async def write(self, frame: bytes) -> None:
        """Send a frame: the bytes of a `ClientFrame`."""

    async def read(self) -> play_pb2.Frame | None:
        """Return the next frame; None at the end of the stream."""

    def cancel(self) -> None:
        """End the stream."""


class Transport(Protocol):
    """A way to a service. An empty ``token`` means none."""

    async def call(self, method: str, request: Message, answer: type[Answer], *, token: str, deadline: float) -> Answer:
        """Make one call, such as "Matches/JoinMatch"; CallRefused or CallFailed if it fails."""

    def connect(self, *, token: str) -> Stream:
        """Open a stream for playing."""

    def watch(
        self, request: watch_service_pb2.WatchMatchRequest, *, token: str
    ) -> AsyncGenerator[play_pb2.Frame, None]:
        """Return the frames for a spectator; CallRefused or CallFailed if the stream fails."""

    def read_talk(
        self, request: talk_service_pb2.ReadRequest, *, token: str
    ) -> AsyncGenerator[talk_service_pb2.ReadResponse, None]:
        """Return what is said in a match; CallRefused or CallFailed if the stream fails."""

    async def close(self) -> None:
        """Release all resources."""


# ------------------------------------------------------------------------------------------------------------ over gRPC


@dataclass(frozen=True, slots=True)
class Tls:
    """The certificates to use for TLS.

    Args:
        ca: The authority to trust; by default, those of the system.
        certificate: Your own certificate, for a service that asks for one (mTLS).
        key: The key of your certificate.

    Example:
        ::

            from landsraad import Tls

            tls = Tls(ca="/etc/landsraad/ca.pem")
    """

    ca: Path | str | None = None
    certificate: Path | str | None = None
    key: Path | str | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """Return the credentials for gRPC.

        gRPC itself reports a bad file only as an unreachable service, so the files are checked first.

        Returns:
            The credentials.

        Raises:
            BadTls: A file cannot be used.
        """
        if self != Tls():
            self.context()
        read = [Path(part).read_bytes() if part is not None else None for part in (self.ca, self.key, self.certificate)]
        return grpc.ssl_channel_credentials(*read)

    def context(self) -> ssl.SSLContext:
        """Return the settings for Python's `ssl` module.

        Returns:
            The settings.

        Raises:
            BadTls: A file cannot be used.
        """
        if (self.certificate is None) is not (self.key is None):
            raise BadTls("a certificate needs its key, and a key its certificate")
        trying = self.ca
        try:
            context = ssl.create_default_context(cafile=self.ca)
            if self.certificate is not None:
                trying = self.certificate
                # Without a password callback, OpenSSL would ask for one on the terminal.
                context.load_cert_chain(self.certificate, self.key, password=lambda: "")
        except (OSError, ssl.SSLError) as error:
            why = error.reason.replace("_", " ").lower() if isinstance(error, ssl.SSLError) else error.strerror
            raise BadTls(f"{trying} cannot be used: {why}") from None
        return context


#: Calls that can be retried as they are: they only read, or a request id or `seq` makes them exactly once.
_IDEMPOTENT: Final = {
    "landsraad.v1.Accounts": ("CreateGuest", "WhoAmI"),
    "landsraad.v1.Catalog": ("ListGames", "GetGame"),
    "landsraad.v1.Matches": ("CreateMatch", "GetMatch", "ListMatches", "JoinMatch"),
    "landsraad.v1.Play": ("Submit", "GetObservation", "GetDecision", "Explain", "SetStandingOrders"),
    "landsraad.v1.Talk": ("Send", "Mute"),
    "landsraad.v1.Replays": ("GetReplay", "ListReplays", "GetCertificate"),
}
#: The same as "Service/Method".
IDEMPOTENT: Final = frozenset(
    f"{service.rpartition('.')[2]}/{method}" for service, methods in _IDEMPOTENT.items() for method in methods
)
#: Metadata of calls about a match: its id, which begins with its cell. A proxy in front of several cells routes by it.
MATCH_KEY: Final = "match"
#: The bytes of a HealthCheckResponse whose status is SERVING.
_SERVING: Final = b"\x08\x01"
SERVICE_CONFIG: Final = {
    "methodConfig": [
        {
            "name": [
                {"service": service, "method": method} for service, names in _IDEMPOTENT.items() for method in names
            ],
            "retryPolicy": {
                "maxAttempts": 5,
                "initialBackoff": "0.1s",
                "maxBackoff": "2s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}
_OPTIONS: Final = (
    ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
    ("grpc.enable_retries", 1),
    # Large enough for a snapshot of a big match and for a page of a replay.
    ("grpc.max_receive_message_length", 32 << 20),
    # Notice the restart of a service within seconds; the default backoff grows to minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)


#: Schemes that gRPC knows. It would look up any other as the name of a machine.
_SCHEMES: Final = frozenset({"unix", "dns", "xds"})


def check_address(server: str) -> None:
    """Check the address of a service before gRPC sees it: gRPC takes a bad port for another one and searches in vain.

    Raises:
        BadAddress: The address is malformed.
    """
    scheme, named, _ = server.partition("://")
    host, _, port = server.rpartition(":")
    no_port = port.isdigit() and not 0 < int(port) < 1 << 16 and not host.startswith("unix")
    if not server or no_port or (named and scheme not in _SCHEMES):
        raise BadAddress(f"{server!r} is not an address; write host:port")


def is_loopback(server: str) -> bool:
    """Return True if an address ("host:port" or "unix:path") is on this machine."""
    if server.startswith(("unix:", "unix-abstract:")):
        return True
    host = server.rpartition(":")[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class GrpcTransport:
    """A service at an address: in the clear on this machine, over TLS elsewhere.

    ``plaintext`` sends everything, tokens included, unprotected to another machine. Use it only in networks that are
    safe. ``cell`` names the cell for calls that are about no match.
    """

    def __init__(self, server: str, *, tls: Tls | bool | None = None, plaintext: bool = False, cell: str = "") -> None:
        self._cell = cell
        if tls is None:
            tls = not (plaintext or is_loopback(server))
        if tls:
            secrets = (tls if isinstance(tls, Tls) else Tls()).credentials()
            self._channel = grpc.aio.secure_channel(server, secrets, options=_OPTIONS)
        else:
            self._channel = grpc.aio.insecure_channel(server, options=_OPTIONS)
        self._calls: dict[str, Any] = {}

    async def call(self, method: str, request: Message, answer: type[Answer], *, token: str, deadline: float) -> Answer:
        if method not in self._calls:
            self._calls[method] = self._channel.unary_unary(
                f"/landsraad.v1.{method}",
                request_serializer=type(request).SerializeToString,
                response_deserializer=answer.FromString,
            )
        call = self._calls[method](request, metadata=_metadata(token, request, self._cell), timeout=deadline)
        with _translated_errors(call):
            found: Answer = await call
        return found

    def connect(self, *, token: str) -> Stream:
        opened: grpc.aio.StreamStreamMultiCallable[bytes, play_pb2.Frame] = self._channel.stream_stream(
            "/landsraad.v1.Play/Connect",
            response_deserializer=play_pb2.Frame.FromString,
        )
        return _GrpcStream(opened(metadata=_metadata(token, None, self._cell)))

    def watch(
        self, request: watch_service_pb2.WatchMatchRequest, *, token: str
    ) -> AsyncGenerator[play_pb2.Frame, None]:
        return self._stream("Watch/WatchMatch", request, play_pb2.Frame, token)

    def read_talk(
        self, request: talk_service_pb2.ReadRequest, *, token: str
    ) -> AsyncGenerator[talk_service_pb2.ReadResponse, None]:
        return self._stream("Talk/Read", request, talk_service_pb2.ReadResponse, token)

    async def _stream(
        self, method: str, request: Message, answer: type[Answer], token: str
    ) -> AsyncGenerator[Answer, None]:
        opened: Any = self._channel.unary_stream(
            f"/landsraad.v1.{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=answer.FromString,
        )
        with _translated_errors():
            call = opened(request, metadata=_metadata(token, request, self._cell))
        try:
            with _translated_errors(call):
                async for frame in call:
                    yield frame
        finally:
            call.cancel()

    async def healthy(self) -> bool:
        """Ask the standard health check. The message is spelled out here because its library belongs to the server."""
        check: Any = self._channel.unary_unary("/grpc.health.v1.Health/Check")
        try:
            status: bytes = await check(b"", timeout=5.0)
        except grpc.aio.AioRpcError as error:
            raise _error_of(error) from None
        return status == _SERVING

    async def close(self) -> None:
        await self._channel.close()


class _GrpcStream:
    """A gRPC stream that raises the exceptions of this module."""

    def __init__(self, call: grpc.aio.StreamStreamCall[bytes, play_pb2.Frame]) -> None:
        self._call = call

    async def write(self, frame: bytes) -> None:
        with _translated_errors(self._call):
            await self._call.write(frame)

    async def read(self) -> play_pb2.Frame | None:
        with _translated_errors(self._call):
            read = await self._call.read()
        return read if isinstance(read, play_pb2.Frame) else None

    def cancel(self) -> None:
        self._call.cancel()


@contextmanager
def _translated_errors(call: grpc.aio.RpcContext | None = None) -> Iterator[None]:
    """Translate the errors of gRPC, whether a call fails or cannot even be made."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        raise _error_of(error) from None
    except (grpc.aio.UsageError, asyncio.InvalidStateError) as error:  # the call has ended already
        raise CallFailed(str(error)) from None
    except asyncio.CancelledError:
        # gRPC raises it also if the call, not the task, was cancelled. Then it is only the end of the call.
        task = asyncio.current_task()
        if call is not None and call.cancelled() and task is not None and not task.cancelling():
            raise CallFailed("the call was cancelled here") from None
        raise


def _metadata(token: str, request: Message | None, cell: str) -> Metadata | None:
    """Return the metadata of a call: its token, and the match or the cell by which proxies route it."""
    pairs = [("authorization", f"Bearer {token}")] if token else []
    match = match_of(request)
    if cell_of(match):
        pairs.append((MATCH_KEY, match))
    elif cell:
        pairs.append((MATCH_KEY, f"{cell}-"))
    if ON_BEHALF_OF.get():
        pairs.append(("x-forwarded-for", ON_BEHALF_OF.get()))
    return grpc.aio.Metadata(*pairs) if pairs else None


def _error_of(error: grpc.aio.AioRpcError) -> CallRefused | CallFailed:
    """Return CallRefused for a refusal in the status, else CallFailed."""
    packed = dict(_pairs(error.trailing_metadata())).get("grpc-status-details-bin")
    if isinstance(packed, bytes):
        refusal = refusal_of(Status.FromString(packed))
        if refusal is not None:
            return CallRefused(refusal)
    return CallFailed(f"{error.code().name}: {error.details()}")


def _pairs(metadata: Metadata | None) -> Sequence[tuple[str, str | bytes]]:
    return [(str(key), value) for key, value in metadata or ()]
