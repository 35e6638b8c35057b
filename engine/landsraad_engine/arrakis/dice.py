"""Rolling the action dice, excess dice, and Bene Gesserit tokens."""

from landsraad_engine.arrakis.acts import ChangeDie, Done, PlaceBeneGesserit
from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.shared_dice import divide_dice
from landsraad_engine.arrakis.sides import ASIDE_DICE, ATREIDES, DASHBOARD, DICE, DIE, HARKONNEN, POOL, TOKEN, one
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import box
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.overrides import Source

source = Source("bene_gesserit")


@source.at(Timing.SUPREMACY_STEP)
@rule("WFA-D.13")
def token_of_the_track(g: ArrakisState, step: int) -> None:
    """Some steps of the Supremacy Track give the Atreides a token from the reserve."""
    if step in g.content.supremacy.bene_gesserit_steps:
        g.grant_tokens(ATREIDES, 1)


class RollDice(Frame):
    """Both sides roll their action dice and lay them on their dashboards."""

    @step("WFA-D.1", "WFA-D.2", "WFA-G.28")
    def roll(f, g: ArrakisState) -> Flow:
        for side in (ATREIDES, HARKONNEN):
            roll_pool(g, side)
        return None

    @step("WFA-G.28")
    def divide(f, g: ArrakisState) -> Flow:
        divide_dice(g)
        return None

    @step("WFA-D.3", "WFA-D.4", "WFA-D.5", "WFA-G.74")
    def excess(f, g: ArrakisState) -> Flow:
        """Excess dice are changed in turns, the Harkonnen first; an unshared faction has both turns of its side."""
        harkonnen, atreides = g.dashboards(HARKONNEN), g.dashboards(ATREIDES)
        turns = range(max(len(harkonnen), len(atreides)))
        order = [(harkonnen[n % len(harkonnen)], atreides[n % len(atreides)]) for n in turns]
        return ExcessDice(dashboards=tuple(name for pair in order for name in pair))

    @step("WFA-D.8")
    def tokens(f, g: ArrakisState) -> Flow:
        return BeneGesseritTokens(dashboards=(DASHBOARD[HARKONNEN], DASHBOARD[ATREIDES]))


def roll_pool(g: ArrakisState, side: str) -> None:
    """Roll the dice of a side and lay them on the boxes of their results."""
    faces, dashboard = getattr(g.content.action_dice, side), DASHBOARD[side]
    dice = sum(g.get(box(dashboard, POOL)))
    for face in g.rolls(f"action/{side}", len(faces), dice):
        g.shift(box(dashboard, POOL), box(dashboard, faces[face]), one(DICE, DIE))


class ExcessDice(Frame):
    """Dice beyond the slots of their box are changed one at a time, by the dashboards in turns."""

    dashboards: tuple[str, ...]
    at: int = 0

    @step("WFA-D.3", "WFA-D.4", "WFA-D.5", "WFA-G.32", "WFA-G.73")
    def change(f, g: ArrakisState) -> Flow:
        crowded = [name for name in f.dashboards if crowded_boxes(g, name)]
        if not crowded:
            return END
        dashboard = f.dashboards[f.at]
        sources = crowded_boxes(g, dashboard)
        if not sources:
            return goto("next_dashboard")
        choice = Choice(ChangeDie, source=OneOf(sources), target=OneOf(roomiest(g, dashboard)))
        return Ask.any_of(g.seats_with(dashboard), choice, why="WFA-D.4")

    @change.answer
    def changed(f, g: ArrakisState, seat: int, act: ChangeDie) -> Flow:
        dashboard = f.dashboards[f.at]
        g.shift(box(dashboard, act.source), box(dashboard, act.target), one(DICE, DIE))
        return None

    @step("WFA-D.5")
    def next_dashboard(f, g: ArrakisState) -> Flow:
        f.at = (f.at + 1) % len(f.dashboards)
        return goto("change")


@rule("WFA-D.3")
def crowded_boxes(g: ArrakisState, dashboard: str) -> tuple[str, ...]:
    """The boxes that hold more dice than they have slots; on a small dashboard these have been set aside already."""
    if g.table.get(box(dashboard, ASIDE_DICE)):
        return (ASIDE_DICE,)
    slots = g.content.dashboard[dashboard].slots
    return tuple(name for name, dice in g.dice(dashboard).items() if dice > slots)


@rule("WFA-D.4")
def roomiest(g: ArrakisState, dashboard: str) -> tuple[str, ...]:
    """The boxes with the most free slots."""
    dice = g.dice(dashboard)
    boxes = g.content.dashboard[dashboard].boxes
    fewest = min(dice.get(name, 0) for name in boxes)
    return tuple(name for name in boxes if dice.get(name, 0) == fewest)


class BeneGesseritTokens(Frame):
    """First the Harkonnen, then the Atreides may lay one token as an extra die for this round."""

    #: the usual ones of the sides that are still to be asked
    dashboards: tuple[str, ...]

    @step("WFA-D.8", "WFA-D.9", "WFA-G.49", "WFA-G.50", "WFA-G.76")
    def lay(f, g: ArrakisState) -> Flow:
        if not f.dashboards:
            return END
        side = g.content.dashboard[f.dashboards[0]].faction
        if not g.table.get(f"bene_gesserit/{side}"):
            return goto("next_dashboard")
        open_ = {seat: _free_boxes(g, g.dashboard(seat)) for seat in g.seats_of(side)}
        options = {
            seat: (Choice(PlaceBeneGesserit, box=OneOf(boxes)), Choice(Done)) for seat, boxes in open_.items() if boxes
        }
        return Ask.any_with(options, why="WFA-D.8", default=Done()) if options else goto("next_dashboard")

    @lay.answer
    def laid(f, g: ArrakisState, seat: int, act: PlaceBeneGesserit | Done) -> Flow:
        if isinstance(act, PlaceBeneGesserit):
            g.shift(f"bene_gesserit/{g.side(seat)}", box(g.dashboard(seat), act.box), one(DICE, TOKEN))
        return None

    @step()
    def next_dashboard(f, g: ArrakisState) -> Flow:
        f.dashboards = f.dashboards[1:]
        return goto("lay")


def _free_boxes(g: ArrakisState, dashboard: str) -> tuple[str, ...]:
    """The boxes with the most free slots, if they have any."""
    slots = g.content.dashboard[dashboard].slots
    dice = g.dice(dashboard)
    return tuple(name for name in roomiest(g, dashboard) if dice.get(name, 0) < slots)


FRAMES = (RollDice, ExcessDice, BeneGesseritTokens)
