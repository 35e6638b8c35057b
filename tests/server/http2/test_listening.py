"""Sockets that wait for nothing: a small answer goes out at once, whichever loop serves it."""

from __future__ import annotations

import asyncio
import resource
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from landsraad_http2.server import Server
from landsraad_server.process import event_loop


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


@pytest.mark.parametrize("run", [asyncio.run, event_loop.run], ids=["asyncio", "as served"])
def test_small_writes_do_not_wait(run: Callable[[Coroutine[Any, Any, int]], int]) -> None:
    assert run(delays()) > 0


def test_a_worker_may_have_many_connections() -> None:
    """Though it was started by somebody who may not."""
    program = (
        "import resource; from landsraad_server.process.worker_main import allow_files;"
        "most = resource.getrlimit(resource.RLIMIT_NOFILE)[1];"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, most)); allow_files();"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert int(said.stdout) == (1 << 16 if most == resource.RLIM_INFINITY else min(most, 1 << 16))
