"""Greedy bots: the best of the legal acts by a one-step evaluation with readable features."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from landsraad_engine.bot import Bot

#: game id -> "module:class"
PLAYERS = {"arrakis": "landsraad_bots.greedy.arrakis:GreedyArrakis", "dune": "landsraad_bots.greedy.dune:GreedyDune"}


def greedy(game: str) -> type[Bot]:
    """The greedy player of a game."""
    if game not in PLAYERS:
        raise LookupError(f"there is no greedy player of {game!r} yet; there is one of: {', '.join(PLAYERS)}")
    module, _, name = PLAYERS[game].partition(":")
    return cast("type[Bot]", getattr(import_module(module), name))
