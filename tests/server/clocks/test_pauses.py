"""Pauses: clocks stand while the store is away or a question is untold, and no step of a machine's clock moves them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from landsraad.models import ClockRules
from landsraad.v1 import errors_pb2
from landsraad_server.matches.match_clocks import runs_out, stand, start_clock, time_left
from landsraad_server.matches.records import ClockTerms, Overtime, SeatState
from landsraad_server.matches.service_clock import ServiceClock
from landsraad_server.process.worker import Worker
from landsraad_server.store import Outcome
from landsraad_server.store.match_log import Draft
from landsraad_server.store.pulse import GRACE_MS, MOST_SILENT_MS, NO_PAUSE, Beat, Pause
from landsraad_testkit import DrivenMatch, HandClock, StoreProxy

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Seated, StartWorker

pytestmark = pytest.mark.asyncio

RULES = ClockRules(decision=3, outcome="resign")
TERMS = ClockTerms(3_000, 10_000, 0, 0, Overtime.RESIGN)


async def back(worker: Worker) -> None:
    """Wait until a worker's store is back."""
    async with asyncio.timeout(10):
        while not worker.hosts.store.up:  # noqa: ASYNC110
            await asyncio.sleep(0)


async def tick(worker: Worker) -> None:
    """Do what a worker does ten times a second."""
    worker.hosts.store.clocks.flush()
    await worker.hosts.store.log.head("any")  # answered after what was flushed
    await worker.clock_poller.refresh_pauses()
    await worker.clock_poller.tick()


async def pass_time(workers: Sequence[Worker], clock: HandClock, ms: int) -> None:
    """Let time pass with a pulse."""
    while ms:
        step = min(ms, MOST_SILENT_MS)
        clock.advance(step)
        for worker in reversed(workers):
            await tick(worker)
        ms -= step


@pytest.mark.parametrize("restarted", [False, True])
async def test_nobody_loses_by_time_while_the_store_is_away(
    restarted: bool,
    seated: Seated,
    start_worker: StartWorker,
    proxy: StoreProxy,
    open_stream: OpenStream,
    clock: HandClock,
) -> None:
    """A player sends in time and sends again when told. The clocks may be polled by a worker that was started since."""
    worker = await start_worker(proxy.url)
    played = DrivenMatch(
        open_stream(worker.address), await seated(2, address=worker.address, clock=RULES, options={"rounds": 2})
    )
    await played.sit_down()
    match = played.tickets[0].match.removeprefix("matches/")
    await tick(worker)
    await pass_time([worker], clock, 2_000)
    act, decision = played.clocks[0].default, played.questions[0][0]
    await proxy.refuse()
    await played.stream.submit(act, 1, 1, decision=decision)
    refused = await played.stream.next("refusal", 1)
    assert refused.reason == errors_pb2.ERROR_REASON_STORE_LOST
    clock.advance(6_000)
    await proxy.listen()
    await back(worker)
    looking = await start_worker() if restarted else worker
    await tick(looking)
    await pass_time([looking, worker], clock, refused.retry_ms)
    await played.stream.submit(act, 1, 1, decision=decision)
    assert (await played.stream.next("ack", 1)).seq == 1
    seats = await worker.hosts.read(match, lambda hosted: list(hosted.seats))
    # The second player has had two seconds before, and all that has passed since the store came back.
    assert [seat.presence.name for seat in seats] == ["HERE", "HERE"]
    await pass_time([looking, worker], clock, GRACE_MS + 1_000 - refused.retry_ms - 1)
    assert not (await worker.hosts.read(match, lambda hosted: hosted.over))
    await pass_time([looking, worker], clock, 1)
    assert await worker.hosts.read(match, lambda hosted: hosted.over)


async def test_what_has_run_before_a_pause_counts() -> None:
    seat = SeatState(asked_at=1_000, bank_ms=10_000)
    pause = Pause(3_000, 9_000)
    for _ in range(2):  # each worker does so
        if seat.asked_at < pause.end:
            stand(seat, pause)
    assert (seat.asked_at, seat.spent_ms) == (9_000, 2_000)
    assert runs_out(TERMS, seat) == 9_000 + 1_000 + 10_000
    assert time_left(TERMS, seat, 8_500) == (1_000, 10_000)
    assert time_left(TERMS, seat, 11_000) == (0, 9_000)
    start_clock(TERMS, seat, 1, 2, 11_500, answered=True, window=False)
    assert (seat.thinking_ms, seat.bank_ms, seat.spent_ms) == (4_500, 10_000 - 1_500, 0)


async def test_a_question_that_is_told_late_has_its_whole_time(
    table: Callable[..., Awaitable[DrivenMatch]], worker: Worker, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store takes its time to confirm the commit that puts it."""
    played = await table(2, clock=RULES)
    match = played.tickets[0].match.removeprefix("matches/")
    commit = worker.hosts.store.commit

    def slowly(draft: Draft, done: Callable[[Outcome], None]) -> None:
        def confirmed(outcome: Outcome) -> None:
            clock.advance(2_000)
            done(outcome)

        monkeypatch.undo()
        commit(draft, confirmed)

    await played.answer(0)
    monkeypatch.setattr(worker.hosts.store, "commit", slowly)
    await played.answer(1)
    asked = await worker.hosts.read(match, lambda hosted: [seat.asked_at for seat in hosted.seats if seat.asked_at])
    assert asked
    assert set(asked) == {clock()}


async def test_a_pulse_tells_how_long_none_could_write(worker: Worker, clock: HandClock) -> None:
    pulse = worker.hosts.store.pulse
    assert (await pulse.ask()).service is None
    assert (await pulse.beat(clock())).pause == NO_PAUSE
    clock.advance(MOST_SILENT_MS)
    assert (await pulse.beat(clock())).pause == NO_PAUSE
    last = clock()
    clock.advance(MOST_SILENT_MS + 1)
    found = await pulse.ask()
    assert (found.service, found.silent_ms, found.pause) == (last, MOST_SILENT_MS + 1, NO_PAUSE)
    pause = Pause(last, clock() + GRACE_MS)
    assert (await pulse.beat(clock())).pause == pause
    assert (await pulse.beat(clock())).pause == pause
    assert worker.hosts.pauses.last(clock()) == NO_PAUSE  # this worker has not asked
    await worker.clock_poller.refresh_pauses()
    assert worker.hosts.pauses.last(clock()) == pause
    clock.advance(10_000)
    assert worker.hosts.pauses.last(clock()) == Pause(clock() - 10_000, clock())


async def test_steps_of_the_machines_clock_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to a worker that runs, nor to one that is started after the step beside others."""
    running = ServiceClock()
    before = running()
    stepped = time.time_ns() + 120_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: stepped)
    assert running() - before < 60_000
    started = ServiceClock()
    assert started() - running() > 60_000
    seen = int(time.time() * 1000)
    started.follow(Beat(seen + 100, running() - 100, seen, NO_PAUSE))
    assert abs(started() - running()) < 1_000
    alone = ServiceClock()
    alone.follow(Beat(seen + 3_600_000, running() - 3_600_000, seen, NO_PAUSE))  # no other worker for an hour
    assert alone() - running() > 60_000
