"""Measured runs: closed and open loop against a running service, with CPU time and latencies."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from landsraad_bench.bench_service import BenchService
from landsraad_bench.engine_cost import EngineCost
from landsraad_bench.match_table import MatchTable, open_table
from landsraad_bench.pacing import ClosedPace, OpenPace
from landsraad_bench.process_usage import Usage, busy_seconds, usages
from landsraad_bench.transports import THIN_CLIENT

#: Seconds of play before counting starts: connections are made, caches are filled.
_WARM_UP_SECONDS = 1.0
#: Seconds before an open loop in which matches that began together drift apart.
_SCATTER_SECONDS = 2.0
_MIB = 1024 * 1024


class Workload(NamedTuple):
    """Matches, and the streams among which their seats are dealt out, each on its own connection."""

    game: str
    seats: int
    matches: int
    streams: int
    #: client of the streams; see `transports.CARRIERS`
    carrier: str = THIN_CLIENT


async def closed(service: BenchService, workload: Workload, seconds: float, engine: EngineCost) -> dict[str, Any]:
    """Run a closed loop: every seat acts as soon as it has a decision."""
    async with open_table(service.address, workload.game, workload.seats, workload.carrier) as table:
        await table.set_up(workload.matches)
        await table.play(workload.streams)
        return await _measured(service, table, workload, seconds, engine)


async def open_loop(
    service: BenchService, workload: Workload, rate: float, seconds: float, engine: EngineCost
) -> dict[str, Any]:
    """Run an open loop: acts at a fixed rate, with latencies counted from when each act was due."""
    async with open_table(service.address, workload.game, workload.seats, workload.carrier) as table:
        table.pace = pace = OpenPace(rate)
        await table.set_up(workload.matches)
        await table.play(workload.streams)
        with pace.scattered():
            await _let_play(table, _SCATTER_SECONDS)
        table.spawn(pace.run(_WARM_UP_SECONDS + seconds))
        measured = await _measured(service, table, workload, seconds, engine)
        return measured | latencies(table.tally.latencies + waiting(table, pace)) | {"asked_per_second": rate}


def waiting(table: MatchTable, pace: OpenPace) -> list[float]:
    """Return how long unacknowledged acts have been waiting; without them a stalled service would look fast."""
    now = time.perf_counter()
    due = pace.overdue + [due for stream in table.streams for due in stream.under_way()]
    return [now - at for at in due]


async def _measured(
    service: BenchService, table: MatchTable, workload: Workload, seconds: float, engine: EngineCost
) -> dict[str, Any]:
    return await measured([(service, table)], workload, seconds, engine)


async def measured(
    parts: Sequence[tuple[BenchService, MatchTable]], workload: Workload, seconds: float, engine: EngineCost
) -> dict[str, Any]:
    """Measure services while their tables play: rates and costs of all of them together."""
    tallies = [table.tally for _, table in parts]
    services = [service for service, _ in parts]
    with _without_gc():
        await _let_all_play(parts, _WARM_UP_SECONDS)
        for tally in tallies:
            tally.clear()
        machine, before, own, began = busy_seconds(), _usage(services), time.process_time(), time.perf_counter()
        await _let_all_play(parts, seconds)
        own, took = time.process_time() - own, time.perf_counter() - began
    after, machine_now = _usage(services), busy_seconds()
    acts = sum(tally.acks for tally in tallies)
    refused = sum((tally.refused for tally in tallies), Counter[str]())
    if not acts:
        raise RuntimeError(f"no act was acknowledged; refused: {dict(refused) or 'none'}")
    result: dict[str, Any] = {
        "matches": workload.matches,
        "seats": workload.matches * workload.seats,
        "streams": sum(len(table.streams) for _, table in parts),
        "players": workload.carrier,
        "actions": acts,
        "actions_per_second": round(acts / took),
        "workers_us": round((after[0].cpu_seconds - before[0].cpu_seconds) / acts * 1e6, 1),
        "store_us": round((after[1].cpu_seconds - before[1].cpu_seconds) / acts * 1e6, 1),
        "players_us": round(own / acts * 1e6, 1),
        # The cost of the same part of such matches in the engine alone.
        "engine_us": round(engine.of(sum((tally.by_step for tally in tallies), Counter[int]())), 1),
        "rss_mb": round(sum(one.rss_bytes for one in after) / _MIB),
        "store_rss_mb": round(after[1].rss_bytes / _MIB),
        "refused": dict(refused),
    }
    spent = sum(result[name] for name in ("workers_us", "store_us", "players_us"))
    result["overhead_us"] = round(spent - result["engine_us"], 1)
    if machine is not None and machine_now is not None:
        ours = own + sum(now.cpu_seconds - then.cpu_seconds for then, now in zip(before, after, strict=True))
        result["busy_elsewhere"] = round(max(0.0, machine_now - machine - ours) / (took * (os.cpu_count() or 1)), 2)
    if all(isinstance(table.pace, ClosedPace) for _, table in parts):
        result |= latencies([seconds for tally in tallies for seconds in tally.latencies])
    return result


def _usage(services: Sequence[BenchService]) -> tuple[Usage, Usage]:
    """Return the usage of all workers and of all stores."""
    return (
        usages([pid for service in services for pid in service.workers]),
        usages([service.store for service in services]),
    )


@contextmanager
def _without_gc() -> Iterator[None]:
    """Disable the garbage collector, whose pauses in this process would be blamed on the service."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def _let_all_play(parts: Sequence[tuple[BenchService, MatchTable]], seconds: float) -> None:
    await asyncio.gather(*(_let_play(table, seconds) for _, table in parts))


async def _let_play(table: MatchTable, seconds: float) -> None:
    await table.wait_or_fail(asyncio.ensure_future(asyncio.sleep(seconds)))


def latencies(seconds: list[float]) -> dict[str, float]:
    """Return the 50th, 99th and 99.9th percentile in milliseconds."""
    ordered = sorted(seconds)
    at = {"p50_ms": 0.5, "p99_ms": 0.99, "p999_ms": 0.999}
    return {name: round(ordered[min(int(len(ordered) * part), len(ordered) - 1)] * 1e3, 2) for name, part in at.items()}
