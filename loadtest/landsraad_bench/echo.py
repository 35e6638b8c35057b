"""Echo benchmark: a bare grpc.aio service, as a lower bound for the cost of a message.

python -m landsraad_bench.echo      prints its port, and exits when its standard input ends
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

from landsraad_bench.process_usage import usage
from landsraad_server.process import event_loop
from landsraad_server.process.serve_handshake import drain

#: Streams, each with one pending message of the size of an act.
STREAMS = 32
MESSAGE = b"x" * 60
#: Seconds allowed for connecting and shutting down.
_AROUND_SECONDS = 20.0
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


async def _load(port: int, connections: int, seconds: float) -> int:
    # Without a pool of their own, channels to one address share a connection.
    options = (("grpc.use_local_subchannel_pool", 1),)
    channels = [grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options) for _ in range(connections)]
    methods: list[Any] = [channel.stream_stream(_METHOD) for channel in channels]
    end = time.monotonic() + seconds

    async def one(method: Any) -> int:
        call = method()
        count = 0
        while time.monotonic() < end:
            await call.write(MESSAGE)
            await call.read()
            count += 1
        await call.done_writing()
        return count

    try:
        return sum(await asyncio.gather(*(one(methods[number % connections]) for number in range(STREAMS))))
    finally:
        await asyncio.gather(*(channel.close() for channel in channels))


def echo_us(connections: int, seconds: float) -> float:
    """Return the microseconds of CPU, of both sides together, for one message there and back."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            port = int(process.stdout.readline())
            before, own = usage(process.pid).cpu_seconds, time.process_time()
            count = event_loop.run(asyncio.wait_for(_load(port, connections, seconds), seconds + _AROUND_SECONDS))
            spent = usage(process.pid).cpu_seconds - before + time.process_time() - own
            return spent / count * 1e6
        finally:
            process.stdin.close()
            drain(process, _AROUND_SECONDS)


if __name__ == "__main__":
    event_loop.run(_serve())
