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
    load_game,
    parse_fixed_options,
)
from landsraad_cli.output import JsonFlag, finish, progress


def fuzz(
    game: GameArgument,
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="Minutes to play.")] = 2.0,
    jobs: JobsOption = 1,
    seed: SeedOption = 1,
    option: OptionOption = None,
    save_to: Annotated[Path, typer.Option("--save", help="Folder for replays of failures.")] = Path("fuzz-failures"),
    json: JsonFlag = False,
) -> None:
    """Play random matches over all seats and options, and check every invariant after every action.

    A failure is shrunk and saved as a replay. In the repository, matches also use the content files of its tests, which
    deal cards and leaders anew.
    """
    from landsraad_cli.local.checkout import offer_contents
    from landsraad_cli.local.fuzz_run import fuzz_all, save_failure
    from landsraad_engine.testing.fuzz.fuzz_match import StepCoverage

    found = load_game(game)
    offer_contents(found)
    given = parse_fixed_options(found, option)
    coverage = StepCoverage.of(found)
    with progress(f"fuzzing {found.title}") as advance:
        total = fuzz_all(found.id, minutes, jobs, seed, given, advance)
    coverage.reached |= total.reached & coverage.total
    result = {
        "game": found.id,
        "matches": total.matches,
        "inputs": total.inputs,
        "decisions": total.decisions,
        "failures": [save_failure(found.id, failure, save_to) for failure in total.failures],
        "steps_reached": len(coverage.reached),
        "steps_total": len(coverage.total),
        "steps_missing": coverage.missing,
    }
    finish(result, as_json=json, title=f"Fuzzing {found.title}", held=not total.failures)
