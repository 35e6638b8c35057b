"""Streams break, answers get lost, the service is away: nothing is lost and nothing is done twice."""

import asyncio
from random import Random

import pytest

from landsraad.async_client import AsyncClient
from landsraad.errors import ConnectionLost, LandsraadError, MatchOver, SeatLost
from landsraad.testing import Faults, LocalService
from landsraad.testing.players import play, play_all, seated
from landsraad_engine.play.match import Match

pytestmark = pytest.mark.asyncio


def hosted(service: LocalService, name: str) -> Match:
    match = service.matches[name].match
    assert match is not None
    return match


async def play_through(client: AsyncClient, service: LocalService) -> None:
    """A whole match in which every answer counts once."""
    seats = await seated(client, 3, "teaching")
    answers = await play_all(seats)
    match = hosted(service, seats[0].ticket.match)
    accepted = [entry.seat for entry in match.journal if entry.kind == "answer"]
    assert [accepted.count(seat) for seat in range(3)] == answers
    assert [seat.view.table for seat in seats] == [match.view(seat).places for seat in range(3)]


@pytest.mark.parametrize("seed", range(5))
async def test_streams_that_break_are_resumed_without_a_gap(
    client: AsyncClient, service: LocalService, faults: Faults, seed: int
) -> None:
    rng = Random(seed)
    faults.cut_after = iter([rng.randint(0, 12) for _ in range(20)])
    await play_through(client, service)
    assert next(faults.cut_after, None) is None


async def test_an_answer_that_got_lost_counts_once(client: AsyncClient, service: LocalService, faults: Faults) -> None:
    faults.lost_answers = 10
    await play_through(client, service)
    assert faults.lost_answers == 0


async def test_the_answer_that_ends_the_match_counts_though_the_stream_has_nothing_more_to_say(
    client: AsyncClient, service: LocalService, faults: Faults
) -> None:
    seats = await seated(client, 2, "teaching")
    rng = Random(0)
    match = hosted(service, seats[0].ticket.match)
    acts = 0
    while match.waiting:
        decision = await seats[match.waiting[0]].next_decision()
        assert decision is not None
        faults.lost_answers = 1
        await seats[decision.seat].answer(decision.sample(rng), decision)
        acts += 1
    assert acts == sum(entry.kind == "answer" for entry in match.journal)
    assert [await seat.next_decision() for seat in seats] == [None, None]
    with pytest.raises(MatchOver):
        await seats[0].orders("auto")


async def test_an_input_waits_until_the_store_is_back(
    client: AsyncClient, service: LocalService, faults: Faults
) -> None:
    faults.store_lost = 4
    await play_through(client, service)
    assert faults.store_lost == 0


async def test_a_service_that_is_away_for_a_while_is_waited_for(
    client: AsyncClient, service: LocalService, faults: Faults
) -> None:
    faults.unreachable = 2
    seats = await seated(client, 3, "teaching")
    faults.unreachable = 3
    await play_all(seats)
    assert faults.unreachable == 0


async def test_patience_ends(service: LocalService, faults: Faults) -> None:
    transport = service.transport()
    async with AsyncClient(transport=transport, retry_timeout=0.2) as client:
        seats = await seated(client, 3, "teaching")
        assert await seats[0].next_decision() is not None
        faults.unreachable = 1000
        transport.streams[-1].cancel()
        with pytest.raises(ConnectionLost, match=r"0\.2 s"):
            await seats[1].next_decision()
        with pytest.raises(ConnectionLost):
            await client.games()


async def test_a_silent_stream_is_given_up(service: LocalService, faults: Faults) -> None:
    transport = service.transport()
    async with AsyncClient(transport=transport, ping_interval=0.02) as client:
        seats = await seated(client, 3, "teaching")
        assert await seats[0].next_decision() is not None
        faults.silent = True
        first = transport.streams[0]
        async with asyncio.timeout(5):
            await first.ended.wait()
        faults.silent = False
        await play_all(seats)


async def test_a_second_stream_takes_the_seat(client: AsyncClient, service: LocalService) -> None:
    seats = await seated(client, 2, "teaching")
    assert await seats[0].next_decision() is not None
    async with AsyncClient(transport=service.transport()) as another:
        taken = another.seat(seats[0].ticket)
        assert await taken.next_decision() is not None
        with pytest.raises(SeatLost):
            await play(seats[0])
        await asyncio.gather(play(taken), play(seats[1]))


async def test_what_cannot_be_read_is_said_and_not_waited_for(
    client: AsyncClient, service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = await seated(client, 3, "teaching")

    def broken(*_: object) -> None:
        raise ValueError("a strange entry")

    monkeypatch.setattr("landsraad.seat_log.SeatLog._apply_snapshot", broken)
    with pytest.raises(LandsraadError, match="a strange entry"):
        await seats[0].next_decision()
