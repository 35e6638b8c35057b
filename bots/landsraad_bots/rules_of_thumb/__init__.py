"""Rule-of-thumb bots: competent play by an order of priorities, without an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landsraad_bots.players import player_of

if TYPE_CHECKING:
    from landsraad_engine.play.bot import Bot

#: game id -> "module:class"
PLAYERS = {
    "arrakis": "landsraad_bots.rules_of_thumb.arrakis:RulesOfThumbArrakis",
    "dune": "landsraad_bots.rules_of_thumb.dune:RulesOfThumbDune",
}


def rules_of_thumb(game: str) -> type[Bot]:
    """Return the rule-of-thumb player class of a game."""
    return player_of("rule-of-thumb", PLAYERS, game)
