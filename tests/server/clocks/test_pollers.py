"""Pollers of clocks: of several workers one polls each clock set, and another goes on if it dies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from landsraad.models import ClockRules, Ticket
from landsraad_server.matches.records import MatchStage
from landsraad_server.process.worker import Worker
from landsraad_server.store import keys
from landsraad_testkit import HandClock

pytestmark = pytest.mark.asyncio

Seated = Callable[..., Awaitable[list[Ticket]]]
StartWorker = Callable[..., Awaitable[Worker]]


async def poll(*workers: Worker) -> None:
    """Let these workers poll once, as they do by themselves ten times a second."""
    for worker in workers:
        await worker.clock_poller.run_tick()


@pytest.mark.parametrize("others", [1, 2])
async def test_clocks_go_on_firing_when_their_poller_dies(
    worker: Worker, start_worker: StartWorker, seated: Seated, clock: HandClock, raw: Any, others: int
) -> None:
    workers = [worker, *[await start_worker() for _ in range(others)]]
    for one in (*workers, *workers):
        await one.hosts.presence.tick()
    await poll(*workers, *workers)
    tickets = await seated(2, clock=ClockRules(decision=10, outcome="resign"), options={"rounds": 2})
    match = tickets[0].match.removeprefix("matches/")
    poller = raw.get(keys.clock_poller(keys.clock_number(match))).decode()
    [dying] = [one for one in workers if one.hosts.presence.worker == poller]
    living = [one for one in workers if one is not dying]
    worker.hosts.store.clocks.flush()
    clock.advance(30_000)
    await poll(*living)
    assert await worker.hosts.read(match, lambda hosted: hosted.stage) is MatchStage.LIVE, "the sets are not theirs"
    async with asyncio.timeout(10):
        while await living[0].hosts.read(match, lambda hosted: hosted.stage) is not MatchStage.OVER:
            await poll(*living)
            await asyncio.sleep(0.02)
    assert raw.get(keys.clock_poller(keys.clock_number(match))).decode() != poller
