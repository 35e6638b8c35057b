"""The rule-of-thumb player of War for Arrakis: a rule for each act type.

The docstrings of rules state the heuristic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from landsraad_bots.greedy.arrakis import automaton
from landsraad_bots.greedy.candidates import count_items
from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.arrakis import features, movement, turns
from landsraad_bots.rules_of_thumb.priorities import ByPriority, Proposal, Rule, Urgency, always, never
from landsraad_engine.arrakis import acts
from landsraad_engine.arrakis.harvesting import MOVES
from landsraad_engine.arrakis.objectives import may_be_held
from landsraad_engine.arrakis.operations.vocabulary import AdvanceMarkerRow
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, HARVESTER
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.arrakis.zones import IMPERIUM, WORMS_HELD
from landsraad_engine.kernel.grammar import Act, Choice
from landsraad_engine.kernel.zones import HIDDEN
from landsraad_engine.play.bot import Decision

#: The preference for the results of a die that may be set to any.
_DICE: Final = {"strategy": 5.0, "leadership": 4.0, "house": 4.5, "deployment": 3.0, "mentat": 1.0}


# --- cards in hand


def discard(view: ArrakisSeatView, act: Any) -> Urgency:
    """Discard the cards with the lowest priority."""
    return (1.0, -float(sum(turns.card_rank(card) for card in act.cards)))


def discard_for_dice(view: ArrakisSeatView, act: acts.DiscardForDice) -> Urgency:
    """Discard up to two cards that are not worth playing."""
    poor = [card for card in act.cards if turns.card_rank(card) < 5]
    return (1.0, float(len(act.cards))) if len(poor) == len(act.cards) <= 2 else None


def play_another(view: ArrakisSeatView, act: acts.ChooseTarget) -> Urgency:
    return (1.0, float(turns.card_rank(act.target)))


# --- battle


def take_casualties(view: ArrakisSeatView, act: acts.TakeCasualties) -> Urgency:
    """Lose named leaders last and Special Elites before them; reduce Elites before removing units."""
    removed, elite, special, leader = act.units
    return (1.0, -4.0 * len(act.leaders) - 2.0 * special - 1.5 * removed - elite - 1.2 * leader)


def _battle(view: ArrakisSeatView) -> Mapping[str, Any]:
    return next(frame for frame in reversed(view.frames) if frame["frame"] == "Battle")


def continue_battle(view: ArrakisSeatView, act: acts.Continue) -> Urgency:
    """Continue while stronger."""
    battle = _battle(view)
    mine = features.fighting_value(view.legion(side_of(view), battle["source"]))
    theirs = features.fighting_value(view.legion(features.enemy(view), battle["target"]))
    return (1.0,) if mine > theirs + bool(features.rank(view, features.enemy(view), battle["target"])) else None


def stand(view: ArrakisSeatView, act: acts.Stand) -> Urgency:
    """Stand in settlements always, elsewhere against weaker enemies."""
    battle = _battle(view)
    mine = features.fighting_value(view.legion(side_of(view), battle["target"]))
    theirs = features.fighting_value(view.legion(features.enemy(view), battle["source"]))
    return (1.0,) if features.rank(view, side_of(view), battle["target"]) or mine >= theirs else None


def drive_away(view: ArrakisSeatView, act: acts.RetreatTo | acts.Displace) -> Urgency:
    """Drive enemies far from own settlements."""
    return (1.0, float(features.distance_to(view, act.area, features.settlements(view, side_of(view)))))


# --- mustering


def _troops_needed(view: ArrakisSeatView, area: str) -> float:
    """Return the need of an own settlement for troops: its rank, and the surplus of the threatening enemy."""
    short = features.threat_to(view, area) - features.unit_count(view.legion(side_of(view), area))
    return features.rank(view, side_of(view), area) + max(0, short)


def propose_deployments(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Propose all Regulars in one settlement, with a leader."""
    regulars: Any = choice.domain("regulars")
    for leader in choice.domain("leader").values():
        for area in regulars.slots:
            number = tuple(regulars.high if area == each else 0 for each in regulars.slots)
            yield acts.Deploy(number, leader, area if leader else "")


