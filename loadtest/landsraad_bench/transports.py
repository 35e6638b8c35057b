"""Transports of bench players: clients for one call of Play.Connect on its own connection.

The thin client is as cheap as Python allows, so that the machine is left to the service. `grpcio` is what most clients
of the service use; it costs four times as much for each message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import grpc
import grpc.aio

from landsraad.v1 import play_service_pb2
from landsraad_bench.thin_client import ThinCallFailed, ThinClient

METHOD = f"/{play_service_pb2.DESCRIPTOR.services_by_name['Play'].full_name}/Connect"
#: No two channels share a connection; a frame may hold snapshots of many seats.
OPTIONS = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 64 << 20))


class Carrier(Protocol):
    """A call that `run` makes. Messages sent before wait until then."""

    def send(self, message: bytes) -> None:
        """Send a message after those before it."""

    async def run(self, on_message: Callable[[bytes], None]) -> None:
        """Make the call and pass on its messages until the service ends it or the task is cancelled.

        Raises:
            ThinCallFailed: The status is not OK.
        """


class GrpcioClient:
    """A call made by grpc.aio."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._out: list[bytes] = []
        self._wake = asyncio.Event()

    def send(self, message: bytes) -> None:
        self._out.append(message)
        self._wake.set()

    async def run(self, on_message: Callable[[bytes], None]) -> None:
        async with grpc.aio.insecure_channel(self._address, options=OPTIONS) as channel:
            call: Any = channel.stream_stream(METHOD)()
            writer = asyncio.create_task(self._write(call))
            try:
                while (message := await call.read()) is not grpc.aio.EOF:
                    on_message(message)
            except grpc.aio.AioRpcError as error:
                raise ThinCallFailed(error.code(), error.details()) from None
            finally:
                writer.cancel()
                call.cancel()

    async def _write(self, call: Any) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            out, self._out = self._out, []
            for message in out:
                await call.write(message)


THIN_CLIENT = "thin"
#: Constructors by the name that `--players` takes; they are given the address of a worker.
CARRIERS: Mapping[str, Callable[[str], Carrier]] = {
    THIN_CLIENT: lambda address: ThinClient(address, METHOD),
    "grpcio": GrpcioClient,
}
