"""Clocks over real gRPC: what starts and stops them, what counts, what a timeout does. The test owns the time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from landsraad import AsyncClient
from landsraad.models import ClockRules, Ticket
from landsraad.v1 import common_pb2, matches_pb2, play_pb2
from landsraad_engine.errors import LawBroken
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.requests import CommitTick, MatchCall
from landsraad_server.matches.running_match import RunningMatch
from landsraad_server.matches.timeouts import process_timeouts
from landsraad_server.process.worker import Worker
from landsraad_server.streams.network_delay import NetworkDelay
from landsraad_testkit import DrivenMatch, HandClock, RawStream, pass_time

pytestmark = pytest.mark.asyncio

Seat = Callable[..., Awaitable[DrivenMatch]]
Seated = Callable[..., Awaitable[list[Ticket]]]
StartWorker = Callable[..., Awaitable[Worker]]


RULES = ClockRules(decision=10, bank=20, increment=2)


async def test_a_prompt_states_the_clock_and_what_a_timeout_does(table: Seat) -> None:
    played = await table(2, clock=RULES)
    assert set(played.clocks) == {0, 1}
    for said in played.clocks.values():
        assert (said.decision_ms, said.bank_ms, said.increment_ms) == (10_000, 20_000, 2_000)
        assert said.limited
        assert said.outcome == common_pb2.TIMEOUT_OUTCOME_DEFAULT_ACT
        assert said.default.WhichOneof("game") == "generic"


async def test_free_time_first_then_the_bank_and_an_increment_after_the_answer(table: Seat, clock: HandClock) -> None:
    played = await table(2, clock=RULES)
    clock.advance(4_000)
    await played.answer(0)
    assert (played.clocks[0].bank_ms, played.clocks[0].thinking_ms) == (22_000, 4_000)
    clock.advance(11_000)
    await played.answer(1)
    assert (played.clocks[1].bank_ms, played.clocks[1].thinking_ms) == (20_000 - 5_000 + 2_000, 15_000)


async def test_who_comes_back_is_told_what_is_left(
    table: Seat, clock: HandClock, client: AsyncClient, open_stream: Callable[[], RawStream]
) -> None:
    played = await table(2, clock=RULES)
    clock.advance(13_000)
    again = open_stream()
    await again.subscribe(played.tickets[1])
    said = await again.next("clock")
    assert (said.decision_ms, said.bank_ms) == (0, 17_000)


async def test_a_timeout_takes_the_default(table: Seat, clock: HandClock, worker: Worker) -> None:
    played = await table(2, clock=RULES)
    await played.answer(0)
    await pass_time(worker, clock, 29_999)
    await played.sync()
    assert played.asked() == [1]
    question = played.clocks[1].decision_id
    await pass_time(worker, clock, 1)
    await played.sync()
    assert played.clocks[1].decision_id != question
    assert [entry.WhichOneof("body") for entry in played.logs[1]].count("answer") == 1
    assert played.clocks[1].bank_ms == 2_000


async def test_who_has_given_up_by_time_loses_to_the_last_one(table: Seat, clock: HandClock, worker: Worker) -> None:
    played = await table(3, clock=ClockRules(decision=10, outcome="resign"))
    await played.answer(0)
    await pass_time(worker, clock, 10_000)
    await played.stream.next("closed")
    await played.sync()
    assert played.match.result.kind == common_pb2.RESULT_KIND_TIMEOUT
    assert list(played.match.result.winners) == [0]
    assert played.match.result.cause_seat == 2
    assert [seat.presence for seat in played.match.seats] == [1, 3, 3]


async def test_a_bot_of_the_house_takes_over(
    table: Seat, clock: HandClock, worker: Worker, client: AsyncClient
) -> None:
    played = await table(2, clock=ClockRules(decision=10, outcome="house_bot"))
    await played.answer(0)
    await pass_time(worker, clock, 10_000)
    closed = await played.stream.next("closed")
    assert closed.reason == play_pb2.CLOSED_REASON_REVOKED
    match = await client.match(played.tickets[0].match)
    assert [seat.fill for seat in match.seats] == ["open", "house_bot"]
    assert match.state == "live"


async def test_who_is_away_has_less_time(table: Seat, clock: HandClock, worker: Worker) -> None:
    played = await table(2, clock=ClockRules(decision=600, disconnect=5))
    await played.stream.send(play_pb2.ClientItem(subscription=2, unsubscribe=play_pb2.Unsubscribe()))
    away = play_pb2.PresenceItem(seat=1, presence=matches_pb2.PRESENCE_AWAY)
    await played.stream.find(lambda item: item.presence == away)
    await played.answer(0)
    await pass_time(worker, clock, 4_999)
    await played.sync()
    told = len(played.logs[0])
    await pass_time(worker, clock, 1)
    await played.sync()
    assert len(played.logs[0]) > told


async def test_nobody_is_late_without_limits(table: Seat, clock: HandClock, worker: Worker) -> None:
    played = await table(2, clock=ClockRules())
    await pass_time(worker, clock, 30 * 86_400_000)
    await played.sync()
    assert len(played.asked()) == 2
    assert not played.clocks[0].limited


async def test_the_clocks_of_a_killed_worker_are_leased_by_another(
    table: Seat, clock: HandClock, worker: Worker, start_worker: StartWorker, client: AsyncClient
) -> None:
    """The first worker leases the clock and dies before it has processed the timeout."""
    played = await table(2, clock=ClockRules(decision=10, outcome="resign"))
    store = worker.hosts.store
    store.clocks.flush()
    clock.advance(10_000)
    assert [lease.match for lease in await store.clocks.lease(clock())] == [played.tickets[0].match.split("/")[1]]
    other = await start_worker()
    await pass_time(other, clock, 9_999)
    assert (await client.match(played.tickets[0].match)).state == "live"
    await pass_time(other, clock, 2)
    assert (await client.match(played.tickets[0].match)).result is not None


async def test_a_firing_is_only_a_hint(table: Seat, clock: HandClock, worker: Worker) -> None:
    played = await table(2, clock=RULES)
    match = played.tickets[0].match.split("/")[1]
    clocks = worker.hosts.store.clocks
    clocks.arm(match, clock() + 1)
    await pass_time(worker, clock, 10)
    await played.sync()
    assert len(played.asked()) == 2
    assert await clocks.armed(match) == clock() - 10 + 30_000


async def test_a_clock_is_set_by_what_the_log_says_and_not_by_what_is_about_to_be_written(
    table: Seat, clock: HandClock, worker: Worker, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next batch has given all seats more time, but another worker commits first, and gives them less."""
    other = await start_worker()
    played = await table(2, clock=RULES)
    match = played.tickets[0].match.split("/")[1]
    host, store = worker.hosts.by_match[match], worker.hosts.store
    commit, read, held = store.commit, worker.hosts.read, asyncio.Queue[Any]()

    def more_time(hosted: HostedMatch, _now: int, ms: int) -> None:
        for number in range(2):
            hosted.changes.seat(number).asked_at += ms

    class NextTurn(CommitTick):
        def settle(self, hosted: HostedMatch | None, outcome: Any) -> None:
            host.put(MatchCall(partial(more_time, ms=60_000)))

    async def read_and_go_on(match: str, what: Callable[[HostedMatch], Any]) -> Any:
        host.put(NextTurn())
        return await read(match, what)

    store.clocks.flush()
    clock.advance(30_000)
    [lease] = await store.clocks.lease(clock())
    await other.hosts.change(match, partial(more_time, ms=10_000))
    await read(match, lambda _: None)  # else it may find a timeout, and hold back its commit
    with monkeypatch.context() as patch:
        patch.setattr(store, "commit", lambda *given: held.put_nowait(given))
        patch.setattr(worker.hosts, "read", read_and_go_on)
        await store.clocks.settle(lease, await process_timeouts(worker.hosts, match))
        async with asyncio.timeout(10):
            given = await held.get()
    await other.hosts.change(match, partial(more_time, ms=10_000))
    commit(*given)
    await worker.hosts.read(match, lambda _: None)
    assert await store.clocks.armed(match) == clock() + 10_000


