"""Fixtures for stores as workers use them, on the test server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
import redis
from tests.nodes import Nodes

from landsraad_server.store import EmbeddedServer, Entry, Head, Store, connect

# Types of the fixtures below, for annotations in tests, which cannot import this file at run time.
Connect = Callable[[], Awaitable[Store]]
Write = Callable[[Store, str, Head, int], Awaitable[list[Head]]]


@pytest_asyncio.fixture
async def connected(server: EmbeddedServer, raw: redis.Redis) -> AsyncIterator[Connect]:
    """Open as many stores as needed; each stands for one worker."""
    stores = []

    async def one_more() -> Store:
        stores.append(await connect(server.url))
        return stores[-1]

    yield one_more
    for store in stores:
        await store.close()


@pytest_asyncio.fixture
async def store(connected: Connect) -> Store:
    return await connected()


@pytest.fixture
def nodes(server: EmbeddedServer, tmp_path: Path) -> Iterator[Nodes]:
    nodes = Nodes(server.binary.path, tmp_path)
    yield nodes
    nodes.end()


@pytest.fixture
def write() -> Write:
    """Commit so many entries to a match in sequence, and return their heads."""

    async def run(store: Store, match: str, before: Head, count: int) -> list[Head]:
        heads = []
        for number in range(count):
            before = await store.committed(store.log.draft(match, before, b"entry %d" % number))
            heads.append(before)
        return heads

    return run


class Witness:
    """Records what a subscription delivers."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.rewound = asyncio.Event()
        self._came: asyncio.Queue[Entry] = asyncio.Queue()

    def on_entry(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._came.put_nowait(entry)

    def on_rewound(self, error: Exception) -> None:
        self.rewound.set()

    async def until(self, version: int) -> list[int]:
        """Wait for this version, and return all versions so far."""
        async with asyncio.timeout(10):
            while version not in (entry.head.version for entry in self.entries):
                await self._came.get()
        return [entry.head.version for entry in self.entries]


@pytest_asyncio.fixture
async def witness() -> Witness:
    return Witness()
