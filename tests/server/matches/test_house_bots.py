"""House bots: their seats are handed over to them in spite of failures at that moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from landsraad.models import ClockRules, Ticket
from landsraad_server.config import Config
from landsraad_server.matches import match_changes
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_clocks import BOTS_MS
from landsraad_server.matches.records import Fill, Presence, SeatPlan
from landsraad_server.matches.requests import CommitTick, MatchCall
from landsraad_server.process import house_bots as houses
from landsraad_server.process.house_bots import HouseBots
from landsraad_server.process.supervisor import Supervisor
from landsraad_server.process.worker import Worker
from landsraad_server.store import IndexState, Listing
from landsraad_server.store.errors import NotExecuted
from landsraad_testkit import HandClock, RawStream, pass_time
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio


class Told(HouseBots):
    """House bots that record what they would tell their process."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(worker.hosts, "here", [])
        self.lines: list[dict[str, Any]] = []
        self.child.send = lambda **line: self.lines.append(line)  # type: ignore[method-assign]


async def begun(worker: Worker, client: Any, **terms: Any) -> str:
    """Start a match whose second seat belongs to the house."""
    match = str((await client.create_match("teaching", 2, **terms)).name.removeprefix("matches/"))

    def begin(hosted: HostedMatch, now: int) -> None:
        hosted.assign_seat(0, SeatPlan(Fill.OPEN, "", "somebody"))
        hosted.assign_seat(1, SeatPlan(Fill.HOUSE, "greedy", "", match_changes.HOUSE))
        match_changes.begin(hosted, now)

    await worker.hosts.change(match, begin)
    return match


async def test_the_bot_process_is_told_its_cpu_budget() -> None:
    command = houses.runner(0.25)
    assert command is not None
    assert command[-2:] == ["--cores", "0.25"]


