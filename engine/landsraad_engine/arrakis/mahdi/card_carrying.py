"""Troop Carriers: a legion of a settlement is carried straight to an own legion closer to the Target Sietch."""

from landsraad_engine.arrakis.acts import MoveLegion
from landsraad_engine.arrakis.arrival import Arrival
from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.legions import relocate
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.mahdi.card_targets import closest, room
from landsraad_engine.arrakis.mahdi.combat_power import power_at, power_of
from landsraad_engine.arrakis.mahdi.distances import flown
from landsraad_engine.arrakis.mahdi.garrisons import leave
from landsraad_engine.arrakis.mahdi.moves import as_fits
from landsraad_engine.arrakis.mahdi.priorities import best
from landsraad_engine.arrakis.mahdi.targets import target_area
from landsraad_engine.arrakis.mahdi.who import ByAutomaton, acting
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step


def carry(f: "CarryLegion", g: ArrakisState, seat: int, act: MoveLegion) -> Flow:
    """Move a legion, or as much of it as there is room for."""
    f.source, f.target = act.source, act.target
    relocate(g, HARKONNEN, act.source, act.target, Legion(act.units, act.leaders, act.tokens))
    return None


class CarryLegion(Frame):
    """The settlement's legion closest to the Target Sietch is carried to the own legion that is closest to it."""

    source: AreaId = ""
    target: AreaId = ""

    @step("WFA-Y.129")
    def choose(f, g: ArrakisState) -> Flow:
        acts = carryings(g)
        return decide(f, g, acts, carry, "WFA-Y.129") if acts else END

    choose.answer(carry)

    @step("WFA-Y.156")
    def leave_behind(f, g: ArrakisState) -> Flow:
        return leave(g, f.source, "arrive")

    @step("WFA-M.11")
    def arrive(f, g: ArrakisState) -> Flow:
        return Arrival(side=HARKONNEN, area=f.target)


@rule("WFA-Y.129", "WFA-Y.70", "WFA-Y.71")
def carryings(g: ArrakisState) -> list[MoveLegion]:
    """Return the ways to carry a legion: of the closest one that may go, to the closest that is closer than itself."""
    target = target_area(g)
    wall = power_at(g, ATREIDES, target)
    board, villages = g.board, g.survey().villages
    with_room = [area for area, legion in g.areas_of(HARKONNEN) if legion.size and room(g, area)]
    open_ = {}
    for area, legion in acting(ByAutomaton(), g, Permit.MOVE).items():
        closer = [each for each in with_room if flown(g, each, target) < flown(g, area, target)]
        if board.bit[area] & villages and power_of(legion) > wall and closer:
            open_[area] = closest(g, closer)
    first = best(open_, lambda area: -flown(g, area, target), lambda area: power_at(g, HARKONNEN, area))
    return [
        MoveLegion(area, goal, part.units, tuple(sorted(part.named)), part.tokens, "")
        for area in first
        for goal in open_[area]
        for part in as_fits(g.legion(HARKONNEN, area), room(g, goal))
    ]


FRAMES = (CarryLegion,)
