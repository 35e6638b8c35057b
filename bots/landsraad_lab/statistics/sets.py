"""Estimates from sets: the difference of two bots on the softmax scale, its interval, and the gain by pairing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt, tanh
from statistics import NormalDist

#: Points per unit of log strength: 400 points are odds of ten to one.
POINTS_PER_UNIT = 400 / log(10)
#: Weight of the prior dispersion 1, in decisive wins. Without it, sets that are all equal would have no variance.
DISPERSION_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class SetShares:
    """The shares of A and B in the two matches of a set, between which they have swapped seats."""

    a: tuple[float, float]
    b: tuple[float, float]

    @property
    def score(self) -> float:
        """The mean lead of B over A, from -1 to 1."""
        return (sum(self.b) - sum(self.a)) / 2

    @property
    def total(self) -> float:
        """The mean share of A and B together: 1 with two seats, less with a panel."""
        return (sum(self.a) + sum(self.b)) / 2


@dataclass(frozen=True, slots=True)
class Estimate:
    """The difference B - A in points, with the bounds of its interval, which are infinite if one side has no win."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Pairing:
    """The part of the set score's variance that pairing has saved, with the bounds of its 95 % interval."""

    saved: float
    low: float
    high: float


def lead(points: float) -> float:
    """Return the lead of B in the wins of A and B, as a part of them, if B is stronger by so many points."""
    return tanh(points / POINTS_PER_UNIT / 2)


def points_of(share: float) -> float:
    """Return the difference in points at which B takes this share of the wins of A and B."""
    if share <= 0 or share >= 1:
        return inf if share >= 1 else -inf
    return 400 * log10(share / (1 - share))


def estimate(sets: Sequence[SetShares], confidence: float = 0.95) -> Estimate:
    """Return the difference B - A on the softmax scale, with an interval clustered by set.

    The share of B in the wins of A and B has Wilson's interval, with as many wins as the dispersion between sets
    leaves.
    """
    wins_b = sum(sum(each.b) for each in sets)
    wins = wins_b + sum(sum(each.a) for each in sets)
    if not wins:
        return Estimate(0.0, -inf, inf)
    share = wins_b / wins
    residuals = sum((sum(each.b) - share * (sum(each.a) + sum(each.b))) ** 2 for each in sets)
    binomial = wins * share * (1 - share)
    dispersion = (residuals + DISPERSION_WEIGHT / 4) / (binomial + DISPERSION_WEIGHT / 4)
    effective = wins / dispersion
    z = _quantile(confidence, len(sets))
    spread = z * z / effective
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / effective + spread / (4 * effective))
    low = -inf if wins_b == 0 else points_of(middle - half)
    high = inf if wins_b == wins else points_of(middle + half)
    # Half a win is added to each side, so that a clean sweep has a finite value, too.
    value = points_of((wins_b + 0.5) / (wins + 1))
    return Estimate(value, min(low, value), max(high, value))


def mean_share(shares: Sequence[tuple[float, float]], confidence: float = 0.95) -> tuple[float, float, float]:
    """Return the mean share of the win in a match, with an interval clustered by set.

    It is Wilson's interval, with as many matches as the dispersion between sets leaves.
    """
    matches = 2 * len(shares)
    mean = sum(map(sum, shares)) / matches
    residuals = sum((sum(each) - 2 * mean) ** 2 for each in shares)
    dispersion = (residuals + DISPERSION_WEIGHT / 4) / (matches * mean * (1 - mean) + DISPERSION_WEIGHT / 4)
    effective = matches / dispersion
    z = _quantile(confidence, len(shares))
    spread = z * z / effective
    middle = (mean + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(mean * (1 - mean) / effective + spread / (4 * effective))
    return round(mean, 4), round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)


def pairing(sets: Sequence[SetShares]) -> Pairing:
    """Return the part of the variance that pairing has saved against as many matches on boards of their own."""
    saved, error = _jackknife(sets)
    return Pairing(saved, saved - 1.96 * error, min(1.0, saved + 1.96 * error))


def _jackknife(sets: Sequence[SetShares]) -> tuple[float, float]:
    """Return the part saved, and its standard error from leaving out each set in turn."""
    count = len(sets)
    leads = [(each.b[0] - each.a[0], each.b[1] - each.a[1]) for each in sets]
    sums = (
        sum(one + two for one, two in leads),
        sum(one * one + two * two for one, two in leads),
        sum((one + two) ** 2 for one, two in leads),
    )
    whole = _saved(count, *sums)
    if count < 3:
        return whole, 1.0
    without = [
        _saved(count - 1, sums[0] - one - two, sums[1] - one * one - two * two, sums[2] - (one + two) ** 2)
        for one, two in leads
    ]
    mean = sum(without) / count
    return whole, sqrt((count - 1) / count * sum((each - mean) ** 2 for each in without))


def _saved(count: int, total: float, squares: float, set_squares: float) -> float:
    """Return the part saved, from sums over sets: of both leads, of their squares, of the squares of their sums."""
    mean = total / (2 * count)
    single = squares / (2 * count) - mean * mean
    paired = (set_squares / count - 4 * mean * mean) / 4
    return 1 - 2 * paired / single if single > 1e-12 else 0.0


def _quantile(confidence: float, sets: int) -> float:
    """Return the two-sided quantile of Student's distribution, by the first term of its expansion."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return z + (z**3 + z) / (4 * max(sets - 1, 1))
