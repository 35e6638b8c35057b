"""Choices in the name of the automaton of the solo mode: of what it may do, whatever serves it least.

The docstrings of scoring functions state the heuristic.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_bots.greedy.candidates import candidates
from landsraad_bots.greedy.scorer import Score, constant
from landsraad_engine.arrakis import acts
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.arrakis.zones import IMPERIUM, SOLO
from landsraad_engine.kernel.grammar import Act, Choice
from landsraad_engine.play.bot import Decision

#: Statements of this section put the questions.
SECTION: Final = "WFA-Y."
#: The bans, by how much they hurt the automaton, which does not scout.
_BANS: Final = {"choam": 1.0, "landsraad": 0.8, "spacing_guild": 0.3}


def move(view: ArrakisSeatView, act: acts.MoveLegion, choice: Choice, why: str) -> float:
    """Move the legion that gains least by it."""
    going = Legion(act.units, act.leaders, act.tokens)
    return -Outlook.of(view, HARKONNEN).move_gain(act.source, act.target, going) + 0.1 * bool(act.ornithopter)


def attack(view: ArrakisSeatView, act: acts.Attack, choice: Choice, why: str) -> float:
    """Make the attack that promises least."""
    return -Outlook.of(view, HARKONNEN).attack(act.source, act.target)[0]


def bring(view: ArrakisSeatView, act: acts.BringForces, choice: Choice, why: str) -> float:
    """Bring forces where they are worth least."""
    return -Outlook.of(view, HARKONNEN).arrival_gain(act.place, Legion(act.units, act.leaders))


def retreat(view: ArrakisSeatView, act: acts.RetreatTo | acts.Displace, choice: Choice, why: str) -> float:
    """Send a legion where it is best for the own side, whoever's it is."""
    frame = view.frames[-1]
    side = str(frame.get("side", ATREIDES))
    outlook = Outlook.of(view, side)
    legion = outlook.legions.get(str(frame.get("area", "")), Legion())
    value = outlook.position_worth(act.area, outlook.force(legion))
    return value if side == ATREIDES else -value


def lose(view: ArrakisSeatView, act: acts.TakeCasualties, choice: Choice, why: str) -> float:
    """Lose the strongest leader."""
    abilities = [view.leader(leader).combat for leader in act.leaders]
    return sum(each.hits + each.shields for each in abilities)


def use_leaders(view: ArrakisSeatView, act: acts.UseLeaders, choice: Choice, why: str) -> float:
    """Use the weakest leaders."""
    abilities = [view.leader(leader).combat for leader in act.named]
    return -act.generic - sum(each.hits + 0.8 * each.shields for each in abilities)


def remove_excess(view: ArrakisSeatView, act: acts.RemoveExcess, choice: Choice, why: str) -> float:
    return worth.legion_worth(view, HARKONNEN, Legion((*act.units, 0), (), act.tokens))


def spend_spice(view: ArrakisSeatView, act: acts.SpendSpice, choice: Choice, why: str) -> float:
    """Let the marker fall whose ban hurts most."""
    return sum(_BANS[power] for power in IMPERIUM if getattr(act, power) == "fall")


def choose_ban(view: ArrakisSeatView, act: acts.ChooseBan, choice: Choice, why: str) -> float:
    return _BANS[act.power]


def harvest_in(view: ArrakisSeatView, act: acts.ChooseTargets, choice: Choice, why: str) -> float:
    """Place harvesters, and scattered units, near own legions."""
    outlook = Outlook.of(view)
    return -sum(min((outlook.steps[area][own] for own in outlook.legions), default=9) for area in act.targets)