async def test_others_clocks_are_hidden_while_a_sealed_question_is_open(table: Seat) -> None:
    played = await table(3, clock=RULES)
    assert played.rule() == "TEACH-1.5"
    assert not any(said.others for said in played.clocks.values())
    await played.answer(1)
    assert played.rule() == "TEACH-1.5"
    assert not any(said.others for said in played.clocks.values())


async def test_others_clocks_are_told_with_an_open_question(table: Seat) -> None:
    played = await table(3, clock=RULES)
    while played.rule() in ("TEACH-1.5", "TEACH-2.2", "TEACH-3.1"):
        await played.answer(played.asked()[0])
    (asked,) = played.asked()
    assert asked in played.clocks
    for seat, said in played.clocks.items():
        assert {other.seat: other.running for other in said.others} == {
            other: other == asked for other in range(3) if other != seat
        }


async def test_a_match_that_the_rules_cannot_go_on_with_is_our_fault(
    table: Seat, clock: HandClock, worker: Worker, client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = await table(2, clock=ClockRules(decision=10))

    def broken(*_: object) -> None:
        raise LawBroken("planted")

    monkeypatch.setattr(RunningMatch, "answer", broken)
    await pass_time(worker, clock, 10_000)
    match = await client.match(played.tickets[0].match)
    assert match.result is not None
    assert match.result.kind == "infrastructure"
    assert worker.counters.faults > 0


# --- the network


async def test_the_time_that_the_network_takes_is_not_counted(table: Seat, clock: HandClock) -> None:
    played = await table(2, clock=RULES)
    ping = await played.stream.next("ping")
    clock.advance(300)
    await played.stream.send(play_pb2.ClientItem(pong=ping))
    await played.sync()
    clock.advance(1_000)
    await played.answer(0)
    assert (played.clocks[0].network_ms, played.clocks[0].thinking_ms) == (300, 1_000)


async def test_a_ping_that_is_held_back_is_of_little_use(table: Seat, clock: HandClock) -> None:
    played = await table(2, clock=RULES)
    ping = await played.stream.next("ping")
    clock.advance(15_000)
    await played.stream.send(play_pb2.ClientItem(pong=ping))
    await played.answer(0)
    assert played.clocks[0].network_ms == 1_000
    assert played.clocks[0].bank_ms == 20_000 - 4_000 + 2_000


async def test_answers_to_pings_that_were_not_sent_mean_nothing(table: Seat, clock: HandClock) -> None:
    played = await table(2, clock=RULES)
    ping = await played.stream.next("ping")
    for token in (ping.token + 1, 0):
        clock.advance(100)
        await played.stream.send(play_pb2.ClientItem(pong=play_pb2.Ping(token=token)))
    await played.answer(0)
    assert played.clocks[0].network_ms == 0


async def test_the_client_of_the_sdk_answers_pings(
    seated: Seated, client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = asyncio.Event()
    monkeypatch.setattr(NetworkDelay, "on_pong", lambda _self, _token: heard.set())
    tickets = await seated(2, clock=RULES)
    assert await client.seat(tickets[0]).next_decision() is not None
    async with asyncio.timeout(10):
        await heard.wait()
