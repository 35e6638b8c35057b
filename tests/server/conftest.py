"""What all tests of the service stand on: a real store, workers in this process, and the whole service beside it.

`worker` and `client` are the cheap way: real gRPC, real store, time that the test moves, and everything within reach.
`service` is `landsraad serve` with two workers and its own store; it is started once, so leave it as it was found.
They know the small game `teaching`, whose matches are over in a moment.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import redis
import structlog

from landsraad import AsyncClient, games
from landsraad.models import Ticket
from landsraad_server.config import Config
from landsraad_server.process.worker import Worker
from landsraad_server.store import (
    Durability,
    EmbeddedServer,
    Head,
    Store,
    connect,
    keys,
    pulse,
    roster,
    talk_store,
    token_buckets,
)
from landsraad_server.store.pipeline import Link
from landsraad_server.store.resp import Done
from landsraad_server.store.scripts import Script
from landsraad_server.store.server_binary import examine, find
from landsraad_server.telemetry import logs
from landsraad_server.telemetry.tracing import OFF, Tracing
from landsraad_testkit import DrivenMatch, HandClock, RawStream, ServeProcess, StoreProxy, plug_in, serving
from landsraad_testkit.calls import Calls

#: CI runs these tests once more against the system's own server, whose path stands here.
SERVER = "LANDSRAAD_TEST_STORE_SERVER"

TEACHING = {"teaching": "landsraad_engine.teaching.game:TEACHING"}

# What the fixtures below are, for the annotations of tests (which cannot import this file when they run).
Embed = Callable[..., EmbeddedServer]
Rewind = Callable[[str, Head], None]
StartWorker = Callable[..., Awaitable[Worker]]
Seated = Callable[..., Awaitable[list[Ticket]]]
OpenStream = Callable[..., RawStream]
Seat = Callable[..., Awaitable[DrivenMatch]]
Certify = Callable[..., tuple[Path, Path]]


@pytest.fixture(scope="session", autouse=True)
def _log() -> None:
    """What workers in this process say of each call would bury what a failing test says."""
    logs.configure(as_json=True, level="warning")
    structlog.configure(cache_logger_on_first_use=False)


# --- the store


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


@pytest.fixture
def rewind(raw: redis.Redis) -> Rewind:
    """Make a match's log end earlier, as a failover to a replica that lagged behind does."""

    def run(match: str, to: Head) -> None:
        log = keys.log(match)
        kept: Any = raw.xrange(log, max=f"{to.version}-0")
        with raw.pipeline(transaction=True) as all_at_once:  # a replica has no state in between either
            all_at_once.delete(log)
            for number, fields in kept:
                all_at_once.xadd(log, fields, id=number)
            all_at_once.set(keys.head(match), to.encode())
            all_at_once.execute()

    return run


@pytest_asyncio.fixture
async def proxy(server: EmbeddedServer, raw: redis.Redis) -> AsyncIterator[StoreProxy]:
    """A way to the store that can be cut; `proxy.url` is its address."""
    proxy = StoreProxy(server.socket, server.socket.with_name("proxy"))
    await proxy.listen()
    yield proxy
    await proxy.close()


class HeldScript(Script):
    """A script for which the store's time is that of the test."""

    def __init__(self, name: str, now: Callable[[], int]) -> None:
        super().__init__(name)
        self._text = self.source
        self._now = now

    def send(self, link: Link, keys: tuple[bytes, ...], arguments: tuple[bytes | int, ...], done: Done) -> None:
        seconds, ms = divmod(self._now(), 1000)
        self.source = self._text.replace(b"redis.call('TIME')", b"{%d, %d}" % (seconds, ms * 1000))
        self._send_source(link, keys, arguments, done)


