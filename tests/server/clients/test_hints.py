"""Address hints: a stream goes to the worker where the match's players meet, or back if that cannot be reached."""

import asyncio
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from landsraad import AsyncClient, play_stream
from landsraad.async_seat import AsyncSeat
from landsraad.testing.players import play_all, seated
from landsraad_server.process.worker import Worker
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import StartWorker

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def other(start_worker: "StartWorker") -> Worker:
    """Another worker on the same store."""
    return await start_worker()


@pytest.fixture
def nowhere() -> Iterator[str]:
    """An address that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        host, port = listening.getsockname()
        yield f"{host}:{port}"


def send_to(worker: Worker, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a worker hint at this address for every match."""
    monkeypatch.setattr(worker.hosts.presence, "preferred_address", lambda *_, **__: address)


async def begun(client: AsyncClient) -> list[AsyncSeat]:
    """All seats of a new match on their stream."""
    seats = await seated(client, 2, "teaching")
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert await seats[0].next_decision() is not None
    return seats


async def played(seats: list[AsyncSeat]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        await play_all(seats)
    assert seats[0].result is not None


async def test_a_stream_goes_where_the_players_meet_and_comes_back_when_that_worker_stops(
    client: AsyncClient, worker: Worker, other: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_stream, "_HINT_SECONDS", PATIENCE_SECONDS)
    send_to(worker, other.own_address, monkeypatch)
    seats = await begun(client)
    assert (worker.counters.streams, other.counters.streams) == (0, 1)
    await other.drain(0.0)
    await played(seats)
    assert other.counters.commits < worker.counters.commits


@pytest.mark.parametrize("there_is_somebody", [False, True])
async def test_a_hint_that_leads_nowhere_is_the_last(
    client: AsyncClient, worker: Worker, other: Worker, nowhere: str, there_is_somebody: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(play_stream, "_HINT_SECONDS", 0.1)
    send_to(worker, nowhere if there_is_somebody else "127.0.0.1:1", monkeypatch)
    await played(await begun(client))
    send_to(worker, other.own_address, monkeypatch)
    client._connections.clear()  # as if they were full, so that a new one is opened
    await played(await begun(client))
    assert other.counters.commits == 0


async def test_a_service_elsewhere_that_speaks_of_this_machine_means_its_own(
    client: AsyncClient, worker: Worker, other: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_to(worker, other.own_address, monkeypatch)
    monkeypatch.setattr(client._cells, "_server", "landsraad.example:7447")
    await played(await begun(client))
    assert other.counters.commits == 0