def deploy(view: ArrakisSeatView, act: acts.Deploy) -> Urgency:
    """Deploy in threatened villages, else near a Sietch."""
    area = act.place
    if not area:
        return (0.0,)
    full = view.size(HARKONNEN, area) + sum(act.regulars) > view.content.limits.stacking
    pressed = features.threat_to(view, area) > features.unit_count(view.legion(HARKONNEN, area))
    near = features.distance_to(view, area, features.settlements(view, ATREIDES))
    return (1.0, float(not full), float(pressed), -float(near), float(act.leader in view.content.leader))


def deploy_token(view: ArrakisSeatView, act: acts.DeployToken | acts.DeployLeader) -> Urgency:
    named = act.leader in view.content.leader and not view.leader(act.leader).generic
    return (
        2.0 if isinstance(act, acts.DeployToken) else 1.0,
        _troops_needed(view, act.area),
        float(bool(act.leader)) + named,
    )


def bring(view: ArrakisSeatView, act: acts.BringForces) -> Urgency:
    """Bring as many forces as possible within the stacking limit."""
    room = view.content.limits.stacking - view.size(side_of(view), act.place) - sum(act.units[:3])
    near = features.distance_to(view, act.place, features.settlements(view, features.enemy(view)))
    return (1.0, float(room >= 0), float(sum(act.units)), float(len(act.leaders)), -float(near))


# --- the desert


def _safe(view: ArrakisSeatView, area: str) -> tuple[float, ...]:
    """Rate an area for a harvester: out of the enemy's reach, with much spice."""
    survey = features.survey(view)
    near = bool(view.board.within(area, 1) & survey.atreides)
    worms = any(view.board.worm_targets(worm) & view.board.bit[area] for worm in view.board.names(survey.worms))
    return (-float(near), -float(worms), float(view.board.terrain[area] == "deep_desert"))


