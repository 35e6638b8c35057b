"""Benchmarks of the engine, next to a pure-Python loop in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

from landsraad import games
from landsraad.bots import derive_seed, make_bot
from landsraad_engine.kernel.snapshots import decode, encode
from landsraad_engine.knowledge.information import view_of
from landsraad_engine.knowledge.worlds import WorldSampler
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing


def calibration(seconds: float = 0.5) -> float:
    """Return the rounds per CPU second of a fixed pure-Python loop, as a measure of this machine at this moment."""
    rounds = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        table: dict[str, int] = {}
        for n in range(1000):
            key = f"place/{n % 50}"
            table[key] = table.get(key, 0) + n
        rounds += 1
    return rounds / (time.process_time() - began)


def timed(work: Callable[[], Any], seconds: float = 0.3) -> float:
    """Return the CPU seconds of one call, averaged over many."""
    calls = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(20):
            work()
        calls += 20
    return (time.process_time() - began) / calls


def measure(name: str, seconds: float) -> dict[str, Any]:
    """Measure one game."""
    game = games.load(name)
    seats = game.default_seats
    decisions = inputs = matches = 0
    spent = 0.0
    while spent < seconds:
        match = Match(game, seats, secret=matches.to_bytes(8, "big"), record=False, orders=standing(seats))
        bots = [make_bot("random", name, derive_seed(1, matches, seat)) for seat in range(seats)]
        began = time.process_time()
        tally = play_out(match, bots)
        spent += time.process_time() - began
        decisions += tally.decisions
        inputs += tally.inputs
        matches += 1
    g = _middle(name, seats, inputs // matches // 2)
    view = view_of(g, 0)
    sampler = WorldSampler(g.setting, view)
    image = encode(g)
    rng = Random(1)
    rate = decisions / spent
    return {
        "seats": seats,
        "matches": matches,
        "decisions": decisions,
        "inputs": inputs,
        "decisions_per_second": round(rate),
        "decisions_per_calibration_round": round(rate / calibration(0.3), 3),
        "copy_us": round(timed(g.copy) * 1e6, 2),
        "image_bytes": len(image),
        "encode_us": round(timed(lambda: encode(g)) * 1e6, 1),
        "decode_us": round(timed(lambda: decode(g.setting, image)) * 1e6, 1),
        "view_us": round(timed(lambda: view_of(g, 0)) * 1e6, 1),
        "world_sampler_ms": round(timed(lambda: WorldSampler(g.setting, view)) * 1e3, 3),
        "sample_world_ms": round(timed(lambda: sampler.sample(rng)) * 1e3, 3),
    }


def _middle(name: str, seats: int, inputs: int) -> Any:
    """Return a position from the middle of a random match."""
    game = games.load(name)
    match = Match(game, seats, secret=b"middle", record=False, orders=standing(seats))
    rng = Random(1)
    n = 0
    while match.g.ask is not None and (n < inputs or match.g.ask.seats[0] != match.g.waiting[0]):
        seat = match.g.waiting[0]
        match.answer(seat, match.g.ask.options[seat].sample(rng))
        n += 1
        if n > inputs:
            break
    return match.g
