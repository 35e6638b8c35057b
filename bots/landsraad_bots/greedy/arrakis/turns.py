"""Scores for the actions of a turn: each by its best use."""

from __future__ import annotations

from functools import singledispatch
from typing import Final

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.against_automaton import hand_gain, hand_price
from landsraad_bots.greedy.arrakis.cards import keep_worth, play_worth
from landsraad_bots.greedy.arrakis.desert import desert_power, harvest
from landsraad_bots.greedy.arrakis.goals import SPICE, reward_worth
from landsraad_bots.greedy.arrakis.movement import best_attack, best_moves
from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_engine.arrakis import acts
from landsraad_engine.arrakis.basic_actions import ACTIONS
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.sides import ATREIDES, LEADER
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.kernel.grammar import Choice

#: The extra worth of a die that counts as any result.
_WILD: Final = 0.6
#: The average worth of deploying a token, and a leader.
_TOKEN: Final = 3.2
_LEADER: Final = 1.3


def take_action(view: ArrakisSeatView, act: acts.TakeAction, choice: Choice, why: str) -> float:
    """Score an action by its best use."""
    wild = _WILD if act.die == "house" and view.side == ATREIDES else 0.0
    return action_worth(Outlook.of(view), act.action) - wild


def hand_over(view: ArrakisSeatView, act: acts.HandOver, choice: Choice, why: str) -> float:
    """Score a die that the partner uses by the best action of its result."""
    names = (name for name, action in ACTIONS.items() if action.result == act.result and ATREIDES in action.sides)
    return max((action_worth(Outlook.of(view), name) for name in names), default=0.0) - _WILD


def action_worth(outlook: Outlook, action: str) -> float:
    """Return the gain from the best use of a basic action (cached)."""
    view = outlook.view
    key = (action_worth, action)
    found: float | None = view.memo.get(key)
    if found is None:
        found = view.memo[key] = _action(outlook, action)
    return found


def _action(outlook: Outlook, action: str) -> float:
    view = outlook.view
    match action:
        case "move":
            return best_moves(outlook)
        case "lead":
            return best_moves(outlook, led=True)
        case "attack":
            return best_attack(outlook)
        case "surprise":
            return best_attack(outlook, surprise=True, led=True)
        case "deploy":
            return best_deployment(outlook)
        case "deploy_token":
            return (_TOKEN if view.table.get("bag") else 0.0) + _LEADER
        case "mentat":
            share = 1.0 if len(view.hand(_seat(view))) < _hand_limit(view) else 0.4
            return 2 * worth.DRAWN * share + hand_gain(view, 2)
        case "upgrade":
            return 1.6 if sum(legion.units[0] for legion in outlook.legions.values()) > 1 else 0.0
        case "vehicles":
            places = outlook.board.names(outlook.board.desert & ~outlook.survey.taken())
            return 2 * SPICE * max((harvest(outlook, area) for area in places), default=0.0)
    return 0.0


def _hand_limit(view: ArrakisSeatView) -> int:
    """Return the usual hand limit of the own seat."""
    limits = view.content.limits
    return limits.hand if len(view.powers(_seat(view))) > 1 else limits.hand_shared_faction


def _seat(view: ArrakisSeatView) -> int:
    assert view.seat is not None
    return view.seat


def best_card(outlook: Outlook) -> float:
    """Return the gain from playing the best card in hand at no cost."""
    hand = outlook.view.hand(_seat(outlook.view))
    return max((play_worth(outlook, card) - keep_worth(card) for card in hand), default=0.0)


def best_deployment(outlook: Outlook) -> float:
    """Return the gain from three Regulars and a leader in the best settlement."""
    supply = outlook.view.supply(outlook.side)
    coming = Legion((min(3, supply[0]), 0, 0, min(1, supply[LEADER])))
    places = outlook.board.names(outlook.survey.settlements(outlook.side))
    return max((outlook.arrival_gain(area, coming) for area in places), default=0.0)


def use_special(view: ArrakisSeatView, act: acts.UseSpecial, choice: Choice, why: str) -> float:
    """Score a special action by the sum of its parts. Keeping it for later is worth nothing, because it is renewed."""
    outlook = Outlook.of(view)
    return sum(row_worth(row, outlook) for row in view.leader(act.leader).special) + 0.2


@singledispatch
def row_worth(row: rows.Operation, outlook: Outlook) -> float:
    """Return the gain from one operation of a special action."""
    return 1.0


