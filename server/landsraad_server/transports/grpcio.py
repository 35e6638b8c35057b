"""Transport of grpcio, the default: a server of grpc.aio, configured for the open internet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import grpc
import grpc.aio

from landsraad_server.transports.protocol import Explain, TlsFiles


class ChannelOption(NamedTuple):
    """A channel argument of grpc core."""

    name: str
    value: int
    reason: str


#: Each row bounds something that a client could otherwise use up; tests/server/transports tries them.
OPTIONS: Final = (
    ChannelOption("grpc.so_reuseport", 0, "only workers share a port; otherwise a second process is an error"),
    # --- what one connection may hold
    ChannelOption("grpc.max_concurrent_streams", 1024, "calls of one connection; more wait in the client"),
    ChannelOption("grpc.http2.bdp_probe", 0, "flow control windows stay at 64 KiB a stream until a message is read"),
    ChannelOption("grpc.max_metadata_size", 8 << 10, "headers above this are refused more and more often ..."),
    ChannelOption("grpc.absolute_max_metadata_size", 16 << 10, "... and always above this"),
    ChannelOption("grpc.compression_enabled_algorithms_bitset", 1, "identity alone: grpcio checks no size unpacked"),
    ChannelOption("grpc.max_send_message_length", 32 << 20, "a net below our own limits: 4 MiB wait for a stream"),
    # --- connections that do nothing
    ChannelOption("grpc.server_handshake_timeout_ms", 10_000, "TLS and the first SETTINGS; the default is two minutes"),
    ChannelOption("grpc.keepalive_time_ms", 20_000, "a silent client is pinged: half-open connections are found ..."),
    ChannelOption("grpc.keepalive_timeout_ms", 10_000, "... and closed, and their seats become away"),
    ChannelOption("grpc.http2.ping_timeout_ms", 10_000, "the same in versions that go by this alone (default: 60 s)"),
    ChannelOption("grpc.keepalive_permit_without_calls", 1, "also without calls"),
    ChannelOption("grpc.max_connection_idle_ms", 1_800_000, "unused connections end; clients log that, so not sooner"),
    ChannelOption("grpc.max_connection_age_ms", 3_600_000, "streams move to other workers in time (the SDK resumes)"),
    ChannelOption("grpc.max_connection_age_grace_ms", 60_000, "longer than any call but a stream"),
    # --- clients that make work
    ChannelOption("grpc.http2.min_ping_interval_without_data_ms", 5_000, "pings more often than this are strikes ..."),
    ChannelOption("grpc.http2.max_ping_strikes", 3, "... and so many end the connection (ENHANCE_YOUR_CALM)"),
    # --- the whole worker
    ChannelOption("grpc.max_allowed_incoming_connections", 20_000, "connections of a worker; more are closed at once"),
    ChannelOption("grpc.server.max_pending_requests", 20_000, "a burst of new streams is not refused (default 1,000)"),
    ChannelOption("grpc.server.max_pending_requests_hard_limit", 20_000, "the same (default 3,000)"),
)
#: Calls of a worker at a time, streams among them; more are refused as RESOURCE_EXHAUSTED.
MOST_CALLS: Final = 50_000


class GrpcioServer:
    """A server of grpc.aio as a `TransportServer`."""

    def __init__(
        self, *, message_bytes: int, shared_port: bool, explain: Explain | None = None, proxies: Sequence[str] = ()
    ) -> None:
        """`explain` is ignored: grpcio words what it rejects by itself."""
        arguments = {option.name: option.value for option in OPTIONS}
        arguments["grpc.so_reuseport"] = int(shared_port)
        arguments["grpc.max_receive_message_length"] = message_bytes
        self._server = grpc.aio.server(options=tuple(arguments.items()), maximum_concurrent_rpcs=MOST_CALLS)
        self.start = self._server.start
        self.stop = self._server.stop

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler], /) -> None:
        """Serve these handlers."""
        self._server.add_generic_rpc_handlers(tuple(handlers))

    def listen(self, address: str, tls: TlsFiles | None = None) -> int:
        """Listen on "host:port" and return the port; 0 picks a free one. RuntimeError if that is impossible."""
        if tls is None:
            return self._server.add_insecure_port(address)
        return self._server.add_secure_port(address, _credentials(*tls))


def _credentials(certificate: Path, key: Path, client_authority: Path | None) -> grpc.ServerCredentials:
    authority = client_authority.read_bytes() if client_authority else None
    pair = (key.read_bytes(), certificate.read_bytes())
    return grpc.ssl_server_credentials([pair], authority, require_client_auth=authority is not None)
