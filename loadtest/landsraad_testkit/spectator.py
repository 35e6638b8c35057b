"""Spectator: a stream of Watch.WatchMatch, item by item."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc.aio

from landsraad.v1 import log_pb2, play_pb2
from landsraad_server.process.worker import Worker


class Spectator:
    """A stream and all items received on it."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.items: list[play_pb2.ServerItem] = []
        self._looked_at = 0

    async def until(self, kind: str) -> play_pb2.ServerItem:
        """Receive up to the next item of a kind, and return it."""
        while True:
            while self._looked_at < len(self.items):
                self._looked_at += 1
                item = self.items[self._looked_at - 1]
                if item.WhichOneof("item") == kind:
                    return item
            assert await self.listen(), f"the stream has ended without {kind}"

    async def hear(self, last: int) -> None:
        """Receive until the log has reached an entry."""
        while self.last < last:
            assert await self.listen(), f"the stream has ended at {self.last}"

    async def listen(self) -> bool:
        """Receive one frame; False at the end of the stream."""
        async with asyncio.timeout(20):
            frame = await self.call.read()
        if frame is grpc.aio.EOF:
            return False
        self.items += frame.items
        return True

    @property
    def entries(self) -> list[log_pb2.Entry]:
        return [entry for item in self.items for entry in item.entries.entries]

    @property
    def last(self) -> int:
        """Return the number of the last entry received."""
        number = 0
        for item in self.items:
            match item.WhichOneof("item"):
                case "snapshot":
                    number = item.snapshot.observation.number
                case "entries":
                    assert item.entries.first == number + 1 or not number
                    number = item.entries.first + len(item.entries.entries) - 1
        return number


def public(worker: Worker, match: str) -> int:
    """Return the number of the spectators' last entry at present."""
    hosted = worker.hosts.host(match.removeprefix("matches/")).hosted
    assert hosted is not None
    return hosted.log_counters.counts[-1]
