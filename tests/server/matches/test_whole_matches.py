"""Whole matches over real gRPC, by the SDK's clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from landsraad import AsyncClient
from landsraad.testing.players import play_all, seated
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING

if TYPE_CHECKING:
    from landsraad_testkit import ServeProcess

pytestmark = pytest.mark.asyncio


async def test_on_one_worker(client: AsyncClient) -> None:
    seats = await seated(client, 3, "teaching")
    assert all(await play_all(seats))
    assert seats[0].result is not None
    assert seats[0].result.kind == "played"
    assert verify(TEACHING, await client.certificate(seats[0].ticket.match)) == []


@pytest.mark.usefixtures("teaching")  # the service has it from its environment, its client here does not
async def test_on_the_whole_service(service: ServeProcess) -> None:
    async with AsyncClient(service.address) as client:
        seats = await seated(client, 3, "teaching")
        assert all(await play_all(seats))
        assert {seat.result for seat in seats} == {(await client.match(seats[0].ticket.match)).result}
        assert verify(TEACHING, await client.certificate(seats[0].ticket.match)) == []
