"""The steps of the usual rules that are others when the automaton plays."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from landsraad_engine.arrakis.mahdi import battle, hazards, hits, round_ends, spice, turn
from landsraad_engine.arrakis.sides import HARKONNEN
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
    Instead(round_ends.Setup, "seats", round_ends.seats),
    Instead(round_ends.Setup, "garrisons", round_ends.garrisons),
    Instead(round_ends.Round, "reveal_prescience", round_ends.reveal_prescience),
    Instead(round_ends.VehiclePlacement, "place", round_ends.place_vehicles),
    Instead(round_ends.RollDice, "roll", round_ends.roll_dice),
    Instead(round_ends.ActionResolution, "next_turn", round_ends.next_turn),
    Instead(round_ends.TurnUpTokens, "turn_up", round_ends.turn_up, round_ends.voluntary),
    Instead(round_ends.DestroySettlement, "fallen", round_ends.fallen, round_ends.of_sietch),
    Instead(round_ends.KitabAlIbar, "choose", round_ends.move_sietch),
    Instead(round_ends.EndOfRound, "dice_back", round_ends.dice_back),
    Instead(battle.Battle, "turn_up_tokens", battle.turn_up_tokens),
    Instead(battle.Battle, "undefended", battle.undefended, battle.attacks),
    Instead(battle.Battle, "go_on", battle.go_on, battle.attacks),
    Instead(battle.Battle, "stand", battle.stand, battle.defends),
    Instead(battle.Battle, "advance", battle.advance, battle.attacks),
    Instead(battle.Battle, "left_behind", battle.left_behind, battle.attacks),
    Instead(battle.BattleRound, "attacker_discards", battle.attacker_discards, battle.attacks),
    Instead(battle.BattleRound, "defender_discards", battle.defender_discards, battle.defends),
    Instead(battle.RetreatFrom, "where", battle.retreat_where),
    Instead(battle.DisplaceLegion, "where", battle.displace_where),
    Instead(hits.Casualties, "all_of_it", hits.all_of_it, _own_with_tokens),
    Instead(hits.Casualties, "choose", hits.choose, _own),
    Instead(hits.CoriolisStorms, "strike", hits.strike, hits.tokens_struck),
    Instead(hits.WormAttack, "strike", hits.strike, hits.tokens_struck),
    Instead(hits.SpecialAttack, "strike", hits.strike, hits.tokens_struck),
    Instead(hits.Settle, "stacking", hits.stacking, _own),
    Instead(hazards.WormTakesHarvester, "carryall", hazards.carryall),
    Instead(spice.SpiceHarvesting, "decide", spice.decide_spice),
    Instead(spice.SpiceHarvesting, "stockpile", spice.score),
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
