"""Goals: the prizes on the board that a side may take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.odds import NO_FORCE, Force
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.operations.conditions import areas_like
from landsraad_engine.arrakis.sides import ATREIDES, OPPONENT
from landsraad_engine.arrakis.terms import CountedEvent
from landsraad_engine.arrakis.words import ArrakisSeatView, Survey
from landsraad_engine.arrakis.zones import SIETCH
from landsraad_engine.kernel.zones import HIDDEN

#: The assumed rank of a face-down Sietch.
UNKNOWN_RANK: Final = 2
#: The share of an enemy legion's worth that counts as a prize in the open.
_HUNT: Final = 0.5
#: The worth of a spice to the Harkonnen.
SPICE: Final = 2.0
#: The chance to fulfil a prescience card that is not fulfilled yet.
_PROSPECT: Final = 0.6


class Goal(NamedTuple):
    """A prize that a legion may take in an area."""

    area: str
    prize: float
    #: the force to beat there; None if presence suffices
    guard: Force | None = None
    #: the rank of the settlement, 0 without one
    rank: int = 0


def goals(view: ArrakisSeatView, side: str, survey: Survey) -> Iterator[Goal]:
    """Yield all goals of a side."""
    yield from _settlements(view, side, survey)
    yield from _legions(view, side, survey)
    if side == ATREIDES:
        yield from _stations(view, survey)
        yield from _harvesters(view, survey)


def rank_of(view: ArrakisSeatView, side: str, area: str) -> int:
    """Return the rank of a settlement, assumed if it is hidden."""
    if side == ATREIDES and view.table.get(SIETCH[area], ("",))[0] == HIDDEN:
        return UNKNOWN_RANK
    return view.rank(side, area)


def settlement_worth(view: ArrakisSeatView, side: str, area: str) -> float:
    """Return the worth of a settlement's fall for its enemies."""
    rank = rank_of(view, side, area)
    return worth.sietch_worth(view, rank) if side == ATREIDES else worth.village_worth(view, rank)


def _settlements(view: ArrakisSeatView, side: str, survey: Survey) -> Iterator[Goal]:
    enemy = OPPONENT[side]
    for area in view.board.names(survey.settlements(enemy)):
        guard = worth.force(view, view.legion(enemy, area))
        yield Goal(area, settlement_worth(view, enemy, area), guard, rank_of(view, enemy, area))


def _legions(view: ArrakisSeatView, side: str, survey: Survey) -> Iterator[Goal]:
    enemy = OPPONENT[side]
    for area in view.board.names(survey.legions(enemy) & ~survey.settlements(enemy) & ~survey.worms):
        legion = view.legion(enemy, area)
        yield Goal(area, _HUNT * worth.legion_worth(view, enemy, legion), worth.force(view, legion))


def _stations(view: ArrakisSeatView, survey: Survey) -> Iterator[Goal]:
    steps = worth.step_worth(view)
    prize = sum(steps.values()) / len(steps) + event_worth(view, "station_taken")
    for area in view.board.names(survey.stations & ~survey.barred(ATREIDES)):
        yield Goal(area, prize)


def _harvesters(view: ArrakisSeatView, survey: Survey) -> Iterator[Goal]:
    wanted = event_worth(view, "harvester_removed")
    for area in view.board.names(survey.harvesters & ~survey.barred(ATREIDES)):
        yield Goal(area, SPICE * spice_in(view, area) + wanted)


def spice_in(view: ArrakisSeatView, area: str) -> int:
    """Return the spice that a harvester yields in this area."""
    spice = view.content.spice
    return spice.deep_desert_yield if view.board.terrain[area] == "deep_desert" else spice.desert_yield


# --- prescience cards


def reward_worth(view: ArrakisSeatView, card: str) -> float:
    """Return the worth of the steps that a prescience card rewards."""
    steps = worth.step_worth(view)
    missing = worth.steps_missing(view)
    total = 0.0
    for row in view.content.prescience_card[card].rewards:
        if isinstance(row, rows.AdvanceMarkerRow):
            if row.marker == "any":
                total += max(steps.values()) * row.steps
            else:
                total += steps[row.marker] * min(row.steps, max(missing[row.marker], 0.2))
    return total


def prospects(view: ArrakisSeatView) -> list[tuple[rows.Operation, float]]:
    """Return the demands of revealed prescience cards, each with the discounted reward (cached)."""
    found: list[tuple[rows.Operation, float]] | None = view.memo.get(prospects)
    if found is None:
        left = view.content.limits.prescience_claims_per_round - len(view.table.get("claims", ()))
        row = view.table.get("prescience_row", ()) if left > 0 else ()
        found = view.memo[prospects] = [
            (demand, _PROSPECT * reward_worth(view, card))
            for card in row
            for demand in view.content.prescience_card[card].requires
        ]
    return found


def event_worth(view: ArrakisSeatView, event: CountedEvent) -> float:
    """Return the worth of another event that prescience cards count: half, because one event is seldom enough."""
    counting = [
        prospect for row, prospect in prospects(view) if isinstance(row, rows.HappenedRow) and row.event == event
    ]
    return sum(counting) / 2


def wanted_areas(view: ArrakisSeatView, survey: Survey) -> Mapping[str, float]:
    """Return the areas where an Atreides legion helps to fulfil a prescience card, with the worth of that."""
    bonus: dict[str, float] = {}
    for row, prospect in prospects(view):
        if not isinstance(row, rows.UnitsInAreasRow) or row.side != ATREIDES or row.unit != "any":
            continue
        areas = areas_like(row, view)
        held = areas & survey.atreides
        missing = row.areas - held.bit_count()
        if missing > 3:
            continue
        share = prospect / max(missing, 1)
        useful = held if missing < 0 else areas
        for area in view.board.names(useful & ~survey.barred(ATREIDES)):
            bonus[area] = bonus.get(area, 0.0) + (share / 2 if missing < 0 else share)
    return bonus


def guard_of(view: ArrakisSeatView, side: str, area: str) -> Force:
    """Return the force of a side in an area."""
    return worth.force(view, view.legion(side, area)) if view.size(side, area) else NO_FORCE
