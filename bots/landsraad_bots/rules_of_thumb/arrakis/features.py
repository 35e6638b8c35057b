"""Features of a position for rules of thumb: distances, strengths and threats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from landsraad_bots.greedy.arrakis.outlook import distances
from landsraad_bots.players import side_of
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, OPPONENT
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion, Survey
from landsraad_engine.arrakis.zones import SIETCH
from landsraad_engine.kernel.zones import HIDDEN

#: A distance greater than any on the board.
FAR: Final = 99
#: The assumed units of a deployment token, and rank of a face-down Sietch.
TOKEN: Final = 2
_UNSEEN_RANK: Final = 2


def enemy(view: ArrakisSeatView) -> str:
    return OPPONENT[side_of(view)]


def survey(view: ArrakisSeatView) -> Survey:
    """Return the survey of the board (cached for the decision)."""
    found: Survey | None = view.memo.get(survey)
    if found is None:
        found = view.memo[survey] = view.survey()
    return found


def distance_to(view: ArrakisSeatView, area: str, others: Iterable[str]) -> int:
    """Return the distance to the nearest of some areas."""
    steps = distances(view.board)[area]
    return min((steps[other] for other in others), default=FAR)


def strength(view: ArrakisSeatView, of: str, area: str) -> int:
    """Return about the number of dice that a side rolls in an area, with those of a settlement."""
    return unit_count(view.legion(of, area)) + rank(view, of, area)


def unit_count(legion: Legion) -> int:
    """Return the number of units of a legion, with an estimate for its tokens."""
    return legion.strength + TOKEN * len(legion.tokens)


def fighting_value(legion: Legion) -> int:
    """Return the number of units and leaders, with elites counted twice."""
    return unit_count(legion) + legion.units[1] + legion.units[2] + legion.leaders


def rank(view: ArrakisSeatView, of: str, area: str) -> int:
    """Return the rank of a side's settlement in an area, assumed if it is hidden; 0 without one."""
    if of == ATREIDES and view.table.get(SIETCH[area], ("",))[0] == HIDDEN:
        return _UNSEEN_RANK
    return view.rank(of, area)


def settlements(view: ArrakisSeatView, of: str) -> tuple[str, ...]:
    return view.board.names(survey(view).settlements(of))


def legions(view: ArrakisSeatView, of: str) -> tuple[str, ...]:
    return view.board.names(survey(view).legions(of))


def threat_to(view: ArrakisSeatView, area: str) -> int:
    """Return the units of the strongest enemy legion within three areas."""
    near = view.board.names(view.board.within(area, 3) & survey(view).legions(enemy(view)))
    return max((unit_count(view.legion(enemy(view), place)) for place in near), default=0)


def unguarded_harvesters(view: ArrakisSeatView) -> tuple[str, ...]:
    """Return the areas with a harvester and no Harkonnen legion."""
    return view.board.names(survey(view).harvesters & ~survey(view).legions(HARKONNEN))