@pytest.fixture(autouse=True)
def _store_time(clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store's time, too, passes as the test wants, for the stores of this process."""
    timed = (
        (token_buckets, "TAKE", "take_tokens"),
        (roster, "BEAT", "beat"),
        (roster, "ROSTER", "roster"),
        (roster, "CLAIM", "claim"),
        (pulse, "PULSE", "pulse"),
        (talk_store, "SAY", "say"),
    )
    for module, script, name in timed:
        monkeypatch.setattr(module, script, HeldScript(name, clock))


class Health:
    """Records the health of a store; make it before the change to be observed."""

    def __init__(self, store: Store) -> None:
        self._said: asyncio.Queue[bool] = asyncio.Queue()
        store.on_health = self._said.put_nowait

    async def becomes(self, up: bool) -> None:
        async with asyncio.timeout(20):
            while await self._said.get() is not up:
                pass


@pytest.fixture
def health() -> type[Health]:
    return Health


# --- workers in this process


@pytest.fixture
def teaching(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game `teaching` can be played here, and in no later test that does not say so."""
    monkeypatch.setattr(games.REGISTRY, "own", {**games.REGISTRY.own, **TEACHING})
    yield
    games.load.cache_clear()


@pytest.fixture
def clock() -> HandClock:
    """The time of all workers of a test, and of their store."""
    return HandClock()


@pytest_asyncio.fixture
async def start_worker(
    server: EmbeddedServer, raw: redis.Redis, clock: HandClock, teaching: None, tmp_path: Path
) -> AsyncIterator[StartWorker]:
    """Workers on one store, as many as wanted: `await start_worker()`.

    `url` is another way to the store, `durability` what is asked of it, `now` another source of time, `tracing` where
    spans go; all else are settings of `Config`. The time is the test's: no worker looks after clocks, or after other
    workers, but when it is told to.
    """
    running: list[tuple[Worker, Any]] = []

    async def start(
        url: str = "",
        now: Callable[[], int] = clock,
        tracing: Tracing = OFF,
        durability: Durability = Durability.EVERYSEC,
        **settings: Any,
    ) -> Worker:
        store = await connect(url or server.url, durability=durability)
        settings = {"data": tmp_path / "data", **settings}
        worker = Worker(Config(**settings), store, now=now, tracing=tracing)
        running.append((worker, store))
        await worker.start(0)
        await worker.clock_poller.stop()
        await worker.hosts.presence.stop()
        return worker

    yield start
    for worker, store in reversed(running):
        await worker.drain(0.0)
        await store.close()


@pytest_asyncio.fixture
async def worker(start_worker: StartWorker) -> Worker:
    """One worker; listens on `worker.address`."""
    return await start_worker()


@pytest_asyncio.fixture
async def client(worker: Worker) -> AsyncIterator[AsyncClient]:
    """The SDK's client of that worker."""
    async with AsyncClient(worker.address, retry_timeout=10.0) as made:
        yield made


@pytest_asyncio.fixture
async def seated(worker: Worker) -> AsyncIterator[Seated]:
    """All seats of a new match, as tickets: `await seated(3)`; `game`, `address` and what `create_match` takes."""
    clients: list[AsyncClient] = []

    async def run(seats: int = 3, game: str = "teaching", address: str = "", **terms: Any) -> list[Ticket]:
        clients.append(AsyncClient(address or worker.address, retry_timeout=10.0))
        match = await clients[-1].create_match(game, seats, **terms)
        return [(await clients[-1].join(match.name, number, orders=())).ticket for number in range(seats)]

    yield run
    await asyncio.gather(*(one.close() for one in clients))


@pytest_asyncio.fixture
async def open_stream(worker: Worker) -> AsyncIterator[OpenStream]:
    """Streams of Play.Connect, item by item: `open_stream()`, or `open_stream(address)`."""
    lines: list[RawStream] = []

    def run(address: str = "", **more: Any) -> RawStream:
        lines.append(RawStream(address or worker.address, **more))
        return lines[-1]

    yield run
    await asyncio.gather(*(one.cut() for one in lines))


@pytest_asyncio.fixture
async def calls(worker: Worker) -> AsyncIterator[Calls]:
    """Calls of that worker as the protocol has them."""
    async with Calls(worker.address) as made:
        yield made


@pytest_asyncio.fixture
async def table(seated: Seated, open_stream: OpenStream) -> Seat:
    """All seats of a new short match, on one stream: `await table(3)`, and what `seated` takes."""

    async def run(seats: int = 3, **terms: Any) -> DrivenMatch:
        made = DrivenMatch(open_stream(), await seated(seats, **{"options": {"rounds": 2}, **terms}))
        await made.sit_down()
        return made

    return run


# --- the whole service


@pytest.fixture(scope="session")
def plugged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Environment of processes that are to know the game `teaching`."""
    return plug_in(tmp_path_factory.mktemp("plugged") / "in", TEACHING)


@pytest.fixture(scope="session")
def service(plugged: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """`landsraad serve`: two workers, an embedded store, no bots; not to be broken."""
    with serving(tmp_path_factory.mktemp("service") / "data", environment=plugged) as running:
        yield running


# --- certificates


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=30)


@pytest.fixture(scope="session")
def certify(tmp_path_factory: pytest.TempPathFactory) -> Certify:
    """Certificates: `certify("server")` by an authority of ours, `by="other"` by another. Gives certificate and key."""
    folder = tmp_path_factory.mktemp("certificates")

    def files(name: str) -> tuple[Path, Path]:
        return folder / f"{name}.pem", folder / f"{name}.key"

    def run(name: str, by: str = "authority") -> tuple[Path, Path]:
        certificate, key = files(name)
        if certificate.exists():
            return certificate, key
        new = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1")
        made = (*new, "-keyout", key, "-out", certificate, "-subj", f"/CN={name}")
        # Unasked, openssl makes authorities of all; one that does not say what its key is for is none for Python 3.13.
        if name == by:
            _openssl(*made, "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
        else:
            authority, its_key = run(by, by)
            names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
            signed = ("-CA", authority, "-CAkey", its_key, "-addext", "basicConstraints=critical,CA:FALSE")
            _openssl(*made, *signed, "-addext", names)
        return certificate, key

    return run
