"""Battle plans: first leader and cards for a middle dial, then the dial."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Final

from landsraad_bots.greedy.dune.battle_plans import plan_worth
from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.pieces import STRENGTH
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.grammar import Choice

#: The leaders that are tried: the strongest ones.
_LEADERS: Final = 2
#: The dials that are tried, as shares of the highest one.
_DIALS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_SCORE: Final = "plan score"


def battle_plan(view: DuneSeatView, act: BattlePlan, choice: Choice, why: str) -> float:
    """Score a plan as greedy does (cached)."""
    key = (_SCORE, act)
    found: float | None = view.memo.get(key)
    if found is None:
        found = view.memo[key] = plan_worth(view, act, max(choice.domain("dial").values()))
    return found


def propose_plans(view: DuneSeatView, choice: Choice, rng: Random) -> Iterator[BattlePlan]:
    """Propose the best leader and cards with several dials."""
    dials = list(choice.domain("dial").values())
    leaders = sorted(choice.domain("leader").values(), key=lambda leader: -STRENGTH.get(leader, 0))
    fields = [tuple(choice.domain(name).values()) for name in ("weapon", "defense", "cheap_hero", "kwisatz_haderach")]
    for dial in (dials[len(dials) // 2], dials[0]):
        hands = [BattlePlan(dial, *values) for values in product(_best(leaders), *fields)]
        legal = [plan for plan in hands if choice.fault(plan) is None]
        if legal:
            break
    else:
        return
    best = max(legal, key=lambda plan: battle_plan(view, plan, choice, ""))
    values = (best.leader, best.weapon, best.defense, best.cheap_hero, best.kwisatz_haderach)
    for dial in sorted({dials[int(share * (len(dials) - 1))] for share in _DIALS}):
        plan = BattlePlan(dial, *values)
        if choice.fault(plan) is None:
            yield plan


def _best(leaders: list[str | None]) -> list[str | None]:
    """Return the strongest leaders, and no leader if that is possible."""
    return leaders[:_LEADERS] + ([None] if None in leaders[_LEADERS:] else [])
