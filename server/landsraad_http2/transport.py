"""The transport that services load by the entry point group `landsraad.transports`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from landsraad_http2.context import Explain
from landsraad_http2.limits import Limits
from landsraad_http2.server import Server
from landsraad_http2.tls import server_context


class Http2Transport(Server):
    """A server with TLS from files and limits from the service."""

    def __init__(self, *, message_bytes: int, shared_port: bool, explain: Explain, proxies: Sequence[str] = ()) -> None:
        limits = Limits(message_bytes=message_bytes, proxies=tuple(proxies))
        super().__init__(shared_port=shared_port, limits=limits, explain=explain)

    def listen(self, address: str, tls: tuple[Path, Path, Path | None] | None = None) -> int:
        """Listen on "host:port" and return the port; 0 picks a free one. RuntimeError if that is impossible."""
        return self.add_insecure_port(address) if tls is None else self.add_secure_port(address, server_context(*tls))
