"""What all bots share: which class plays a game, each family having a table of its own, and the side that it plays."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from landsraad_engine.knowledge.views import SeatView
    from landsraad_engine.play.bot import Bot


def player_of(family: str, players: Mapping[str, str], game: str) -> type[Bot]:
    """The player of a game by its "module:class"; nothing is imported before it is asked for."""
    if game not in players:
        raise LookupError(f"{family} does not play {game}; it plays: {', '.join(players)}")
    module, _, name = players[game].partition(":")
    return cast("type[Bot]", getattr(import_module(module), name))


def side_of(view: SeatView) -> str:
    """The side that the seat of a view plays: a bot is never a spectator."""
    assert view.side is not None
    return view.side
