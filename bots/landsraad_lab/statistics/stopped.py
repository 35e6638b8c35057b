"""The estimate after a sequential test: a test that stops at a bound has seen its luckiest stretch last.

The walk of the log likelihood ratio is taken for a Brownian motion between the test's bounds. Outcomes are ordered by
stage: an earlier stop at a bound says more than a later one. The value is the median-unbiased one, and the bounds are
those drifts at which the outcome, or a more extreme one, has a probability of 2.5 %.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, exp, pi, sin, sqrt

from .sequential import LEAST_SETS, VARIANCE_PRIOR, SequentialTest, Verdict
from .sets import Estimate, lead, points_of

#: Greatest exponent that a float takes; what exceeds it belongs to drifts that are far from the observed one.
MOST_EXPONENT = 700.0


def stopped_estimate(test: SequentialTest, verdict: Verdict, fixed: Estimate) -> Estimate:
    """Return the estimate after a test.

    Args:
        test: the test at its end.
        verdict: the verdict.
        fixed: the estimate of as many sets without a test. It holds at the first look, where the test is open, and
            where nearly all sets are equal: the variance is then the prior's, and the walk is no Brownian motion.
    """
    if verdict is Verdict.OPEN or test.sets == LEAST_SETS or test.squares < VARIANCE_PRIOR * test.total:
        return fixed
    deviation = sqrt(test.variance)
    mean = lead(test.hypotheses.better) * test.total
    low, high = (bound * deviation / mean for bound in test.hypotheses.bounds)

    def below(drift: float) -> float:
        """Return the probability of the observed outcome or a lower one."""
        if verdict is Verdict.NOT_BETTER:
            return hit_low(drift, -low, high, test.sets)
        return 1 - hit_low(-drift, high, -low, test.sets)

    def points(probability: float) -> float:
        """Return the points at which the observed outcome or a lower one has this probability."""
        score = _falling(below, probability) * deviation + mean / 2
        return points_of((1 + score / test.total) / 2)

    return Estimate(points(0.5), points(0.975), points(0.025))


def hit_low(drift: float, low: float, high: float, until: float) -> float:
    """Return the probability that a Brownian motion comes to -low before high, and by a given time.

    Args:
        drift: the drift for each unit of time, in which the variance is 1.
        low: the distance of the lower bound.
        high: the distance of the upper bound.
        until: the time.
    """
    width = low + high
    if abs(drift) < 1e-9:
        ever = high / width
    elif drift > 0:
        ever = exp(-2 * drift * low) * (1 - exp(-2 * drift * high)) / (1 - exp(-2 * drift * width))
    else:
        ever = (1 - exp(2 * drift * high)) / (1 - exp(2 * drift * width))
    later = 0.0
    for term in range(1, ceil(3 * width / sqrt(until)) + 5):  # the terms fall with the square of their number
        rate = drift * drift / 2 + (term * pi / width) ** 2 / 2
        later += term * sin(term * pi * low / width) * exp(min(MOST_EXPONENT, -drift * low - rate * until)) / rate
    return min(1.0, max(0.0, ever - pi / width**2 * later))


def _falling(function: Callable[[float], float], value: float) -> float:
    """Return where a falling function takes a value, for drifts up to ten standard deviations for each set."""
    low, high = -10.0, 10.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > value else (low, middle)
    return (low + high) / 2
