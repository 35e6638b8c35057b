"""Greedy bots: choose the best legal act by a one-step evaluation with readable features."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landsraad_bots.players import player_of

if TYPE_CHECKING:
    from landsraad_engine.play.bot import Bot

#: game id -> "module:class"
PLAYERS = {
    "arrakis": "landsraad_bots.greedy.arrakis:GreedyArrakis",
    "dune": "landsraad_bots.greedy.dune:GreedyDune",
}


def greedy(game: str) -> type[Bot]:
    """Return the greedy player class of a game."""
    return player_of("greedy", PLAYERS, game)
