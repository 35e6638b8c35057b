"""A bare grpc.aio service that sends back what it gets: what the library costs if nothing is done with a message.

python -m landsraad_server.bench.echo      prints its port, and ends with its input
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio

from landsraad_server import loops
from landsraad_server.bench.processes import usage

#: Streams on one connection, each with one message under way, as large as an act on its way is.
STREAMS = 32
MESSAGE = b"x" * 60
_METHOD = "/landsraad.bench.Echo/Echo"


async def _echo(messages: AsyncIterator[bytes], _context: Any) -> AsyncIterator[bytes]:
    async for message in messages:
        yield message


async def _serve() -> None:
    server = grpc.aio.server()
    handler = grpc.method_handlers_generic_handler(
        "landsraad.bench.Echo", {"Echo": grpc.stream_stream_rpc_method_handler(_echo)}
    )
    server.add_generic_rpc_handlers((handler,))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await asyncio.to_thread(sys.stdin.read)
    await server.stop(None)


async def _load(port: int, seconds: float) -> int:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        method: Any = channel.stream_stream(_METHOD)
        end = time.monotonic() + seconds

        async def one() -> int:
            call = method()
            count = 0
            while time.monotonic() < end:
                await call.write(MESSAGE)
                await call.read()
                count += 1
            await call.done_writing()
            return count

        return sum(await asyncio.gather(*(one() for _ in range(STREAMS))))


def echo_us(seconds: float) -> float:
    """Microseconds of the server's CPU for one message there and back."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            port = int(process.stdout.readline())
            before = usage(process.pid).cpu_seconds
            count = loops.run(_load(port, seconds))
            return (usage(process.pid).cpu_seconds - before) / count * 1e6
        finally:
            process.stdin.close()


if __name__ == "__main__":
    loops.run(_serve())
