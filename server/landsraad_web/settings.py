"""Settings of the page: one JSON line that the supervisor writes to the standard input of its process."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final

import msgspec

Network = IPv4Network | IPv6Network
#: Names under which a browser on this machine reaches a page on loopback.
LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")


class PageLimits(msgspec.Struct, frozen=True):
    """Bounds of everything that a visitor can take up."""

    #: bytes of a request's body; the longest legal act has a few hundred
    body_bytes: int = 64 * 1024
    #: seconds in which a body has to arrive
    body_seconds: float = 10.0
    #: sessions in all, and made from one address within an hour
    sessions: int = 100_000
    sessions_per_address: int = 120
    #: event streams in all, of one address, and of one session
    streams: int = 8_192
    streams_per_address: int = 256
    streams_per_session: int = 32
    #: requests that one address has under way at a time
    requests_per_address: int = 64
    #: seconds that a feed outlives its last reader: one who reloads the page should not be away for the other players
    linger_seconds: float = 10.0
    #: days after which a session ends that is not used
    session_days: int = 30


class Settings(msgspec.Struct, frozen=True):
    """Address, visitors and limits of the page."""

    #: address of the service for our own processes, in plaintext on loopback
    server: str
    host: str
    port: int
    #: file of the sessions
    sessions: str
    #: names of the host as browsers write them, beside those of loopback
    names: tuple[str, ...] = ()
    #: a proxy of the operator terminates TLS
    behind_proxy: bool = False
    certificate: str = ""
    key: str = ""
    #: visitors without a token get a guest account
    guests: bool = False
    #: networks of proxies whose `x-forwarded-for` names the visitor
    proxies: tuple[str, ...] = ()
    log_level: str = "info"
    limits: PageLimits = PageLimits()

    @property
    def secure(self) -> bool:
        """Return whether visitors come over TLS."""
        return self.behind_proxy or bool(self.certificate)

    @property
    def loopback(self) -> bool:
        """Return whether only this machine can connect."""
        return is_loopback(self.host)

    def networks(self) -> tuple[Network, ...]:
        """Return the networks of trusted proxies."""
        return tuple(map(ip_network, self.proxies))


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