@row_worth.register
def _(row: rows.MoveLegionsRow, outlook: Outlook) -> float:
    return best_moves(outlook, row.count, holding=row.holding) * (0.6 if row.again else 1.0)


@row_worth.register
def _(row: rows.AttackWithRow, outlook: Outlook) -> float:
    return best_attack(outlook, surprise=row.surprise, holding=row.holding)


@row_worth.register
def _(row: rows.DrawCardsRow, outlook: Outlook) -> float:
    return worth.DRAWN * row.count


@row_worth.register
def _(row: rows.ReturnCardsRow, outlook: Outlook) -> float:
    return 0.0


@row_worth.register
def _(row: rows.PlayCardsRow, outlook: Outlook) -> float:
    return best_card(outlook)


@row_worth.register
def _(row: rows.UpgradeUnitsRow, outlook: Outlook) -> float:
    return 0.8 * row.count


@row_worth.register
def _(row: rows.PlaceUnitsRow, outlook: Outlook) -> float:
    units = (row.units.regular, row.units.elite, row.units.special, row.leaders)
    return worth.units_worth(outlook.side, units) + 1.0


@row_worth.register
def _(row: rows.DeployTokensRow, outlook: Outlook) -> float:
    return _TOKEN * row.tokens * bool(outlook.view.table.get("bag")) + _LEADER * row.leaders


@row_worth.register
def _(row: rows.DesertPowerRow, outlook: Outlook) -> float:
    return desert_power(outlook)


@row_worth.register
def _(row: rows.UseAnyResultRow, outlook: Outlook) -> float:
    names = ("move", "attack", "lead", "surprise", "deploy_token", "mentat")
    return max(action_worth(outlook, name) for name in names)


@row_worth.register
def _(row: rows.LookAtHandRow, outlook: Outlook) -> float:
    return 0.3


@row_worth.register
def _(row: rows.AdvanceTankRow, outlook: Outlook) -> float:
    """Gain nothing while no own leader is in the tank."""
    view = outlook.view
    return 1.0 if any(view.in_tank(leader) for leader, _ in view.leaders_of(outlook.side)) else -0.5


@row_worth.register
def _(row: rows.PlaceWormsignsRow, outlook: Outlook) -> float:
    return 0.0 if outlook.view.old_man else 0.5 * row.count


def play_card(view: ArrakisSeatView, act: acts.PlayCard, choice: Choice, why: str) -> float:
    """Score a card by its effect minus its worth in the hand, and prefer the die that is worth least otherwise."""
    outlook = Outlook.of(view)
    value = play_worth(outlook, act.card) - keep_worth(act.card) - hand_price(view, 1)
    return value - 0.3 * die_worth(outlook, act.die) - (_WILD if act.die == "house" else 0.0)


def die_worth(outlook: Outlook, die: str) -> float:
    """Return the gain from the best other use of a die."""
    names = {
        "strategy": ("move", "attack"),
        "leadership": ("lead", "surprise"),
        "deployment": ("deploy",) if outlook.side != ATREIDES else ("deploy_token",),
        "mentat": ("mentat",),
        "house": ("upgrade",) if outlook.side != ATREIDES else ("move", "attack"),
    }
    return max(action_worth(outlook, name) for name in names[die])


def claim_for_die(view: ArrakisSeatView, act: acts.ClaimForDie, choice: Choice, why: str) -> float:
    outlook = Outlook.of(view)
    price = worth.NAMED if any(isinstance(row, rows.SendToTankRow) for row in _demands(view, act.card)) else 0.0
    return reward_worth(view, act.card) - price - 0.2 * die_worth(outlook, act.die)


def claim(view: ArrakisSeatView, act: acts.Claim, choice: Choice, why: str) -> float:
    """Weigh the rewards against the price."""
    price = 0.0
    for row in _demands(view, act.card):
        match row:
            case rows.GiveUpForcesRow():
                price += 2.5
            case rows.DiscardCardsRow():
                price += worth.KEPT * row.count
            case rows.SendToTankRow():
                price += worth.NAMED
    return reward_worth(view, act.card) - price


def _demands(view: ArrakisSeatView, card: str) -> tuple[rows.Operation, ...]:
    return view.content.prescience_card[card].requires


def take_desert_power(view: ArrakisSeatView, act: acts.TakeDesertPower, choice: Choice, why: str) -> float:
    """Prefer this action, which costs no die."""
    return desert_power(Outlook.of(view)) + 1.5
