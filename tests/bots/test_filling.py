"""Bots that fill empty seats: told by lines, clients like any other, and gone when their input ends."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from landsraad import AsyncClient, games
from landsraad.errors import IllegalAct
from landsraad.models import Result
from landsraad.testing import LocalService
from landsraad.testing.listening import listening
from landsraad_bots.house_runner import warmup
from landsraad_bots.house_runner.house_seats import HouseSeats, SeatRequest, bot_for
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Decision, RandomBot
from landsraad_engine.teaching.game import TEACHING

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def server() -> AsyncIterator[str]:
    async with listening(LocalService()) as address:
        yield address


@pytest_asyncio.fixture
async def client(server: str) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(server, retry_timeout=5.0) as made:
        yield made


async def lines_for(client: AsyncClient, seats: int, bot: str = "", game: str = "arrakis") -> list[bytes]:
    """A match all of whose seats are the house's, as the service tells of them."""
    match = await client.create_match(game, seats, {"round_limit": 2})
    tickets = [(await client.join(match.name)).ticket for _ in range(seats)]
    return [
        json.dumps(
            {
                "server": client.server,
                "match": match.name,
                "seat": ticket.seat,
                "credential": ticket.credential,
                "game": game,
                "bot": bot,
            }
        ).encode()
        + b"\n"
        for ticket in tickets
    ]


async def ended(client: AsyncClient, line: bytes) -> Result:
    """Wait for the end of the match."""
    result = None
    async with asyncio.timeout(30):
        async for update in client.watch(json.loads(line)["match"]):
            result = update.match.result
    assert result is not None
    return result


async def test_the_process_plays_whole_matches_and_ends_with_its_input(client: AsyncClient) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "landsraad_bots.house_runner",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": ":".join(map(str, filter(Path.is_dir, map(Path, sys.path))))},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert json.loads(await process.stdout.readline()) == {"ready": {}}
    lines = await lines_for(client, 2)
    process.stdin.writelines(lines)
    assert (await ended(client, lines[0])).kind == "played"
    process.stdin.close()
    async with asyncio.timeout(10):
        assert process.stderr is not None
        assert (await process.stderr.read(), await process.wait()) == (b"", 0)


async def test_a_new_credential_for_a_seat_takes_the_place_of_the_old_one(client: AsyncClient) -> None:
    lines = await lines_for(client, 2, "random")
    seats = HouseSeats()
    wrong = json.loads(lines[0]) | {"credential": "of a process that has died"}
    for line in (json.dumps(wrong).encode(), *lines):
        seats.take(line)
    assert (await ended(client, lines[0])).kind == "played"
    await seats.close()


async def test_a_bot_that_breaks_gives_its_seat_up(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(RandomBot):
        def decide(self, view: object, ask: object) -> IllegalAct:  # type: ignore[override]
            raise RuntimeError("lost its way")

    lines = await lines_for(client, 2, "random")
    monkeypatch.setattr(
        "landsraad_bots.house_runner.house_seats.bot_for", lambda request: [Broken, RandomBot][request.seat](1)
    )
    seats = HouseSeats()
    for line in lines:
        seats.take(line)
    assert (await ended(client, lines[0])).kind == "played"
    assert "its bot has failed" in caplog.text
    assert json.loads(lines[0])["credential"] not in caplog.text
    await seats.close()


async def test_a_seat_that_no_bot_here_can_play_is_given_up(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def found(request: SeatRequest) -> RandomBot:
        if not request.seat:
            raise LookupError("nobody plays that")
        return RandomBot(1)

    lines = await lines_for(client, 2, "random")
    monkeypatch.setattr("landsraad_bots.house_runner.house_seats.bot_for", found)
    seats = HouseSeats()
    for line in lines:
        seats.take(line)
    assert (await ended(client, lines[0])).kind == "played"
    assert "cannot be played: nobody plays that" in caplog.text
    await seats.close()


@pytest.mark.parametrize(
    ("game", "asked_for", "plays"),
    [("dune", "random", "RandomBot"), ("dune", "", "GreedyDune"), ("dune", "nobody knows", "GreedyDune")],
)
async def test_the_match_names_the_bot(game: str, asked_for: str, plays: str) -> None:
    request = SeatRequest("localhost:1", "matches/0", 3, "secret", game, asked_for)
    assert type(bot_for(request)).__name__ == plays
    assert bot_for(request).rng.random() == bot_for(request).rng.random()
    known = msgspec.structs.replace(request, credential="another")
    assert bot_for(request).rng.random() != bot_for(known).rng.random(), "what is public tells nothing of its chance"


async def test_what_is_slow_the_first_time_is_done_before_there_is_a_match(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Else the clocks of the first match run meanwhile; and one game that is broken keeps no other waiting."""
    decided: list[int] = []
    decide = RandomBot.decide

    def noted(self: RandomBot, view: Any, ask: Decision) -> Act:
        decided.append(ask.seat)
        return decide(self, view, ask)

    monkeypatch.setattr(RandomBot, "decide", noted)
    own = {"broken": "landsraad_engine.nothing:NOTHING", "teaching": "landsraad_engine.teaching.game:TEACHING"}
    monkeypatch.setattr(games.REGISTRY, "own", own)
    games.load.cache_clear()
    warmup.warm_up()
    games.load.cache_clear()
    assert set(decided) == set(range(max(TEACHING.seats)))
    assert [record.getMessage() for record in caplog.records] == ["broken cannot be played"]
