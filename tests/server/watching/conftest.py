"""Fixtures for spectators."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import grpc.aio
import pytest_asyncio

from landsraad.v1 import watch_service_pb2, watch_service_pb2_grpc
from landsraad.wire.seat_semantics import cursor_at
from landsraad_server.process.worker import Worker
from landsraad_testkit.spectator import Spectator

Watch = Callable[..., Awaitable[Spectator]]


@pytest_asyncio.fixture
async def watch(worker: Worker) -> AsyncIterator[Watch]:
    """Watch a match: `await watch(match)`. `start` is the first entry that is wanted, of an `epoch`."""
    async with grpc.aio.insecure_channel(worker.address) as channel:
        stub = watch_service_pb2_grpc.WatchStub(channel)

        async def run(match: str, start: int = 0, epoch: int = 0) -> Spectator:
            cursor = {"from": cursor_at(epoch, start)} if start else {}
            return Spectator(stub.WatchMatch(watch_service_pb2.WatchMatchRequest(match=match, **cursor)))

        yield run
