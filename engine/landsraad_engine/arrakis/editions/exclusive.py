"""The Exclusive Edition: one rule of its own with the official corrections, and what its book says without them."""

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import ChooseBan
from landsraad_engine.arrakis.bans import ImposeBans, at_the_bottom
from landsraad_engine.arrakis.battle.battle import Battle, advance_with, advancing, may_advance
from landsraad_engine.arrakis.dice import ExcessDice, RollDice, crowded_boxes
from landsraad_engine.arrakis.editions import EditionRules, older
from landsraad_engine.arrakis.free_actions import FreeActionPoint
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.hooks import Permit, Query
from landsraad_engine.arrakis.regeneration import advance_tank
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.teams import passing_cards
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.overrides import Source

# ---- With the corrections: the tank moves at the end of the turn ----


@step("WFA-T.7")
def tank_stays(f: ActionTurn, g: ArrakisState) -> Flow:
    """Not yet: leaders that fall in this turn move along, too."""


@step("WFA-T.7", "WFA-G.44")
def tank_at_the_end(f: ActionTurn, g: ArrakisState) -> Flow:
    """A Desert Power turn spends no die and does not move it."""
    if f.die:
        advance_tank(g, f.side)
    return None


CORRECTED = EditionRules(
    (passing_cards,),
    {("ActionTurn", "tank_at_once"): tank_stays, ("ActionTurn", "tank_at_the_end"): tank_at_the_end},
)

# ---- Without them ----

uncorrected = Source("exclusive without faq")


@step("WFA-D.6", "WFA-G.74")
def side_by_side(f: RollDice, g: ArrakisState) -> Flow:
    """All the Harkonnen's excess dice come before the Atreides', the House's before its ally's."""
    return ExcessDice(dashboards=(*g.dashboards(HARKONNEN), *g.dashboards(ATREIDES)))


@step("WFA-D.6")
def own_dice_first(f: ExcessDice, g: ArrakisState) -> Flow:
    """Each side changes all of its own excess dice before the other does."""
    if not crowded_boxes(g, f.dashboards[f.at]):
        f.at = (f.at + 1) % len(f.dashboards)
    return goto("change")


@step("WFA-B.42")
def must_advance(f: Battle, g: ArrakisState) -> Flow:
    """The victorious attackers have no choice."""
    if not may_advance(f, g):
        return END
    return Ask.any_of((f.seat,), advance_with(g.legion(f.sides(g)[0], f.source)), why="WFA-B.42")


must_advance.answer(advancing)


@uncorrected.forbids(Permit.FREE_ACTION)
@rule("WFA-F.2")
def before_or_after(g: ArrakisState, seat: int, kind: str) -> bool:
    """Only Guerrilla Training and Scouting may interrupt an action."""
    interrupts = not isinstance(g.stack[-1], ActionTurn | FreeActionPoint)
    return interrupts and kind not in ("guerrilla_training", "scouting")


@uncorrected.modifies(Query.SCOUTED)
@rule("WFA-F.5")
def scouted(g: ArrakisState, value: object) -> tuple[tuple[bool, bool], ...]:
    """The Sietch, the tokens, or both."""
    return ((True, False), (False, True), (True, True))


@uncorrected.modifies(Query.WORMS_AT_MOST)
@rule("WFA-H.11")
def four_worms(g: ArrakisState, number: int) -> int:
    """The Wild Maker does not add to them."""
    return g.content.worms.sandworm


@step("WFA-P.10", "WFA-P.11")
def one_more_ban(f: SpiceHarvesting, g: ArrakisState) -> Flow:
    """Of the markers that fell to a higher step than the lowest only one brings its ban."""
    bottom = at_the_bottom(g)
    others = tuple(power for power in f.fallen if power not in bottom)
    if len(others) < 2:
        return ImposeBans(powers=(*bottom, *others))
    return Ask.any_of(g.deciders(HARKONNEN), Choice(ChooseBan, power=OneOf(others)), why="WFA-P.11")


@one_more_ban.answer
def ban_chosen(f: SpiceHarvesting, g: ArrakisState, seat: int, act: ChooseBan) -> Flow:
    return ImposeBans(powers=(*at_the_bottom(g), act.power))


@uncorrected.forbids(Permit.ARRAKEEN_DECIDES)
@rule("WFA-Q.21")
def only_at_the_end_of_a_round(g: ArrakisState) -> bool:
    """That its fall has the objective checked is a correction."""
    return True


UNCORRECTED = EditionRules(
    (older.source, uncorrected),
    {
        ("RollDice", "excess"): side_by_side,
        ("ExcessDice", "next_dashboard"): own_dice_first,
        ("Battle", "advance"): must_advance,
        ("SpiceHarvesting", "bans_begin"): one_more_ban,
    },
)
