"""A run that cannot begin says what is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from landsraad_bench import match_table as tables
from landsraad_bench.match_table import MatchTable
from landsraad_bench.players import BenchSeat

pytestmark = pytest.mark.asyncio


class Silent:
    """Carries nothing."""

    def __init__(self, address: str) -> None: ...

    def send(self, message: bytes) -> None: ...

    async def run(self, on_message: Callable[[bytes], None]) -> None:
        await asyncio.get_running_loop().create_future()


class Ended(Silent):
    """Ends at once."""

    async def run(self, on_message: Callable[[bytes], None]) -> None: ...


@pytest.mark.parametrize(
    ("carrier", "said"), [(Silent, "5 seats on 2 of 2 streams were not told"), (Ended, "has ended a stream")]
)
async def test_streams_that_do_not_begin_end_the_run(
    carrier: type[Silent], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_BEGIN_SECONDS", 0.05)
    monkeypatch.setattr(tables, "CARRIERS", {"none": carrier})
    table = MatchTable("127.0.0.1:1", "dune", 5, "none")
    table.places = [[BenchSeat("matches/m", seat, "", "") for seat in range(5)]]
    async with asyncio.timeout(10):
        with pytest.raises(RuntimeError, match=said):
            await table.play(2)
        await table.close()


async def test_what_is_done_beside_the_players_ends_the_run_if_it_fails() -> None:
    async def fails() -> None:
        raise ZeroDivisionError

    table = MatchTable("127.0.0.1:1", "dune", 5, "thin")
    table.keep(fails())
    async with asyncio.timeout(10):
        with pytest.raises(ZeroDivisionError):
            await table.unless_trouble(asyncio.get_running_loop().create_future())
        await table.close()
