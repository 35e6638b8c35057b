"""Units and leaders that come to the board: deployed into settlements, or placed by cards."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from landsraad_engine.arrakis.acts import BringForces
from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.legions import Settle, join
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.mahdi.combat_power import CombatPower, power_at
from landsraad_engine.arrakis.mahdi.distances import flown, nearest_sietches, to_nearest_sietch
from landsraad_engine.arrakis.mahdi.garrisons import available
from landsraad_engine.arrakis.mahdi.numbers import DEPLOYED_FIRST
from landsraad_engine.arrakis.mahdi.priorities import ranking, without
from landsraad_engine.arrakis.mahdi.targets import target_area
from landsraad_engine.arrakis.sides import ATREIDES, GENERIC, HARKONNEN, LEADER, Figures
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import FIGURE
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step

Ranking = tuple[tuple[AreaId, ...], ...]

# ---- Orders of places ----


@rule("WFA-Y.86")
def lead_over_nearest_sietch(g: ArrakisState, area: AreaId) -> CombatPower:
    """Return by how much a legion exceeds that of the closest Sietch; of several, of the one that it exceeds most."""
    own = power_at(g, HARKONNEN, area)
    others = [power_at(g, ATREIDES, sietch) for sietch in nearest_sietches(g, area)]
    return max((own.over(other) for other in others), default=CombatPower())


@rule("WFA-Y.85", "WFA-Y.86", "WFA-Y.171")
def house_worth(g: ArrakisState, area: AreaId) -> tuple[Any, ...]:
    """Return the worth of a legion for better or more units: near a Sietch, strong against it, near the Target."""
    return -to_nearest_sietch(g, area), lead_over_nearest_sietch(g, area), -flown(g, area, target_area(g))


@rule("WFA-Y.85", "WFA-Y.98", "WFA-Y.171")
def placing_order(g: ArrakisState, areas: Iterable[AreaId]) -> Ranking:
    """Return areas in the order in which units are placed there, those that tie together."""
    return ranking(areas, lambda area: house_worth(g, area))


@rule("WFA-Y.87", "WFA-Y.90")
def deploying_order(g: ArrakisState) -> Ranking:
    """Return the settlements in the order in which units are deployed there, those that tie together."""
    target = target_area(g)
    return ranking(
        g.board.names(g.survey().villages),
        lambda area: power_at(g, HARKONNEN, area),
        lambda area: -flown(g, area, target),
    )


# ---- Leaders ----


@rule("WFA-Y.88")
def who_is_deployed(g: ArrakisState) -> tuple[str, ...]:
    """Return the leaders of whom one comes: Rabban or Feyd-Rautha, else another named one, else a Bashar."""
    aside = tuple(leader for leader in g.leaders_aside(HARKONNEN) if g.allowed(Permit.BRING, leader, default=True))
    first = tuple(leader for leader in aside if leader in DEPLOYED_FIRST)
    generic = (GENERIC[HARKONNEN],) if g.supply(HARKONNEN)[LEADER] else ()
    return first or aside or generic


# ---- Bringing them ----


def bring(f: "PlaceByAutomaton", g: ArrakisState, seat: int, act: BringForces) -> Flow:
    """Put units and leaders down in a place; it is done with for the rest."""
    due = sum(f.units)
    placed = sum(act.units[:LEADER])
    g.recruit(HARKONNEN, act.place, act.units)
    for leader in act.leaders:
        join(g, HARKONNEN, act.place, leader)
    f.units = f.units if not placed else _still_due(f.units, act, g) if placed < due else (0, 0, 0)
    brought = act.units[LEADER] + len(act.leaders)
    if brought:
        f.leaders, f.generic, f.named = 0, 0, ()
    f.ranking = without(f.ranking, act.place) if f.spread else ()
    g.set_mark("here", act.place)
    return goto("settle")


def _still_due(due: tuple[int, int, int], act: BringForces, g: ArrakisState) -> tuple[int, int, int]:
    """Return what is left of the units that are due, substitutes counted for the kind nearest to them."""
    left = list(due)
    for kind in range(LEADER):
        for _ in range(act.units[kind]):
            order = (*range(kind, -1, -1), *range(kind + 1, LEADER))
            at = next((each for each in order if left[each]), None)
            if at is not None:
                left[at] -= 1
    return left[0], left[1], left[2]


class PlaceByAutomaton(Frame):
    """Units and leaders come to the first place of an order that has room; with ``spread`` the rest to the next.

    ``leaders``: so many that are chosen as for a deployment; ``generic``: so many generic ones; ``named``: these.
    """

    units: tuple[int, int, int]
    ranking: Ranking
    leaders: int = 0
    generic: int = 0
    named: tuple[str, ...] = ()
    spread: bool = False

    @step("WFA-Y.87", "WFA-Y.88", "WFA-Y.89", "WFA-Y.90", "WFA-Y.98", "WFA-Y.171")
    def place(f, g: ArrakisState) -> Flow:
        acts = ways_to_bring(f, g)
        if not acts:
            return END
        return decide(f, g, acts, bring, "WFA-Y.87")

    place.answer(bring)

    @step("WFA-Y.161")
    def settle(f, g: ArrakisState) -> Flow:
        here = g.table.get("here", "")
        return Settle(side=HARKONNEN, area=here) if here else None

    @step()
    def on(f, g: ArrakisState) -> Flow:
        return goto("place")


@rule("WFA-Y.89", "WFA-Y.90", "WFA-Y.165")
def ways_to_bring(f: PlaceByAutomaton, g: ArrakisState) -> list[BringForces]:
    """Return what can be brought to the first places of the order that have room for any of it."""
    if any(f.units) and any(available(g, (*f.units, 0))):
        for group in f.ranking:
            open_ = [area for area in group if g.size(HARKONNEN, area) < g.stacking(HARKONNEN)]
            if open_:
                return [act for area in open_ for act in _into(f, g, area)]
    # No unit finds room: leaders go where units stand.
    if f.leaders or f.generic or f.named:
        for group in f.ranking:
            manned = [area for area in group if g.size(HARKONNEN, area)]
            acts = [act for area in manned for act in _leaders_to(f, g, area, (0, 0, 0))]
            if acts:
                return acts
    return []


def _into(f: PlaceByAutomaton, g: ArrakisState, area: AreaId) -> Iterator[BringForces]:
    """Yield the ways to fill the room of an area: all units, or where not all fit any so many of them."""
    room = g.stacking(HARKONNEN) - g.size(HARKONNEN, area)
    for counts in product(*(range(number + 1) for number in f.units)):
        if sum(counts) == min(room, sum(f.units)):
            regular, elite, special = counts
            come = available(g, (regular, elite, special, 0))
            yield from _leaders_to(f, g, area, come[:LEADER], units_only=True)


def _leaders_to(
    f: PlaceByAutomaton, g: ArrakisState, area: AreaId, units: tuple[int, ...], *, units_only: bool = False
) -> Iterator[BringForces]:
    """Yield the ways in which leaders come along; without any only if there are units."""
    regular, elite, special = units
    named = tuple(sorted(leader for leader in f.named if leader in FIGURE))
    generic = min(f.generic, g.supply(HARKONNEN)[LEADER])
    chosen = who_is_deployed(g) if f.leaders else ()
    for leader in chosen or ("",):
        if leader == GENERIC[HARKONNEN]:
            figures: Figures = (regular, elite, special, min(generic + 1, g.supply(HARKONNEN)[LEADER]))
            yield BringForces(area, figures, named)
        elif leader or named or generic or units_only:
            more = (leader,) if leader else ()
            yield BringForces(area, (regular, elite, special, generic), tuple(sorted((*named, *more))))


@rule("WFA-Y.52", "WFA-Y.87")
def deployment(g: ArrakisState, units: tuple[int, int, int] = (3, 0, 0)) -> PlaceByAutomaton:
    """Return the deployment of units and a leader into settlements."""
    return PlaceByAutomaton(units=units, ranking=deploying_order(g), leaders=1, spread=True)


FRAMES = (PlaceByAutomaton,)
