"""The sequential test: a generalised SPRT on the set score, with bounds corrected for overshoot."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import exp, inf, log, sqrt

from .sets import SetShares, lead

#: Sets before the first verdict: a variance from fewer is no basis for one.
LEAST_SETS = 16
#: Squared deviation that is added to the sum, for the same reason: as if 2.4 sets had gone wholly to one side. With
#: one, the errors exceed their bounds by a tenth where boards matter much: a small variance makes an early verdict.
VARIANCE_PRIOR = 2.4
#: Siegmund's mean overshoot of a random walk over a distant bound, in standard deviations of a step.
OVERSHOOT = 0.583


class Verdict(Enum):
    """The end of a comparison."""

    BETTER = "better"
    NOT_BETTER = "not_better"
    WORSE = "worse"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """H0: B is as strong as A; H1: B is stronger by `better` points; and the probabilities of the two errors."""

    better: float = 40.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log likelihood ratio: H0 at the lower one, H1 at the upper one."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


class SequentialTest:
    """A test that takes sets in the order of the schedule and ends at the first verdict.

    Args:
        hypotheses: what is tested, and how often it may err.

    """

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self._lead = lead(hypotheses.better)
        self._bounds = hypotheses.bounds
        self._sets = 0
        self._score = 0.0
        self._squares = 0.0
        self._total = 0.0

    def add(self, played: SetShares) -> Verdict | None:
        """Take the next set; return the verdict, or None as long as there is none."""
        return self.add_score(played.score, played.total)

    def add_score(self, score: float, total: float) -> Verdict | None:
        """Take the next set by its score and by the share of A and B together."""
        self._sets += 1
        self._score += score
        self._squares += score * score
        self._total += total
        if self._sets < LEAST_SETS or not self._total:
            return None
        ratio, step = self._ratio_and_step()
        low, high = self._bounds
        if ratio >= high - OVERSHOOT * step:
            return Verdict.BETTER
        if ratio <= low + OVERSHOOT * step:
            return Verdict.NOT_BETTER
        return None

    @property
    def ratio(self) -> float:
        """The log likelihood ratio of H1 to H0."""
        return self._ratio_and_step()[0] if self._total else 0.0

    @property
    def squares(self) -> float:
        """The sum of the squared deviations of the set score from its mean."""
        return self._squares - self._score * self._score / self._sets

    @property
    def sets(self) -> int:
        """The number of sets taken."""
        return self._sets

    @property
    def total(self) -> float:
        """The mean share of A and B together."""
        return self._total / self._sets

    @property
    def variance(self) -> float:
        """The regularised variance of the set score."""
        return (self.squares + VARIANCE_PRIOR * self.total) / self._sets

    @property
    def step(self) -> float:
        """The standard deviation of a step of the log likelihood ratio."""
        return self._ratio_and_step()[1] if self._total else 0.0

    def expected_sets(self) -> tuple[float, float]:
        """Return the mean number of sets if a hypothesis holds (the greater of both), and midway between them."""
        mean = self._lead * self._total / self._sets if self._sets else self._lead
        variance = self.variance if self._sets else 0.5
        if not mean:
            return inf, inf
        return (
            max(expected_sets(self.hypotheses, mean, truth, variance) for truth in (0.0, mean)),
            expected_sets(self.hypotheses, mean, mean / 2, variance),
        )

    def _ratio_and_step(self) -> tuple[float, float]:
        """Return the log likelihood ratio, and the standard deviation of its steps."""
        mean = self._lead * self._total / self._sets
        variance = self.variance
        return mean * (self._score - self._sets * mean / 2) / variance, mean / sqrt(variance)


def expected_sets(hypotheses: Hypotheses, mean: float, truth: float, variance: float) -> float:
    """Return Wald's mean number of sets.

    Args:
        hypotheses: what is tested.
        mean: the mean set score under H1.
        truth: the true mean set score.
        variance: the variance of the set score.
    """
    low, high = hypotheses.bounds
    drift = mean * (truth - mean / 2) / variance
    square = mean * mean / variance
    if abs(drift) < 1e-9 * square:
        return -low * high / square
    pull = 2 * drift / square
    at_high = (1 - exp(-pull * low)) / (exp(-pull * high) - exp(-pull * low))
    return (at_high * high + (1 - at_high) * low) / drift
