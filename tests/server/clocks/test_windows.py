"""Reaction windows of fixed length: their duration reveals to no player whether another could react."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count, pairwise
from random import Random
from typing import Any

import grpc.aio
import msgspec
import pytest
import redis

from landsraad import AsyncClient
from landsraad.testing.players import play_all
from landsraad.v1 import watch_service_pb2, watch_service_pb2_grpc
from landsraad.wire.codec import codec_for
from landsraad_engine.play.build import engine_build
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.acts import SpringSnare
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.matches.records import ClockTerms, Overtime, SeatPlan, Terms
from landsraad_server.process.worker import Worker
from landsraad_testkit import DrivenMatch, HandClock, RawStream, ServeProcess, pass_time, planted

pytestmark = pytest.mark.asyncio

StartWorker = Callable[..., Awaitable[Worker]]

WINDOW = "TEACH-3.1"
LENGTH_MS = 700


def terms(window: str = f"fixed:{LENGTH_MS}", *, orders: tuple[str, ...] = (), **more: Any) -> Terms:
    """Return the terms of a match of three seats, whose chance is always the same."""
    options = TEACHING.parse_options({"rounds": 2, "window": window}, 3)
    return Terms(
        game="teaching",
        seats=[SeatPlan(account="somebody", orders=orders) for _ in range(3)],
        options=options,
        creator="somebody",
        created=1,
        secret=b"the same dice",
        build=engine_build(),
        content=TEACHING.content_digest(options),
        **more,
    )


async def seated(worker: Worker, stream: RawStream, agreed: Terms) -> DrivenMatch:
    table = DrivenMatch(stream, await planted(worker, "m", agreed))
    await table.sit_down()
    return table


async def at_window(table: DrivenMatch) -> None:
    """Play up to the first window."""
    for seed in count():
        if table.rule() == WINDOW:
            return
        await table.play(1, seed)


async def timeline(worker: Worker, clock: HandClock, agreed: Terms, answering: str) -> list[tuple[int, bytes]]:
    """Play a whole match, and return what spectators got and when. Questions outside windows are answered at once."""
    start = clock()
    async with RawStream(worker.address) as stream, grpc.aio.insecure_channel(worker.address) as channel:
        table = await seated(worker, stream, agreed)
        stub = watch_service_pb2_grpc.WatchStub(channel)
        call: Any = stub.WatchMatch(
            watch_service_pb2.WatchMatchRequest(**{"match": "matches/m", "from": {"from": 1}})  # type: ignore[arg-type]
        )
        told: list[tuple[int, bytes]] = []

        async def hear() -> None:
            """Read what spectators got so far, as far as the seats have got it."""
            public = worker.hosts.host("m").hosted
            assert public is not None
            while len(told) < public.log_counters.counts[-1]:
                for item in (await call.read()).items:
                    told.extend((clock() - start, e.SerializeToString()) for e in item.entries.entries)

        while not table.closed:
            await hear()
            asked = [seat for seat in table.asked() if table.rule() != WINDOW or answering == "at once"]
            if asked:
                _, question = table.questions[asked[0]]
                options = codec_for(TEACHING).read_options(question.options)
                chosen = options.sample(Random(len(told) * 10 + asked[0]))
                await table.answer(asked[0], codec_for(TEACHING).act(chosen) if table.rule() != WINDOW else None)
            else:
                await pass_time(worker, clock, 100)
                await table.sync()
        await hear()
    return told


async def test_entries_come_at_the_same_times_however_fast_the_answers(
    start_worker: StartWorker, raw: redis.Redis, clock: HandClock
) -> None:
    rules = ClockTerms(3_600_000, 0, 0, 0, Overtime.DEFAULT_ACT)
    lines = []
    for orders, answering in (((), "at once"), ((), "late"), (("snare",), "by order")):
        raw.flushall()
        lines.append(await timeline(await start_worker(), clock, terms(orders=orders, clock=rules), answering))
    assert lines[0] == lines[1] == lines[2]
    times = sorted({at for at, _ in lines[0]})
    assert len(times) >= 3
    assert {later - earlier for earlier, later in pairwise(times)} == {LENGTH_MS}


async def test_a_fast_window_closes_with_the_last_answer(worker: Worker, clock: HandClock) -> None:
    rules = ClockTerms(3_600_000, 0, 0, 0, Overtime.DEFAULT_ACT)
    fast = await timeline(worker, clock, terms("fast", clock=rules), "at once")
    assert {at for at, _ in fast} == {0}


async def test_the_clock_of_a_fixed_window_says_when_it_closes(
    worker: Worker, clock: HandClock, open_stream: Callable[[], RawStream]
) -> None:
    table = await seated(worker, open_stream(), terms())  # a match without any other clock
    await at_window(table)
    said = table.clocks[table.asked()[0]]
    assert said.limited
    assert (said.decision_ms, said.bank_ms) == (LENGTH_MS, 0)
    assert said.default.generic.name == "Pass"


async def test_nobody_hears_an_answer_of_a_window_that_is_open(
    worker: Worker, clock: HandClock, open_stream: Callable[[], RawStream]
) -> None:
    table = await seated(worker, open_stream(), terms(clock=ClockTerms(60_000, 60_000, 0, 0, Overtime.DEFAULT_ACT)))
    await at_window(table)
    before = len(table.stream.received)
    asked = table.asked()
    for seat in asked:
        await table.answer(seat)
    others = [item for item in table.stream.received[before:] if item.subscription - 1 not in (*asked, -1)]
    assert others == []
    for seat in asked:
        mine = [
            str(item.WhichOneof("item")) for item in table.stream.received[before:] if item.subscription == seat + 1
        ]
        assert sorted(mine) == ["ack", "clock", "entries"]
    await pass_time(worker, clock, LENGTH_MS - 1)
    await table.sync()
    assert table.rule() == WINDOW
    await pass_time(worker, clock, 1)
    await table.sync()
    assert table.rule() != WINDOW


async def test_a_reaction_is_told_when_the_window_closes(
    worker: Worker, clock: HandClock, open_stream: Callable[[], RawStream]
) -> None:
    for number in range(30):
        agreed = msgspec.structs.replace(terms(), secret=b"%d" % number)
        table = DrivenMatch(open_stream(), await planted(worker, f"m{number}", agreed))
        await table.sit_down()
        await at_window(table)
        able = [seat for seat in table.asked() if b"SpringSnare" in table.questions[seat][1].SerializeToString()]
        if able:
            break
    else:
        pytest.fail("nobody holds a Snare in the first window of any match")
    thief = able[0]
    told = {seat: len(log) for seat, log in table.logs.items()}
    await table.answer(thief, codec_for(TEACHING).act(SpringSnare()))
    await pass_time(worker, clock, LENGTH_MS - 1)
    await table.sync()
    assert {seat for seat, log in table.logs.items() if len(log) > told[seat]} == {thief}
    await pass_time(worker, clock, 1)
    await table.sync()
    for seat, log in table.logs.items():
        assert any(entry.event.move.face == "snare" for entry in log[told[seat] :]), seat


@pytest.mark.parametrize("window", ["fast", f"fixed:{LENGTH_MS}"])
async def test_windows_do_not_touch_banks(
    worker: Worker, clock: HandClock, open_stream: Callable[[], RawStream], window: str
) -> None:
    rules = ClockTerms(1_000, 60_000, 5_000, 0, Overtime.DEFAULT_ACT)
    table = await seated(worker, open_stream(), terms(window, clock=rules))
    await at_window(table)
    banks = {seat: table.clocks[seat].bank_ms for seat in range(3)}
    assert all(not table.clocks[seat].others for seat in range(3))
    clock.advance(600)
    for seat in table.asked():
        await table.answer(seat)
    if window != "fast":
        await pass_time(worker, clock, 100)
    await table.sync()
    assert table.rule() != WINDOW
    for seat in range(3):
        assert table.clocks[seat].bank_ms == banks[seat]
        assert {other.seat: other.bank_ms for other in table.clocks[seat].others} in (
            {},
            {other: banks[other] for other in range(3) if other != seat},
        )


async def test_orders_given_in_a_fixed_window_do_not_close_it(
    worker: Worker, clock: HandClock, open_stream: Callable[[], RawStream]
) -> None:
    table = await seated(worker, open_stream(), terms())
    await at_window(table)
    clock.advance(300)
    for seat in table.asked():
        await table.order(seat, "snare")
    assert table.rule() == WINDOW
    assert table.asked() == []
    await pass_time(worker, clock, LENGTH_MS - 301)
    await table.sync()
    assert table.rule() == WINDOW
    await pass_time(worker, clock, 1)
    await table.sync()
    assert table.rule() != WINDOW


async def test_its_certificate_plays_the_windows_again(worker: Worker, clock: HandClock, client: Any) -> None:
    rules = ClockTerms(3_600_000, 0, 0, 0, Overtime.DEFAULT_ACT)
    await timeline(worker, clock, terms(clock=rules), "late")
    certificate = await client.certificate("matches/m")
    assert certificate["journal"][0] == [0, "window", (True,)]
    assert [0, "window", (False,)] in certificate["journal"]
    assert verify(TEACHING, certificate) == []


async def test_another_worker_closes_the_window(
    worker: Worker, clock: HandClock, open_stream: Callable[[], RawStream], start_worker: StartWorker
) -> None:
    table = await seated(worker, open_stream(), terms())
    await at_window(table)
    worker.hosts.store.clocks.flush()
    other = await start_worker()
    await pass_time(other, clock, LENGTH_MS)
    await worker.hosts.read("m", lambda _: None)  # the worker of the stream has heard of it
    await table.sync()
    assert table.rule() != WINDOW


async def test_the_whole_service_keeps_the_time(service: ServeProcess, teaching: None) -> None:
    """In real time: SDK clients play a match to its end, which takes no less than its windows."""
    async with AsyncClient(service.address) as client:
        match = await client.create_match("teaching", 3, {"rounds": 2, "window": "fixed:40"})
        assert all(await play_all([await client.join(match.name) for _ in range(3)]))
        match = await client.match(match.name)
        certificate = await client.certificate(match.name)
        assert verify(TEACHING, certificate) == []
        closed = certificate["journal"].count([0, "window", (False,)])
        assert match.started is not None
        assert match.ended is not None
        assert closed
        assert (match.ended - match.started).total_seconds() >= 0.04 * closed
