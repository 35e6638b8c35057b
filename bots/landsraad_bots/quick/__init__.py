"""Quick bots: greedy's evaluation over few proposals, for playouts. They make several times as many decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landsraad_bots.players import player_of

if TYPE_CHECKING:
    from landsraad_engine.play.bot import Bot

#: game id -> "module:class"
PLAYERS = {
    "arrakis": "landsraad_bots.quick.arrakis:QuickArrakis",
    "dune": "landsraad_bots.quick.dune:QuickDune",
}


def quick(game: str) -> type[Bot]:
    """Return the quick player class of a game."""
    return player_of("quick", PLAYERS, game)
