"""A run that cannot begin reports what is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from landsraad_bench import match_table as tables
from landsraad_bench.match_table import MatchTable
from landsraad_bench.players import BenchSeat

pytestmark = pytest.mark.asyncio


class Silent:
    """A transport that delivers nothing."""

    def __init__(self, address: str) -> None: ...

    def send(self, message: bytes) -> None: ...

    async def run(self, on_message: Callable[[bytes], None]) -> None:
        await asyncio.get_running_loop().create_future()


class Ended(Silent):
    """A transport that ends at once."""

    async def run(self, on_message: Callable[[bytes], None]) -> None: ...


@pytest.mark.parametrize(
    ("carrier", "said"), [(Silent, "5 seats on 2 of 2 streams got no snapshot"), (Ended, "has ended a stream")]
)
async def test_streams_that_do_not_begin_end_the_run(
    carrier: type[Silent], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_BEGIN_SECONDS", 0.05)
    monkeypatch.setattr(tables, "CARRIERS", {"none": carrier})
    table = MatchTable("127.0.0.1:1", "dune", 5, "none")
    table.matches = [[BenchSeat("matches/m", seat, "", "") for seat in range(5)]]
    async with asyncio.timeout(10):
        with pytest.raises(RuntimeError, match=said):
            await table.play(2)
        await table.close()


async def test_what_is_done_beside_the_players_ends_the_run_if_it_fails() -> None:
    async def fails() -> None:
        raise ZeroDivisionError

    table = MatchTable("127.0.0.1:1", "dune", 5, "thin")
    table.spawn(fails())
    async with asyncio.timeout(10):
        with pytest.raises(ZeroDivisionError):
            await table.wait_or_fail(asyncio.get_running_loop().create_future())
        await table.close()
