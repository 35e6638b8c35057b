"""`landsraad train value GAME`: learn the value that the searching bots use."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from landsraad_cli.local_match_options import (
    JobsOption,
    OptionOption,
    SeatsOption,
    SeedOption,
    check_seats,
    load_game,
    parse_bots,
    parse_match_options,
)
from landsraad_cli.output import JsonFlag, finish, progress

app = typer.Typer(help="Learn what the searching bots know of positions.", no_args_is_help=True)

#: The games with features to learn from.
_GAMES = ("arrakis", "dune")


@app.callback()
def train() -> None:
    """Learn what the searching bots know of positions."""


@app.command("value")
def value(
    game: Annotated[str, typer.Argument(help="dune or arrakis.")],
    seats: SeatsOption = None,
    matches: Annotated[int, typer.Option("--matches", min=50, help="Matches of self-play.")] = 600,
    bot: Annotated[str, typer.Option("--bot", help="The bot that plays all seats.")] = "quick",
    out: Annotated[Path | None, typer.Option("--out", help="Write the weights to this file.")] = None,
    option: OptionOption = None,
    jobs: JobsOption = 1,
    seed: SeedOption = 1,
    json: JsonFlag = False,
) -> None:
    """Learn the probability of winning from features of positions in self-play.

    Training is stopped by boards that it does not see. Log loss and calibration are cross-validated: each board is
    predicted by weights that were fitted without it. "ignorance" is the log loss of someone who knows the base rates.
    """
    from landsraad_bots.searching.values import weights_name, write_weights
    from landsraad_lab.training import values
    from landsraad_lab.training.positions import SelfPlayPlan

    if game not in _GAMES:
        raise typer.BadParameter(f"there are no features for {game!r}; there are for: {', '.join(_GAMES)}")
    found = load_game(game)
    number = check_seats(found, seats)
    options = parse_match_options(found, option, number)
    (name,) = parse_bots(bot, 1, found)
    valid_for = number if game == "dune" else 0
    command = f"landsraad train value {game} --seats {number} --matches {matches} --bot {name} --seed {seed}"
    command += "".join(f" --option {each}" for each in option or ())
    with progress(f"Matches of {found.title}", matches) as advance:
        data = values.play(SelfPlayPlan(game, number, options, name, seed), matches, jobs, advance)
    try:
        trained = values.train(game, valid_for, data, matches, command)
    except ValueError as error:
        print(f"landsraad train: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    if out is not None:
        place = out / weights_name(game, valid_for) if out.is_dir() else out
        place.write_bytes(write_weights(trained.weights))
    learned = trained.weights
    finish(
        {
            "matches": matches,
            "positions": trained.positions,
            "log_loss": learned.log_loss,
            "ignorance": learned.ignorance,
            "steps": trained.steps,
            "calibration": [
                {"predictions": count, "predicted": predicted, "won": won}
                for count, predicted, won in learned.calibration
            ],
            "worst_calibration": max(abs(predicted - won) for _, predicted, won in learned.calibration),
        },
        as_json=json,
        title=f"The value of {found.title}, {number} seats",
    )
