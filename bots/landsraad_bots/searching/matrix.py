"""Matrix games for sealed questions: the mixture of plans that does best against an opponent who answers it.

One side does not know the world, so it has one mixture for all of them; the opponent knows its own hand, so it has one
for each world. Both follow regret matching plus, and the averages of their mixtures are what they play.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from random import Random
from typing import Final, NamedTuple

#: Rounds of regret matching.
ROUNDS: Final = 300
#: Plans with a smaller share of the mixture are dropped.
LEAST_SHARE: Final = 0.05
#: The share that the policy's plan keeps: a bot that mixes only what its model likes falls for its own mistakes.
POLICY_SHARE: Final = 0.1


class Payoffs(NamedTuple):
    """The payoffs of one world, by own plan and by the opponent's."""

    own: Sequence[Sequence[float]]
    opponent: Sequence[Sequence[float]]


class Solution(NamedTuple):
    """The average mixtures of a matrix game."""

    own: tuple[float, ...]
    #: the opponent's mixture in each world
    opponent: tuple[tuple[float, ...], ...]


def solve(worlds: Sequence[Payoffs], rounds: int = ROUNDS) -> Solution:
    """Return the average mixtures after so many rounds of regret matching plus; later rounds count more.

    Args:
        worlds: The payoffs of each world; all have the same own plans, and at least one.
        rounds: The number of rounds.
    """
    plans = len(worlds[0].own)
    mine = _Regrets(plans)
    theirs = [_Regrets(len(world.own[0])) for world in worlds]
    for number in range(1, rounds + 1):
        answers = [each.mixture() for each in theirs]
        gains = [0.0] * plans
        for world, answer in zip(worlds, answers, strict=True):
            for plan, row in enumerate(world.own):
                gains[plan] += sum(map(mul, row, answer)) / len(worlds)
        mine.note(gains, number)
        mixture = mine.mixture()  # the sides take turns, by which the averages settle sooner
        for world, each in zip(worlds, theirs, strict=True):
            replies = [0.0] * each.size
            for share, row in zip(mixture, world.opponent, strict=True):
                if share:
                    for reply, payoff in enumerate(row):
                        replies[reply] += share * payoff
            each.note(replies, number)
    return Solution(mine.average(), tuple(each.average() for each in theirs))


def trimmed(mixture: Sequence[float], policy: int) -> tuple[float, ...]:
    """Return a mixture without its small shares, of which the policy's plan has its part."""
    kept = [share if share >= LEAST_SHARE else 0.0 for share in mixture]
    total = sum(kept)
    mixed = [(1 - POLICY_SHARE) * share / total for share in kept] if total else [0.0] * len(kept)
    mixed[policy] += 1 - sum(mixed)
    return tuple(mixed)


def drawn(mixture: Sequence[float], rng: Random) -> int:
    """Draw the number of a plan."""
    return rng.choices(range(len(mixture)), mixture)[0]


class _Regrets:
    """The regrets of one side, never below 0, and the sum of its mixtures."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._regrets = [0.0] * size
        self._sum = [0.0] * size

    def mixture(self) -> list[float]:
        total = sum(self._regrets)
        return [each / total for each in self._regrets] if total else [1 / self.size] * self.size

    def note(self, payoffs: Sequence[float], weight: float) -> None:
        """Add the regrets of one round against the present mixture."""
        mixture = self.mixture()
        value = sum(map(mul, mixture, payoffs))
        self._regrets = [max(0.0, old + each - value) for old, each in zip(self._regrets, payoffs, strict=True)]
        self._sum = [old + weight * share for old, share in zip(self._sum, mixture, strict=True)]

    def average(self) -> tuple[float, ...]:
        total = sum(self._sum)
        return tuple([each / total for each in self._sum])
