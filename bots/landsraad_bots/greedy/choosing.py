"""Choosing: a score for each legal act that is looked at, and the one with the highest."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, ClassVar, TypeAlias

from landsraad_bots.greedy.candidates import candidates
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.play.bot import Bot, Decision

#: (view, act, the choice that it comes from, the question's rule) -> how good it is; 0 is "nothing happens".
Score: TypeAlias = Callable[[Any, Any, Choice, str], float]

#: (view, choice, random numbers) -> the legal acts of a choice that are worth a look, where there are too many.
Proposal: TypeAlias = Callable[[Any, Choice, Random], Iterator[Act]]

#: The score of an act that no score speaks of, a new card's perhaps: as good as passing, so that it is played at times.
UNSCORED = 0.0

_log = logging.getLogger(__name__)


@cache
def _warn(bot: str, act: str) -> None:
    """Warn, once in a process, of a kind of act that a bot plays blindly."""
    _log.warning("%s has no score for %s and takes it for as good as passing", bot, act)


class Scorer(Bot):
    """A bot with one scoring function for each type of act. Ties are broken at random."""

    scores: ClassVar[Mapping[type[Act], Score]] = {}
    proposals: ClassVar[Mapping[type[Act], Proposal]] = {}

    def decide(self, view: Any, ask: Decision) -> Act:
        best: list[Act] = []
        high = float("-inf")
        for choice, act in self._looked_at(view, ask.options):
            score = self.scores.get(type(act))
            if score is None:
                _warn(type(self).__name__, type(act).__name__)
                worth = UNSCORED
            else:
                worth = score(view, act, choice, ask.why)
            if worth > high:
                best, high = [act], worth
            elif worth == high:
                best.append(act)
        return self.rng.choice(best) if best else ask.sample(self.rng)

    def _looked_at(self, view: Any, options: Options) -> Iterator[tuple[Choice, Act]]:
        """The acts to be scored, with the choices that they come from."""
        for choice in options.choices:
            propose = self.proposals.get(choice.act)
            if propose is None:
                yield from candidates(Options((choice,)), self.rng)
            else:
                yield from ((choice, act) for act in propose(view, choice, self.rng))


def constant(value: float) -> Score:
    """The same score whatever the position."""
    return lambda view, act, choice, why: value
