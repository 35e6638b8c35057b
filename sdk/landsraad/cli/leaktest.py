"""`landsraad leaktest GAME`: the two-run test of hidden information, on encoded logs, prompts and refusals."""

from __future__ import annotations

import importlib.util
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Annotated

import typer

from landsraad import games
from landsraad.cli.matches import GameArgument, JobsOption, SeedOption, derived, the_game
from landsraad.cli.output import JsonFlag, finish, progress
from landsraad_engine import coverage
from landsraad_engine.testing.fuzz import random_setting
from landsraad_engine.testing.leaks import Finding, Report, leak_match

#: Positions taken from one random match.
_PER_MATCH = 25


def leak_portion(game_id: str, seed: int, number: int, positions: int) -> Report:
    """Test positions of one random match."""
    game = games.load(game_id)
    match_seed = derived(seed, "leak", number)
    seats, options = random_setting(game, Random(match_seed))
    return leak_match(game, seats, options, match_seed, positions)


def leaktest(
    game: GameArgument,
    positions: Annotated[int, typer.Option("--positions", min=1, help="How many positions to test.")] = 500,
    jobs: JobsOption = 1,
    seed: SeedOption = 1,
    json: JsonFlag = False,
) -> None:
    """Change what a seat must not know, play the same inputs, and compare every byte that the seat receives."""
    found = the_game(game)
    total = Report()
    number = 0
    with progress(f"two-run test of {found.title}", positions) as advance:
        pool = None if jobs == 1 else ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
        while total.positions < positions:
            numbers = range(number, number + 4 * jobs)
            number = numbers.stop
            want = min(_PER_MATCH, positions - total.positions)
            args = ([found.id] * len(numbers), [seed] * len(numbers), numbers, [want] * len(numbers))
            portions = map(leak_portion, *args) if pool is None else pool.map(leak_portion, *args)
            for report in portions:
                if total.positions >= positions:
                    break
                total.add(report)
                advance(report.positions)
        if pool is not None:
            pool.shutdown()
    planted = _planted()
    caught = planted.caught(found.id) if planted is not None else {}
    result = {
        "game": found.id,
        "positions": total.positions,
        "changed": total.changed,
        "changed_by_kind": dict(sorted(total.changed_by_kind.items())),
        "differences": [_said(finding) for finding in total.findings[:20]],
        "planted": len(caught),
        "caught": sum(caught.values()),
        "missed": sorted(name for name, hit in caught.items() if not hit),
    }
    enough = total.changed >= 0.9 * total.positions
    held = not total.findings and enough and all(caught.values())
    finish(result, as_json=json, title=f"Two-run test of {found.title}", held=held)


def _said(finding: Finding) -> dict[str, object]:
    true, changed = repr(finding.true)[:400], repr(finding.changed)[:400]
    return {"seat": finding.seat, "where": finding.where, "what": finding.what, "true": true, "changed": changed}


def _planted() -> ModuleType | None:
    """The deliberate leaks, which live in the repository's tests only."""
    checkout = coverage.find_checkout(Path.cwd(), Path(coverage.__file__).parent)
    path = None if checkout is None else checkout / "tests" / "leaks" / "planted.py"
    if path is None or not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("landsraad_planted_leaks", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
