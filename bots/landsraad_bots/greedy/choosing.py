"""Choosing: candidates among the legal acts, a score for each, the best one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, ClassVar

from landsraad_engine.bot import Bot, Question
from landsraad_engine.grammar import Act, Options

#: Up to so many legal acts are all looked at; of more, so many are drawn.
EVERY = 60
DRAWN = 80


def candidates(options: Options, rng: Random) -> list[Act]:
    """All legal acts if they are few; else a sample in which every kind of act has its chance."""
    if options.count(limit=EVERY + 1) <= EVERY:
        return list(options.enumerate())
    drawn = [options.sample_kind(rng) for _ in range(DRAWN // 2)] + [options.sample(rng) for _ in range(DRAWN // 2)]
    return list(dict.fromkeys(drawn))


class Scorer(Bot):
    """A bot with one scoring function for each kind of act; what has none scores nothing. Ties are broken at random."""

    SCORES: ClassVar[dict[str, Callable[[Any, Any], float]]] = {}

    def decide(self, view: Any, ask: Question) -> Act:
        best: list[Act] = []
        top = float("-inf")
        for act in candidates(ask.options, self.rng):
            score: Callable[[Any, Any], float] = self.SCORES.get(type(act).__name__, _nothing)
            value = score(view, act)
            if value > top:
                best, top = [act], value
            elif value == top:
                best.append(act)
        return best[self.rng.randrange(len(best))]


def _nothing(view: Any, act: Any) -> float:
    return 0.0
