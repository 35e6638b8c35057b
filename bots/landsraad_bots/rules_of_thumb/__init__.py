"""House bots: competent players by rules of thumb, an order of priorities for each faction and no evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landsraad_bots.players import player_of

if TYPE_CHECKING:
    from landsraad_engine.play.bot import Bot

#: game id -> "module:class"
PLAYERS = {"arrakis": "landsraad_bots.rules_of_thumb.arrakis:RulesOfThumbArrakis"}


def rules_of_thumb(game: str) -> type[Bot]:
    """The house player of a game."""
    return player_of("house", PLAYERS, game)
