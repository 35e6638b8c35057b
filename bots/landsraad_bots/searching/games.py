"""The parts of a search that belong to a game: policies, horizons and the questions that are searched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from landsraad_bots.searching.rolling import EndOfTurn, Horizon, NextActions


class SearchedGame(NamedTuple):
    """The parts of a search that belong to a game."""

    #: the end of playouts from a view
    horizon: Callable[[Any], Horizon]
    #: the names of act types: a question is searched if it offers one of them
    searched: frozenset[str]
    #: the sealed questions that are played as matrix games, by act type, each with the end of its playouts
    sealed: Mapping[str, Callable[[Any], Horizon]]


GAMES: Final = {
    "dune": SearchedGame(
        EndOfTurn,
        frozenset(
            {
                "Ship",
                "ShipNative",
                "ShipPrivileged",
                "ShipAcross",
                "Manoeuvre",
                "BattlePlan",
                "ChooseBattle",
                "RideWorm",
                "Revive",
                "LoseTokens",
                "PlaceWorm",
                "Collect",
            }
        ),
        {"BattlePlan": EndOfTurn},
    ),
    "arrakis": SearchedGame(
        NextActions,
        frozenset({"TakeAction", "MoveLegion", "Attack", "BringForces", "LayWormsigns", "Deploy", "Continue"}),
        {},
    ),
}
