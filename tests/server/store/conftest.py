"""A real embedded server for all tests of the store, and the means to cut, hold back and rewrite what it says."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import redis

from landsraad_server.store import EmbeddedServer, Entry, Head, Store, connect, keys
from landsraad_server.store.binary import examine, find

#: CI runs these tests once more against the system's own server, whose path stands here.
SERVER = "LANDSRAAD_TEST_STORE_SERVER"

# What the fixtures below are, for the annotations of tests (which cannot import this file when they run).
Embed = Callable[..., EmbeddedServer]
Connect = Callable[[], Awaitable[Store]]
Write = Callable[[Store, str, Head, int], Awaitable[list[Head]]]
Rewind = Callable[[str, Head], None]


@pytest.fixture(scope="session")
def embed() -> Embed:
    """An embedded server for a data directory."""
    program = examine(Path(os.environ[SERVER])) if SERVER in os.environ else find()
    return partial(EmbeddedServer, server=program)


@pytest.fixture(scope="session")
def server(embed: Embed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    with embed(tmp_path_factory.mktemp("store") / "data") as running:
        yield running


@pytest.fixture
def raw(server: EmbeddedServer) -> Iterator[redis.Redis]:
    """A client of somebody else's making, to look at what is really there. The store is empty at first."""
    with redis.Redis(unix_socket_path=str(server.socket)) as client:
        client.flushall()
        yield client


@pytest_asyncio.fixture
async def connected(server: EmbeddedServer, raw: redis.Redis) -> AsyncIterator[Connect]:
    """As many stores as wanted: each is what one worker has."""
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
def write() -> Write:
    """Commit so many entries to a match, one after the other; gives their heads."""

    async def run(store: Store, match: str, before: Head, count: int) -> list[Head]:
        heads = []
        for number in range(count):
            before = await store.committed(store.log.draft(match, before, b"entry %d" % number))
            heads.append(before)
        return heads

    return run


@pytest.fixture
def health() -> type[Health]:
    return Health


@pytest.fixture
def rewind(raw: redis.Redis) -> Rewind:
    """Make a match's log end earlier, as a failover to a replica that lagged behind does."""

    def run(match: str, to: Head) -> None:
        log = keys.log(match)
        kept: Any = raw.xrange(log, max=f"{to.version}-0")
        raw.delete(log)
        for number, fields in kept:
            raw.xadd(log, fields, id=number)
        raw.set(keys.head(match), to.encode())

    return run


class Proxy:
    """Between a store and the server: can cut every connection, or let commands through and swallow the answers."""

    def __init__(self, server: Path, path: Path) -> None:
        self.url = f"unix://{path}?synced=owner"
        self.swallowing = False
        self.swallowed = asyncio.Event()
        self.chunks: list[bytes] = []  # what clients sent, write by write
        self._server = server
        self._path = path
        self._listener: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        self._listener = await asyncio.start_unix_server(self._serve, self._path)

    async def refuse(self) -> None:
        """Take no new connections, and end the present ones."""
        assert self._listener is not None
        self._listener.close()
        self._path.unlink(missing_ok=True)
        self.cut()

    def cut(self) -> None:
        for writer in self._open:
            writer.transport.abort()
        self.swallowing = False
        self.swallowed.clear()

    async def close(self) -> None:
        await self.refuse()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    async def _serve(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_unix_connection(self._server)
        self._open |= {to_client, to_server}
        there = asyncio.create_task(self._commands(from_client, to_server))
        back = asyncio.create_task(self._answers(from_server, to_client))
        self._pumps |= {there, back}
        await asyncio.gather(there, back, return_exceptions=True)
        to_client.close()
        to_server.close()
        self._open -= {to_client, to_server}

    async def _commands(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while chunk := await source.read(1 << 20):
            self.chunks.append(chunk)
            to.write(chunk)
        to.close()

    async def _answers(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while chunk := await source.read(1 << 20):
            if self.swallowing:
                self.swallowed.set()
            else:
                to.write(chunk)
        to.close()


@pytest_asyncio.fixture
async def proxy(server: EmbeddedServer, raw: redis.Redis) -> AsyncIterator[Proxy]:
    proxy = Proxy(server.socket, server.socket.with_name("proxy"))
    await proxy.listen()
    yield proxy
    await proxy.close()


class Witness:
    """Takes what a follow gives, and waits for more."""

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
        """The versions given so far, as soon as this one is among them."""
        async with asyncio.timeout(10):
            while version not in (entry.head.version for entry in self.entries):
                await self._came.get()
        return [entry.head.version for entry in self.entries]


@pytest_asyncio.fixture
async def witness() -> Witness:
    return Witness()


class Health:
    """Hears whether a store is up, and waits for it to say so. To be made before what makes it change."""

    def __init__(self, store: Store) -> None:
        self._said: asyncio.Queue[bool] = asyncio.Queue()
        store.on_health = self._said.put_nowait

    async def becomes(self, up: bool) -> None:
        async with asyncio.timeout(20):
            while await self._said.get() is not up:
                pass
