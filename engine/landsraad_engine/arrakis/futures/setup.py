"""The setup changes of the Possible Futures, made once everything else is in its place."""

from landsraad_engine.arrakis.acts import BringForces, ChooseTarget, DeployLeader, target_choice
from landsraad_engine.arrakis.futures import facts
from landsraad_engine.arrakis.leaders.entering import described
from landsraad_engine.arrakis.mahdi.combat_power import power_at
from landsraad_engine.arrakis.muster import held_settlements
from landsraad_engine.arrakis.sides import ATREIDES, FIGURES, HARKONNEN, LEADER, one
from landsraad_engine.arrakis.terms import UNITS, AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import ASIDE, CARD, FIGURE, GONE, READY, TANK
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice, OneOf, Subset


class FuturesSetup(Frame):
    """The changes of the Futures, in the order of their numbers, within one the Atreides' first."""

    done: int = 0

    @step("WFA-N.7")
    def next_change(f, g: ArrakisState) -> Flow:
        due = tuple(facts.changes(g))
        if f.done == len(due):
            return goto("over")
        f.done += 1
        return _make(due[f.done - 1], g)

    @step()
    def on(f, g: ArrakisState) -> Flow:
        return goto("next_change")

    @step()
    def over(f, g: ArrakisState) -> Flow:
        return None


@rule("WFA-N.6", "WFA-N.41", "WFA-N.42", "WFA-N.45")
def _make(change: facts.Change, g: ArrakisState) -> Frame | None:
    """Make a change, or return the frame in which somebody decides how."""
    match change:
        case facts.InPlay():
            _lay_card(g, change.leader, ASIDE)
        case facts.InTank():
            _lay_card(g, change.leader, TANK[0])
        case facts.Never():
            g.set_mark(FIGURE[change.leader], GONE, change.rule)
            g.set_mark(CARD[change.leader], None, change.rule)
        case facts.ForNaib():
            return ReplaceNaib(leader=change.leader)
        case facts.InSietch():
            return DeployInSietch(leader=change.leader)
        case facts.MoreUnits():
            return ReinforceSettlement(kind=UNITS.index(change.unit))
        case facts.MoreCards(round=0):
            draw_one_more(g, change)
    return None


def _lay_card(g: ArrakisState, leader: str, figure: str) -> None:
    g.set_mark(FIGURE[leader], figure, described(g, leader))
    g.set_mark(CARD[leader], READY, described(g, leader))


@rule("WFA-N.7", "WFA-N.15", "WFA-N.21", "WFA-N.26")
def draw_one_more(g: ArrakisState, change: facts.MoreCards) -> None:
    """Draw a card of a deck, for the seat that leads the half it belongs to."""
    for seat in g.seats_leading(change.deck):
        g.draw_card(seat, change.deck)


class ReplaceNaib(Frame):
    """A named leader takes the place of a Naib on the board."""

    leader: str

    @step("WFA-N.24", "WFA-N.33", "WFA-N.44")
    def choose(f, g: ArrakisState) -> Flow:
        areas = tuple(area for area, legion in g.areas_of(ATREIDES) if legion.units[LEADER])
        return Ask.any_of(g.seats_of(ATREIDES), target_choice("replace_naib", areas), why="WFA-N.44")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
        g.dismiss(ATREIDES, act.target, one(FIGURES, LEADER))
        _lay_card(g, f.leader, act.target)
        return None


class DeployInSietch(Frame):
    """A named leader is deployed in a Sietch."""

    leader: str

    @step("WFA-N.35", "WFA-N.47")
    def choose(f, g: ArrakisState) -> Flow:
        manned = tuple(area for area in g.board.names(held_settlements(g, ATREIDES)) if g.size(ATREIDES, area))
        choice = Choice(DeployLeader, area=OneOf(manned), leader=OneOf((f.leader,)))
        return Ask.any_of(g.seats_of(ATREIDES), choice, why="WFA-N.35")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: DeployLeader) -> Flow:
        _lay_card(g, f.leader, act.area)
        return None


class ReinforceSettlement(Frame):
    """The Harkonnen put one more unit into a settlement with room for it."""

    kind: int

    @step("WFA-N.8", "WFA-N.25", "WFA-N.34", "WFA-N.36", "WFA-S.19")
    def choose(f, g: ArrakisState) -> Flow:
        areas = _with_room(g)
        supply = g.supply(HARKONNEN)
        kind = next((kind for kind in range(f.kind, -1, -1) if supply[kind]), None)
        if not areas or kind is None:
            return None
        choice = Choice(
            BringForces,
            place=OneOf(areas),
            units=Alloc(slots=FIGURES, caps=one(FIGURES, kind), low=1, high=1),
            leaders=Subset((), 0, 0),
        )
        return Ask.any_of(g.seats_of(HARKONNEN) or g.seats_of(ATREIDES), choice, why="WFA-N.8")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: BringForces) -> Flow:
        g.recruit(HARKONNEN, act.place, act.units)
        return None


@rule("WFA-N.8")
def _with_room(g: ArrakisState) -> tuple[AreaId, ...]:
    """The settlements with room; if the game plays the Harkonnen, those of them with the strongest legion."""
    areas = g.board.names(held_settlements(g, HARKONNEN))
    room = tuple(area for area in areas if g.size(HARKONNEN, area) < g.stacking(HARKONNEN))
    if g.seats_of(HARKONNEN):
        return room
    strongest = max((power_at(g, HARKONNEN, area) for area in room), default=None)
    return tuple(area for area in room if power_at(g, HARKONNEN, area) == strongest)


FRAMES = (FuturesSetup, ReplaceNaib, DeployInSietch, ReinforceSettlement)
