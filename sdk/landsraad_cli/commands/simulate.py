"""`landsraad simulate GAME`: whole matches between bots on this machine."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from landsraad_cli.local_match_options import (
    BotsOption,
    GameArgument,
    JobsOption,
    OptionOption,
    SeatsOption,
    SeedOption,
    check_seats,
    load_game,
    parse_bots,
    parse_match_options,
)
from landsraad_cli.output import JsonFlag, finish


def _sorted(counter: Counter[str]) -> dict[str, int]:
    return {key: counter[key] for key in sorted(counter, key=lambda k: (not k.isdigit(), int(k) if k.isdigit() else k))}


def simulate(
    game: GameArgument,
    seats: SeatsOption = None,
    games: Annotated[int, typer.Option("--games", min=1, help="Number of matches.")] = 100,
    bots: BotsOption = "random",
    jobs: JobsOption = 1,
    seed: SeedOption = 1,
    option: OptionOption = None,
    save: Annotated[Path | None, typer.Option("--save", help="Save a replay of every match in this folder.")] = None,
    json: JsonFlag = False,
) -> None:
    """Play whole matches between bots without a service, and count the results."""
    from landsraad.bot_failures import BotFailure
    from landsraad_cli.local.simulation import Job, interval, portions, run_jobs
    from landsraad_engine.errors import Refused

    found = load_game(game)
    number = check_seats(found, seats)
    options = parse_match_options(found, option, number)
    names = parse_bots(bots, number, found)
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    size = max(1, min(10, games // jobs))
    work = [Job(found.id, number, options, names, seed, part, save) for part in portions(games, size)]
    try:
        played = run_jobs(work, jobs, f"{found.title}, {number} seats")
    except (BotFailure, Refused) as error:
        typer.echo(f"landsraad simulate: {error}", err=True)
        raise typer.Exit(1) from None
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
        # The share of wins of each faction, and the bounds of its 95 % confidence interval.
        "shares_by_faction": {
            faction: [round(each, 4) for each in (won / played.games, *interval(won, played.games))]
            for faction, won in sorted(played.winners_by_faction.items())
        },
        "turns": _sorted(played.turns),
    }
    finish(result, as_json=json, title=f"{found.title}: {games} matches", held=played.games == games)
