"""How calls and streams reach a service: over gRPC, or (``landsraad.testing``) inside the process.

The client above it sees this small surface only, so that both carry the same contract.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status

from landsraad.errors import BadAddress, BadTls
from landsraad.v1 import errors_pb2, play_pb2, watch_service_pb2
from landsraad.wire.refusals import refusal_of

if TYPE_CHECKING:
    from grpc.aio import Metadata

Answer = TypeVar("Answer", bound=Message)


class CallRefused(Exception):
    """The service has answered with a refusal."""

    def __init__(self, refusal: errors_pb2.Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class CallFailed(Exception):
    """The call did not come through: no answer of the service's own."""


class Stream(Protocol):
    """The stream of Play.Connect."""

    async def write(self, frame: play_pb2.ClientFrame) -> None:
        """Send a frame; CallFailed or CallRefused if the stream has ended."""

    async def read(self) -> play_pb2.Frame | None:
        """The next frame; None at the stream's end, CallFailed or CallRefused if it ended badly."""

    def cancel(self) -> None:
        """End it."""


class Transport(Protocol):
    """A way to a service. ``token`` is that of an account or of a seat; empty: none."""

    #: token of an account that the service has made for a caller without one; empty while it has not
    issued_token: str
    #: that account's id
    account: str

    async def call(self, method: str, request: Message, answer: type[Answer], *, token: str, deadline: float) -> Answer:
        """One call ("Matches/JoinMatch"); CallRefused or CallFailed."""

    def connect(self, *, token: str) -> Stream:
        """A stream for playing."""

    def watch(
        self, request: watch_service_pb2.WatchMatchRequest, *, token: str
    ) -> AsyncGenerator[play_pb2.Frame, None]:
        """What a spectator is told; CallRefused or CallFailed if it ends badly."""

    async def close(self) -> None:
        """Give back what it holds."""


# ------------------------------------------------------------------------------------------------------------ over gRPC


@dataclass(frozen=True, slots=True)
class Tls:
    """How to speak TLS: whom to trust (default: what the system trusts), and for mTLS who one is."""

    ca: Path | str | None = None
    certificate: Path | str | None = None
    key: Path | str | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """For gRPC. BadTls if the files are of no use: gRPC itself would only say that nobody is there."""
        if self != Tls():
            self.context()
        read = [Path(part).read_bytes() if part is not None else None for part in (self.ca, self.key, self.certificate)]
        return grpc.ssl_channel_credentials(*read)

    def context(self) -> ssl.SSLContext:
        """For Python's own TLS. BadTls if the files are of no use."""
        if (self.certificate is None) is not (self.key is None):
            raise BadTls("a certificate and its key belong together")
        trying = self.ca
        try:
            context = ssl.create_default_context(cafile=self.ca)
            if self.certificate is not None:
                trying = self.certificate
                context.load_cert_chain(self.certificate, self.key, password=lambda: "")  # nobody is there to be asked
        except (OSError, ssl.SSLError) as error:
            why = error.reason.replace("_", " ").lower() if isinstance(error, ssl.SSLError) else error.strerror
            raise BadTls(f"{trying} cannot be used: {why}") from None
        return context


#: Calls that may be repeated as they are: they only read, or a request id or `seq` makes them exactly once.
_IDEMPOTENT: Final = {
    "landsraad.v1.Catalog": ("ListGames", "GetGame"),
    "landsraad.v1.Matches": ("CreateMatch", "GetMatch", "ListMatches", "JoinMatch"),
    "landsraad.v1.Play": ("Submit", "GetObservation", "GetDecision", "Explain", "SetStandingOrders"),
    "landsraad.v1.Replays": ("GetReplay", "ListReplays", "GetCertificate"),
}
#: The calls that may be made again when nothing is known of the first attempt.
IDEMPOTENT: Final = frozenset(
    f"{service.rpartition('.')[2]}/{method}" for service, methods in _IDEMPOTENT.items() for method in methods
)
#: Trailing metadata in which an open service hands out tokens, and says whose they are.
_NEW_TOKEN: Final = "landsraad-token"  # noqa: S105 - a name, not a secret
_NEW_ACCOUNT: Final = "landsraad-account"
#: The only HealthCheckResponse that means yes: its `status` is SERVING.
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
    # A snapshot of a big match, or a page of a replay.
    ("grpc.max_receive_message_length", 32 << 20),
    # After a restart of the service a channel should not sleep on for minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)


#: What may stand before "://": gRPC takes anything else for the name of a machine, and looks for it patiently.
_SCHEMES: Final = frozenset({"unix", "dns", "xds"})


def check_address(server: str) -> None:
    """BadAddress, if nobody can be reached there: a port that is none, gRPC would take for another one."""
    scheme, named, _ = server.partition("://")
    host, _, port = server.rpartition(":")
    no_port = port.isdigit() and not 0 < int(port) < 1 << 16 and not host.startswith("unix")
    if not server or no_port or (named and scheme not in _SCHEMES):
        raise BadAddress(f"{server!r} is no address: write host:port")


