"""Fuzzing in several processes: portions of random matches, whose findings are merged and saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from landsraad import games
from landsraad.bots import derive_seed
from landsraad.process_pool import process_map
from landsraad.replay_files import save_match
from landsraad_engine.testing.fuzz.fuzz_match import Failure, StepCoverage, failed_match, fuzz_match, shrink

#: Seconds of one portion of work in a process.
_PORTION = 10.0


@dataclass(slots=True)
class FuzzFindings:
    """The findings of a portion."""

    matches: int = 0
    inputs: int = 0
    decisions: int = 0
    reached: set[tuple[str, str]] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)


def fuzz_portion(
    game_id: str, seed: int, first: int, step: int, seconds: float, given: Mapping[str, str]
) -> FuzzFindings:
    """Play random matches until the time is over or one fails, numbered from ``first`` by ``step``."""
    game = games.load(game_id)
    coverage = StepCoverage.of(game)
    found = FuzzFindings(reached=coverage.reached)
    ends = time.monotonic() + seconds
    number = first
    while time.monotonic() < ends:
        played = fuzz_match(game, derive_seed(seed, "fuzz", number), coverage, given)
        found.matches += 1
        found.inputs += played.inputs
        found.decisions += played.decisions
        number += step
        if played.failure is not None:
            found.failures.append(shrink(game, played.failure))
            break
    return found


def fuzz_all(
    game_id: str, minutes: float, jobs: int, seed: int, given: Mapping[str, str], advance: Callable[[int], None]
) -> FuzzFindings:
    """Fuzz until the time is over or a match fails."""
    total = FuzzFindings()
    ends = time.monotonic() + minutes * 60
    with process_map(jobs) as each:
        number = 0
        while (left := ends - time.monotonic()) > 0 and not total.failures:
            seconds = min(_PORTION, left)
            work = [(game_id, seed, number + job, jobs, seconds, given) for job in range(jobs)]
            portions = list(each(fuzz_portion, *zip(*work, strict=True)))
            for found in portions:
                total.matches += found.matches
                total.inputs += found.inputs
                total.decisions += found.decisions
                total.reached |= found.reached
                total.failures += found.failures
                advance(found.matches)
            number += jobs * max(found.matches for found in portions)
    return total


def save_failure(game_id: str, failure: Failure, folder: Path) -> dict[str, Any]:
    """Save the replay of a failure, and return a summary."""
    game = games.load(game_id)
    path = folder / f"{game_id}-{failure.seed}.json.gz"
    match = failed_match(game, failure)
    if match is not None:
        last = [[given.seat, given.kind, given.act] for given in failure.script[-1:]]
        save_match(match, path, failure={"kind": failure.kind, "message": failure.message, "last": last})
    return {
        "kind": failure.kind,
        "message": failure.message,
        "seats": failure.seats,
        "options": dict(failure.options),
        "inputs": len(failure.script),
        "replay": str(path) if match is not None else "",
    }
