"""Atreides in battle: Prescience, See Future, and the Kwisatz Haderach."""

from typing import Final

from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.battle.battle_karamas import SEE_FUTURE, Effects
from landsraad_engine.dune.battle.fight import SEEN, Fight, revealed, user_and_target
from landsraad_engine.dune.battle.prescience import PrescienceQuestion
from landsraad_engine.dune.hooks import Permit, Query, Timing
from landsraad_engine.dune.karama import Ability, stands
from landsraad_engine.dune.pieces import ATREIDES, CHEAP_HERO, KWISATZ_HADERACH, LEADERS
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Frame, rule
from landsraad_engine.kernel.overrides import Source

source = Source("prescience", ATREIDES)

#: How many Atreides tokens have to die in battles before the Kwisatz Haderach comes, and what he adds.
AWAKENING: Final = 7
STRENGTH_OF_HIM: Final = 2

# His card lies open beside the screen from the start (DUNE-ATR.19): so do these marks.
LOSSES: Final = "kh/losses"
STATE: Final = "kh/state"  #: None before he has come, then "alive" or "dead"
USED: Final = "kh/used"  #: (turn, place, with whom) of the latest battle he was in


# --- Prescience


@source.at(Timing.PRESCIENCE)
@rule("DUNE-ATR.4", "DUNE-A.1", "DUNE-V.8")
def prescience(g: DuneState, cells: tuple[str, ...], aggressor: str, defender: str) -> Frame | None:
    pair = user_and_target(g, ATREIDES, Fight(cells, aggressor, defender))
    return PrescienceQuestion(*pair) if pair else None


@source.modifies(Query.BATTLE_KARAMAS)
@rule("DUNE-K.5", "DUNE-K.6", "DUNE-R.104")
def see_future(g: DuneState, effects: Effects, player: str, fight: Fight) -> Effects:
    """In any battle, of either player in it."""
    if player != ATREIDES:
        return effects
    seen = [target for _, target in g.table.get(SEEN, ())]
    return (*effects, *((SEE_FUTURE, side) for side in fight.sides if side != ATREIDES and side not in seen))


# --- the Kwisatz Haderach


@source.at(Timing.TOKENS_FELL)
@rule("DUNE-ATR.10", "DUNE-ATR.11", "DUNE-R.74")
def rise_of_a_messiah(g: DuneState, *fallen: tuple[str, int]) -> None:
    number = sum(count for faction, count in fallen if faction == ATREIDES)
    if not number:
        return
    losses = g.table.get(LOSSES, 0) + number
    g.set_mark(LOSSES, losses)
    if losses >= AWAKENING and STATE not in g.table:
        g.set_mark(STATE, "alive")


@source.modifies(Query.ACCOMPANIED)
@rule("DUNE-ATR.12", "DUNE-ATR.13", "DUNE-ATR.19", "DUNE-R.73", "DUNE-K.25")
def companions(g: DuneState, escort: tuple[str, ...], faction: str, place: str) -> tuple[str, ...]:
    """He goes with a leader of Atreides, with only one in a turn; a Cheap Hero is another one each time."""
    if faction != ATREIDES or g.table.get(STATE) != "alive" or not stands(g, Ability.KWISATZ_HADERACH):
        return escort
    turn, where, who = g.table.get(USED) or (0, "", "")
    if turn != g.turn:
        return (*LEADERS[ATREIDES], CHEAP_HERO)
    return (who,) if where == place and who != CHEAP_HERO else ()


@source.modifies(Query.BATTLE_KARAMAS)
@rule("DUNE-K.25")
def bar_him(g: DuneState, effects: Effects, player: str, fight: Fight) -> Effects:
    if player == ATREIDES or ATREIDES not in fight.sides or not companions(g, (), ATREIDES, fight.place):
        return effects
    return (*effects, (KWISATZ_HADERACH, ATREIDES))


@source.at(Timing.PLANS_OPEN)
@rule("DUNE-ATR.13", "DUNE-R.73")
def goes_along(g: DuneState, cells: tuple[str, ...], aggressor: str, defender: str) -> None:
    if ATREIDES in (aggressor, defender):
        plan = revealed(g, ATREIDES)
        if plan.kwisatz_haderach:
            g.set_mark(USED, (g.turn, cells[0], CHEAP_HERO if plan.cheap_hero else plan.leader))


@source.forbids(Permit.CALL_TRAITOR)
@rule("DUNE-ATR.16")
def faithful(g: DuneState, side: str) -> bool:
    """No leader turns traitor in his company."""
    return side == ATREIDES and revealed(g, side).kwisatz_haderach


@source.modifies(Query.BATTLE_STRENGTH)
@rule("DUNE-ATR.13", "DUNE-ATR.14")
def voice_from_the_outer_world(g: DuneState, strength: int, side: str, plan: BattlePlan) -> int:
    return strength + STRENGTH_OF_HIM if side == ATREIDES and plan.kwisatz_haderach else strength


@source.at(Timing.EXPLOSION)
@rule("DUNE-ATR.15", "DUNE-R.57")
def dies(g: DuneState, cells: tuple[str, ...], aggressor: str, defender: str) -> None:
    if ATREIDES in (aggressor, defender) and revealed(g, ATREIDES).kwisatz_haderach:
        g.set_mark(STATE, "dead")
