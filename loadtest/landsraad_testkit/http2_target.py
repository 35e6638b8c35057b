"""Server under attack: the test methods and gRPC's health service in a process of its own, over either transport.

It writes its port to standard output, and its figures for each line that it reads from standard input.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import grpc
from grpc_health.v1 import health, health_pb2

from landsraad import gc_tuning
from landsraad_server.process import event_loop
from landsraad_server.process.worker import resident_bytes
from landsraad_server.request_limits import MOST_READ_BYTES
from landsraad_server.transports.registry import load
from landsraad_testkit.http2_peer import SERVICE, Methods

#: Seconds between two looks at the CPU time of the loop's thread.
_LOOK_SECONDS: Final = 0.001
_GRACE_SECONDS: Final = 10.0


class Target:
    """A running server, and the figures that it gives."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def figures(self) -> dict[str, Any]:
        """Return CPU seconds, resident bytes, the longest turn since the last look, and the transport's counters."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return dict(json.loads(self.process.stdout.readline()))


@contextmanager
def attacked(transport: str) -> Iterator[Target]:
    """Run a server over "grpcio" or "http2"; end it after the block."""
    command = [sys.executable, "-m", "landsraad_testkit.http2_target", transport]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Target(process, int(process.stdout.readline()))
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(_GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


class _Turns:
    """The most CPU time that the loop's thread used between two looks: an upper bound of its longest turn."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._longest = 0.0
        self._last = time.thread_time()
        self._look()

    def _look(self) -> None:
        now = time.thread_time()
        self._longest = max(self._longest, now - self._last)
        self._last = now
        self._loop.call_later(_LOOK_SECONDS, self._look)

    def longest(self) -> float:
        """Return it, and begin anew."""
        longest, self._longest = self._longest, 0.0
        return longest


def _health_handlers(well: Any) -> grpc.GenericRpcHandler:
    """Return the handlers of gRPC's health service; its generated code wants a server of grpcio."""
    check = health_pb2.HealthCheckRequest.FromString
    methods = {
        "Check": grpc.unary_unary_rpc_method_handler(
            well.Check, check, health_pb2.HealthCheckResponse.SerializeToString
        )
    }
    return grpc.method_handlers_generic_handler("grpc.health.v1.Health", methods)


async def serve(transport: str) -> None:
    """Serve until standard input ends."""
    server: Any = load(transport)(
        message_bytes=MOST_READ_BYTES, shared_port=False, explain=lambda rejection: (rejection.text, ())
    )
    methods = Methods()
    methods.contexts = deque(maxlen=0)  # nobody looks at them, and they would be most of what is measured
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods.handlers()),))
    well = health.aio.HealthServicer()
    await well.set("", health_pb2.HealthCheckResponse.SERVING)
    server.add_generic_rpc_handlers((_health_handlers(well),))
    port = server.listen("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    turns = _Turns()
    asked = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(asked), sys.stdin)
    while await asked.readline():
        figures: dict[str, Any] = {
            "cpu": time.process_time(),
            "resident": resident_bytes(),
            "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10,
            "longest_turn": turns.longest(),
        }
        if transport == "http2":
            figures["kept"] = server.kept.bytes
            figures["counters"] = {k: v for k, v in vars(server.counters).items() if not k.startswith("_")}
            figures["connections"] = len(server.connections)
        print(json.dumps(figures), flush=True)
    await server.stop(0)


if __name__ == "__main__":
    gc_tuning.tune()  # as a worker does
    event_loop.run(serve(sys.argv[1]))