async def test_a_store_that_is_lost_for_a_moment_costs_a_moment(
    worker: Worker, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, house = await begun(worker, client), Told(worker)
    monkeypatch.setattr(houses, "_RETRY_SECONDS", 0.0)
    read, attempts = worker.hosts.read, [NotExecuted("away"), NotExecuted("still away")]

    async def now_and_then(*given: Any) -> Any:
        if attempts:
            raise attempts.pop()
        return await read(*given)

    monkeypatch.setattr(worker.hosts, "read", now_and_then)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await house.seats_of(match)
    (line,) = house.lines
    assert (line["match"], line["seat"], line["bot"]) == (f"matches/{match}", 1, "greedy")
    assert line["hint"] == worker.own_address


async def test_a_match_that_cannot_be_read_does_not_end_the_service(
    worker: Worker, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, house = await begun(worker, client), Told(worker)
    second = await begun(worker, client)
    read = worker.hosts.read

    async def all_but_one(match: str, *given: Any) -> Any:
        if match == first:
            raise ZeroDivisionError
        return await read(match, *given)

    monkeypatch.setattr(worker.hosts, "read", all_but_one)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await worker.hosts.store.index.count(IndexState.LIVE) < 2:
            """It is told of a commit after it."""
        await house.all_seats()
    assert [line["match"] for line in house.lines] == [f"matches/{second}"]


async def test_nor_does_one_whose_line_in_the_index_cannot_be_read(worker: Worker, client: Any) -> None:
    first, second, house = await begun(worker, client), await begun(worker, client), Told(worker)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await worker.hosts.store.index.count(IndexState.LIVE) < 2:
            """It is told of a commit after it."""
    head = await worker.hosts.store.log.head(first)
    garbled = Listing(0, IndexState.LIVE, b"of another build's")
    await worker.hosts.store.index.put(first, garbled.encode(head._replace(version=head.version + 1)))
    await house.all_seats()
    assert [line["match"] for line in house.lines] == [f"matches/{second}"]


def becomes(presence: Presence, hosted: HostedMatch, now: int) -> None:
    hosted.changes.seat(1).presence, hosted.changes.seat(1).away_at = presence, now


async def test_a_seat_that_stays_empty_is_told_again_and_again(
    worker: Worker, client: Any, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any worker repeats the request: those that knew of the seat may all have been killed."""
    match = await begun(worker, client)
    told: list[str] = []
    monkeypatch.setattr(worker.hosts, "_on_bots_needed", told.append)

    await pass_time(worker, clock, BOTS_MS - 1)
    assert told == []
    for times in (1, 2):
        await pass_time(worker, clock, BOTS_MS)
        assert told == [match] * times
    await worker.hosts.change(match, partial(becomes, Presence.HERE))
    await pass_time(worker, clock, 3 * BOTS_MS)
    assert told == [match] * 2
    await worker.hosts.change(match, partial(becomes, Presence.AWAY))
    await pass_time(worker, clock, BOTS_MS)
    assert told == [match] * 3
    await worker.hosts.change(match, partial(becomes, Presence.RESIGNED))
    await pass_time(worker, clock, 3 * BOTS_MS)
    assert told == [match] * 3


async def test_the_clocks_of_others_do_not_wait_for_its_bots(worker: Worker, client: Any, clock: HandClock) -> None:
    match = await begun(worker, client, clock=ClockRules(decision=5))
    before = (await worker.hosts.read(match, lambda hosted: hosted.log_counters.counts))[0]
    await pass_time(worker, clock, 5000)
    assert (await worker.hosts.read(match, lambda hosted: hosted.log_counters.counts))[0] > before


async def test_the_clock_of_a_seat_waits_for_its_bot(worker: Worker, client: Any, clock: HandClock) -> None:
    """A bot may need longer to connect than the clock allows; the wait is limited, since it may never connect."""
    match = await begun(worker, client, clock=ClockRules(bank=0.4))

    async def seat() -> tuple[int, int]:
        return await worker.hosts.read(match, lambda hosted: (hosted.decision(1), hosted.seats[1].bank_ms))

    question, bank = await seat()
    await pass_time(worker, clock, BOTS_MS)
    assert await seat() == (question, bank) == (question, 400)
    await pass_time(worker, clock, 399)
    assert (await seat())[0] == question
    await pass_time(worker, clock, 1)
    assert (await seat())[0] != question


async def test_a_bot_that_comes_has_all_its_time(
    worker: Worker, client: Any, clock: HandClock, open_stream: Callable[[], RawStream]
) -> None:
    match, house = await begun(worker, client, clock=ClockRules(decision=0.4)), Told(worker)
    for _ in range(2):  # the second time it has gone, and comes back
        await pass_time(worker, clock, BOTS_MS - 1)
        await house.seats_of(match)
        bot = open_stream()
        await bot.subscribe(Ticket(f"matches/{match}", 1, house.lines[-1]["credential"]))
        assert (await bot.next("clock")).decision_ms == 400
        await worker.hosts.change(match, leave)


def leave(hosted: HostedMatch, now: int) -> None:
    match_changes.replace_credential(hosted, now, 1)


async def test_a_seat_that_was_given_up_is_not_handed_over(worker: Worker, client: Any) -> None:
    match, house = await begun(worker, client), Told(worker)
    await worker.hosts.change(match, partial(becomes, Presence.RESIGNED))
    await house.seats_of(match)
    assert house.lines == []


async def test_a_seat_that_somebody_is_about_to_take_is_handed_over_if_that_does_not_come_to_stand(
    worker: Worker, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seat is taken in the cached match when the house reads it, but the store rejects the commit."""
    match, house = await begun(worker, client), Told(worker)
    host, read, held = worker.hosts.host(match), worker.hosts.read, asyncio.Queue[Any]()
    taking = MatchCall(partial(becomes, Presence.HERE))

    class NextTurn(CommitTick):
        def settle(self, hosted: HostedMatch | None, outcome: Any) -> None:
            host.put(taking)

    async def read_and_go_on(*given: Any) -> Any:
        host.put(NextTurn())
        return await read(*given)

    async with asyncio.timeout(PATIENCE_SECONDS):
        with monkeypatch.context() as patch:
            patch.setattr(worker.hosts.store, "commit", lambda *given: held.put_nowait(given))
            patch.setattr(worker.hosts, "read", read_and_go_on)
            handing = asyncio.create_task(house.seats_of(match))
            _, done = await held.get()
        done(NotExecuted("no room"))
        with pytest.raises(NotExecuted):
            await taking.future
        await handing
    assert [line["seat"] for line in house.lines] == [1]


async def test_seats_of_another_builds_match_are_left_to_the_house_of_that_build(worker: Worker, client: Any) -> None:
    """Else its bots would lose their credentials to bots of this build, which cannot play there."""
    match, house = await begun(worker, client), Told(worker)
    await worker.hosts.read(match, lambda hosted: setattr(hosted, "ours", False))
    await house.all_seats()
    assert house.lines == []


async def test_a_new_worker_is_a_reason_to_look_at_all_matches(
    worker: Worker, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker before it may have been killed before it could report the matches that it started."""
    looked = asyncio.Event()

    async def look() -> None:
        looked.set()

    supervisor, house = Supervisor(Config()), Told(worker)
    monkeypatch.setattr(house, "all_seats", look)
    supervisor._house_bots = house
    supervisor._on_line({"ready": {}})
    async with asyncio.timeout(PATIENCE_SECONDS):
        await looked.wait()
