"""`landsraad serve` with cells: processes of their own, one of which is killed."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.ports import free_ports

from landsraad import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.wire.match_names import cell_of
from landsraad_testkit import ServeProcess, serving

if TYPE_CHECKING:
    from tests.server.cells.conftest import Service

pytestmark = pytest.mark.asyncio


async def play(seat: AsyncSeat, seed: int) -> None:
    rng = Random(seed)
    async for decision in seat:
        await seat.answer(decision.sample(rng), decision)
    assert seat.result is not None


async def test_a_killed_service_leaves_the_other_cell_alone(
    service_of_cells: Service, plugged: dict[str, str], teaching: None, tmp_path: Path
) -> None:
    first = free_ports(2)
    ports = {"c1": first, "c2": first + 1}
    cells = tmp_path / "cells.toml"
    cells.write_text("".join(f'[{name}]\naddress = "127.0.0.1:{port}"\n' for name, port in ports.items()))
    running: dict[str, ServeProcess] = {}
    with ExitStack() as stack:
        for name, port in ports.items():
            told = ("--port", str(port), "--cell", name, "--cells", str(cells), "--accounts", service_of_cells.accounts)
            running[name] = stack.enter_context(serving(tmp_path / name, *told, environment=plugged, workers=1))
        async with (
            AsyncClient(running["c1"].address, retry_timeout=20.0) as client,
            AsyncClient(running["c2"].address, token="landsraad_guest_" + "b" * 40) as other,
        ):
            ours = await client.create_match("teaching", 2, {"rounds": 2})
            theirs = await other.create_match("teaching", 2, {"rounds": 2})
            assert (cell_of(ours.name), cell_of(theirs.name)) == ("c1", "c2")
            seats = [await client.join(name, number) for name in (ours.name, theirs.name) for number in range(2)]
            for seat in seats[::2]:
                assert await seat.next_decision(20) is not None
            running["c2"].process.kill()
            running["c2"].process.wait()
            async with asyncio.timeout(60):
                await asyncio.gather(*(play(seat, number) for number, seat in enumerate(seats[:2])))
            found = await client.matches()
            assert found.missing_cells == ("c2",)
            assert [service.ready["cell"] for service in running.values()] == ["c1", "c2"]
            assert theirs.name not in [match.name for match in found]
