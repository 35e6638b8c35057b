"""Battle plans: their expected worth against the plans that the opponent may have."""

from __future__ import annotations

from typing import Final, NamedTuple

from landsraad_bots.greedy.dune.position import STRONGHOLD, best_leader, harvest, strength
from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.board import cells_of, terrain, territory_of
from landsraad_engine.dune.pieces import CATEGORY, LASGUN, SHIELD, STRENGTH
from landsraad_engine.dune.words import DuneSeatView

#: The chance that a hidden card is a weapon of a certain kind; about the same for a defense.
_ONE_CARD: Final = 0.12
_KWISATZ_HADERACH: Final = 2


class BattleEstimate(NamedTuple):
    """The estimate of the opponent and the prize of a battle before it is fought."""

    #: the most tokens that the opponent can dial
    tokens: int
    #: the strength of its best leader
    leader: int
    #: the chance that it has a weapon of a certain kind; about the same for a defense
    has_one: float
    #: the gain from winning, tokens not counted
    prize: float


def estimate_battle(view: DuneSeatView) -> BattleEstimate | None:
    """Return the estimate of the battle in progress, or None if the view shows none."""
    battle = view.table.get("battle")
    me = view.side
    if battle is None or me is None or me not in battle[:2]:
        return None
    opponent = battle[1] if battle[0] == me else battle[0]
    place = territory_of.get(battle[2], battle[2])
    cells = cells_of[place]
    cards = len(view.hand(opponent))
    prize = STRONGHOLD if terrain[place] == "stronghold" else 1.0
    prize += sum(harvest(view, cell, sum(view.troops(me, cell)[:2])) for cell in cells)
    return BattleEstimate(
        tokens=strength(opponent, view.tokens_in(opponent, cells)),
        leader=best_leader(view, opponent),
        has_one=1 - (1 - _ONE_CARD) ** cards,
        prize=prize,
    )


def plan_worth(view: DuneSeatView, plan: BattlePlan, most: int) -> float:
    """Return the expected gain of a plan in tokens. ``most`` is the highest possible dial."""
    known = estimate_battle(view)
    if known is None:
        return 0.0
    leader = 0 if plan.leader is None or plan.cheap_hero else STRENGTH.get(plan.leader, 0)
    helper = _KWISATZ_HADERACH if plan.kwisatz_haderach else 0
    survives = _survives(plan.defense, known.has_one)
    kills = 0.0 if _kind(plan.weapon) == "" else 1 - known.has_one * 0.6
    wins = 0.0
    for alive, likely in ((True, survives), (False, 1 - survives)):
        mine = plan.dial + (leader + helper if alive else 0)
        unopposed = _beats(mine, known.tokens, 0)
        wins += likely * (kills * unopposed + (1 - kills) * _beats(mine, known.tokens, known.leader))
    worth = wins * (known.prize + (most - plan.dial) + kills * known.leader / 2) - (1 - wins) * most
    worth -= (1 - survives) * leader * 0.5
    # A lasgun and a shield in one battle destroy both sides.
    if plan.weapon == LASGUN:
        worth -= most * (1.0 if plan.defense == SHIELD else 0.15)
    # A lost battle costs the cards that were played; a worthless card is a good one to lose.
    for card in (plan.weapon, plan.defense):
        if card is not None:
            worth += 0.3 if CATEGORY[card] == "worthless" else -0.5 * (1 - wins)
    return worth - (1.0 if plan.cheap_hero else 0.0)


def _beats(mine: int, tokens: int, leader: int) -> float:
    """Return the chance that a total beats an opponent whose dial is random, with higher dials more likely."""
    weights = [1 + dial for dial in range(tokens + 1)]
    beaten = sum(weight for dial, weight in enumerate(weights) if mine > dial + leader)
    even = sum(weight for dial, weight in enumerate(weights) if mine == dial + leader)
    return (beaten + even / 2) / sum(weights)


def _survives(defense: str | None, has_one: float) -> float:
    """Return the chance that the own leader survives: a defense stops one of the two kinds of weapon."""
    weapons = 1 if _kind(defense) in ("projectile", "poison") else 2
    return float((1 - has_one) ** weapons)


def _kind(card: str | None) -> str:
    """Return the kind of a weapon or defense (projectile, poison or special), empty for other cards."""
    return "" if card is None else CATEGORY[card].partition("_")[2]
