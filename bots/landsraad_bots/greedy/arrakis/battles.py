"""Scores for battles: dice for cards, casualties, continuing, retreats and advances."""

from __future__ import annotations

from typing import Final, NamedTuple

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.against_automaton import hand_price
from landsraad_bots.greedy.arrakis.cards import keep_worth
from landsraad_bots.greedy.arrakis.goals import rank_of, settlement_worth
from landsraad_bots.greedy.arrakis.odds import duel
from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_bots.players import side_of
from landsraad_engine.arrakis import acts
from landsraad_engine.arrakis.sides import OPPONENT
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.kernel.grammar import Choice

#: The effect of another die: expected hits, and the rise of the chance to win.
_DIE_HITS: Final = 0.5
_DIE_CHANCE: Final = 0.06
#: The worth of a die in the next rounds, which is lost with its unit.
_DIE_LOST: Final = 0.35
#: A bonus for defending a place, which a retreat gives up.
_RETREAT: Final = 0.6


class CurrentBattle(NamedTuple):
    """The areas of a battle, and the role of the own side."""

    source: str
    target: str
    attacking: bool


def current_battle(view: ArrakisSeatView) -> CurrentBattle | None:
    """Return the battle in progress, or None."""
    for frame in reversed(view.frames):
        if frame["frame"] == "Battle":
            attacking = view.table.get(f"side/{frame['seat']}") == view.side
            return CurrentBattle(frame["source"], frame["target"], attacking)
    return None


def _stake(view: ArrakisSeatView, battle: CurrentBattle) -> float:
    """Return the worth of the settlement that is fought for; 0 in the open."""
    defender = OPPONENT[side_of(view)] if battle.attacking else side_of(view)
    settled = view.survey().settlements(defender) & view.board.bit[battle.target]
    return settlement_worth(view, defender, battle.target) if settled else 0.0


def discard_for_dice(view: ArrakisSeatView, act: acts.DiscardForDice, choice: Choice, why: str) -> float:
    """Discard cards that are worth less in the hand than a die in this battle."""
    battle = current_battle(view)
    stake = _stake(view, battle) if battle else 0.0
    die = _DIE_HITS * worth.UNITS[OPPONENT[side_of(view)]][0] + _DIE_CHANCE * stake
    return sum(die - keep_worth(card) for card in act.cards) - hand_price(view, len(act.cards))


def use_leaders(view: ArrakisSeatView, act: acts.UseLeaders, choice: Choice, why: str) -> float:
    abilities = [view.leader(leader).combat for leader in act.named]
    return act.generic + sum(each.hits + 0.8 * each.shields for each in abilities)


def take_casualties(view: ArrakisSeatView, act: acts.TakeCasualties, choice: Choice, why: str) -> float:
    """Minimize the loss: an Elite becomes a Regular before a unit is removed."""
    regular, elite, special, leader = worth.UNITS[side_of(view)]
    removed, elites, specials, leaders = act.units
    lost = removed * (regular + _DIE_LOST) + elites * (elite - regular) + specials * (special - regular)
    return -(lost + leaders * leader + worth.NAMED * len(act.leaders))


def continue_battle(view: ArrakisSeatView, act: acts.Continue, choice: Choice, why: str) -> float:
    """Weigh the expected gain of further rounds against their price."""
    battle = current_battle(view)
    if battle is None:
        return 0.0
    price = 1.0 if _stake(view, battle) else 0.0
    return Outlook.of(view).attack(battle.source, battle.target)[0] - price


def stand(view: ArrakisSeatView, act: acts.Stand, choice: Choice, why: str) -> float:
    """Weigh standing against a retreat, which saves the legion but loses the settlement."""
    battle = current_battle(view)
    if battle is None:
        return 0.0
    outlook = Outlook.of(view)
    legion = outlook.legions.get(battle.target, Legion())
    enemy = view.legion(outlook.enemy, battle.source)
    rank = rank_of(view, outlook.side, battle.target) if _stake(view, battle) else 0
    likely = duel(outlook.force(enemy), outlook.force(legion), rank)
    risk = likely.chance * _stake(view, battle)
    risk += likely.killed * worth.legion_worth(view, outlook.side, legion)
    risk -= likely.lost * worth.legion_worth(view, outlook.enemy, enemy)
    return _stake(view, battle) + _RETREAT - risk


def drive_away(view: ArrakisSeatView, act: acts.RetreatTo | acts.Displace, choice: Choice, why: str) -> float:
    """Send an enemy legion where it is worth least."""
    enemy = Outlook.of(view, OPPONENT[side_of(view)])
    frame = view.frames[-1]
    legion = enemy.legions.get(str(frame.get("area", "")), Legion())
    return -enemy.position_worth(act.area, enemy.force(legion))


def advance(view: ArrakisSeatView, act: acts.Advance, choice: Choice, why: str) -> float:
    """Score an advance; a settlement falls only to units that enter it."""
    battle = current_battle(view)
    if battle is None:
        return 1.0
    outlook = Outlook.of(view)
    if battle.source not in outlook.legions:
        return 1.0
    return outlook.move_gain(battle.source, battle.target, Legion(act.units, act.leaders))


def remove_excess(view: ArrakisSeatView, act: acts.RemoveExcess, choice: Choice, why: str) -> float:
    return -worth.legion_worth(view, side_of(view), Legion((*act.units, 0), (), act.tokens))
