"""What things are worth, in percent of a victory: units, points and steps of the tracks, cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from landsraad_bots.greedy.arrakis.odds import Force
from landsraad_engine.arrakis.objectives import may_be_held
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, Figures
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.kernel.zones import HIDDEN

#: A regular, an elite, a special elite, a generic leader of each side. The Atreides have fewer of them.
UNITS: Final = {HARKONNEN: (1.0, 1.8, 2.4, 1.2), ATREIDES: (1.3, 2.2, 3.0, 1.2)}
NAMED: Final = 2.0
#: A planning card drawn, and one kept in a hand that is not full.
DRAWN: Final = 1.2
KEPT: Final = 0.8
#: A deployment token that one may not look at: about two units.
_UNSEEN: Final = (1.2, 0.6, 0.2, 0.0)


def units_worth(side: str, units: Figures, named: int = 0) -> float:
    """What figures are worth as such, wherever they stand."""
    return sum(each * number for each, number in zip(UNITS[side], units, strict=True)) + NAMED * named


def legion_worth(view: ArrakisSeatView, side: str, legion: Legion) -> float:
    """What a legion is worth as such."""
    return units_worth(side, legion.units, len(legion.named)) + sum(
        sum(each * number for each, number in zip(UNITS[side], _shown(view, token), strict=True))
        for token in legion.tokens
    )


def force(view: ArrakisSeatView, legion: Legion) -> Force:
    """What of a legion decides a battle, its tokens turned up."""
    regular, elite, special, leader = legion.units
    for token in legion.tokens:
        more = _shown(view, token)
        regular, elite, special = round(regular + more[0]), round(elite + more[1]), round(special + more[2])
    leaders = leader + len(legion.named)
    return Force(regular + elite + special, regular + 2 * (elite + special) + leaders, leaders, special)


def _shown(view: ArrakisSeatView, token: str) -> tuple[float, float, float, float]:
    if token == HIDDEN:
        return _UNSEEN
    units = view.content.deployment_token[token].units
    return (units.regular, units.elite, units.special, 0)


# --- the tracks


def points_left(view: ArrakisSeatView) -> int:
    """Supremacy points that the Harkonnen still need."""
    return max(1, view.content.supremacy.length - view.supremacy)


def point_worth(view: ArrakisSeatView) -> float:
    """What the next Supremacy point is worth: the fewer are missing, the more."""
    return 100 / (points_left(view) + 2)


def steps_missing(view: ArrakisSeatView) -> Mapping[str, float]:
    """Steps that each marker still needs: for one's own objective that is nearest, or for those that may be held."""
    own = [each for each in view.table.get("objectives", ()) if each != HIDDEN]
    objectives = view.content.objective
    considered = own or [each for each in objectives if may_be_held(view, each)] or list(objectives)
    missing: list[Mapping[str, float]] = [
        {marker: max(0, getattr(objectives[each], marker) - view.marker(marker)) for marker in MARKERS}
        for each in considered
    ]
    if own:
        return min(missing, key=lambda each: sum(each.values()))
    return {marker: sum(each[marker] for each in missing) / len(missing) for marker in MARKERS}


def step_worth(view: ArrakisSeatView) -> Mapping[str, float]:
    """What one more step of each marker is worth: nothing to speak of once it has come as far as it must."""
    missing = steps_missing(view)
    each = 100 / (sum(missing.values()) + 4)
    return {marker: each * min(1.0, number) + 0.1 for marker, number in missing.items()}


def village_worth(view: ArrakisSeatView, rank: int) -> float:
    """What the fall of a village of this rank brings the Atreides: that many steps of every marker."""
    missing = steps_missing(view)
    gained = sum(min(rank, number) for number in missing.values())
    left = sum(missing.values())
    return 100 * gained / (left - gained / 2 + 4)


def sietch_worth(view: ArrakisSeatView, rank: float) -> float:
    """What the fall of a Sietch of this rank brings the Harkonnen."""
    left = points_left(view)
    gained = min(rank, left)
    return 100 * gained / (left - gained / 2 + 2)
