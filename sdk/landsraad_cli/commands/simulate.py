"""`landsraad simulate GAME`: bots play whole matches on this machine."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from landsraad_cli.local_match_options import (
    GameArgument,
    JobsOption,
    OptionOption,
    SeatsOption,
    SeedOption,
    the_bots,
    the_game,
    the_options,
    the_seats,
)
from landsraad_cli.output import JsonFlag, finish


def _sorted(counter: Counter[str]) -> dict[str, int]:
    return {key: counter[key] for key in sorted(counter, key=lambda k: (not k.isdigit(), int(k) if k.isdigit() else k))}


def simulate(
    game: GameArgument,
    seats: SeatsOption = None,
    games: Annotated[int, typer.Option("--games", min=1, help="How many matches.")] = 100,
    bots: Annotated[str, typer.Option("--bots", help="One bot name, or one per seat, separated by commas.")] = "random",
    jobs: JobsOption = 1,
    seed: SeedOption = 1,
    option: OptionOption = None,
    save: Annotated[Path | None, typer.Option("--save", help="Keep a replay of every match in this folder.")] = None,
    json: JsonFlag = False,
) -> None:
    """Play whole matches between bots in this machine's processes and count what came of them."""
    from landsraad_cli.local.simulation import Job, interval, portions, run_jobs

    found = the_game(game)
    number = the_seats(found, seats)
    options = the_options(found, option, number)
    names = the_bots(bots, number, found)
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    size = max(1, min(10, games // jobs))
    work = [Job(found.id, number, options, names, seed, part, save) for part in portions(games, size)]
    played = run_jobs(work, jobs, f"{found.title}, {number} seats")
    seconds = time.perf_counter() - began
    result = {
        "game": found.id,
        "games": played.games,
        "decisions": played.decisions,
        "seconds": round(seconds, 3),
        "decisions_per_second_per_core": round(played.decisions / max(played.cpu_seconds, 1e-9)),
        "results": _sorted(played.results),
        "winners": _sorted(played.winners),
        "winners_by_faction": _sorted(played.winners_by_faction),
        # What share of the matches each of them has won, and the bounds between which the true one lies with 95 %.
        "shares_by_faction": {
            faction: [round(each, 4) for each in (won / played.games, *interval(won, played.games))]
            for faction, won in sorted(played.winners_by_faction.items())
        },
        "turns": _sorted(played.turns),
    }
    finish(result, as_json=json, title=f"{found.title}: {games} matches", held=played.games == games)
