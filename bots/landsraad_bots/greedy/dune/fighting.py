"""Battle plans: what a plan is likely to come to against what the opponent may have."""

from __future__ import annotations

from typing import Final, NamedTuple

from landsraad_bots.greedy.dune.position import STRONGHOLD, best_leader, harvest, strength
from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.board import cells_of, terrain, territory_of
from landsraad_engine.dune.pieces import CATEGORY, LASGUN, SHIELD, STRENGTH
from landsraad_engine.dune.words import DuneSeatView

#: One hidden card is a weapon of a kind, or a defense of a kind, about so often.
_ONE_CARD: Final = 0.12
_KWISATZ_HADERACH: Final = 2


class Odds(NamedTuple):
    """What is known of a battle before it is fought."""

    #: tokens that the opponent could dial, and the strength of its best leader
    tokens: int
    leader: int
    #: how likely it is to have a weapon, or a defense, of one of the two kinds
    has_one: float
    #: what winning brings besides the tokens
    prize: float


def odds(view: DuneSeatView) -> Odds | None:
    """The odds of the battle that is being fought; None if the view does not show one."""
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
    return Odds(
        tokens=strength(opponent, view.tokens_in(opponent, cells)),
        leader=best_leader(view, opponent),
        has_one=1 - (1 - _ONE_CARD) ** cards,
        prize=prize,
    )


def plan_worth(view: DuneSeatView, plan: BattlePlan, most: int) -> float:
    """What a plan may be expected to bring, in tokens. ``most`` is what could be dialled."""
    known = odds(view)
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
    # A lasgun and a shield in one battle kill everybody.
    if plan.weapon == LASGUN:
        worth -= most * (1.0 if plan.defense == SHIELD else 0.15)
    # What is played is lost with the battle, and worthless cards are best got rid of.
    for card in (plan.weapon, plan.defense):
        if card is not None:
            worth += 0.3 if CATEGORY[card] == "worthless" else -0.5 * (1 - wins)
    return worth - (1.0 if plan.cheap_hero else 0.0)


def _beats(mine: int, tokens: int, leader: int) -> float:
    """How likely a total is to win against an opponent that dials anything, the more the likelier."""
    weights = [1 + dial for dial in range(tokens + 1)]
    beaten = sum(weight for dial, weight in enumerate(weights) if mine > dial + leader)
    even = sum(weight for dial, weight in enumerate(weights) if mine == dial + leader)
    return (beaten + even / 2) / sum(weights)


def _survives(defense: str | None, has_one: float) -> float:
    """How likely the own leader is to live: a defense stops one of the two kinds of weapon."""
    weapons = 1 if _kind(defense) in ("projectile", "poison") else 2
    return float((1 - has_one) ** weapons)


def _kind(card: str | None) -> str:
    """projectile, poison or special of a weapon or defense; nothing of any other card."""
    return "" if card is None else CATEGORY[card].partition("_")[2]