def is_loopback(server: str) -> bool:
    """Whether an address ("host:port", "unix:path") is on this machine."""
    if server.startswith(("unix:", "unix-abstract:")):
        return True
    host = server.rpartition(":")[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class GrpcTransport:
    """A service at an address, in the clear on this machine and over TLS elsewhere.

    ``plaintext`` sends everything, tokens included, unprotected to another machine: only for networks that are.
    """

    def __init__(self, server: str, *, tls: Tls | bool | None = None, plaintext: bool = False) -> None:
        if tls is None:
            tls = not (plaintext or is_loopback(server))
        if tls:
            secrets = (tls if isinstance(tls, Tls) else Tls()).credentials()
            self._channel = grpc.aio.secure_channel(server, secrets, options=_OPTIONS)
        else:
            self._channel = grpc.aio.insecure_channel(server, options=_OPTIONS)
        self._calls: dict[str, Any] = {}
        self.issued_token = self.account = ""

    async def call(self, method: str, request: Message, answer: type[Answer], *, token: str, deadline: float) -> Answer:
        if method not in self._calls:
            self._calls[method] = self._channel.unary_unary(
                f"/landsraad.v1.{method}",
                request_serializer=type(request).SerializeToString,
                response_deserializer=answer.FromString,
            )
        call = self._calls[method](request, metadata=_metadata(token), timeout=deadline)
        with _failures(call):
            found: Answer = await call
            trailing = await call.trailing_metadata()
        if not self.issued_token:
            told = dict(_pairs(trailing))
            self.issued_token, self.account = (str(told.get(key, "")) for key in (_NEW_TOKEN, _NEW_ACCOUNT))
        return found

    def connect(self, *, token: str) -> Stream:
        opened: grpc.aio.StreamStreamMultiCallable[play_pb2.ClientFrame, play_pb2.Frame] = self._channel.stream_stream(
            "/landsraad.v1.Play/Connect",
            request_serializer=play_pb2.ClientFrame.SerializeToString,
            response_deserializer=play_pb2.Frame.FromString,
        )
        return _GrpcStream(opened(metadata=_metadata(token)))

    async def watch(
        self, request: watch_service_pb2.WatchMatchRequest, *, token: str
    ) -> AsyncGenerator[play_pb2.Frame, None]:
        opened = self._channel.unary_stream(
            "/landsraad.v1.Watch/WatchMatch",
            request_serializer=watch_service_pb2.WatchMatchRequest.SerializeToString,
            response_deserializer=play_pb2.Frame.FromString,
        )
        with _failures():
            call = opened(request, metadata=_metadata(token))
        try:
            with _failures(call):
                async for frame in call:
                    yield frame
        finally:
            call.cancel()

    async def healthy(self) -> bool:
        """What the standard health check says; spelled out, for its library is the server's."""
        check: Any = self._channel.unary_unary("/grpc.health.v1.Health/Check")
        try:
            status: bytes = await check(b"", timeout=5.0)
        except grpc.aio.AioRpcError as error:
            raise _failure(error) from None
        return status == _SERVING

    async def close(self) -> None:
        await self._channel.close()


class _GrpcStream:
    """A stream of grpc's, with our exceptions."""

    def __init__(self, call: grpc.aio.StreamStreamCall[play_pb2.ClientFrame, play_pb2.Frame]) -> None:
        self._call = call

    async def write(self, frame: play_pb2.ClientFrame) -> None:
        with _failures(self._call):
            await self._call.write(frame)

    async def read(self) -> play_pb2.Frame | None:
        with _failures(self._call):
            read = await self._call.read()
        return read if isinstance(read, play_pb2.Frame) else None

    def cancel(self) -> None:
        self._call.cancel()


@contextmanager
def _failures(call: grpc.aio.RpcContext | None = None) -> Iterator[None]:
    """Our exceptions for grpc's, whatever happens to a call, or keeps one from being made."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        raise _failure(error) from None
    except (grpc.aio.UsageError, asyncio.InvalidStateError) as error:  # it has ended already
        raise CallFailed(str(error)) from None
    except asyncio.CancelledError:
        # Also what grpc raises when not the task but the call was cancelled, which is no more than its end.
        task = asyncio.current_task()
        if call is not None and call.cancelled() and task is not None and not task.cancelling():
            raise CallFailed("it was ended here") from None
        raise


def _metadata(token: str) -> Metadata | None:
    return grpc.aio.Metadata(("authorization", f"Bearer {token}")) if token else None


def _failure(error: grpc.aio.AioRpcError) -> CallRefused | CallFailed:
    """What a status says: a refusal of the service's, or that the call did not come through."""
    packed = dict(_pairs(error.trailing_metadata())).get("grpc-status-details-bin")
    if isinstance(packed, bytes):
        refusal = refusal_of(Status.FromString(packed))
        if refusal is not None:
            return CallRefused(refusal)
    return CallFailed(f"{error.code().name}: {error.details()}")


def _pairs(metadata: Metadata | None) -> Sequence[tuple[str, str | bytes]]:
    return [(str(key), value) for key, value in metadata or ()]
