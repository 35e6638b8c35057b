"""Which class plays a game: each family of bots has a table of its own."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from landsraad_engine.bot import Bot


def player_of(family: str, players: Mapping[str, str], game: str) -> type[Bot]:
    """The player of a game by its "module:class"; nothing is imported before it is asked for."""
    if game not in players:
        raise LookupError(f"{family} does not play {game}; it plays: {', '.join(players)}")
    module, _, name = players[game].partition(":")
    return cast("type[Bot]", getattr(import_module(module), name))
