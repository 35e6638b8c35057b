"""Sockets that wait for nothing: a small answer goes out at once, whichever loop serves it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from landsraad_server import loops
from landsraad_server.http2.server import Server


async def delays() -> int:
    """Whether a connection's small writes wait for earlier ones to be confirmed (Nagle's algorithm): not if above 0."""
    server = Server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        assert await reader.read(1)  # its settings
        [connection] = server.connections
        found: int = connection.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        return found
    finally:
        writer.close()
        await server.stop(None)


@pytest.mark.parametrize("run", [asyncio.run, loops.run], ids=["asyncio", "as served"])
def test_small_writes_do_not_wait(run: Callable[[Coroutine[Any, Any, int]], int]) -> None:
    assert run(delays()) > 0
