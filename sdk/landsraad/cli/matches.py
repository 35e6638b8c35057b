"""What the commands that play matches locally share: their arguments, bots by name, seeds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from random import Random
from typing import Annotated, Any, cast

import typer

from landsraad import games
from landsraad._registry import Registry
from landsraad.cli.output import chosen
from landsraad_engine.bot import Bot
from landsraad_engine.errors import BadOption
from landsraad_engine.game import Game

#: name -> a Bot class, or a function (game id) -> Bot class
BOTS = Registry("landsraad.bots", {"random": "landsraad_engine.bot:RandomBot"})

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
    """Match options from key=value words, checked by the game."""
    words: dict[str, str] = {}
    for word in given or ():
        name, equals, value = word.partition("=")
        if not equals:
            raise typer.BadParameter(f"{word!r} is not of the form key=value")
        words[name] = value
    try:
        return found.parse_options(words, seats)
    except BadOption as error:
        raise typer.BadParameter(str(error)) from None


def the_bots(given: str, seats: int) -> tuple[str, ...]:
    """Bot names, one for all seats or one per seat."""
    names = tuple(given.split(","))
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise typer.BadParameter(f"{len(names)} bots for {seats} seats: give one name, or one per seat")
    return tuple(chosen("bot", name, BOTS.targets()) for name in names)


def make_bot(name: str, game_id: str, seed: int) -> Bot:
    """A bot of this name for one seat."""
    found = BOTS.load(name)
    if isinstance(found, type):
        return cast("type[Bot]", found)(seed)
    return cast("Callable[[str], type[Bot]]", found)(game_id)(seed)


def derived(seed: int, *words: object) -> int:
    """A seed for one purpose, from the command's seed; the same on every machine and in every process."""
    text = "|".join(map(str, (seed, *words)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def rng(seed: int, *words: object) -> Random:
    """Random numbers for one purpose."""
    return Random(derived(seed, *words))
