"""Peers: calls to the workers of other cells, for lists of all cells."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message

from landsraad.transport import Tls
from landsraad_server.cells.cell_map import CellMap
from landsraad_server.config import Config

Answer = TypeVar("Answer", bound=Message)

#: Seconds in which another cell has to answer; a list says which have not.
ANSWER_SECONDS = 1.0
_OPTIONS = (
    ("grpc.enable_retries", 0),
    ("grpc.max_receive_message_length", 16 << 20),
    # A cell that comes back is found within seconds.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)


class Peers:
    """The other cells of the service."""

    def __init__(self, cells: CellMap, config: Config) -> None:
        self._cells = cells
        self._config = config
        self._channels: dict[str, grpc.aio.Channel] = {}

    async def ask(
        self, method: str, request: Message, read: Callable[[bytes], Answer], *, bearer: str, address: str
    ) -> dict[str, Answer | None]:
        """Call a method in every other cell, in the name of a client; None for a cell without an answer.

        Args:
            method: Such as "Matches/ListMatches".
            request: The request.
            read: The parser of answers.
            bearer: The client's token; empty for none.
            address: The client's address, to which the call is charged there.
        """
        others = self._cells.others
        answers = await asyncio.gather(*(self._ask(cell, method, request, read, bearer, address) for cell in others))
        return dict(zip(others, answers, strict=True))

    async def _ask(
        self, cell: str, method: str, request: Message, read: Callable[[bytes], Answer], bearer: str, address: str
    ) -> Answer | None:
        call: Any = self._channel(cell).unary_unary(f"/landsraad.v1.{method}", response_deserializer=read)
        metadata = [("match", f"{cell}-"), ("x-forwarded-for", address)]
        if bearer:
            metadata.append(("authorization", f"Bearer {bearer}"))
        try:
            answer: Answer = await call(request.SerializeToString(), metadata=metadata, timeout=ANSWER_SECONDS)
        except grpc.aio.AioRpcError:
            return None
        return answer

    def _channel(self, cell: str) -> grpc.aio.Channel:
        channel = self._channels.get(cell)
        if channel is None:
            config, there = self._config, self._cells.cells[cell]
            where = there.peer or there.address
            if config.tls_cert is None:
                channel = grpc.aio.insecure_channel(where, options=_OPTIONS)
            else:
                own = (config.tls_cert, config.tls_key) if config.tls_client_ca else (None, None)
                secrets = Tls(there.ca or None, *own).credentials()
                channel = grpc.aio.secure_channel(where, secrets, options=_OPTIONS)
            self._channels[cell] = channel
        return channel

    async def close(self) -> None:
        """Close all channels."""
        await asyncio.gather(*(channel.close() for channel in self._channels.values()))
