"""The exchange of units for better ones, as the House action and cards bring it."""

from typing import Final

from landsraad_engine.arrakis.acts import ChooseTarget
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.mahdi.garrisons import TurnUpSome, available
from landsraad_engine.arrakis.mahdi.placing import house_worth
from landsraad_engine.arrakis.mahdi.priorities import best
from landsraad_engine.arrakis.sides import ELITE, FIGURES, HARKONNEN, REGULAR, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step

#: The effect by which the humans say which legion gets better units.
UPGRADE_IN: Final = "upgrade_in"


def choose_legion(f: "SwapByAutomaton", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Go on with one legion until it has none left."""
    f.area = act.target
    return None


@rule("WFA-Y.165")
def substitute(g: ArrakisState, kind: int, by: int) -> int:
    """Return the kind that comes in place of one that is due, or -1 if it would be no better."""
    come = available(g, one(FIGURES, by))  # type: ignore[arg-type]
    instead = come.index(1) if any(come) else -1
    return instead if instead > kind else -1


class SwapByAutomaton(Frame):
    """So many units of a kind on the board become units of a better one."""

    count: int = 2
    kind: int = REGULAR
    by: int = ELITE
    area: AreaId = ""

    @step("WFA-Y.84", "WFA-Y.85", "WFA-Y.86")
    def choose(f, g: ArrakisState) -> Flow:
        if not f.count or substitute(g, f.kind, f.by) < 0:
            return END
        legions = [area for area, legion in g.areas_of(HARKONNEN) if legion.units[f.kind] or legion.tokens]
        if not legions:
            return END
        first = best(legions, lambda area: house_worth(g, area))
        return decide(f, g, [ChooseTarget(UPGRADE_IN, area) for area in first], choose_legion, "WFA-Y.85")

    choose.answer(choose_legion)

    @step("WFA-Y.85", "WFA-Y.86", "WFA-Y.160")
    def swap(f, g: ArrakisState) -> Flow:
        by = substitute(g, f.kind, f.by)
        if not f.count or by < 0:
            return END
        if g.figures(HARKONNEN, f.area)[f.kind]:
            g.replace(HARKONNEN, f.area, f.kind, by, 1)
            f.count -= 1
            return goto("swap")
        return Call(TurnUpSome(area=f.area), "swap") if g.garrison(f.area) else goto("choose")


@rule("WFA-Y.41", "WFA-Y.104")
def can_swap(g: ArrakisState, kind: int, by: int) -> bool:
    """Return whether units of a kind could be exchanged: a token may show some."""
    there = any(legion.units[kind] or legion.tokens for _, legion in g.areas_of(HARKONNEN))
    return there and substitute(g, kind, by) >= 0


FRAMES = (SwapByAutomaton,)
