"""Pollers of clocks: of several workers one polls each clock set, and another goes on if it dies."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from landsraad import AsyncClient
from landsraad.models import ClockRules, Ticket
from landsraad_server.matches.records import MatchStage
from landsraad_server.process.worker import Worker
from landsraad_server.store import EmbeddedServer, keys
from landsraad_server.store.pulse import MOST_SILENT_MS
from landsraad_testkit import HandClock, serving

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
    for _ in range(30_000 // MOST_SILENT_MS):  # The store is there all the time: else clocks would stand.
        clock.advance(MOST_SILENT_MS)
        for one in living:
            await one.clock_poller.refresh_pauses()
    await poll(*living)
    assert await living[0].hosts.read(match, lambda hosted: hosted.stage) is MatchStage.LIVE, "the sets are not theirs"
    async with asyncio.timeout(10):
        while await living[0].hosts.read(match, lambda hosted: hosted.stage) is not MatchStage.OVER:
            await poll(*living)
            await asyncio.sleep(0.02)
    assert raw.get(keys.clock_poller(keys.clock_number(match))).decode() != poller


@pytest.mark.long
@pytest.mark.parametrize("count", [2, 3])
async def test_a_killed_process_that_polled_holds_nobody_up(
    server: EmbeddedServer, raw: Any, plugged: dict[str, str], teaching: None, tmp_path: Path, count: int
) -> None:
    """Kill each poller of a clock set in turn, in a match that goes on by its clock alone."""
    options = ("--redis", server.url)
    with serving(tmp_path / "data", *options, workers=count, environment=plugged) as service:
        async with AsyncClient(service.address, retry_timeout=20.0) as client:
            made = await client.create_match("teaching", 2, {"rounds": 4}, clock=ClockRules(decision=0.2))
            for number in range(2):
                await client.join(made.name, number)
            key = keys.clock_poller(keys.clock_number(made.name.removeprefix("matches/")))
            pids = {worker["address"]: worker["pid"] for worker in service.ready["workers"]}
            killed = 0
            async with asyncio.timeout(80):
                while (await client.match(made.name)).state != "over":
                    poller = raw.get(key)
                    address = (raw.hget(keys.ADDRESSES, poller) or b"").decode().partition(" ")[2] if poller else ""
                    if killed < count - 1 and address in pids:  # those that the supervisor starts again are not known
                        os.kill(pids.pop(address), signal.SIGKILL)
                        killed += 1
                    await asyncio.sleep(0.1)
            assert killed
