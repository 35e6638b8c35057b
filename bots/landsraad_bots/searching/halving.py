"""Sequential halving: all candidates in the same worlds, the worse half dropped in steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2, sqrt
from statistics import fmean, stdev
from typing import Final, Protocol

#: The worlds that a step takes at least.
_LEAST: Final = 2
#: A leader that is so many standard errors ahead of every other ends the search, after so many worlds.
_SURE: Final = 3.0
_SURE_AFTER: Final = 8


class Effort(Protocol):
    """The effort that is left for a search."""

    def spent(self, worlds: int) -> float:
        """Return the share of the effort that is spent after so many worlds, 1 and more if all is."""


class Samples:
    """The values of one candidate by world, from the first world on until it was dropped."""

    def __init__(self) -> None:
        self.values: list[float] = []

    @property
    def mean(self) -> float:
        """The mean value."""
        return fmean(self.values) if self.values else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return _error(self.values)

    def lead_over(self, other: Samples) -> tuple[float, float]:
        """Return the mean lead over another candidate in the worlds of both, and its standard error."""
        leads = [mine - theirs for mine, theirs in zip(self.values, other.values, strict=False)]
        return (fmean(leads) if leads else 0.0), _error(leads)


def _error(values: Sequence[float]) -> float:
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")


def halve(number: int, evaluate: Callable[[int, Sequence[int]], Sequence[float]], effort: Effort) -> list[Samples]:
    """Evaluate candidates; the first one is the policy's and is never dropped.

    Args:
        number: The number of candidates.
        evaluate: Returns the values of some candidates in the world of a number. It raises `IndexError` if there are
            no more worlds.
        effort: The effort that may be spent.

    Returns:
        The samples of each candidate.
    """
    samples = [Samples() for _ in range(number)]
    alive = list(range(number))
    steps = max(1, ceil(log2(number)))
    world = 0
    for step in range(1, steps + 1):
        started = world
        while world - started < _LEAST or effort.spent(world) < step / steps:
            if effort.spent(world) >= 1 and world >= _LEAST:
                return samples
            for candidate, value in zip(alive, evaluate(world, alive), strict=True):
                samples[candidate].values.append(value)
            world += 1
            if world >= _SURE_AFTER and _is_decided(samples, alive):
                return samples
        ranked = sorted(alive, key=lambda each: -samples[each].mean)
        kept = ranked[: max(2, ceil(len(ranked) / 2))]
        alive = sorted({0, *kept})
    return samples


def _is_decided(samples: Sequence[Samples], alive: Sequence[int]) -> bool:
    """Return True if one candidate is surely ahead of all others that are left."""
    best = max(alive, key=lambda each: samples[each].mean)
    for other in alive:
        if other != best:
            lead, error = samples[best].lead_over(samples[other])
            if not lead > _SURE * error:
                return False
    return True
