"""Parts of the automaton's cards that put one unit each into several areas."""

from collections.abc import Callable

from landsraad_engine.arrakis.acts import ChooseTargets, targets_choice
from landsraad_engine.arrakis.mahdi.automaton import humans
from landsraad_engine.arrakis.mahdi.card_targets import first_of, room
from landsraad_engine.arrakis.mahdi.garrisons import available
from landsraad_engine.arrakis.mahdi.placing import Ranking
from landsraad_engine.arrakis.sides import ELITE, HARKONNEN, LEADER, REGULAR
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Subset


def scatter(f: "ScatterUnits", g: ArrakisState, seat: int, act: ChooseTargets) -> Flow:
    """Put a unit into each area that is certain, and into those of the humans' choice."""
    certain, _ = due_areas(f, g)
    put_one_each(f, g, (*certain, *act.targets))
    return None


class ScatterUnits(Frame):
    """A unit into each of the first so many places with room: an Elite where one is due, else a Regular."""

    places: Ranking
    count: int
    elite: tuple[AreaId, ...] = ()

    @step("WFA-Y.110", "WFA-Y.113")
    def choose(f, g: ArrakisState) -> Flow:
        certain, tied = due_areas(f, g)
        if not tied:
            put_one_each(f, g, certain)
            return END
        return Ask.any_of(humans(g), targets_choice("scatter_units", tied), why="WFA-Y.113")

    choose.answer(scatter)


def due_areas(f: ScatterUnits, g: ArrakisState) -> tuple[tuple[AreaId, ...], Subset | None]:
    """Return the areas that get a unit for certain, and the choice among those that tie for the others."""
    places = tuple(tuple(area for area in group if room(g, area)) for group in f.places)
    return first_of(places, min(f.count, sum(g.supply(HARKONNEN)[:LEADER])))


@rule("WFA-Y.110", "WFA-Y.165")
def put_one_each(f: ScatterUnits, g: ArrakisState, areas: tuple[AreaId, ...]) -> None:
    """Put a unit into each of these areas, Elites first."""
    for area in sorted(areas, key=lambda area: area not in f.elite):
        kind = ELITE if area in f.elite else REGULAR
        g.recruit(HARKONNEN, area, available(g, (int(kind == REGULAR), int(kind == ELITE), 0, 0)))


@rule("WFA-Y.104")
def can_scatter(frame: Callable[[ArrakisState], ScatterUnits]) -> Callable[[ArrakisState], bool]:
    """Return the condition that a unit can be put into one of the areas."""

    def possible(g: ArrakisState) -> bool:
        certain, tied = due_areas(frame(g), g)
        return bool(certain or tied)

    return possible


FRAMES = (ScatterUnits,)
