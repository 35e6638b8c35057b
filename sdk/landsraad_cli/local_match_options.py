"""What the commands that play matches locally share: their arguments, bots by name, seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from landsraad import games
from landsraad.bots import BOTS, bot_class
from landsraad_cli.output import chosen

if TYPE_CHECKING:
    from landsraad_engine.kernel.game import Game

GameArgument = Annotated[str, typer.Argument(help=f"One of: {', '.join(games.known())}.")]
SeatsOption = Annotated[int | None, typer.Option("--seats", help="Number of seats (default: as many as the game has).")]
SeedOption = Annotated[int, typer.Option("--seed", help="Same seed, same matches.")]
OptionOption = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A match option as key=value; may be repeated.")
]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes that play at the same time.")]


def the_game(name: str) -> Game:
    """The game with this id, or a clear error."""
    return games.load(chosen("game", name, games.known()))


def the_seats(found: Game, seats: int | None) -> int:
    """The number of seats, checked."""
    seats = max(found.seats) if seats is None else seats
    if seats not in found.seats:
        raise typer.BadParameter(f"{found.id} is played by {', '.join(map(str, found.seats))} seats, not {seats}")
    return seats


def the_options(found: Game, given: Sequence[str] | None, seats: int) -> dict[str, Any]:
    """All match options, those given as key=value words among them, checked by the game."""
    from landsraad_engine.errors import BadOption

    try:
        return found.parse_options(_words(given), seats)
    except BadOption as error:
        raise typer.BadParameter(str(error)) from None


def the_fixed_options(found: Game, given: Sequence[str] | None) -> dict[str, str]:
    """The options given as key=value words, for commands that draw the others at random; checked by the game."""
    the_options(found, given, max(found.seats))
    return _words(given)


def _words(given: Sequence[str] | None) -> dict[str, str]:
    words: dict[str, str] = {}
    for word in given or ():
        name, equals, value = word.partition("=")
        if not equals:
            raise typer.BadParameter(f"{word!r} is not of the form key=value")
        words[name] = value
    return words


def the_bots(given: str, seats: int, game: Game) -> tuple[str, ...]:
    """Names of bots that play this game, one for all seats or one per seat."""
    names = tuple(given.split(","))
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise typer.BadParameter(f"{len(names)} bots for {seats} seats: give one name, or one per seat")
    for name in dict.fromkeys(names):
        chosen("bot", name, BOTS.targets())
        try:
            bot_class(name, game.id)
        except LookupError as error:
            raise typer.BadParameter(str(error)) from None
    return names
