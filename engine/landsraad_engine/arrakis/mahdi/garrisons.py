"""Deployment tokens that its legions leave in settlements, face down to everybody until they are turned up."""

from typing import Final

from landsraad_engine.arrakis.acts import ChooseTarget
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.sides import HARKONNEN, LEADER, Figures
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import GARRISON, STARTING_SETS, VILLAGE
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step


@rule("WFA-Y.165")
def available(g: ArrakisState, wanted: Figures, supply: Figures | None = None) -> Figures:
    """Return the figures that come in place of these: for a kind that has run out the next higher, else the next lower.

    Generic leaders have no substitute.
    """
    left = list(g.supply(HARKONNEN) if supply is None else supply)
    come = [0, 0, 0, min(wanted[LEADER], left[LEADER])]
    for kind in range(LEADER):
        due = wanted[kind]
        for instead in (*range(kind, LEADER), *range(kind - 1, -1, -1)):
            number = min(due, left[instead])
            come[instead] += number
            left[instead] -= number
            due -= number
    return come[0], come[1], come[2], come[3]


def replenish(g: ArrakisState) -> None:
    """Shuffle tokens that have been turned up back into their pools."""
    for name in STARTING_SETS:
        if g.table.get(f"{name}_shown"):
            g.gather(f"{name}_shown", name)
            g.shuffle(name)


@rule("WFA-Y.159", "WFA-Y.161")
def turn_up_token(g: ArrakisState, area: AreaId, token: str) -> None:
    """Turn up a token of an area and put the figures down that it shows."""
    shown = g.content.deployment_token[g.draw(GARRISON[token][area], f"{token}_shown")]
    units = shown.units
    g.recruit(HARKONNEN, area, available(g, (units.regular, units.elite, units.special, shown.leader)))


class TurnUpGarrisons(Frame):
    """Harkonnen deployment tokens of an area are turned up: all of them, unless some are named by their backs."""

    area: AreaId
    tokens: tuple[str, ...] = ()

    @step("WFA-Y.159", "WFA-Y.160")
    def turn_up(f, g: ArrakisState) -> Flow:
        for token in f.tokens or g.garrison(f.area):
            turn_up_token(g, f.area, token)
        replenish(g)
        return None

    @step("WFA-Y.161")
    def settle(f, g: ArrakisState) -> Flow:
        return Settle(side=HARKONNEN, area=f.area)


#: The effects of turning up one token, by its back.
TURN_UP: Final = {name: f"turn_up_{name.removeprefix('harkonnen_')}" for name in STARTING_SETS}


def turn_up_one(f: "TurnUpSome", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Turn up the token that has been chosen."""
    turn_up_token(g, act.target, next(token for token, effect in TURN_UP.items() if effect == act.effect))
    replenish(g)
    return None


class TurnUpSome(Frame):
    """One token of an area is turned up, since units are needed that may be under it."""

    area: AreaId

    @step("WFA-Y.159", "WFA-Y.160")
    def choose(f, g: ArrakisState) -> Flow:
        tokens = tuple(dict.fromkeys(g.garrison(f.area)))
        if not tokens:
            return END
        return decide(f, g, [ChooseTarget(TURN_UP[token], f.area) for token in tokens], turn_up_one, "WFA-Y.160")

    choose.answer(turn_up_one)

    @step("WFA-Y.161")
    def settle(f, g: ArrakisState) -> Flow:
        return Settle(side=HARKONNEN, area=f.area)


@rule("WFA-Y.156", "WFA-Y.157")
def is_left(g: ArrakisState, area: AreaId) -> bool:
    """Return whether a settlement stands in an area without a Harkonnen unit."""
    return VILLAGE[area] in g.table and not g.size(HARKONNEN, area)


def free_token(f: "LeaveSettlement", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Turn a token up, which is then laid elsewhere."""
    f.freed = act.target
    turn_up_token(g, act.target, f.colours[0])
    return None


class LeaveSettlement(Frame):
    """A legion has left an area: a token of each colour is laid in the settlement, if one stands there."""

    area: AreaId
    colours: tuple[str, ...] = STARTING_SETS
    #: where a token has been turned up to be laid here
    freed: AreaId = ""

    @step("WFA-Y.156", "WFA-Y.157")
    def next_colour(f, g: ArrakisState) -> Flow:
        if not f.colours or VILLAGE[f.area] not in g.table:
            return END
        return None if len(f.colours) < len(STARTING_SETS) or is_left(g, f.area) else END

    @step("WFA-Y.162", "WFA-Y.163")
    def free(f, g: ArrakisState) -> Flow:
        """The pool has none of this colour: one on the board is turned up."""
        colour = f.colours[0]
        if g.table.get(colour):
            return None
        areas = [area for area in g.board.names(g.survey().harkonnen) if colour in g.garrison(area)]
        if not areas:
            return goto("on")
        return decide(f, g, [ChooseTarget(TURN_UP[colour], area) for area in areas], free_token, "WFA-Y.162")

    free.answer(free_token)

    @step("WFA-Y.156", "WFA-Y.162")
    def lay(f, g: ArrakisState) -> Flow:
        colour = f.colours[0]
        g.draw(colour if g.table.get(colour) else f"{colour}_shown", GARRISON[colour][f.area])
        area, f.freed = f.freed, ""
        return Call(Settle(side=HARKONNEN, area=area), "on") if area else None

    @step()
    def on(f, g: ArrakisState) -> Flow:
        f.colours = f.colours[1:]
        return goto("next_colour")


@rule("WFA-Y.156")
def leave(g: ArrakisState, area: AreaId, then: str) -> Flow:
    """Lay tokens where a legion has left a settlement, and go on at a step."""
    return Call(LeaveSettlement(area=area), then) if is_left(g, area) else goto(then)


FRAMES = (TurnUpGarrisons, TurnUpSome, LeaveSettlement)
