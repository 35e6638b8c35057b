"""Dice, turns, scouting and the tank in 2022."""

from landsraad_engine.arrakis.action_resolution import ORDER, ActionResolution, ActionTurn
from landsraad_engine.arrakis.dice import RollDice, roll_pool
from landsraad_engine.arrakis.free_actions import FreeActionPoint
from landsraad_engine.arrakis.hooks import Permit, Query, Timing
from landsraad_engine.arrakis.regeneration import advance_tank
from landsraad_engine.arrakis.sides import ATREIDES, DICE, DIE, HARKONNEN, ORNITHOPTER, POOL, SIDES, one
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import CARD, SPENT, box
from landsraad_engine.kernel.frames import Flow, Frame, goto, rule, step
from landsraad_engine.kernel.overrides import Source

source = Source("preview_2022: turns")

# ---- Dice and turns ----

#: So many dice of one result are a freak result.
FREAK = 4


@step("WFA-D.7")
def freak_results(f: RollDice, g: ArrakisState) -> Flow:
    """Of four or more dice alike one stays, the others are rolled again, once."""
    for side in SIDES:
        for dashboard in g.dashboards(side):
            for name, dice in g.dice(dashboard).items():
                if dice >= FREAK:
                    g.shift(box(dashboard, name), box(dashboard, POOL), one(DICE, DIE, dice - 1))
            roll_pool(g, side, dashboard)
    return None


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


@step("WFA-T.9")
def after_every_turn(f: ActionTurn, g: ArrakisState) -> Flow:
    """It moves at the end of each own turn."""
    advance_tank(g, g.dashboard(f.seat))
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
    ("RollDice", "excess"): freak_results,
    ("ActionResolution", "next_turn"): until_both_are_done,
    ("ActionTurn", "tank_at_once"): not_when_spent,
    ("ActionTurn", "tank_at_the_end"): after_every_turn,
}
