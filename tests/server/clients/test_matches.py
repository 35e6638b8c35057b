"""SDK against a real service: whole matches of both games, lost streams, refusals."""

import asyncio
from random import Random
from typing import Any

import pytest

from landsraad import AsyncClient, errors, games, play_seat
from landsraad.async_seat import AsyncSeat
from landsraad.bots import make_bot
from landsraad_engine.play.bot import RandomBot
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.acts import NameOmen
from landsraad_testkit import ServeProcess

pytestmark = pytest.mark.asyncio

SECONDS = 60


async def played(seats: list[AsyncSeat], bot: str, game: str) -> None:
    async with asyncio.timeout(SECONDS):
        await asyncio.gather(*(play_seat(seat, make_bot(bot, game, seat.number)) for seat in seats))


@pytest.mark.parametrize(
    ("game", "seats", "bot", "options"),
    [
        ("dune", 2, "random", {"length": 10}),
        ("arrakis", 2, "greedy", {"round_limit": 1}),
        pytest.param("dune", 6, "random", {}, marks=pytest.mark.long),
        pytest.param("dune", 6, "greedy", {}, marks=pytest.mark.long),
        pytest.param("arrakis", 2, "random", {}, marks=pytest.mark.long),
        pytest.param("arrakis", 2, "greedy", {}, marks=pytest.mark.long),
    ],
)
async def test_a_whole_match_over_one_stream(
    service: ServeProcess, game: str, seats: int, bot: str, options: dict[str, object]
) -> None:
    async with AsyncClient(service.address) as client:
        match = await client.create_match(game, seats, options)
        sitting = [await client.join(match.name, number, player=bot) for number in range(seats)]
        await played(sitting, bot, game)
        results = {seat.result for seat in sitting}
        assert len(results) == 1
        (result,) = results
        assert result is not None
        assert result.kind == "played"
        assert result.ending in games.load(game).results
        assert verify(games.load(game), await client.certificate(match.name)) == []
        for seat in sitting:
            assert (await client.replay(match.name, seat.number)).view().table == seat.view.table
        watched = [told async for update in client.watch(match.name) for told in update.entries]
        assert watched == list((await client.replay(match.name)).entries)


async def test_a_bot_is_told_the_whole_log_of_its_seat(service: ServeProcess) -> None:
    class Listening(RandomBot):
        entries: list[Any]

        def told(self, view: Any, events: Any) -> None:
            self.entries = [*getattr(self, "entries", ()), *events]

    async with AsyncClient(service.address) as client:
        match = await client.create_match("arrakis", 2, {"round_limit": 1})
        sitting = [await client.join(match.name, number) for number in range(2)]
        bots = [Listening(1), Listening(2)]
        async with asyncio.timeout(SECONDS):
            await asyncio.gather(*(play_seat(seat, bot) for seat, bot in zip(sitting, bots, strict=True)))
        for number, bot in enumerate(bots):
            replay = await client.replay(match.name, number)
            assert bot.entries == [told.entry for told in replay.entries]


async def test_a_seat_is_kept_for_whom_its_maker_invites(service: ServeProcess) -> None:
    async with AsyncClient(service.address) as host, AsyncClient(service.address) as guest:
        await guest.create_match("dune", 2)  # creates the guest account
        match = await host.create_match("dune", ["open", guest.account])
        with pytest.raises(errors.NotAllowed):
            await host.join(match.name, 1)
        assert (await guest.join(match.name, 1)).number == 1


async def test_a_stream_for_each_seat(service: ServeProcess) -> None:
    clients = [AsyncClient(service.address) for _ in range(2)]
    match = await clients[0].create_match("arrakis", 2, {"round_limit": 2})
    seats = [await client.join(match.name) for client in clients]
    await played(seats, "random", "arrakis")
    assert seats[0].result == seats[1].result is not None
    for client in clients:
        await client.close()


async def test_streams_that_are_lost_again_and_again_lose_nothing(client: AsyncClient) -> None:
    match = await client.create_match("teaching", 3)
    seats = [await client.join(match.name) for _ in range(3)]
    answers = [0, 0, 0]

    async def play(seat: AsyncSeat) -> None:
        rng = Random(seat.number)
        async for decision in seat:
            if answers[seat.number] % 3 == seat.number:
                await client.reconnect()
            await seat.answer(decision.sample(rng), decision)
            answers[seat.number] += 1

    async with asyncio.timeout(SECONDS):
        await asyncio.gather(*map(play, seats))
    certificate = await client.certificate(match.name)
    accepted = [seat for seat, kind, _ in certificate["journal"] if kind == "answer"]
    assert [accepted.count(seat) for seat in range(3)] == answers
    for seat in seats:
        assert (await client.replay(match.name, seat.number)).view().table == seat.view.table


async def test_refusals_say_rule_fields_and_what_would_be_legal(client: AsyncClient) -> None:
    match = await client.create_match("teaching", 3)
    seats = [await client.join(match.name) for _ in range(3)]
    decision = await seats[0].next_decision()
    assert decision is not None
    with pytest.raises(errors.IllegalAct) as caught:
        await seats[0].answer(NameOmen("nobody"))
    refused = caught.value
    assert (refused.reason, refused.rule, refused.field) == ("against_rules", "TEACH-1.5", "band")
    assert refused.nearest
    assert all(decision.options.contains(act) for act in refused.nearest)
    said = await seats[0].explain(NameOmen("nobody"))
    assert str(said) == str(refused)
    await seats[0].answer(refused.nearest[0], decision)
    with pytest.raises(errors.Stale):
        await seats[0].answer(refused.nearest[0], decision)
    with pytest.raises(errors.WrongState):
        await client.join(match.name, 0)
    with pytest.raises(errors.NotFound):
        await client.match("matches/0000000000000000")


async def test_out_of_turn_plays_are_offered_over_the_wire(client: AsyncClient) -> None:
    rng = Random(3)
    made = 0

    async def play(seat: AsyncSeat) -> None:
        nonlocal made
        async for decision in seat:
            try:
                if seat.plays.choices:
                    await seat.play(seat.plays.sample(rng))
                    made += 1
                else:
                    await seat.answer(decision.sample(rng), decision)
            except (errors.Stale, errors.MatchOver):
                """Another seat was faster."""

    async with asyncio.timeout(SECONDS):
        while not made:  # retry: some matches end before any seat has a play
            match = await client.create_match("teaching", 3)
            await asyncio.gather(*[play(await client.join(match.name)) for _ in range(3)])
