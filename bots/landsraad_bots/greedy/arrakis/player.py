"""The greedy player of War for Arrakis: a scoring function for each act type, in the order of the rulebook.

The docstrings of scoring functions state the heuristic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final

from landsraad_bots.greedy.arrakis import automaton, battles, cards, deployment, desert, movement, turns, worth
from landsraad_bots.greedy.arrakis.against_automaton import AutomatonOutlook
from landsraad_bots.greedy.arrakis.goals import reward_worth
from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_bots.greedy.candidates import count_items
from landsraad_bots.greedy.scorer import Proposal, Score, Scorer, constant, unscored
from landsraad_engine.arrakis import acts
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.arrakis.zones import IMPERIUM, SOLO
from landsraad_engine.kernel.grammar import Act, Choice
from landsraad_engine.play.bot import Decision

NOTHING: Final = constant(0.0)
ALWAYS: Final = constant(1.0)
NEVER: Final = constant(-1.0)

#: The worth of the results of a die that may be set to any.
_RESULTS: Final = {"house": 1.0, "strategy": 0.9, "leadership": 0.8, "deployment": 0.6, "mentat": 0.4}
#: Scores of the bans: the higher, the less it hurts.
_BANS: Final = {"spacing_guild": 1.0, "landsraad": 0.6, "choam": 0.3}
#: Prescience cards with a lower reward are removed from the game.
_POOR_CARD: Final = 6.0


def place_bene_gesserit(view: ArrakisSeatView, act: acts.PlaceBeneGesserit, choice: Choice, why: str) -> float:
    return _RESULTS[act.box]


def change_die(view: ArrakisSeatView, act: acts.ChangeDie, choice: Choice, why: str) -> float:
    return _RESULTS[act.target]


def keep_die(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    return _RESULTS[act.target]


def discard(view: ArrakisSeatView, act: Any, choice: Choice, why: str) -> float:
    """Discard the cards with the lowest worth."""
    return -sum(map(cards.keep_worth, act.cards))


def return_card(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Return cards that are worth less than the average card drawn instead."""
    return worth.KEPT - cards.keep_worth(act.target)


