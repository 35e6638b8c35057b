"""The steps of the usual rules that are others when the automaton plays."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from landsraad_engine.arrakis.action_resolution import ActionResolution
from landsraad_engine.arrakis.atomics import DisplaceLegion
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.retreat import RetreatFrom
from landsraad_engine.arrakis.battle.rounds import BattleRound
from landsraad_engine.arrakis.cards.fremen_ally import KitabAlIbar
from landsraad_engine.arrakis.cards.strikes import SpecialAttack
from landsraad_engine.arrakis.desert_hazards import CoriolisStorms
from landsraad_engine.arrakis.dice import RollDice
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.legions import Settle, TurnUpTokens
from landsraad_engine.arrakis.mahdi import battle, hazards, hits, round_ends, spice, turn
from landsraad_engine.arrakis.round import EndOfRound, Round
from landsraad_engine.arrakis.settlements import DestroySettlement
from landsraad_engine.arrakis.setup import Setup
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.vehicles import VehiclePlacement
from landsraad_engine.arrakis.worms import WormAttack, WormTakesHarvester
from landsraad_engine.kernel.frames import Flow, Frame, Step

Condition = Callable[[Any, Any], bool]


class Instead(NamedTuple):
    """A step in place of another, if a condition holds."""

    frame: type[Frame]
    name: str
    step: Step
    when: Condition | None = None


def _own(f: Any, g: Any) -> bool:
    return bool(f.side == HARKONNEN)


def _own_with_tokens(f: Any, g: Any) -> bool:
    return bool(f.side == HARKONNEN and g.garrison(f.area))


INSTEAD: Final = (
    Instead(Setup, "seats", round_ends.seats),
    Instead(Setup, "garrisons", round_ends.garrisons),
    Instead(Round, "reveal_prescience", round_ends.reveal_prescience),
    Instead(VehiclePlacement, "place", round_ends.place_vehicles),
    Instead(RollDice, "roll", round_ends.roll_dice),
    Instead(ActionResolution, "next_turn", round_ends.next_turn),
    Instead(TurnUpTokens, "turn_up", round_ends.turn_up, round_ends.voluntary),
    Instead(DestroySettlement, "fallen", round_ends.fallen, round_ends.of_sietch),
    Instead(KitabAlIbar, "choose", round_ends.move_sietch),
    Instead(EndOfRound, "dice_back", round_ends.dice_back),
    Instead(Battle, "turn_up_tokens", battle.turn_up_tokens),
    Instead(Battle, "undefended", battle.undefended, battle.attacks),
    Instead(Battle, "go_on", battle.go_on, battle.attacks),
    Instead(Battle, "stand", battle.stand, battle.defends),
    Instead(Battle, "advance", battle.advance, battle.attacks),
    Instead(Battle, "left_behind", battle.left_behind, battle.attacks),
    Instead(BattleRound, "attacker_discards", battle.attacker_discards, battle.attacks),
    Instead(BattleRound, "defender_discards", battle.defender_discards, battle.defends),
    Instead(RetreatFrom, "where", battle.retreat_where),
    Instead(DisplaceLegion, "where", battle.displace_where),
    Instead(Casualties, "all_of_it", hits.all_of_it, _own_with_tokens),
    Instead(Casualties, "choose", hits.choose, _own),
    Instead(CoriolisStorms, "strike", hits.strike, hits.tokens_struck),
    Instead(WormAttack, "strike", hits.strike, hits.tokens_struck),
    Instead(SpecialAttack, "strike", hits.strike, hits.tokens_struck),
    Instead(Settle, "stacking", hits.stacking, _own),
    Instead(WormTakesHarvester, "carryall", hazards.carryall),
    Instead(SpiceHarvesting, "decide", spice.decide_spice),
    Instead(SpiceHarvesting, "stockpile", spice.score),
)

Steps = Mapping[tuple[str, str], Step]


def solo_steps(edition: Steps, more: tuple[Instead, ...] = ()) -> dict[tuple[str, str], Step]:
    """Return the steps of an edition with those of the automaton, which fall back on them."""
    steps = dict(edition)
    if ("ActionTurn", "tank_at_once") in edition:
        steps["AutomatonTurn", "tank_at_once"] = turn.tank_stays
        steps["AutomatonTurn", "tank_at_the_end"] = turn.tank_moves
    for each in (*INSTEAD, *more):
        key = (each.frame.__name__, each.name)
        usual = steps.get(key) or each.frame.STEPS[each.name]
        steps[key] = each.step if each.when is None else _either(each.step, usual, each.when)
    return steps


def _either(mine: Step, usual: Step, when: Condition) -> Step:
    """Return the step that is one or the other by a condition, for its question and for the answer alike."""

    def run(f: Any, g: Any) -> Flow:
        return mine.fn(f, g) if when(f, g) else usual.fn(f, g)

    def answered(f: Any, g: Any, *answer: Any) -> Flow:
        handler = mine.handler if when(f, g) else usual.handler
        assert handler
        return handler(f, g, *answer)

    joint = Step(run, mine.rules)
    if mine.handler or usual.handler:
        joint.answer(answered)
    return joint
