"""Helpers that all bots share: the lookup of a player class, and the side of a view."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

if TYPE_CHECKING:
    from landsraad_engine.knowledge.views import SeatView
    from landsraad_engine.play.bot import Bot


class Budget(Protocol):
    """CPU seconds that several bots share."""

    def grant(self, seconds: float) -> float:
        """Return how many of the seconds a decision may use."""

    def release(self, granted: float) -> None:
        """Take a grant back when its decision is made."""


@runtime_checkable
class Budgeted(Protocol):
    """A bot whose strength depends on its CPU time, and that can do with less."""

    def share_budget(self, budget: Budget) -> None:
        """Ask this budget before each decision."""


def player_of(family: str, players: Mapping[str, str], game: str) -> type[Bot]:
    """Return the player class of a game from a family's table of "module:class", imported on demand."""
    if game not in players:
        raise LookupError(f"{family} does not play {game}; it plays: {', '.join(players)}")
    module, _, name = players[game].partition(":")
    return cast("type[Bot]", getattr(import_module(module), name))


def side_of(view: SeatView) -> str:
    """Return the side of a view's seat. A bot is never a spectator, so it has one."""
    assert view.side is not None
    return view.side