def play_another(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    return cards.play_worth(Outlook.of(view), act.target) - cards.keep_worth(act.target)


def choose_deed(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    outlook = Outlook.of(view)
    match act.target:
        case "move":
            return movement.best_moves(outlook, 1)
        case "attack":
            return movement.best_attack(outlook)
        case "draw":
            return 2 * worth.DRAWN
        case "rob":
            return worth.KEPT
        case "shuffle":
            return 0.2 * max(reward_worth(view, card) for card in view.table["prescience_row"])
    return turns.best_card(outlook)


def take_worm(view: ArrakisSeatView, act: acts.TakeWorm, choice: Choice, why: str) -> float:
    """Prefer a worm from off the board, near prey."""
    outlook = Outlook.of(view)
    prey = outlook.survey.harkonnen | outlook.survey.harvesters
    near = view.board.names(view.board.worm_targets(act.area) & prey)
    reach = max((desert.strike_worth(outlook, area) for area in near), default=0.0)
    return 0.2 + 0.3 * reach - 0.5 * bool(act.source)


def choose_worms(view: ArrakisSeatView, act: acts.ChooseWorms, choice: Choice, why: str) -> float:
    outlook = Outlook.of(view)
    prey = outlook.survey.harkonnen | outlook.survey.harvesters
    return sum(desert.strike_worth(outlook, area) for area in act.areas if view.board.bit[area] & prey)


def bombard(view: ArrakisSeatView, act: acts.Bombard, choice: Choice, why: str) -> float:
    """Score a bombardment as two hits."""
    outlook = Outlook.of(view)
    legion = view.legion(outlook.enemy, act.area)
    share = min(1.0, 2.0 / max(1, outlook.force(legion).toughness))
    return share * worth.legion_worth(view, outlook.enemy, legion)


def strike_down(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    combat = view.leader(act.target).combat
    return worth.NAMED + 0.2 * (combat.hits + combat.shields)


def remove_prescience(view: ArrakisSeatView, act: acts.RemovePrescience, choice: Choice, why: str) -> float:
    """Remove cards with a low reward to make room for better ones."""
    return sum(_POOR_CARD - reward_worth(view, card) for card in act.cards)


def choose_revealed(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    return reward_worth(view, act.target)


def choose_marker(view: ArrakisSeatView, act: acts.ChooseMarker, choice: Choice, why: str) -> float:
    return worth.step_worth(view)[act.marker]


def shift_markers(view: ArrakisSeatView, act: acts.ShiftMarkers, choice: Choice, why: str) -> float:
    """Shift steps from a marker with surplus to one that needs them."""
    missing = worth.steps_missing(view)
    gained = min(act.steps, missing[act.higher])
    return gained - act.steps if missing[act.lower] > 0 else gained - 0.1


def give_up_forces(view: ArrakisSeatView, act: acts.GiveUpForces, choice: Choice, why: str) -> float:
    """Give up forces of the largest legion, as few as possible."""
    outlook = Outlook.of(view)
    return -2.0 * sum(act.units) - 2.0 * len(act.tokens) + 0.1 * outlook.legions[act.area].size


def lower_imperium(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Lower the lowest track, which decides the number of dice."""
    return 6.0 - float(view.table[IMPERIUM[act.target]])


def choose_enemy_die(view: ArrakisSeatView, act: acts.ChooseEnemyDie, choice: Choice, why: str) -> float:
    return 1.0 - _RESULTS[act.die]


def choose_ban(view: ArrakisSeatView, act: acts.ChooseBan, choice: Choice, why: str) -> float:
    return _BANS[act.power]


def spy(view: ArrakisSeatView, act: acts.Spy, choice: Choice, why: str) -> float:
    """Look at the Sietch and the tokens nearest to an own legion."""
    outlook = Outlook.of(view)
    own = outlook.legions
    near = [min((outlook.steps[area][at] for at in own), default=9) for area in (act.sietch, act.tokens) if area]
    return sum(1.0 - 0.1 * steps for steps in near)


def aim_at(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    inside = view.board.sector[act.target] & view.survey().harvesters
    return 1.0 + inside.bit_count()


def remove_leader(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    return 1.0 + 0.05 * view.size(HARKONNEN, act.target)


def choose_target(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    score = TARGET_SCORES.get(act.effect)
    return score(view, act, choice, why) if score else unscored("GreedyArrakis", act.effect)


def choose_targets(view: ArrakisSeatView, act: acts.ChooseTargets, choice: Choice, why: str) -> float:
    score = TARGETS_SCORES.get(act.effect)
    return score(view, act, choice, why) if score else unscored("GreedyArrakis", act.effect)


def more_is_better(field: str) -> Score:
    """Return a scoring function that prefers many items in a field."""
    return lambda view, act, choice, why: 0.5 * count_items(getattr(act, field))


def proposed(propose: Callable[[ArrakisSeatView, Choice], Iterator[Act]]) -> Proposal:
    """Adapt a proposal that needs no random numbers."""
    return lambda view, choice, rng: propose(view, choice)


#: Scores of the effects of cards and leaders on one target.
TARGET_SCORES: Final[Mapping[str, Score]] = {
    "play_another": play_another,
    "return_card": return_card,
    "choose_deed": choose_deed,
    "bring_in": ALWAYS,
    "strike_down": strike_down,
    "aim_at": aim_at,
    "choose_revealed": choose_revealed,
    "lower_imperium": lower_imperium,
    "fetch_card": ALWAYS,
    "remove_leader": remove_leader,
    "advance_leader": ALWAYS,
    "keep_die": keep_die,
    "name_result": automaton.name_result,
    "replace_naib": deployment.replace_naib,
}

#: Those on some.
TARGETS_SCORES: Final[Mapping[str, Score]] = {
    "scatter_regulars": deployment.scatter,
    "discard_wormsigns": more_is_better("targets"),
    "remove_vehicles": more_is_better("targets"),
}

SCORES: Final[Mapping[type[Act], Score]] = {
    acts.Done: NOTHING,
    acts.PlaceVehicles: NOTHING,
    acts.PlaceVehicle: desert.place_vehicle,
    acts.ChangeDie: change_die,
    acts.PlaceBeneGesserit: place_bene_gesserit,
    acts.TakeAction: turns.take_action,
    acts.HandOver: turns.hand_over,
    acts.UseSpecial: turns.use_special,
    acts.PlayCard: turns.play_card,
    acts.ClaimForDie: turns.claim_for_die,
    acts.TakeDesertPower: turns.take_desert_power,
    acts.MoveLegion: movement.move,
    acts.Attack: movement.attack,
    acts.RemoveExcess: battles.remove_excess,
    acts.Deploy: deployment.deploy,
    acts.DrawToken: constant(deployment.TOKEN),
    acts.DeployToken: deployment.deploy_token,
    acts.DeployLeader: deployment.deploy_leader,
    acts.DrawCards: more_is_better("cards"),
    acts.UpgradeUnits: deployment.upgrade,
    acts.DiscardForDice: battles.discard_for_dice,
    acts.UseLeaders: battles.use_leaders,
    acts.TakeCasualties: battles.take_casualties,
    acts.EnterTank: NOTHING,
    acts.Continue: battles.continue_battle,
    acts.Cease: NOTHING,
    acts.Stand: battles.stand,
    acts.Retreat: NOTHING,
    acts.RetreatTo: battles.drive_away,
    acts.Displace: battles.drive_away,
    acts.Advance: battles.advance,
    acts.Stay: NOTHING,
    acts.LayWormsigns: desert.lay_wormsigns,
    acts.MoveWorm: desert.move_worm,
    acts.StrikeWithWorm: desert.strike,
    acts.ChooseWorms: choose_worms,
    acts.TakeWorm: take_worm,
    acts.ResolveWorm: NOTHING,
    acts.RescueHarvester: ALWAYS,
    acts.SpendSpice: desert.spend_spice,
    acts.ChooseBan: choose_ban,
    acts.Detonate: ALWAYS,
    acts.ExchangeLeaders: lambda view, act, choice, why: -float(len(act.leaders)),
    acts.DiscardDown: discard,
    acts.PassStations: more_is_better("areas"),
    acts.ChooseMarker: choose_marker,
    acts.Claim: turns.claim,
    acts.GiveUpForces: give_up_forces,
    acts.RemovePrescience: remove_prescience,
    acts.DiscardCards: discard,
    acts.ChooseTarget: choose_target,
    acts.ChooseTargets: choose_targets,
    acts.SpreadUnits: deployment.spread,
    acts.Bombard: bombard,
    acts.Spy: spy,
    acts.ChooseEnemyDie: choose_enemy_die,
    acts.ShiftMarkers: shift_markers,
    acts.SwapTokens: NEVER,
    acts.MoveSietch: NEVER,
    # Out-of-turn plays, which are never put as a question.
    acts.RevealTokens: NEVER,
    acts.Scout: NEVER,
    acts.OpenCone: NEVER,
    acts.ChangeResult: NEVER,
    acts.PlotAgainstHawat: NEVER,
    acts.DriveLegion: ALWAYS,
    acts.BringForces: deployment.bring_forces,
    acts.TameWildMaker: NEVER,
    acts.LookAt: NOTHING,
    acts.SummonOldMan: desert.summon_old_man,
    acts.MoveOldMan: desert.move_old_man,
    acts.StrikeWithOldMan: desert.strike_with_old_man,
}

PROPOSALS: Final[Mapping[type[Act], Proposal]] = {
    acts.PlaceVehicles: desert.propose_vehicles,
    acts.MoveLegion: proposed(movement.propose_moves),
    acts.Attack: proposed(movement.propose_attacks),
    acts.Deploy: proposed(deployment.propose_deployments),
    acts.BringForces: proposed(deployment.propose_forces),
    acts.LayWormsigns: proposed(desert.propose_wormsigns),
}


class GreedyArrakis(Scorer):
    """War for Arrakis by a one-step evaluation of the candidate acts."""

    game: ClassVar[str] = "arrakis"
    scores: ClassVar[Mapping[type[Act], Score]] = SCORES
    proposals: ClassVar[Mapping[type[Act], Proposal]] = PROPOSALS

    def decide(self, view: Any, ask: Decision) -> Act:
        if SOLO in view.table:
            Outlook.provide(view, ATREIDES, AutomatonOutlook)
        return automaton.choose(view, ask, self.rng) or super().decide(view, ask)
