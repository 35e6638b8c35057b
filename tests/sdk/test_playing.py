"""A client plays whole matches, and knows at each moment what its seat may know."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from landsraad import seat_log
from landsraad.async_client import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.client import Client
from landsraad.errors import BadRequest, Stale, UnknownGame
from landsraad.models import Result, Ticket
from landsraad.testing import LocalService
from landsraad.testing.players import play, play_all, seated
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.setting import Setting, setting_for
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.teaching.words import TeachingSeatView

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(("game", "seats"), [("teaching", 4), ("dune", 2)])
async def test_a_whole_match_and_what_is_kept_of_it(
    client: AsyncClient, service: LocalService, game: str, seats: int
) -> None:
    players = await seated(client, seats, game)
    answers = await play_all(players)
    assert min(answers) > 0
    match = service.matches[players[0].ticket.match].match
    assert match is not None
    for seat in players:
        assert seat.result is not None
        assert (seat.result.ending, seat.result.winners) == match.result
        assert seat.view.table == match.view(seat.number).places
        replay = await client.replay(seat.ticket.match, seat.number)
        assert [told.entry for told in replay.entries] == match.log(seat.number)
        assert replay.view().table == seat.view.table
    certificate = await client.certificate(players[0].ticket.match)
    assert certificate["journal"] == match.certificate()["journal"]
    assert verify(match.game, certificate) == []


async def test_a_match_with_a_content_file_that_is_not_here_takes_no_other_with_it(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def setting(game: Game, options: Mapping[str, Any], *more: Any) -> Setting:
        if options["rounds"] == 2:
            raise BadOption("content", "no content file 'my_box' is offered here")
        return setting_for(game, options, *more)

    monkeypatch.setattr(seat_log, "setting_for", setting)
    seats = await seated(client, 2, "teaching")
    assert await seats[0].next_decision() is not None
    strange = await client.create_match("teaching", 2, {"rounds": 2})
    there = [await client.join(strange.name) for _ in range(2)]
    with pytest.raises(UnknownGame, match="my_box"):
        await there[0].next_decision()
    with pytest.raises(UnknownGame, match="my_box"):
        await anext(client.watch(strange.name))
    await play_all(seats)
    assert seats[0].result is not None


async def test_a_view_is_that_of_the_moment_and_stays_so(client: AsyncClient, service: LocalService) -> None:
    seats = await seated(client, 3, "teaching")
    match = service.matches[seats[0].ticket.match].match
    assert match is not None
    kept = []
    rng = Random(1)
    for _ in range(60):
        if not match.waiting:
            break
        decision = await seats[match.waiting[0]].next_decision()
        assert decision is not None
        assert isinstance(decision.view, TeachingSeatView)
        assert match.g.ask is not None
        assert decision.options.plain() == match.g.ask.options[decision.seat].plain()
        assert decision.number == match.decision(decision.seat)
        assert decision.view.table == match.view(decision.seat).places
        kept.append((decision.view, dict(decision.view.table)))
        await seats[decision.seat].answer(decision.sample(rng))
    assert len(kept) > 20
    assert all(view.table == before for view, before in kept)


async def test_out_of_turn_plays_are_offered_and_made(client: AsyncClient) -> None:
    made = 0
    rng = Random(3)

    async def play_out(seat: AsyncSeat) -> None:
        nonlocal made
        async for decision in seat:
            with suppress(Stale):  # another seat may have played out of turn in between
                if seat.plays.choices:
                    await seat.play(seat.plays.sample(rng))
                    made += 1
                else:
                    await seat.answer(decision.sample(rng), decision)

    for _ in range(20):  # chance may deal nobody anything to play; hardly ever in twenty matches
        await asyncio.gather(*map(play_out, await seated(client, 3, "teaching")))
        if made:
            break
    assert made > 0


async def test_spectators_are_told_everything_public(client: AsyncClient, service: LocalService) -> None:
    seats = await seated(client, 3, "teaching")
    name = seats[0].ticket.match

    async def watch() -> tuple[list[object], object, object]:
        told: list[object] = []
        last = None
        async for update in client.watch(name):
            told += [one.entry for one in update.entries]
            last = update
        assert last is not None
        return told, last.view.table, last.match.result

    watching = asyncio.create_task(watch())
    await play_all(seats)
    told, table, result = await watching
    match = service.matches[name].match
    assert match is not None
    assert told == match.log(None)
    assert table == match.view(None).places
    assert result == seats[0].result


async def test_updates_tell_a_player_everything_up_to_the_end(client: AsyncClient, service: LocalService) -> None:
    seats = await seated(client, 2, "teaching")
    rng = Random(0)
    told = []
    others = asyncio.create_task(play(seats[1]))
    first = None
    async for update in seats[0].updates():
        told += [one.number for one in update.entries]
        first = first if first is not None or not told else told[0]
        if update.decision is not None:
            await seats[0].answer(update.decision.sample(rng), update.decision)
    await others
    assert first is not None
    match = service.matches[seats[0].ticket.match].match
    assert match is not None
    assert told == list(range(first, len(match.log(0)) + 1))
    assert seats[0].result is not None


async def test_a_ticket_is_enough_to_come_back(client: AsyncClient, service: LocalService) -> None:
    seats = await seated(client, 2, "teaching")
    decision = await seats[0].next_decision()
    assert decision is not None
    await seats[0].answer(decision.sample(Random(0)))
    await seats[0].close()
    others = asyncio.create_task(play(seats[1]))
    async with AsyncClient(transport=service.transport()) as another:
        back = another.seat(Ticket(seats[0].ticket.match, 0, seats[0].ticket.credential))
        await play(back)
        assert back.result is not None
    await others


async def test_bots_of_the_house_take_the_seats_that_are_free(client: AsyncClient) -> None:
    match = await client.create_match("teaching", ["open", "house", "open"], title="one of three")
    assert match.title == "one of three"
    assert [seat.fill for seat in match.seats] == ["open", "house_bot", "open"]
    seat = await client.join(match.name, 2, player="me")
    assert (await client.match(match.name)).state == "open"
    assert (await client.start(match.name)).state == "live"
    await play(seat)
    assert seat.result is not None
    over = await client.matches(state="over", game="teaching")
    assert [one.name for one in over] == [match.name]
    assert over[0].seats[2].player == "me"


async def test_the_first_orders_and_later_ones_are_kept(client: AsyncClient, service: LocalService) -> None:
    match = await client.create_match("teaching", 2)
    seat = await client.join(match.name, orders=("snare",))
    other = await client.join(match.name)
    hosted = service.matches[match.name].match
    assert hosted is not None
    assert hosted.g.table["orders/0"] == ("snare",)
    await seat.orders()
    assert "orders/0" not in hosted.g.table
    await seat.orders("auto", "snare")
    assert hosted.g.table["orders/0"] == ("auto", "snare")
    await play_all([seat, other])


async def test_waiting_can_be_bounded(client: AsyncClient) -> None:
    match = await client.create_match("teaching", 2)
    seat = await client.join(match.name)
    with pytest.raises(TimeoutError):
        await seat.next_decision(timeout=0.01)
    other = await client.join(match.name)
    await play_all([seat, other])


async def test_the_catalog_is_read_into_plain_values(client: AsyncClient) -> None:
    assert {game.id for game in await client.games()} == {"arrakis", "dune", "teaching"}
    game = await client.game("dune")
    assert game.rules["DUNE-3.12"].text
    assert game.seats == (2, 3, 4, 5, 6)
    (length,) = [option for option in game.options if option.name == "length"]
    assert (length.default, length.values) == (15, (10, 15))
    assert {"auto", "karama", "ask:ghola"} <= set(game.standing_orders)


async def test_standing_orders_that_mean_nothing_are_refused(client: AsyncClient) -> None:
    match = await client.create_match("teaching", 2)
    with pytest.raises(BadRequest):
        await client.join(match.name, orders=("snares",))
    seats = [await client.join(match.name) for _ in range(2)]
    with pytest.raises(BadRequest):
        await seats[0].orders("snares")
    await seats[0].orders("snare")


async def test_more_seats_than_one_stream_may_play_get_another(service: LocalService) -> None:
    transport = service.transport()
    service.seats_per_stream = 4
    async with AsyncClient(transport=transport) as client:
        matches = [await seated(client, 3, "teaching") for _ in range(2)]
        await asyncio.gather(*map(play_all, matches))
        assert len(transport.streams) == 2


def _play_without_a_loop(service: LocalService) -> tuple[Result | None, dict[str, Any]]:
    rng = Random(5)
    with Client(transport=service.transport()) as client:
        match = client.create_match("teaching", ["open", "house", "house"])
        with client.join(match.name) as seat:
            for decision in seat:
                assert seat.explain(decision.sample(rng)) is None
                seat.answer(decision.sample(rng))
            assert [update.match.state for update in client.watch(match.name)][-1] == "over"
            assert client.replay(match.name, 0).view().table == seat.view.table
            return seat.result, client.certificate(match.name)


async def test_the_same_without_a_loop(service: LocalService) -> None:
    result, certificate = await asyncio.to_thread(_play_without_a_loop, service)
    assert result is not None
    assert verify(TEACHING, certificate) == []
