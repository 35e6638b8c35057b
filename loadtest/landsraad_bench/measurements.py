"""Runs of players against a running service, and what they cost."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from landsraad_bench.bench_service import BenchService
from landsraad_bench.engine_cost import EngineCost
from landsraad_bench.match_table import MatchTable, table
from landsraad_bench.pacing import ClosedPace, OpenPace
from landsraad_bench.process_usage import busy_seconds
from landsraad_bench.transports import THIN

#: Before anything is counted: connections are made, questions and words are seen for the first time.
_WARM_UP_SECONDS = 1.0
#: Before an open loop: matches that have begun together come to different points.
_SCATTER_SECONDS = 2.0
_MIB = 1024 * 1024


class Crowd(NamedTuple):
    """Who plays: so many matches, their seats dealt out to so many streams, each with a connection of its own."""

    game: str
    seats: int
    matches: int
    streams: int
    #: what the streams are carried by; see `bench.carriers`
    carrier: str = THIN


async def closed(service: BenchService, crowd: Crowd, seconds: float, engine: EngineCost) -> dict[str, Any]:
    """As fast as the service answers: every seat acts as soon as it is asked."""
    async with table(service.address, crowd.game, crowd.seats, crowd.carrier) as players:
        await players.set_up(crowd.matches)
        await players.play(crowd.streams)
        return await _measured(service, players, crowd, seconds, engine)


async def open_loop(
    service: BenchService, crowd: Crowd, rate: float, seconds: float, engine: EngineCost
) -> dict[str, Any]:
    """At a fixed rate, with the latency of every act from the moment at which it was due."""
    async with table(service.address, crowd.game, crowd.seats, crowd.carrier) as players:
        players.pace = pace = OpenPace(rate)
        await players.set_up(crowd.matches)
        await players.play(crowd.streams)
        with pace.scattered():
            await _let_play(players, _SCATTER_SECONDS)
        players.keep(pace.run(_WARM_UP_SECONDS + seconds))
        measured = await _measured(service, players, crowd, seconds, engine)
        return measured | latencies(players.tally.latencies + waiting(players, pace)) | {"asked_per_second": rate}


def waiting(players: MatchTable, pace: OpenPace) -> list[float]:
    """How long acts have waited that are not acknowledged yet: left out, a stalled service would look quick."""
    now = time.perf_counter()
    due = pace.overdue + [due for stream in players.streams for due in stream.under_way()]
    return [now - at for at in due]


async def _measured(
    service: BenchService, players: MatchTable, crowd: Crowd, seconds: float, engine: EngineCost
) -> dict[str, Any]:
    tally = players.tally
    with _collector_at_rest():
        await _let_play(players, _WARM_UP_SECONDS)
        tally.clear()
        machine, before, own, began = busy_seconds(), service.usage(), time.process_time(), time.perf_counter()
        await _let_play(players, seconds)
        own, took = time.process_time() - own, time.perf_counter() - began
    after, machine_now = service.usage(), busy_seconds()
    acts = tally.acks
    if not acts:
        raise RuntimeError(f"nothing was acknowledged; refused: {dict(tally.refused) or 'nothing'}")
    result: dict[str, Any] = {
        "matches": crowd.matches,
        "seats": crowd.matches * crowd.seats,
        "streams": len(players.streams),
        "players": crowd.carrier,
        "actions": acts,
        "actions_per_second": round(acts / took),
        "workers_us": round((after[0].cpu_seconds - before[0].cpu_seconds) / acts * 1e6, 1),
        "store_us": round((after[1].cpu_seconds - before[1].cpu_seconds) / acts * 1e6, 1),
        "players_us": round(own / acts * 1e6, 1),
        # What it costs to play the same part of such matches without anything around it.
        "engine_us": round(engine.of(tally.by_step), 1),
        "rss_mb": round(sum(one.rss_bytes for one in after) / _MIB),
        "store_rss_mb": round(after[1].rss_bytes / _MIB),
        "refused": dict(tally.refused),
    }
    spent = sum(result[name] for name in ("workers_us", "store_us", "players_us"))
    result["overhead_us"] = round(spent - result["engine_us"], 1)
    if machine is not None and machine_now is not None:
        ours = own + sum(now.cpu_seconds - then.cpu_seconds for then, now in zip(before, after, strict=True))
        result["busy_elsewhere"] = round(max(0.0, machine_now - machine - ours) / (took * (os.cpu_count() or 1)), 2)
    if isinstance(players.pace, ClosedPace):
        result |= latencies(tally.latencies)
    return result


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """While the players' process looks for garbage it reads nothing, and the service would be blamed for it."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def _let_play(players: MatchTable, seconds: float) -> None:
    await players.unless_trouble(asyncio.ensure_future(asyncio.sleep(seconds)))


def latencies(seconds: list[float]) -> dict[str, float]:
    """The middle one, and those that one in a hundred and one in a thousand exceed, in milliseconds."""
    ordered = sorted(seconds)
    at = {"p50_ms": 0.5, "p99_ms": 0.99, "p999_ms": 0.999}
    return {name: round(ordered[min(int(len(ordered) * part), len(ordered) - 1)] * 1e3, 2) for name, part in at.items()}