def propose_vehicles(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Propose harvesters in safe areas, carryalls above them and ornithopters near columns."""
    domains: dict[str, Any] = {name: choice.domain(name) for name in choice.names}
    number = {name: domain.low for name, domain in domains.items()}
    harvesters = sorted(domains["harvesters"].items, key=lambda area: _safe(view, area), reverse=True)
    harvesters = harvesters[: number["harvesters"]]
    zones = domains["carryalls"].items

    def above(zone: str, areas: tuple[str, ...]) -> int:
        return -sum(zone in view.board.zones_of[area] for area in areas)

    carryalls = sorted(zones, key=lambda zone: above(zone, tuple(harvesters)))[: number["carryalls"]]
    columns = tuple(a for a in features.legions(view, HARKONNEN) if view.size(HARKONNEN, a) >= 3)
    free = [zone for zone in zones if zone not in carryalls]
    ornithopters = sorted(free, key=lambda zone: above(zone, columns))[: number["ornithopters"]]
    yield acts.PlaceVehicles(tuple(sorted(harvesters)), tuple(sorted(ornithopters)), tuple(sorted(carryalls)))


def place_vehicle(view: ArrakisSeatView, act: acts.PlaceVehicle) -> Urgency:
    """Place new vehicles on free places: harvesters before ornithopters."""
    if act.source or any(view.vehicle(act.place)):
        return None
    return (2.0, *_safe(view, act.place)) if act.vehicle == "harvester" else (1.0, float(act.vehicle == "ornithopter"))


def strike(view: ArrakisSeatView, act: acts.StrikeWithWorm | acts.StrikeWithOldMan) -> Urgency:
    """Strike harvesters in Deep Desert first, then small legions."""
    if view.vehicle(act.target)[HARVESTER]:
        return (3.0, float(view.board.terrain[act.target] == "deep_desert"))
    return (2.0, -abs(3.0 - features.fighting_value(view.legion(HARKONNEN, act.target))))


def summon_old_man(view: ArrakisSeatView, act: acts.SummonOldMan) -> Urgency:
    """Summon the Old Man where it can spend two sandworms or more on prey."""
    worms, prey = features.survey(view).worms.bit_count(), turns.prey_of_old_man(view, act.sector)
    return (2.5, float(prey)) if min(worms, prey) >= 2 else None


def move_old_man(view: ArrakisSeatView, act: acts.MoveOldMan) -> Urgency:
    """Move it to prey if it has none, and a sandworm is left to spend there."""
    here, there = (turns.prey_of_old_man(view, sector) for sector in (view.old_man, act.sector))
    return (1.0, float(there)) if there and not here and sum(view.table.get(WORMS_HELD, ())) > 1 else None


def lay_wormsigns(view: ArrakisSeatView, act: acts.LayWormsigns) -> Urgency:
    """Lay as many wormsigns as possible, in Deep Desert and beside Harkonnen legions."""
    deep = sum(view.board.terrain[area] == "deep_desert" for area in act.areas)
    beside = sum(bool(view.board.adjacent[area] & features.survey(view).harkonnen) for area in act.areas)
    return (1.0, float(len(act.areas)), float(deep + beside))


def spend_spice(view: ArrakisSeatView, act: acts.SpendSpice) -> Urgency:
    """Pay for a Supremacy point first, then for the Imperium tracks, and keep the rest."""
    steps: dict[str, int] = {power: view.table[key] for power, key in IMPERIUM.items()}
    after = [min(5, max(1, step + MOVES[getattr(act, power)])) for power, step in steps.items()]
    return (1.0, float(act.stockpile), float(min(after)), float(sum(after)), float(act.reserve))


# --- prescience


def missing(view: ArrakisSeatView) -> Mapping[str, int]:
    """Return the steps that the markers need for the first own or possible objective."""
    held = [each for each in view.table.get("objectives", ()) if each != HIDDEN]
    known = held or [each for each in view.content.objective if may_be_held(view, each)] or list(view.content.objective)
    target = view.content.objective[known[0]]
    return {marker: max(0, getattr(target, marker) - view.marker(marker)) for marker in MARKERS}


def useful_steps(view: ArrakisSeatView, card: str) -> int:
    need = missing(view)
    steps = [row for row in view.content.prescience_card[card].rewards if isinstance(row, AdvanceMarkerRow)]
    return sum(min(row.steps, need.get(row.marker, row.steps)) for row in steps)


def claim(view: ArrakisSeatView, act: acts.Claim | acts.ClaimForDie) -> Urgency:
    """Claim cards that reward needed steps."""
    steps = useful_steps(view, act.card)
    return (9.5, float(steps)) if steps else None


def remove_prescience(view: ArrakisSeatView, act: acts.RemovePrescience) -> Urgency:
    """Remove cards that reward no needed step."""
    useless = [card for card in act.cards if useful_steps(view, card) == 0]
    return (1.0, float(len(useless))) if len(useless) == len(act.cards) else None


def choose_marker(view: ArrakisSeatView, act: acts.ChooseMarker) -> Urgency:
    return (1.0, float(missing(view)[act.marker]))


def shift_markers(view: ArrakisSeatView, act: acts.ShiftMarkers) -> Urgency:
    need = missing(view)
    return (1.0, float(min(act.steps, need[act.higher]))) if not need[act.lower] and need[act.higher] else None


def choose_deed(view: ArrakisSeatView, act: acts.ChooseTarget) -> Urgency:
    """Attack if that is promising; play a good card; else move or draw."""
    match act.target:
        case "attack":
            return (3.0,) if turns.best_attack_urgency(view, led=False) else None
        case "shuffle":
            return (2.0,) if any(useful_steps(view, card) > 1 for card in view.table["prescience_row"]) else (0.5,)
        case "play":
            return (2.0,) if any(turns.card_rank(card) >= 5 for card in view.hand(view.seat or 0)) else None
    return (1.0,)


def choose_target(view: ArrakisSeatView, act: acts.ChooseTarget) -> Urgency:
    """Follow the rule for the effect; one that is not known is carried out."""
    return TARGET_RULES.get(act.effect, always(1.0))(view, act)


def many_items(field: str) -> Rule:
    """Return a rule that prefers many items in a field."""
    return lambda view, act: (1.0, float(count_items(getattr(act, field))))


#: Rules for the effects of cards and leaders on one target.
TARGET_RULES: Final[Mapping[str, Rule]] = {
    "play_another": play_another,
    "return_card": lambda view, act: (1.0, -float(turns.card_rank(act.target))),
    "choose_deed": choose_deed,
    "bring_in": always(1.0),
    "strike_down": always(1.0),
    "aim_at": always(1.0),
    "choose_revealed": lambda view, act: (1.0, float(useful_steps(view, act.target))),
    "lower_imperium": lambda view, act: (1.0, -float(view.table[IMPERIUM[act.target]])),
    "remove_leader": always(1.0),
    "advance_leader": always(1.0),
    "replace_naib": lambda view, act: (1.0, float(view.size(ATREIDES, act.target))),
}

RULES: Final[Mapping[type[Act], Rule]] = {
    acts.Done: always(0.0),
    acts.PlaceVehicle: place_vehicle,
    acts.ChangeDie: lambda view, act: (1.0, _DICE[act.target]),
    acts.PlaceBeneGesserit: lambda view, act: (1.0, _DICE[act.box]),
    acts.TakeAction: turns.take_action,
    acts.HandOver: turns.hand_over,
    acts.UseSpecial: turns.use_special,
    acts.PlayCard: turns.play_card,
    acts.ClaimForDie: claim,
    acts.TakeDesertPower: turns.take_desert_power,
    acts.MoveLegion: movement.move,
    acts.Attack: movement.attack,
    acts.RemoveExcess: lambda view, act: (1.0, -2.0 * act.units[2] - act.units[1] - 2.0 * len(act.tokens)),
    acts.Deploy: deploy,
    acts.DrawToken: always(3.0),
    acts.DeployToken: deploy_token,
    acts.DeployLeader: deploy_token,
    acts.DrawCards: many_items("cards"),
    acts.UpgradeUnits: many_items("units"),
    acts.DiscardForDice: discard_for_dice,
    acts.TakeCasualties: take_casualties,
    acts.Continue: continue_battle,
    acts.Cease: always(0.0),
    acts.Stand: stand,
    acts.Retreat: always(0.0),
    acts.RetreatTo: drive_away,
    acts.Displace: drive_away,
    acts.Advance: always(1.0),
    acts.Stay: always(0.0),
    acts.LayWormsigns: lay_wormsigns,
    acts.MoveWorm: never,
    acts.StrikeWithWorm: strike,
    acts.TakeWorm: lambda view, act: (1.0, float(not act.source)),
    acts.RescueHarvester: always(1.0),
    acts.SpendSpice: spend_spice,
    acts.ExchangeLeaders: lambda view, act: (-float(len(act.leaders)),),
    acts.DiscardDown: discard,
    acts.DiscardCards: discard,
    acts.ChooseTarget: choose_target,
    acts.ChooseTargets: many_items("targets"),
    acts.ChooseMarker: choose_marker,
    acts.Claim: claim,
    acts.RemovePrescience: remove_prescience,
    acts.ShiftMarkers: shift_markers,
    acts.SpreadUnits: many_items("regulars"),
    acts.Bombard: always(1.0),
    acts.ChooseEnemyDie: always(1.0),
    acts.SwapTokens: never,
    acts.MoveSietch: never,
    acts.DriveLegion: always(1.0),
    acts.BringForces: bring,
    acts.PassStations: many_items("areas"),
    acts.SummonOldMan: summon_old_man,
    acts.MoveOldMan: move_old_man,
    acts.StrikeWithOldMan: strike,
}

PROPOSALS: Final[Mapping[type[Act], Proposal]] = {
    acts.PlaceVehicles: propose_vehicles,
    acts.MoveLegion: movement.propose_moves,
    acts.Attack: movement.propose_attacks,
    acts.Deploy: propose_deployments,
}


class RulesOfThumbArrakis(ByPriority):
    """War for Arrakis by rules of thumb, for both factions."""

    game: ClassVar[str] = "arrakis"
    rules: ClassVar[Mapping[type[Act], Rule]] = RULES
    proposals: ClassVar[Mapping[type[Act], Proposal]] = PROPOSALS

    def decide(self, view: Any, ask: Decision) -> Act:
        return automaton.choose(view, ask, self.rng) or super().decide(view, ask)
