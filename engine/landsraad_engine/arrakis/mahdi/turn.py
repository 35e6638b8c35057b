"""The turns of the automaton: one die is rolled after each turn of the humans, and used at once."""

from collections.abc import Callable, Mapping
from typing import Final

from landsraad_engine.arrakis import chronicle
from landsraad_engine.arrakis.acts import UseSpecial
from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.mahdi.mentat import DrawAndPlay
from landsraad_engine.arrakis.mahdi.military import Military
from landsraad_engine.arrakis.mahdi.numbers import DICE_ALIKE
from landsraad_engine.arrakis.mahdi.placing import deployment
from landsraad_engine.arrakis.mahdi.special_actions import SpecialByAutomaton, leaders_for
from landsraad_engine.arrakis.mahdi.swapping import SwapByAutomaton
from landsraad_engine.arrakis.mahdi.vehicle_placement import PlaceByKind
from landsraad_engine.arrakis.mahdi.zones import LAST_MOVE, NAMED_RESULT, SPENT_RESULTS, TURN_FLIGHT, TURN_TARGET
from landsraad_engine.arrakis.partners import Turn
from landsraad_engine.arrakis.prescience import ACTION_RESOLUTION, ClaimMoment
from landsraad_engine.arrakis.regeneration import advance_tank, release
from landsraad_engine.arrakis.sides import (
    DASHBOARD,
    DICE,
    DIE,
    HARKONNEN,
    HARVESTER,
    ORNITHOPTER,
    POOL,
    USED,
    VEHICLES,
    one,
)
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import box
from landsraad_engine.kernel.frames import Chain, Flow, Frame, rule, step


def _house() -> Frame:
    vehicles = ((VEHICLES[HARVESTER], 1), (VEHICLES[ORNITHOPTER], 1))
    return Chain(SwapByAutomaton(), PlaceByKind(kinds=vehicles))


#: The regular action of each result.
ACTIONS: Final[Mapping[str, Callable[[ArrakisState], Frame]]] = {
    "leadership": lambda _: Military(led=True, surprise=True),  # WFA-Y.60
    "strategy": lambda _: Military(),  # WFA-Y.60
    "deployment": deployment,  # WFA-Y.87
    "mentat": lambda _: DrawAndPlay(),  # WFA-Y.92
    "house": lambda _: _house(),  # WFA-Y.84
}


@rule("WFA-Y.37")
def closed_results(g: ArrakisState) -> tuple[str, ...]:
    """Return the results that as many spent dice show as may."""
    spent: tuple[str, ...] = g.table.get(SPENT_RESULTS, ())
    return tuple(result for result in ACTIONS if spent.count(result) >= DICE_ALIKE)


@rule("WFA-Y.35", "WFA-Y.37")
def roll(g: ArrakisState) -> str:
    """Roll one die until it shows a result that is open."""
    faces, closed = g.content.action_dice.harkonnen, closed_results(g)
    while True:
        result: str = faces[g.roll(f"action/{HARKONNEN}", len(faces))]
        if result not in closed:
            return result


def use_special(f: "AutomatonTurn", g: ArrakisState, seat: int, act: UseSpecial) -> Flow:
    """Carry a leader's special action out."""
    return SpecialByAutomaton(leader=act.leader)


class AutomatonTurn(Turn):
    """One turn of the automaton."""

    result: str = ""

    @step("WFA-T.10", "WFA-Y.36")
    def begin(f, g: ArrakisState) -> Flow:
        release(g)
        chronicle.new_turn(g)
        for mark in (TURN_TARGET, TURN_FLIGHT, LAST_MOVE):
            g.set_mark(mark, None)
        return g.at(Timing.TURN_BEGINS, f.side)

    @step("WFA-Y.35", "WFA-Y.37", "WFA-Y.107")
    def roll(f, g: ArrakisState) -> Flow:
        f.result = g.table.get(NAMED_RESULT) or roll(g)
        g.set_mark(NAMED_RESULT, None)
        dashboard = DASHBOARD[f.side]
        g.shift(box(dashboard, POOL), box(dashboard, USED), one(DICE, DIE))
        g.set_mark(SPENT_RESULTS, (*g.table.get(SPENT_RESULTS, ()), f.result))
        return None

    @step("WFA-Y.36")
    def tank_at_once(f, g: ArrakisState) -> Flow:
        advance_tank(g, f.side)
        return None

    @step("WFA-Y.40", "WFA-Y.41", "WFA-Y.168")
    def act(f, g: ArrakisState) -> Flow:
        leaders = leaders_for(g, f.result)
        if not leaders:
            return ACTIONS[f.result](g)
        return decide(f, g, [UseSpecial(f.result, leader) for leader in leaders], use_special, "WFA-Y.41")

    act.answer(use_special)

    @step("WFA-Y.36")
    def tank_at_the_end(f, g: ArrakisState) -> Flow:
        """The tank moves now in the edition that says so."""

    @step("WFA-Q.5", "WFA-Y.34")
    def claims(f, g: ArrakisState) -> Flow:
        """Claims only: the automaton makes no free actions."""
        g.set_mark("here", None)
        return ClaimMoment(phase=ACTION_RESOLUTION)

    @step()
    def end(f, g: ArrakisState) -> Flow:
        return g.at(Timing.TURN_ENDS, f.side)


@step("WFA-Y.36")
def tank_stays(f: AutomatonTurn, g: ArrakisState) -> Flow:
    """Not yet: leaders that fall in this turn move along, too."""


@step("WFA-Y.36")
def tank_moves(f: AutomatonTurn, g: ArrakisState) -> Flow:
    advance_tank(g, f.side)
    return None


FRAMES = (AutomatonTurn,)
