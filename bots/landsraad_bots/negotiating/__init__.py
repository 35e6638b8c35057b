"""Negotiating bots: `negotiator`, a searcher that values alliances and deals; it takes the searcher's options."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from landsraad_bots.players import player_of

if TYPE_CHECKING:
    from landsraad_engine.play.bot import Bot

#: game id -> "module:class"
PLAYERS = {"dune": "landsraad_bots.negotiating.player:Negotiator"}


@cache
def negotiator(game: str, options: str = "") -> type[Bot]:
    """Return the negotiating player class of a game.

    Args:
        game: The id of the game.
        options: The options in the bot's name, without the `@`: those of the searcher.

    Returns:
        The class.

    Raises:
        LookupError: The negotiator does not play this game, or an option is bad (`BadBotOptions`).
    """
    from landsraad_bots.searching import searcher  # noqa: PLC0415 - names alone must load fast

    base = player_of("negotiator", PLAYERS, game)
    search = searcher(game, options)
    return type("Negotiator", (base, search), {"__doc__": base.__doc__})
