"""Basic worths in percent of a victory: units, points and steps of the tracks, cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from landsraad_bots.greedy.arrakis.odds import Force
from landsraad_engine.arrakis.objectives import may_be_held
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, Figures
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.arrakis.zones import STARTING_SETS
from landsraad_engine.kernel.zones import HIDDEN

#: A regular, an elite, a special elite and a generic leader of each side. The Atreides have fewer.
UNITS: Final = {HARKONNEN: (1.0, 1.8, 2.4, 1.2), ATREIDES: (1.3, 2.2, 3.0, 1.2)}
NAMED: Final = 2.0
#: The leader to whom no hit can be assigned.
_SPARED: Final = "dr_yueh"
#: A planning card drawn, and one kept in a hand that is not full.
DRAWN: Final = 1.2
KEPT: Final = 0.8
#: The average units of a face-down deployment token: about two.
_UNSEEN: Final = (1.2, 0.6, 0.2, 0.0)


def units_worth(side: str, units: Figures, named: int = 0) -> float:
    """Return the worth of figures, wherever they are."""
    return sum(each * number for each, number in zip(UNITS[side], units, strict=True)) + NAMED * named


def legion_worth(view: ArrakisSeatView, side: str, legion: Legion) -> float:
    """Return the worth of a legion, wherever it is."""
    return units_worth(side, legion.units, len(legion.named)) + sum(
        sum(each * number for each, number in zip(UNITS[side], _shown(view, token), strict=True))
        for token in legion.tokens
    )


def force(view: ArrakisSeatView, legion: Legion) -> Force:
    """Return the force of a legion, with its tokens turned up or estimated."""
    regular, elite, special, leader = legion.units
    for token in legion.tokens:
        more = _shown(view, token)
        regular, elite, special = round(regular + more[0]), round(elite + more[1]), round(special + more[2])
    leaders = leader + len(legion.named)
    hit = leaders - (_SPARED in legion.named)
    return Force(regular + elite + special, regular + 2 * (elite + special) + hit, leaders, special)


def _shown(view: ArrakisSeatView, token: str) -> tuple[float, float, float, float]:
    if token == HIDDEN or token in STARTING_SETS:
        return _UNSEEN  # Harkonnen tokens, which the solo mode has, are named by their backs
    units = view.content.deployment_token[token].units
    return (units.regular, units.elite, units.special, 0)


# --- the tracks


def points_left(view: ArrakisSeatView) -> int:
    """Return the Supremacy points that the Harkonnen still need."""
    return max(1, view.content.supremacy.length - view.supremacy)


def point_worth(view: ArrakisSeatView) -> float:
    """Return the worth of the next Supremacy point, which rises as fewer are missing."""
    return 100 / (points_left(view) + 2)


def steps_missing(view: ArrakisSeatView) -> Mapping[str, float]:
    """Return the steps that each marker needs: for the nearest own objective, else averaged over the possible ones.

    They are cached.
    """
    found: Mapping[str, float] | None = view.memo.get(steps_missing)
    if found is None:
        found = view.memo[steps_missing] = _steps_missing(view)
    return found


def _steps_missing(view: ArrakisSeatView) -> Mapping[str, float]:
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
    """Return the worth of another step of each marker: next to nothing for steps that no objective needs (cached)."""
    found: Mapping[str, float] | None = view.memo.get(step_worth)
    if found is None:
        missing = steps_missing(view)
        each = 100 / (sum(missing.values()) + 4)
        found = {marker: each * min(1.0, number) + 0.1 for marker, number in missing.items()}
        view.memo[step_worth] = found
    return found


def village_worth(view: ArrakisSeatView, rank: int) -> float:
    """Return the worth of a village's fall for the Atreides: its rank in steps of every marker."""
    missing = steps_missing(view)
    gained = sum(min(rank, number) for number in missing.values())
    left = sum(missing.values())
    return 100 * gained / (left - gained / 2 + 4)


def sietch_worth(view: ArrakisSeatView, rank: float) -> float:
    """Return the worth of a Sietch's fall for the Harkonnen: its rank in Supremacy points."""
    left = points_left(view)
    gained = min(rank, left)
    return 100 * gained / (left - gained / 2 + 2)
