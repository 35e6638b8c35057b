"""Connections of redis-py to one server: where it listens, how to be let in, and what has to hold before any use."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias, cast

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import InvalidResponse, RedisClusterException, RedisError, ResponseError

from landsraad_server.store.errors import NotExecuted, StoreError, UnsuitableServer
from landsraad_server.store.resp import Reply, as_error, is_reply

#: How long a connection may take to be made and greeted.
DIAL_SECONDS: Final = 5.0

#: Checks a server on a new connection; raises a StoreError if it may not be used.
Check: TypeAlias = Callable[[AbstractConnection], Awaitable[object]]


class Endpoint(NamedTuple):
    """Address of a server: a Unix socket if `path` is given, else host and port."""

    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Access:
    """Credentials and encryption of a connection, on whichever endpoint."""

    username: str = ""
    password: str = field(default="", repr=False)
    db: int = 0
    tls: ssl.SSLContext | None = None

    def settings(self) -> dict[str, Any]:
        """Return the arguments of a redis-py connection over the network, and its class."""
        settings: dict[str, Any] = {
            "connection_class": _TlsConnection if self.tls else Connection,
            "username": self.username or None,
            "password": self.password or None,
            "db": self.db,
            "protocol": 2,  # All that RESP3 adds for us is another shape of some replies, and a round trip.
            "driver_info": None,
            "socket_timeout": DIAL_SECONDS,
            "socket_connect_timeout": DIAL_SECONDS,
        }
        return settings | ({"context": self.tls} if self.tls else {})

    def client(self, endpoint: Endpoint) -> Redis:
        """Return a client for single commands. It repeats none."""
        where: dict[str, Any] = {"host": endpoint.host, "port": endpoint.port}
        return Redis.from_pool(ConnectionPool(retry=Retry(NoBackoff(), 0), **where, **self.settings()))


class _TlsConnection(SSLConnection):
    """A connection over TLS.

    It trusts what `context` trusts. redis-py would trust the system's authorities beside the one that it is given.
    """

    def __init__(self, *, context: ssl.SSLContext, **settings: Any) -> None:
        super().__init__(**settings)
        self.ssl_context.context = context


async def dial(endpoint: Endpoint, access: Access, check: Check | None = None) -> AbstractConnection:
    """Return a connection that is logged in, to a server that has passed `check`.

    The check is part of redis-py's greeting, so that there is no connection without it.

    Raises:
        StoreError: The server cannot be reached or refuses, or what the check raises.
    """

    async def greet(connection: AbstractConnection) -> None:
        await connection.on_connect()
        if check is not None:
            await check(connection)

    settings = access.settings() | {"socket_timeout": None, "redis_connect_func": greet}
    kind = settings.pop("connection_class")
    connection: AbstractConnection
    if endpoint.path:
        connection = UnixDomainSocketConnection(path=endpoint.path, **settings)
    else:
        connection = kind(host=endpoint.host, port=endpoint.port, **settings)
    try:
        async with asyncio.timeout(DIAL_SECONDS):
            await connection.connect()  # type: ignore[no-untyped-call]
    except BaseException as error:
        await hang_up(connection)
        if isinstance(error, RedisError | OSError | TimeoutError):
            raise as_failure(f"{endpoint}", error) from error
        raise
    return connection


async def hand_over(connection: AbstractConnection, protocol: asyncio.Protocol) -> None:
    """Have `protocol` receive what comes from now on. The connection is kept for `hang_up`, and used for no more."""
    closed = await connection.can_read()  # or something came unasked
    transport = _transport(connection)
    transport.set_protocol(protocol)
    protocol.connection_made(transport)
    if closed:
        asyncio.get_running_loop().call_soon(protocol.connection_lost, None)


async def hang_up(connection: AbstractConnection) -> None:
    """End a connection at once.

    redis-py would first send what is still in the buffer, and that may have been repeated elsewhere by then.
    """
    if connection.is_connected:
        _transport(connection).abort()
    await connection.disconnect(nowait=True)


def _transport(connection: AbstractConnection) -> asyncio.WriteTransport:
    """Return what redis-py keeps to itself, but has no way to abort and none to hand on."""
    return cast("asyncio.StreamWriter", connection._writer).transport


async def ask(connection: AbstractConnection, *commands: bytes) -> list[Reply]:
    """Return the replies to packed commands, sent in one write.

    For checks: it raises redis-py's errors, which `dial` turns into ours.
    """
    await connection.send_packed_command(commands, check_health=False)
    return [await connection.read_response() for _ in commands]


def as_failure(name: str, error: BaseException) -> StoreError:
    """Return an error that kept us from the server `name` as one of ours."""
    while isinstance(error.__cause__, RedisError | RedisClusterException):  # redis-py wraps some errors in others
        error = error.__cause__
    if isinstance(error, RedisClusterException) and isinstance(error.__context__, ResponseError):
        return UnsuitableServer(f"use redis+cluster:// only for a cluster: {error}")
    if isinstance(error, InvalidResponse):
        return UnsuitableServer(f"{name} does not answer as a Redis server does")
    if isinstance(error, RedisError) and is_reply(error):
        return as_error(error)
    return NotExecuted(f"cannot reach {name}: {str(error) or repr(error)}")
