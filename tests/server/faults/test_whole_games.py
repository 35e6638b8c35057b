"""Whole matches of both games, whose seats alternate between two workers."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

import pytest

from landsraad import AsyncClient, games
from landsraad.transport import GrpcTransport
from landsraad.v1 import log_pb2, play_service_pb2
from landsraad.wire.entries import read_observation
from landsraad_engine.play.match import verify
from landsraad_testkit import RawSeat, RawStream

if TYPE_CHECKING:
    from tests.server.conftest import Seated, StartWorker

    from landsraad_server.process.worker import Worker

pytestmark = pytest.mark.asyncio

GAMES = [("dune", 3), ("arrakis", 2), pytest.param("dune", 6, marks=pytest.mark.long)]


async def wander(seat: RawSeat, workers: list[Worker]) -> None:
    """Play a seat, alternating between the workers."""
    rng = Random(seat.ticket.seat)
    while not seat.over:
        async with RawStream(rng.choice(workers).address) as stream:
            await seat.begin(stream)
            await seat.play(stream, rng.randint(5, 40))


async def sees_what_it_was_told(seat: RawSeat, worker: Worker) -> None:
    transport = GrpcTransport(worker.address)
    request = play_service_pb2.GetObservationRequest(match=seat.ticket.match, seat=seat.ticket.seat)
    seen = await transport.call(
        "Play/GetObservation", request, log_pb2.Observation, token=seat.ticket.credential, deadline=10.0
    )
    await transport.close()
    assert seat.log.number == seen.number
    assert seat.log.view == read_observation(seen)


@pytest.mark.parametrize(("game", "seats"), GAMES)
async def test_played_through_on_two_workers(
    seated: Seated, worker: Worker, start_worker: StartWorker, client: AsyncClient, game: str, seats: int
) -> None:
    workers = [worker, await start_worker()]
    playing = [RawSeat(ticket, seats, game=game, seed=7) for ticket in await seated(seats, game)]
    async with asyncio.timeout(240):
        await asyncio.gather(*(wander(seat, workers) for seat in playing))
    for seat in playing:
        for one in workers:
            await sees_what_it_was_told(seat, one)
    assert verify(games.load(game), await client.certificate(playing[0].ticket.match)) == []
    counters = [one.counters for one in workers]
    assert all(one.actions > 100 for one in counters)
    assert [one.faults for one in counters] == [0, 0]
    print(f"{game}: {sum(one.actions for one in counters)} acts, {sum(one.conflicts for one in counters)} conflicts")
