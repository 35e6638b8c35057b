"""The base class of greedy bots: score the candidate acts and choose the best."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, ClassVar, TypeAlias

from landsraad_bots.greedy.candidates import candidates
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.play.bot import Bot, Decision

#: (view, act, its choice, rule of the question) -> score; 0 means "nothing happens".
Score: TypeAlias = Callable[[Any, Any, Choice, str], float]

#: (view, choice, random numbers) -> candidates, for choices with too many legal acts.
Proposal: TypeAlias = Callable[[Any, Choice, Random], Iterator[Act]]

#: The score of an act that no score speaks of, a new card's perhaps: as good as passing, so that it is played at times.
UNSCORED = 0.0

_log = logging.getLogger(__name__)


@cache
def unscored(bot: str, what: str) -> float:
    """Return the score of something that a bot plays blindly; warn of it once in a process."""
    _log.warning("%s has no score for %s and takes it for as good as passing", bot, what)
    return UNSCORED


class Scorer(Bot):
    """A bot with a scoring function for each act type, which breaks ties at random."""

    scores: ClassVar[Mapping[type[Act], Score]] = {}
    proposals: ClassVar[Mapping[type[Act], Proposal]] = {}

    def decide(self, view: Any, ask: Decision) -> Act:
        best: list[Act] = []
        highest = float("-inf")
        for score, act in self.scored(view, ask):
            if score > highest:
                best, highest = [act], score
            elif score == highest:
                best.append(act)
        return self.rng.choice(best) if best else ask.sample(self.rng)

    def scored(self, view: Any, ask: Decision) -> Iterator[tuple[float, Act]]:
        """Yield the acts that are considered, each with its score."""
        for choice, act in self._candidates(view, ask.options):
            score_of = self.scores.get(type(act))
            if score_of is None:
                yield unscored(type(self).__name__, type(act).__name__), act
            else:
                yield score_of(view, act, choice, ask.why), act

    def _candidates(self, view: Any, options: Options) -> Iterator[tuple[Choice, Act]]:
        """Yield the acts to score, each with its choice."""
        for choice in options.choices:
            propose = self.proposals.get(choice.act)
            if propose is None:
                yield from candidates(Options((choice,)), self.rng)
            else:
                yield from ((choice, act) for act in propose(view, choice, self.rng))


def constant(value: float) -> Score:
    """Return a scoring function that ignores the position."""
    return lambda view, act, choice, why: value
