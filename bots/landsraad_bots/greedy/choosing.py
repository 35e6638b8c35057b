"""Choosing: a score for each legal act that is looked at, and the one with the highest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias

from landsraad_bots.greedy.candidates import candidates
from landsraad_engine.bot import Bot, Question
from landsraad_engine.grammar import Act, Choice

#: (view, act, the choice that it comes from, the question's rule) -> how good it is; 0 is "nothing happens".
Score: TypeAlias = Callable[[Any, Any, Choice, str], float]

#: What an act is worth that has no score: it is taken only if nothing else can be done.
_UNSCORED = -1e6


class Scorer(Bot):
    """A bot with one scoring function for each type of act. Ties are broken at random."""

    scores: ClassVar[Mapping[type[Act], Score]] = {}

    def decide(self, view: Any, ask: Question) -> Act:
        best: list[Act] = []
        high = float("-inf")
        for choice, act in candidates(ask.options, self.rng):
            score = self.scores.get(type(act))
            worth = _UNSCORED if score is None else score(view, act, choice, ask.why)
            if worth > high:
                best, high = [act], worth
            elif worth == high:
                best.append(act)
        return self.rng.choice(best) if best else ask.sample(self.rng)


def constant(value: float) -> Score:
    """The same score whatever the position."""
    return lambda view, act, choice, why: value
