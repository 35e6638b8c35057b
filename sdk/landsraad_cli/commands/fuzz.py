"""`landsraad fuzz GAME`: random matches with every invariant checked after every action."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from landsraad_cli.local_match_options import (
    GameArgument,
    JobsOption,
    OptionOption,
    SeedOption,
    the_fixed_options,
    the_game,
)
from landsraad_cli.output import JsonFlag, finish, progress


def fuzz(
    game: GameArgument,
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="How long to go on.")] = 2.0,
    jobs: JobsOption = 1,
    seed: SeedOption = 1,
    option: OptionOption = None,
    save_to: Annotated[Path, typer.Option("--save", help="Where replays of failures go.")] = Path("fuzz-failures"),
    json: JsonFlag = False,
) -> None:
    """Play random matches over all seats and options; check every invariant after every action; shrink failures.

    In the repository they are also played with the content files of its tests, which deal cards and leaders anew.
    """
    from landsraad_cli.local.checkout import offer_contents
    from landsraad_cli.local.fuzz_run import fuzz_all, kept
    from landsraad_engine.testing.fuzz.fuzz_match import StepCoverage

    found = the_game(game)
    offer_contents(found)
    given = the_fixed_options(found, option)
    coverage = StepCoverage.of(found)
    with progress(f"fuzzing {found.title}") as advance:
        total = fuzz_all(found.id, minutes, jobs, seed, given, advance)
    coverage.reached |= total.reached & coverage.total
    result = {
        "game": found.id,
        "matches": total.matches,
        "inputs": total.inputs,
        "decisions": total.decisions,
        "failures": [kept(found.id, failure, save_to) for failure in total.failures],
        "steps_reached": len(coverage.reached),
        "steps_total": len(coverage.total),
        "steps_missing": coverage.missing,
    }
    finish(result, as_json=json, title=f"Fuzzing {found.title}", held=not total.failures)
