"""Searching bots: `searcher`, with options in its name such as `searcher@0.3s,k=8` or `searcher@worlds=32`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from landsraad_bots.players import player_of

if TYPE_CHECKING:
    from landsraad_engine.play.bot import Bot

#: game id -> "module:class"
PLAYERS = {
    "arrakis": "landsraad_bots.searching.player:Searcher",
    "dune": "landsraad_bots.searching.player:Searcher",
}


@cache
def searcher(game: str, options: str = "") -> type[Bot]:
    """Return the searching player class of a game.

    Args:
        game: The id of the game.
        options: The options in the bot's name, without the `@`.

    Returns:
        The class.

    Raises:
        LookupError: The searcher does not play this game, or an option is bad (`BadBotOptions`).
    """
    from landsraad_bots.searching.settings import parse_settings  # noqa: PLC0415 - names alone must load fast

    settings = parse_settings(options)
    base = player_of("searcher", PLAYERS, game)
    own = {"game": game, "settings": settings, "cpu_seconds": settings.cpu_seconds, "__doc__": base.__doc__}
    return type("Searcher", (base,), own)
