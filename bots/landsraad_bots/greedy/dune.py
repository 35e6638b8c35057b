"""Greedy play of classic Dune: strongholds first, then spice, and no more spent than a thing is worth.

Scores are in spice: a held stronghold is worth about twelve, a troop token two, a card about four.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Any, ClassVar

from landsraad_bots.greedy.choosing import Scorer
from landsraad_engine.dune.board import STRONGHOLDS, cells_of, sector_of, storm_protected, territory_of
from landsraad_engine.dune.pieces import CATEGORY, LOYAL_TO, STRENGTH, WORTHLESS
from landsraad_engine.dune.words import Counts, DuneView

STRONGHOLD = 12.0
TOKEN = 2.0
ELITE = 3.5
CARD = 4.0
LEADER = 0.8
#: What the unknown leader and cards of an opponent are worth in a battle, on average.
UNKNOWN_LEADER = 3.0
#: The storm moves at most so far by its cards.
STORM_RANGE = 6


def strength(counts: Counts) -> int:
    """The strength of some tokens that fight."""
    return counts[0] + 2 * counts[1]


# --- places


def enemies(view: DuneView, territory: str) -> int:
    """The strength of those in a territory who would fight there, allies aside."""
    me = view.side
    found = 0
    for other in view.occupants(cells_of[territory]):
        if other != me and not (me and view.allied(other, me)):
            found += strength(view.tokens_at(other, territory))
    return found


def in_storms_way(view: DuneView, cell: str) -> bool:
    """Whether the next storm may strike this cell."""
    if storm_protected(territory_of[cell], "atomics" in view.table):
        return False
    ahead = (sector_of[cell] - view.storm) % 18
    return 0 < ahead <= STORM_RANGE


def worth_entering(view: DuneView, cell: str, group: int) -> float:
    """What a group of this strength gains by standing in a cell."""
    me = view.side or ""
    territory = territory_of[cell]
    there = strength(view.tokens_at(me, territory))
    against = enemies(view, territory)
    value = 0.0
    if territory in STRONGHOLDS:
        chance = 1.0 if not against else _odds(group + there - against)
        if there and not against:
            value += 0.9 * min(group, max(0, 7 - there))  # a garrison of seven is enough
        else:
            value += STRONGHOLD * chance * (1.0 if group >= 3 or not against else 0.4)
            value += min(group, 6) * 0.8
    elif against:
        value -= 2.0 * (1.0 - _odds(group + there - against))
    spice: int = view.table.get(f"blow/{cell}", 0)
    if spice and (not against or group > against):
        value += 1.2 * min(spice, 3 * group)
    if in_storms_way(view, cell):
        value -= 0.8 * TOKEN * group
    return value


def worth_leaving(view: DuneView, cell: str, left: int) -> float:
    """What it costs to leave a place with so much strength behind."""
    territory = territory_of[cell]
    cost = 0.0
    if territory in STRONGHOLDS:
        cost += STRONGHOLD * (1.0 if left == 0 else 0.3 if left < 4 else 0.0)
    if view.table.get(f"blow/{cell}", 0) and not left:
        cost += 3.0
    if in_storms_way(view, cell):
        cost -= 3.0
    return cost


def _odds(margin: float) -> float:
    """The chance to win with so much more strength than the other side."""
    return 1.0 / (1.0 + exp(-margin / 3.0))


# --- scores, one for each kind of act


def ship(view: DuneView, act: Any) -> float:
    group = act.tokens + 2 * act.elites
    fee = (act.tokens + act.elites) * (1 if territory_of[act.to] in STRONGHOLDS else 2)
    return float(worth_entering(view, act.to, group) - 0.7 * fee)


def ship_free(view: DuneView, act: Any) -> float:
    return worth_entering(view, act.to, act.tokens + 2 * act.elites)


def ship_cheaply(view: DuneView, act: Any) -> float:
    fee = (act.tokens + act.elites) * (1 if territory_of[act.to] in STRONGHOLDS else 2)
    return float(worth_entering(view, act.to, act.tokens + 2 * act.elites) - 0.35 * fee)


def manoeuvre(view: DuneView, act: Any) -> float:
    group = sum(act.units)
    me = view.side or ""
    left = strength(view.tokens_at(me, territory_of[act.origin])) - group
    return worth_entering(view, act.to, group) - worth_leaving(view, act.origin, max(0, left)) - 0.5


def ship_across(view: DuneView, act: Any) -> float:
    return -3.0 if act.to not in territory_of else manoeuvre(view, act) - sum(act.units)


def ride(view: DuneView, act: Any) -> float:
    return worth_entering(view, act.to, sum(act.tokens) + 2 * sum(act.elites))


def bid(view: DuneView, act: Any) -> float:
    """A card is worth more the fewer one has, and never the last spice."""
    me = view.side or ""
    have = len(view.hand(me))
    spice = view.spice(me)
    return float(CARD + 2.5 - 1.5 * have - act.amount - (3.0 if act.amount > spice - 2 else 0.0))


def revive(view: DuneView, act: Any) -> float:
    leader = LEADER * STRENGTH[act.leader] * 2.0 - STRENGTH[act.leader] if act.leader else 0.0
    return float(TOKEN * act.tokens + ELITE * act.elites - 1.3 * max(0, act.tokens + act.elites - 2) + leader)


def free_revival(view: DuneView, act: Any) -> float:
    """Better kept until it brings a lot back."""
    return float(TOKEN * act.tokens + ELITE * act.elites + (STRENGTH[act.leader] if act.leader else 0) - 8.0)


def battle_plan(view: DuneView, act: Any) -> float:
    """Chance to win by the likely strength of the other side, and what the plan costs either way."""
    me = view.side or ""
    cells, other = _battle(view, me)
    mine = view.tokens_in(me, cells)
    against = strength(view.tokens_in(other, cells))
    own_leader = (STRENGTH[act.leader] if act.leader else 0) + (2 if act.kwisatz_haderach else 0)
    safe = 0.85 if act.defense in CATEGORY and act.defense not in WORTHLESS else 0.6
    armed = act.weapon in CATEGORY and act.weapon not in WORTHLESS
    theirs = 0.6 * against + UNKNOWN_LEADER * (0.45 if armed else 0.9)
    chance = _odds(act.dial + safe * own_leader - theirs)
    stake = STRONGHOLD if territory_of[cells[0]] in STRONGHOLDS else 3.0
    won = stake + against - 0.9 * TOKEN * act.dial * 0.5
    lost = -TOKEN * strength(mine) * 0.5
    risk = LEADER * own_leader * (1.0 - safe) + (0.3 if act.cheap_hero else 0.0)
    lasgun_with_shield = act.weapon == "lasgun" and act.defense == "shield"
    return float(chance * won + (1.0 - chance) * lost - risk - (50.0 if lasgun_with_shield else 0.0))


def _battle(view: DuneView, me: str) -> tuple[tuple[str, ...], str]:
    """Where one fights and whom, from the battle's public mark (aggressor, defender, territory)."""
    aggressor, defender, territory = view.table["battle"]
    return cells_of[territory], defender if aggressor == me else aggressor


