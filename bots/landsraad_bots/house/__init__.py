"""House bots: competent players by rules of thumb, an order of priorities for each faction and no evaluation."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from landsraad_engine.bot import Bot

#: game id -> "module:class"
PLAYERS = {"arrakis": "landsraad_bots.house.arrakis:HouseArrakis"}


def house(game: str) -> type[Bot]:
    """The house player of a game."""
    if game not in PLAYERS:
        raise LookupError(f"there is no house player of {game!r} yet; there is one of: {', '.join(PLAYERS)}")
    module, _, name = PLAYERS[game].partition(":")
    return cast("type[Bot]", getattr(import_module(module), name))
