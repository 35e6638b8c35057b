"""Intervals of strengths, and ranges of ranks that hold together.

The covariance is the sandwich, with the slopes added up by board: matches on one board are not independent, and the
model need not be true for it. The priors count as observations in its middle, for they pull the estimates too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from .model import (
    ANCHOR_POINTS,
    POINTS_PER_UNIT,
    Floats,
    Integers,
    StrengthFit,
    UnratableResult,
    faction_weights,
    strength_weights,
)

#: The two-sided 95 % of the normal distribution.
_NORMAL: Final = 1.959963984540054
#: Boards of which slopes are held in memory at once.
_CHUNK: Final = 2000
#: A version with fewer matches has no rank.
LEAST_GAMES: Final = 30


def covariance(fitted: StrengthFit) -> Floats:
    """Return the covariance of the parameters: the sandwich, clustered by board."""
    tables = fitted.tables
    order = np.argsort(tables.boards, kind="stable")
    boards = tables.boards[order]
    count = int(boards[-1]) + 1
    middle = np.zeros((tables.size, tables.size))
    for start in range(0, count, _CHUNK):
        rows = order[np.searchsorted(boards, start) : np.searchsorted(boards, start + _CHUNK)]
        height = min(_CHUNK, count - start)
        sums = np.zeros(height * tables.size)
        offsets = (tables.boards[rows] - start)[:, None] * tables.size
        for places in tables.parameters:
            sums += np.bincount((offsets + places[rows]).ravel(), fitted.slopes[rows].ravel(), len(sums))
        by_board = sums.reshape(height, tables.size)
        middle += by_board.T @ by_board
    middle *= count / max(count - 1, 1)
    bread = np.linalg.inv(fitted.precision)
    found = bread @ (middle + np.diag(fitted.prior)) @ bread
    return np.asarray((found + found.T) / 2)


@dataclass(frozen=True, slots=True)
class RatingInterval:
    """A rating in points with its standard error and 95 % interval."""

    value: float
    error: float

    @property
    def low(self) -> float:
        """The lower end."""
        return self.value - _NORMAL * self.error

    @property
    def high(self) -> float:
        """The upper end."""
        return self.value + _NORMAL * self.error


@dataclass(frozen=True, slots=True)
class RatedVersion:
    """A row of the standings."""

    version: str
    rating: RatingInterval
    #: best and worst rank that the results allow; None with too few matches
    ranks: tuple[int, int] | None
    games: int
    #: rating with each faction that the version has played
    by_faction: dict[str, RatingInterval]


def rate(fitted: StrengthFit, anchor: str, seed: int = 1, draws: int = 2000) -> list[RatedVersion]:
    """Return the rows of the standings, the best first.

    Args:
        fitted: The fit of all results.
        anchor: The version that has 1500 points; all ratings are differences from it.
        seed: The seed of the bootstrap.
        draws: The draws of the bootstrap.

    Raises:
        UnratableResult: The anchor has played no match.
    """
    tables = fitted.tables
    if anchor not in tables.versions:
        raise UnratableResult(f"the anchor {anchor} has played no match")
    spread = covariance(fitted)
    weights = strength_weights(tables)
    reference = weights[tables.versions.index(anchor)]
    games = np.bincount(tables.parameters[0][tables.seated], minlength=len(tables.versions))
    met = np.bincount(tables.parameters[2][tables.seated], minlength=tables.size)[tables.interactions()]

    def interval(row: Floats) -> RatingInterval:
        """Return the interval of the difference of a contrast and the anchor."""
        contrast = row - reference
        variance = max(float(contrast @ spread @ contrast), 0.0)
        value = ANCHOR_POINTS + POINTS_PER_UNIT * float(contrast @ fitted.parameters)
        return RatingInterval(value, POINTS_PER_UNIT * variance**0.5)

    with_faction = faction_weights(tables)
    ranked = np.flatnonzero(games >= LEAST_GAMES)
    ranges = dict(zip(ranked.tolist(), _rank_ranges(fitted, spread, weights[ranked], seed, draws), strict=True))
    rows = [
        RatedVersion(
            name,
            interval(weights[n]),
            ranges.get(n),
            int(games[n]),
            {faction: interval(with_faction[n, f]) for f, faction in enumerate(tables.factions) if met[n, f]},
        )
        for n, name in enumerate(tables.versions)
    ]
    return sorted(rows, key=lambda row: (-row.rating.value, row.version))


def _rank_ranges(fitted: StrengthFit, spread: Floats, weights: Floats, seed: int, draws: int) -> list[tuple[int, int]]:
    """Return the best and the worst rank of each version; with 95 % all of them hold at once."""
    values = weights @ fitted.parameters
    return rank_ranges(values, weights @ spread @ weights.T, seed, draws)


def rank_ranges(values: Floats, spread: Floats, seed: int, draws: int) -> list[tuple[int, int]]:
    """Return ranges of ranks by parametric bootstrap of the greatest error among all differences of two.

    Args:
        values: The strengths.
        spread: Their covariance.
        seed: The seed of the bootstrap.
        draws: The draws of the bootstrap.
    """
    if len(values) == 0:
        return []
    variances = np.diag(spread)
    errors = np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * spread, 1e-12))
    sizes, axes = np.linalg.eigh(spread)
    root = axes * np.sqrt(np.maximum(sizes, 0))
    noise = np.random.default_rng(seed).standard_normal((draws, len(values))) @ root.T
    greatest = np.array([np.abs((each[:, None] - each[None, :]) / errors).max() for each in noise])
    critical = float(np.quantile(greatest, 0.95))
    leads = (values[:, None] - values[None, :]) / errors
    below: Integers = (leads > critical).sum(axis=1)
    above: Integers = (leads < -critical).sum(axis=1)
    return [(1 + int(a), len(values) - int(b)) for a, b in zip(above, below, strict=True)]