def harvest_sector(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Place harvesters in the Sector with the most own units."""
    sectors = [sector.id for sector in view.content.sector.values() if sector.id.startswith(act.target)]
    areas = view.board.union(view.board.sector[sector] for sector in sectors)
    return float(sum(view.size(ATREIDES, area) for area in view.board.names(areas)))


def name_target(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Draw the legions towards the strongest Sietch."""
    return worth.legion_worth(view, ATREIDES, view.legion(ATREIDES, act.target))


def upgrade_in(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Let the smallest legion have the better units."""
    return -float(view.size(HARKONNEN, act.target))


def strike_down(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Give up the weakest leader."""
    combat = view.leader(act.target).combat
    return -float(combat.hits + combat.shields)


def reveal_sietch(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Show the Sietch of lowest rank."""
    return -float(view.rank(ATREIDES, act.target))


def reveal_tokens(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Show as few tokens as may be."""
    return -float(len(view.tokens(act.target)))


#: The results of a die, the ones that hurt least first.
_RESULTS: Final = ("house", "deployment", "mentat", "leadership", "strategy")


def name_result(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Name the result that brings least."""
    return float(len(_RESULTS) - _RESULTS.index(act.target))


TARGET_SCORES: Final[Mapping[str, Score]] = {
    "harvest_sector": harvest_sector,
    "name_target": name_target,
    "upgrade_in": upgrade_in,
    "turn_up_black": upgrade_in,
    "turn_up_silver": upgrade_in,
    "join_legion": upgrade_in,
    "strike_down": strike_down,
    "remove_leader": upgrade_in,
    "advance_leader": strike_down,
    "choose_revealed": constant(0.0),
    "reveal_sietch": reveal_sietch,
    "reveal_tokens": reveal_tokens,
}

TARGETS_SCORES: Final[Mapping[str, Score]] = {
    "harvest_in": harvest_in,
    "scatter_units": harvest_in,
    "discard_wormsigns": constant(0.0),
}

SCORES: Final[Mapping[type[Act], Score]] = {
    acts.MoveLegion: move,
    acts.Attack: attack,
    acts.BringForces: bring,
    acts.RetreatTo: retreat,
    acts.Displace: retreat,
    acts.TakeCasualties: lose,
    acts.RemoveExcess: remove_excess,
    acts.SpendSpice: spend_spice,
    acts.PlaceVehicle: constant(0.0),
    acts.UseSpecial: constant(0.0),
    acts.RescueHarvester: constant(0.0),
    acts.Bombard: constant(0.0),
    acts.ChooseEnemyDie: constant(0.0),
}

#: Questions of the usual rules that the automaton's opponents answer for it.
USUAL: Final[Mapping[type[Act], Score]] = {acts.UseLeaders: use_leaders, acts.ChooseBan: choose_ban}


def score_of(view: ArrakisSeatView, act: Any, why: str) -> Score | None:
    """Return the scoring function of an act in the automaton's name; None if it is an own one."""
    if type(act) in USUAL and _for_it(view):
        return USUAL[type(act)]
    if not why.startswith(SECTION):
        return None
    if isinstance(act, acts.ChooseTarget):
        return TARGET_SCORES.get(act.effect)
    if isinstance(act, acts.ChooseTargets):
        return TARGETS_SCORES.get(act.effect)
    return SCORES.get(type(act))


def _for_it(view: ArrakisSeatView) -> bool:
    """Return whether a question of the usual rules is about the automaton's side."""
    frame = view.frames[-1]
    if frame["frame"] != "BattleRound":
        return True
    attacked = frame["seat"] < 0
    return attacked if view.frames[-1].get("pc", "").startswith("attackers") else not attacked


def choose(view: ArrakisSeatView, ask: Decision, rng: Random) -> Act | None:
    """Return the act that serves the automaton least; None if the question is not put in its name."""
    if SOLO not in view.table:
        return None
    best: list[Act] = []
    highest = float("-inf")
    for choice, act in candidates(ask.options, rng):
        score = score_of(view, act, ask.why)
        if score is None:
            return None
        value = score(view, act, choice, ask.why)
        if value > highest:
            best, highest = [act], value
        elif value == highest:
            best.append(act)
    return rng.choice(best) if best else None