def keep_traitor(view: DuneView, act: Any) -> float:
    """A strong leader of somebody else."""
    return float(STRENGTH[act.leader]) - (20.0 if LOYAL_TO[act.leader] == view.side else 0.0)


def keep_cards(view: DuneView, act: Any) -> float:
    return float(sum(-1 if card in WORTHLESS else 1 for card in act.cards))


def lose_tokens(view: DuneView, act: Any) -> float:
    return float(-TOKEN * sum(act.tokens) - ELITE * sum(act.elites))


def place_worm(view: DuneView, act: Any) -> float:
    me = view.side or ""
    return float(enemies(view, act.territory)) - 2.0 * strength(view.tokens_at(me, act.territory))


def constant(value: float) -> Callable[[Any, Any], float]:
    """The same score whatever the position."""
    return lambda view, act: value


class GreedyDune(Scorer):
    """One-step evaluation of every legal act."""

    game = "dune"
    SCORES: ClassVar[dict[str, Callable[[Any, Any], float]]] = {
        "Ship": ship,
        "ShipNative": ship_free,
        "ShipPrivileged": ship_cheaply,
        "ShipAcross": ship_across,
        "Manoeuvre": manoeuvre,
        "RideWorm": ride,
        "PlaceToken": lambda view, act: worth_entering(view, act.cell, 1),
        "Bid": bid,
        "BidInfinity": constant(-2.0),
        "PayWithKarama": constant(-3.0),
        "ClaimCharity": constant(2.0),
        "Collect": lambda view, act: float(sum(act.amounts)),
        "Revive": revive,
        "PlayGhola": free_revival,
        "PlayCombatMedics": free_revival,
        "BattlePlan": battle_plan,
        "CallTraitor": constant(20.0),
        "KeepTraitor": keep_traitor,
        "KeepCards": keep_cards,
        "CaptureLeader": constant(5.0),
        "SpeakVoice": constant(1.0),
        "AskPrescience": constant(1.0),
        "SendAdvisor": constant(1.0),
        "Coexist": lambda view, act: -0.5 * len(act.places),
        "LoseTokens": lose_tokens,
        "PlaceWorm": place_worm,
        "PlayWeatherControl": constant(-1.0),
        "PlayFamilyAtomics": constant(-1.0),
        "CallWorm": constant(-1.0),
        "PlayKarama": constant(-1.0),
        "BattleKarama": constant(-1.0),
        "PlayHajr": constant(-0.5),
        "BreakAlliance": constant(-5.0),
        "ProposeAlliance": constant(1.0),
        "Consent": lambda view, act: 1.0 if act.yes else 0.0,
        "OfferLeaderless": constant(-2.0),
        "GiveSpice": constant(-2.0),
    }
