"""Honest client beside an attack: it asks for health, makes new calls and talks on a stream, and times each of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from landsraad_testkit.http2_peer import SERVICE

#: Channels that share no connection with those of other neighbours.
_APART: Final = (("grpc.use_local_subchannel_pool", 1),)

#: An answer for which the window of a stream is too small, so that some of it waits in the server.
_LARGE: Final = bytes(100_000)


def on_cpu_seconds(process: int) -> float:
    """Return the CPU time of all threads of a process, to the nanosecond (Linux)."""
    spent = 0
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):  # it has ended
            spent += int((thread / "schedstat").read_text().split()[0])
    return spent / 1e9


class Neighbour:
    """Measures how a server treats somebody who does nothing wrong."""

    def __init__(self, port: int, process: int = 0, *, patience: float = 20.0) -> None:
        self._address = f"127.0.0.1:{port}"
        self._process = process
        self._patience = patience
        #: CPU seconds of the server's process while it waited for each thing; other processes do not count in them
        self.server_seconds: list[float] = []
        #: seconds of each thing that it did
        self.seconds: list[float] = []
        #: what it was refused
        self.refused: list[str] = []

    async def run(self, rounds: int, pause: float = 0.0) -> None:
        """On one connection: so many rounds of health, a small call, a message there and back on one stream,
        and a large call.
        """
        async with grpc.aio.insecure_channel(self._address, options=_APART) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            echo: Any = channel.unary_unary(f"/{SERVICE}/Echo")
            chat: Any = channel.stream_stream(f"/{SERVICE}/Chat")()

            async def talk() -> None:
                await chat.write(b"hello")
                assert await chat.read() == b"hello"

            for _ in range(rounds):
                await self._time(health.Check(health_pb2.HealthCheckRequest(), timeout=self._patience))
                await self._time(echo(b"hello", timeout=self._patience))
                await self._time(talk())
                await self._time(echo(_LARGE, timeout=self._patience))
                await asyncio.sleep(pause)
            chat.cancel()

    async def come_new(self) -> None:
        """One round on a new connection."""
        await self.run(1)

    async def _time(self, doing: Any) -> None:
        started, spent = time.perf_counter(), on_cpu_seconds(self._process) if self._process else 0.0
        try:
            async with asyncio.timeout(self._patience):
                await doing
        except TimeoutError:
            self.refused.append("no answer")
        except grpc.aio.AioRpcError as error:
            self.refused.append(f"{error.code().name}: {error.details()}")
        except asyncio.InvalidStateError:
            self.refused.append("the stream is over")
        self.seconds.append(time.perf_counter() - started)
        if self._process:
            self.server_seconds.append(on_cpu_seconds(self._process) - spent)


def quantile(values: Iterable[float], share: float) -> float:
    """Return the value that this share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
