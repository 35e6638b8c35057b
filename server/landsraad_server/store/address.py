"""Store URLs: the forms that `--redis` accepts.

======================================================  =========================================
``redis://[user:password@]host[:port][/db]``            one server
``rediss://...``                                        the same over TLS
``unix://[user:password@]/path/to/socket[?db=n]``       one server on this machine
``redis+sentinel://[...@]host[:port],.../service[/db]``  the current master of a service, found by Sentinels
``redis+cluster://[...@]host[:port],...``               a cluster, by some of its nodes
======================================================  =========================================

``rediss+sentinel`` and ``rediss+cluster`` use TLS. TLS takes ``?ca=file``, and ``&cert=file&key=file`` for a client
certificate. Sentinels with a password of their own take ``?sentinel_password=...``. The address of an embedded server
has ``?synced=owner``: its owner syncs the file to disk (see fsync_thread.py).
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from redis.asyncio.connection import parse_url

from landsraad_server.store.errors import BadUrl
from landsraad_server.store.redis_connection import Access, Endpoint

_PORT = 6379
_SENTINEL_PORT = 26379


class StoreKind(Enum):
    """Kinds of deployments, by the suffix of the URL's scheme."""

    SINGLE = ""
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed store URL."""

    kind: StoreKind
    endpoints: tuple[Endpoint, ...]
    access: Access
    service: str = ""  # the service name that Sentinels are asked for
    sentinel_access: Access = field(default_factory=Access)
    synced: bool = False  # whether the server's owner syncs its file to disk


def parse(url: str) -> Address:
    """Parse a store URL; BadUrl if it is malformed. Messages never quote the URL, which may hold a password."""
    try:
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
        address = _unix(parts, options) if parts.scheme == "unix" else _network(parts, options)
    except ValueError:
        # The cause is dropped on purpose: urllib quotes what it could not parse.
        raise BadUrl("the store's address is not a URL") from None
    if options:
        raise BadUrl(f"the store's address has unknown options: {', '.join(sorted(options))}")
    return address


def _unix(parts: SplitResult, options: dict[str, str]) -> Address:
    if not parts.path:
        raise BadUrl("a unix:// address needs the path of the socket")
    synced = options.pop("synced", "") == "owner"
    endpoint, access = _server(f"unix://{parts.netloc}{parts.path}", _number(options.pop("db", "0")))
    return Address(StoreKind.SINGLE, (endpoint,), access, synced=synced)


def _network(parts: SplitResult, options: dict[str, str]) -> Address:
    scheme, _, kind_name = parts.scheme.partition("+")
    if scheme not in ("redis", "rediss") or kind_name not in {kind.value for kind in StoreKind}:
        raise BadUrl(
            "the store's address has to begin with redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://"
        )
    kind = StoreKind(kind_name)
    tls = _tls(options) if scheme == "rediss" else None
    path = [part for part in parts.path.split("/") if part]
    service = ""
    sentinel_access = Access()
    if kind is StoreKind.SENTINEL:
        if not path:
            raise BadUrl("a sentinel address has to end in the name of the service: redis+sentinel://host:26379/name")
        service = unquote(path.pop(0))
        sentinel_access = Access(password=options.pop("sentinel_password", ""), tls=tls)
    if len(path) > 1 or (path and kind is StoreKind.CLUSTER):
        raise BadUrl("the path of the store's address is too long; a cluster has none")
    user, at, hosts = parts.netloc.rpartition("@")
    db = _number(path[0]) if path else 0
    default = _SENTINEL_PORT if kind is StoreKind.SENTINEL else _PORT
    servers = [_server(f"redis://{user}{at}{host}", db, default, tls) for host in hosts.split(",")]
    if len(servers) > 1 and kind is StoreKind.SINGLE:
        raise BadUrl("several hosts need redis+sentinel:// or redis+cluster://")
    endpoints = tuple(endpoint for endpoint, _ in servers)
    return Address(kind, endpoints, servers[0][1], service, sentinel_access)


def _server(url: str, db: int, default_port: int = 0, tls: ssl.SSLContext | None = None) -> tuple[Endpoint, Access]:
    """Return what redis-py reads in the address of one server."""
    read = parse_url(url)
    access = Access(read.get("username", ""), read.get("password", ""), db, tls)
    if path := read.get("path"):
        return Endpoint(path=path), access
    return Endpoint(read.get("host", "localhost"), read.get("port", default_port)), access


def _number(text: str) -> int:
    if not text.isdecimal():
        raise BadUrl("the database in the store's address is not a number")
    return int(text)


def _tls(options: dict[str, str]) -> ssl.SSLContext:
    ca, cert, key = (options.pop(name, None) for name in ("ca", "cert", "key"))
    try:
        context = ssl.create_default_context(cafile=ca)
        if cert:
            context.load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as error:
        raise BadUrl(f"the certificates named in the store's address cannot be used: {error}") from error
    return context
