"""Two cells, each with a store and a worker of its own, and the store of accounts that they share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest
import pytest_asyncio
import redis
from tests.ports import free_ports

from landsraad import AsyncClient
from landsraad_server.cells.membership import CellMembership, join_cell
from landsraad_server.config import Config
from landsraad_server.process.worker import Worker
from landsraad_server.store import EmbeddedServer, Store, connect, keys
from landsraad_testkit import HandClock

NAMES = ("c1", "c2")


class RunningCell:
    """One cell with one worker, in this process."""

    def __init__(self, name: str, worker: Worker, store: Store, membership: CellMembership) -> None:
        self.name = name
        self.worker = worker
        self.store = store
        self.membership = membership
        self.alive = True

    @property
    def address(self) -> str:
        return self.worker.address

    async def stop(self) -> None:
        """Stop the cell."""
        if self.alive:
            self.alive = False
            await self.worker.drain(0.0)
            await self.membership.close()
            await self.store.close()

    async def publish(self) -> None:
        """Publish the load of this cell now, and forget what was read of the others'."""
        lock = keys.LOAD_PUBLISHED
        await self.store.link.call(lock, b"DEL", lock)
        await self.membership.placement.publish()
        self.reread()

    def reread(self) -> None:
        """Forget what was read of the loads of other cells."""
        self.membership.placement._read_at = float("-inf")


class StartCell(Protocol):
    def __call__(self, name: str, **settings: Any) -> Awaitable[RunningCell]: ...


class Service:
    """The parts that two cells share, and a factory for cells."""

    def __init__(self, stores: dict[str, EmbeddedServer], map_file: Path, ports: dict[str, int]) -> None:
        self.stores = stores
        self.map_file = map_file
        self.ports = ports

    @property
    def accounts(self) -> str:
        """Return the URL of the store of accounts."""
        return self.stores["accounts"].url

    def raw(self, name: str = "accounts") -> redis.Redis:
        """Return a plain client of a store."""
        return redis.Redis(unix_socket_path=str(self.stores[name].socket))


@pytest.fixture(scope="session")
def cell_stores(
    embed: Callable[..., EmbeddedServer], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, EmbeddedServer]]:
    folder = tmp_path_factory.mktemp("cells")
    with ExitStack() as stack:
        yield {name: stack.enter_context(embed(folder / name)) for name in (*NAMES, "accounts")}


@pytest.fixture
def service_of_cells(cell_stores: dict[str, EmbeddedServer], tmp_path: Path) -> Service:
    first = free_ports(len(NAMES))
    ports = {name: first + number for number, name in enumerate(NAMES)}
    map_file = tmp_path / "cells.toml"
    map_file.write_text("".join(f'[{name}]\naddress = "127.0.0.1:{port}"\n' for name, port in ports.items()))
    for store in cell_stores.values():
        with redis.Redis(unix_socket_path=str(store.socket)) as client:
            client.flushall()
    return Service(cell_stores, map_file, ports)


@pytest_asyncio.fixture
async def start_cell(
    service_of_cells: Service, clock: HandClock, teaching: None, tmp_path: Path
) -> AsyncIterator[StartCell]:
    """Cells by name, with settings of `Config`. Clocks and presence are looked after only when told."""
    running: list[RunningCell] = []

    async def start(name: str, **settings: Any) -> RunningCell:
        made = service_of_cells
        own = {"data": tmp_path / name, "cell": name, "cells": made.map_file, "accounts": made.accounts}
        config = Config(**{**own, **settings})
        store = await connect(made.stores[name].url)
        membership = await join_cell(config, store)
        assert membership is not None
        worker = Worker(config, store, now=clock, membership=membership)
        running.append(RunningCell(name, worker, store, membership))
        await worker.start(made.ports[name])
        await worker.clock_poller.stop()
        await worker.hosts.presence.stop()
        return running[-1]

    yield start
    for cell in reversed(running):
        await cell.stop()


@pytest_asyncio.fixture
async def cells(start_cell: StartCell) -> list[RunningCell]:
    """Both cells."""
    return [await start_cell(name) for name in NAMES]


@pytest_asyncio.fixture
async def clients(cells: list[RunningCell]) -> AsyncIterator[list[AsyncClient]]:
    """One client of each cell."""
    made = [AsyncClient(cell.address, retry_timeout=10.0) for cell in cells]
    yield made
    for client in made:
        await client.close()
