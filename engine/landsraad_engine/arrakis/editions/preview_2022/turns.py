"""Dice, turns, scouting and the tank in 2022."""

from landsraad_engine.arrakis.action_resolution import ORDER, ActionResolution, ActionTurn
from landsraad_engine.arrakis.acts import ChooseTarget, target_choice
from landsraad_engine.arrakis.dice import RollDice, roll_pool
from landsraad_engine.arrakis.free_actions import FreeActionPoint
from landsraad_engine.arrakis.hooks import Permit, Query, Timing
from landsraad_engine.arrakis.regeneration import advance_tank
from landsraad_engine.arrakis.shared_dice import divide_dice
from landsraad_engine.arrakis.sides import ATREIDES, DASHBOARD, DICE, DIE, HARKONNEN, ORNITHOPTER, POOL, SIDES, one
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import CARD, SPENT, box
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.overrides import Source

source = Source("preview_2022: turns")

# ---- Dice and turns ----

#: So many dice of one result are a freak result.
FREAK = 4


@step("WFA-D.7", "WFA-G.77")
def freak_results(f: RollDice, g: ArrakisState) -> Flow:
    """Of four or more dice alike one stays, the others are rolled again, once."""
    for side in SIDES:
        dashboard = DASHBOARD[side]
        for name, dice in g.dice(dashboard).items():
            if dice >= FREAK:
                g.shift(box(dashboard, name), box(dashboard, POOL), one(DICE, DIE, dice - 1))
        roll_pool(g, side)
    divide_dice(g)
    return None


@step("WFA-G.35")
def one_has_all(f: RollDice, g: ArrakisState) -> Flow:
    """A partner with all the dice of its faction rolls all but one of them again, once."""
    return RollAgain(sides=tuple(side for side in SIDES if g.shared(side)))


class RollAgain(Frame):
    """Partners who would have all the dice of their factions keep one each, and the others are rolled again."""

    sides: tuple[str, ...]

    @step("WFA-G.35")
    def keep(f, g: ArrakisState) -> Flow:
        if not f.sides:
            return END
        dashboard = _owner_of_all(g, f.sides[0])
        if not dashboard:
            return goto("next_side")
        return Ask.any_of(g.seats_with(dashboard), target_choice("keep_die", tuple(g.dice(dashboard))), why="WFA-G.35")

    @keep.answer
    def kept(f, g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
        side, dashboard = f.sides[0], g.dashboard(seat)
        for name, dice in g.dice(dashboard).items():
            again = dice - (name == act.target)
            g.shift(box(dashboard, name), box(DASHBOARD[side], POOL), one(DICE, DIE, again))
        roll_pool(g, side)
        divide_dice(g)
        return None

    @step()
    def next_side(f, g: ArrakisState) -> Flow:
        f.sides = f.sides[1:]
        return goto("keep")


def _owner_of_all(g: ArrakisState, side: str) -> str:
    """Return the dashboard on which all dice of a side lie, if it is more than one; or ""."""
    dice = {dashboard: sum(g.dice(dashboard).values()) for dashboard in g.dashboards(side)}
    total = sum(dice.values())
    return next((dashboard for dashboard, number in dice.items() if number == total > 1), "")


@step("WFA-A.8", "WFA-A.9")
def until_both_are_done(f: ActionResolution, g: ArrakisState) -> Flow:
    """A side without dice is skipped, unless the Atreides have Desert Power to use."""
    unused = {side: g.unused(side) for side in SIDES}
    if not any(unused.values()):
        return goto("over")
    f.turn += 1
    side = ORDER[f.turn % 2]
    has_power = side == ATREIDES and unused[ATREIDES] < unused[HARKONNEN]
    return ActionTurn(side=side) if unused[side] or has_power else goto("again")


@source.modifies(Query.HOUSE_VEHICLES)
@rule("WFA-A.22")
def one_of_each(g: ArrakisState, value: object) -> tuple[str, ...]:
    return ("ornithopter", "harvester", "carryall")


# ---- Scouting ----


@source.permits(Permit.FREE_ACTION)
@rule("WFA-F.8")
def scouting_at_any_time(g: ArrakisState, seat: int, kind: str) -> bool:
    return kind == "scouting"


@source.modifies(Query.SCOUTED)
@rule("WFA-F.7")
def sietch_only(g: ArrakisState, value: object) -> tuple[tuple[bool, bool], ...]:
    return ((True, False),)


@source.at(Timing.AIR_VEHICLES_LEAVE)
@rule("WFA-R.6", "WFA-R.7")
def last_scouts(g: ArrakisState) -> Frame | None:
    """Ornithopters about to leave the board may still scout."""
    return FreeActionPoint(seats=g.seats_of(HARKONNEN)) if g.zones_with(ORNITHOPTER) else None


# ---- The tank ----


@step("WFA-T.9")
def not_when_spent(f: ActionTurn, g: ArrakisState) -> Flow:
    """The tank does not mind what is spent."""


@step("WFA-T.9", "WFA-G.45")
def after_every_turn(f: ActionTurn, g: ArrakisState) -> Flow:
    """It moves at the end of each own turn."""
    advance_tank(g, f.side)
    return None


@source.permits(Permit.BACK_AT_ONCE)
@rule("WFA-T.11")
def back_at_once(g: ArrakisState) -> bool:
    """Each leader that comes out of it is available at once, even if another has pushed it out."""
    return True


@source.at(Timing.LEADER_FALLS)
@rule("WFA-T.14")
def spent_in_the_tank(g: ArrakisState, leader: str) -> None:
    if CARD[leader] in g.table:
        g.set_mark(CARD[leader], SPENT)


STEPS = {
    ("RollDice", "divide"): freak_results,
    ("RollDice", "excess"): one_has_all,
    ("ActionResolution", "next_turn"): until_both_are_done,
    ("ActionTurn", "tank_at_once"): not_when_spent,
    ("ActionTurn", "tank_at_the_end"): after_every_turn,
}

FRAMES = (RollAgain,)
