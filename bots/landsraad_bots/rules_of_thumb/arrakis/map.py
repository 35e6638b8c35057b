"""What rules of thumb look at: how far it is, who stands where, and who is stronger."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from landsraad_bots.greedy.arrakis.outlook import distances
from landsraad_bots.players import side_of
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, OPPONENT
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion, Survey
from landsraad_engine.arrakis.zones import SIETCH
from landsraad_engine.kernel.zones import HIDDEN

#: Beyond the board.
FAR: Final = 99
#: A deployment token is about two units, an unseen Sietch of rank 2.
TOKEN: Final = 2
_UNSEEN_RANK: Final = 2


def enemy(view: ArrakisSeatView) -> str:
    return OPPONENT[side_of(view)]


def survey(view: ArrakisSeatView) -> Survey:
    """Where everything is, read once for each decision."""
    found: Survey | None = view.memo.get(survey)
    if found is None:
        found = view.memo[survey] = view.survey()
    return found


def away(view: ArrakisSeatView, area: str, others: Iterable[str]) -> int:
    """How far it is to the nearest of these areas."""
    steps = distances(view.board)[area]
    return min((steps[other] for other in others), default=FAR)


def strength(view: ArrakisSeatView, of: str, area: str) -> int:
    """About how many dice a side's legion rolls in an area, a settlement's walls included."""
    return units(view.legion(of, area)) + rank(view, of, area)


def units(legion: Legion) -> int:
    """About how many units a legion has once its tokens are turned up."""
    return legion.strength + TOKEN * len(legion.tokens)


def vigour(legion: Legion) -> int:
    """Units, the better ones twice, and leaders."""
    return units(legion) + legion.units[1] + legion.units[2] + legion.leaders


def rank(view: ArrakisSeatView, of: str, area: str) -> int:
    """The rank of a side's settlement in an area, as far as one knows; 0: there is none."""
    if of == ATREIDES and view.table.get(SIETCH[area], ("",))[0] == HIDDEN:
        return _UNSEEN_RANK
    return view.rank(of, area)


def settlements(view: ArrakisSeatView, of: str) -> tuple[str, ...]:
    return view.board.names(survey(view).settlements(of))


def legions(view: ArrakisSeatView, of: str) -> tuple[str, ...]:
    return view.board.names(survey(view).legions(of))


def pressed(view: ArrakisSeatView, area: str) -> int:
    """The strongest enemy legion within three areas, 0 if there is none."""
    near = view.board.names(view.board.within(area, 3) & survey(view).legions(enemy(view)))
    return max((units(view.legion(enemy(view), place)) for place in near), default=0)


def harvested(view: ArrakisSeatView) -> tuple[str, ...]:
    """Areas with a harvester and nobody to guard it."""
    return view.board.names(survey(view).harvesters & ~survey(view).legions(HARKONNEN))
