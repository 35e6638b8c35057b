"""Listening sockets for gRPC addresses, shared with other processes (SO_REUSEPORT) if wanted."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from typing import Any, Final

#: Connections that have not been taken yet; the system has its own limit, too.
BACKLOG: Final = 4096
#: Turns of asyncio's loop from taking a connection to telling us of it.
_TURNS_TO_COME: Final = 3


def bound(address: str, *, shared: bool) -> list[socket.socket]:
    """Bind sockets for all addresses of "host:port", on one port if it is 0; raise RuntimeError if one fails."""
    host, _, port = address.rpartition(":")
    sockets: list[socket.socket] = []
    given = int(port)
    try:
        for family, _, _, _, found in _places(host.strip("[]"), given):
            # By name: only of sockets that say so does asyncio know that small writes shall not wait (TCP_NODELAY).
            made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            sockets.append(made)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if shared:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            if family == socket.AF_INET6:
                # As gRPC does it, the wildcard of IPv6 is that of IPv4, too.
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(found[0] != "::"))
            made.bind((found[0], given, *found[2:]))
            made.listen(BACKLOG)  # now, for only so it is known whether the port is free
            made.setblocking(False)
            given = made.getsockname()[1]
    except OSError as error:
        for one in sockets:
            one.close()
        raise RuntimeError(f"Failed to bind to address {address}: {error.strerror}") from None
    return sockets


async def take_no_more(sockets: Iterable[Any]) -> None:
    """Stop accepting, and wait until connections just accepted are attached. Then the server may be closed.

    asyncio attaches a connection one turn after accepting it. If the server is closed in between, the connection is
    dropped without being closed.
    """
    loop = asyncio.get_running_loop()
    for one in sockets:
        loop.remove_reader(one)
    for _ in range(_TURNS_TO_COME):
        await asyncio.sleep(0)


def _places(host: str, port: int) -> list[tuple[int, int, int, str, tuple[str, int, int, int]]]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return list(dict.fromkeys(found))  # type: ignore[arg-type]
