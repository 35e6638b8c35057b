"""Arguments of the commands that play matches locally, and their checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from landsraad import games
from landsraad.bots import bot_class
from landsraad.errors import BotNotImported, UnknownBot
from landsraad_cli.output import require_known

if TYPE_CHECKING:
    from landsraad_engine.kernel.game import Game

GameArgument = Annotated[str, typer.Argument(help=f"One of: {', '.join(games.known())}.")]
SeatsOption = Annotated[
    int | None, typer.Option("--seats", help="Number of seats (default: the usual one of the game).")
]
SeedOption = Annotated[int, typer.Option("--seed", help="The same seed plays the same matches.")]
OptionOption = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A match option as key=value. You can repeat it.")
]
BotsOption = Annotated[
    str,
    typer.Option("--bots", help="A bot, or one for each seat, with commas: a name, file.py:Class or module:Class."),
]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes that play at the same time.")]


def load_game(name: str) -> Game:
    """Return the game with this id, or exit with status 2."""
    return games.load(require_known("game", name, games.known()))


def check_seats(found: Game, seats: int | None) -> int:
    """Return the number of seats, or exit with status 2 if the game cannot be played by so many."""
    seats = found.default_seats if seats is None else seats
    if seats not in found.seats:
        raise typer.BadParameter(f"{found.id} has {', '.join(map(str, found.seats))} seats, not {seats}")
    return seats


def parse_match_options(found: Game, given: Sequence[str] | None, seats: int) -> dict[str, Any]:
    """Return all options of a match, those given as key=value words included, or exit with status 2."""
    from landsraad_engine.errors import BadOption

    try:
        return found.parse_options(_words(given), seats)
    except BadOption as error:
        raise typer.BadParameter(str(error)) from None


def parse_fixed_options(found: Game, given: Sequence[str] | None) -> dict[str, str]:
    """Return the options given as key=value words, or exit with status 2. Others and seats are drawn."""
    from landsraad_engine.errors import BadOption

    words, problem = _words(given), ""
    for seats in (found.default_seats, *found.seats):
        try:
            found.parse_options(words, seats)
        except BadOption as error:
            problem = problem or str(error)
        else:
            return words
    raise typer.BadParameter(problem)


def _words(given: Sequence[str] | None) -> dict[str, str]:
    words: dict[str, str] = {}
    for word in given or ():
        name, equals, value = word.partition("=")
        if not equals:
            raise typer.BadParameter(f"{word!r} is not of the form key=value")
        words[name] = value
    return words


def parse_bots(given: str, seats: int, game: Game) -> tuple[str, ...]:
    """Return the name of a bot for each seat, or exit with status 2 if one of them does not play this game.

    A name is one of an installed bot, with its options if it takes any, `file.py:Class` or `module:Class`.
    """
    names = split_names(given)
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise typer.BadParameter(f"{len(names)} bots for {seats} seats; give one name, or one for each seat")
    for name in dict.fromkeys(names):
        check_bot(name, game)
    return names


def split_names(given: str) -> tuple[str, ...]:
    """Return the names in a list with commas: `option=value` belongs to the name before it, if that has an `@`.

    So `searcher@0.3s,k=8,greedy` names two bots.
    """
    names: list[str] = []
    for part in map(str.strip, given.split(",")):
        if names and "=" in part and "@" in names[-1] and "@" not in part:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return tuple(names)


def check_bot(name: str, game: Game) -> None:
    """Exit with status 2 if this is no bot, or one that does not play this game."""
    try:
        bot_class(name, game.id)
    except BotNotImported as error:  # in a frame as of other errors, nobody could read the traceback
        typer.echo(f"landsraad: the bot {name} is in {error}", err=True)
        raise typer.Exit(2) from None
    except UnknownBot as error:
        raise typer.BadParameter(str(error)) from None
