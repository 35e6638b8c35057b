"""Strength of versions: one regularised softmax model, fitted to all results of a league at once.

`strength = version + faction(seats) + version×faction`. The shares of the winners are the target of a softmax over the
table, with two seats Bradley and Terry's model with a side term. Versions do not change, so neither the order of the
results nor their age has a part in the fit (decision 0039).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import isclose, log
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_Key = TypeVar("_Key", bound=Hashable)

#: Points of the rating scale for each unit of log strength, as on Elo's scale.
POINTS_PER_UNIT: Final = 400 / log(10)
#: Rating of the anchor, the panel's `greedy`.
ANCHOR_POINTS: Final = 1500.0
_MOST_STEPS: Final = 50
#: Newton ends when no parameter moves by more than that.
_SMALL_STEP: Final = 1e-9


class UnratableResult(ValueError):
    """A result that has no place in a rating: its message says why."""


@dataclass(frozen=True, slots=True)
class Priors:
    """Standard deviations of the Gaussian priors, in units of log strength."""

    version: float = 1.0
    faction: float = 1.0
    interaction: float = 0.25


@dataclass(frozen=True, slots=True)
class RatedResult:
    """The result of a match, as far as it is rated.

    Args:
        versions: The version in each seat.
        factions: The faction or side of each seat.
        shares: Each seat's share of the win; they add up to 1.
        board: The deal. Results on one board are not independent.
        offender: The seat that spoiled the match. It alone is rated: one loss against the mean strength of the others.

    """

    versions: tuple[str, ...]
    factions: tuple[str, ...]
    shares: tuple[float, ...]
    board: str
    offender: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no table can have as its result.

        Raises:
            UnratableResult: Seats are missing, shares do not add up, or the offender has no seat.
        """
        seats = len(self.versions)
        if seats < 2 or len(self.factions) != seats or len(self.shares) != seats:
            raise UnratableResult(f"{seats} versions, {len(self.factions)} factions, {len(self.shares)} shares")
        if not all(0 <= share <= 1 for share in self.shares) or not isclose(sum(self.shares), 1, abs_tol=1e-9):
            raise UnratableResult(f"shares {self.shares} are no parts of one win")
        if self.offender is not None and not 0 <= self.offender < seats:
            raise UnratableResult(f"seat {self.offender} of {seats} has spoiled the match")


@dataclass(frozen=True, slots=True)
class RatedTables:
    """Results as arrays: one row for each match, as many columns as the largest table has seats."""

    versions: tuple[str, ...]
    factions: tuple[str, ...]
    #: sizes of tables and their factions: each pair has a term
    columns: tuple[tuple[int, str], ...]
    #: the three parameters of each seat: (3, matches, seats)
    parameters: Integers
    #: False for seats that a smaller table does not have
    seated: NDArray[np.bool_]
    shares: Floats
    #: the spoiling seat, or -1
    offenders: Integers
    #: number of the board of each match
    boards: Integers

    @property
    def size(self) -> int:
        """The number of parameters."""
        return len(self.versions) * (1 + len(self.factions)) + len(self.columns)

    def interactions(self) -> Integers:
        """Return the parameters of version×faction: (versions, factions)."""
        start = len(self.versions) + len(self.columns)
        return np.arange(start, self.size).reshape(len(self.versions), len(self.factions))


def _numbers(keys: Iterable[_Key]) -> dict[_Key, int]:
    """Number keys in their sorted order, so that no order of results matters."""
    return {key: n for n, key in enumerate(sorted(set(keys)))}  # type: ignore[type-var]  # strings, or pairs that begin with a number


def gather(results: Sequence[RatedResult]) -> RatedTables:
    """Return results as arrays.

    Raises:
        UnratableResult: There is no result.
    """
    if not results:
        raise UnratableResult("a rating needs a result")
    versions = _numbers(name for result in results for name in result.versions)
    factions = _numbers(name for result in results for name in result.factions)
    columns = _numbers((len(result.versions), name) for result in results for name in result.factions)
    boards = _numbers(result.board for result in results)
    shape = len(results), max(len(result.versions) for result in results)
    parameters, seated = np.zeros((3, *shape), dtype=np.int64), np.zeros(shape, dtype=np.bool_)
    shares = np.zeros(shape)
    interactions = len(versions) + len(columns)
    for row, result in enumerate(results):
        seats = len(result.versions)
        seated[row, :seats] = True
        shares[row, :seats] = result.shares
        for seat, (version, faction) in enumerate(zip(result.versions, result.factions, strict=True)):
            parameters[0, row, seat] = versions[version]
            parameters[1, row, seat] = len(versions) + columns[seats, faction]
            parameters[2, row, seat] = interactions + versions[version] * len(factions) + factions[faction]
    return RatedTables(
        tuple(versions),
        tuple(factions),
        tuple(columns),
        parameters,
        seated,
        shares,
        np.array([-1 if result.offender is None else result.offender for result in results]),
        np.array([boards[result.board] for result in results]),
    )


@dataclass(frozen=True, slots=True)
class StrengthFit:
    """The fitted parameters, with what intervals are made of."""

    tables: RatedTables
    parameters: Floats
    #: curvature of the penalised log likelihood at its top, with the sign of a precision
    precision: Floats
    #: precision of the priors alone, its diagonal
    prior: Floats
    #: slope of each match's log likelihood by the strength of each seat: (matches, seats)
    slopes: Floats


def _slopes_and_curvature(tables: RatedTables, parameters: Floats) -> tuple[Floats, Floats, float]:
    """Return slope and curvature of each match's log likelihood by the strengths at its table, and their sum."""
    strengths = np.where(tables.seated, parameters[tables.parameters].sum(axis=0), -np.inf)
    top = strengths.max(axis=1, keepdims=True)
    powers = np.exp(strengths - top)
    total = powers.sum(axis=1, keepdims=True)
    chances = powers / total
    logs = np.where(tables.seated, strengths - top - np.log(total), 0.0)
    likelihood = (tables.shares * logs).sum(axis=1)
    slopes = tables.shares - chances
    curvature = -chances[:, :, None] * chances[:, None, :]
    seats = np.arange(chances.shape[1])
    curvature[:, seats, seats] += chances

    spoiled = np.flatnonzero(tables.offenders >= 0)
    if len(spoiled):  # the offender loses to the mean strength of the others
        seated = tables.seated[spoiled]
        contrast = np.where(seated, -1 / (seated.sum(axis=1, keepdims=True) - 1), 0.0)
        contrast[np.arange(len(spoiled)), tables.offenders[spoiled]] = 1.0
        lead = (contrast * np.where(seated, strengths[spoiled], 0.0)).sum(axis=1)
        likelihood[spoiled] = -np.logaddexp(0, lead)
        chance = 1 / (1 + np.exp(-lead))
        slopes[spoiled] = -chance[:, None] * contrast
        curvature[spoiled] = (chance * (1 - chance))[:, None, None] * contrast[:, :, None] * contrast[:, None, :]
    return slopes, curvature, float(likelihood.sum())


def _sum_slopes(tables: RatedTables, slopes: Floats) -> Floats:
    """Add up the slopes of all matches by parameter."""
    found = np.zeros(tables.size)
    for places in tables.parameters:
        found += np.bincount(places.ravel(), slopes.ravel(), tables.size)
    return found


def _sum_curvature(tables: RatedTables, curvature: Floats) -> Floats:
    """Add up the curvature of all matches by pairs of parameters."""
    size = tables.size
    found = np.zeros((size, size))
    weights = curvature.ravel()
    for a in range(3):
        for b in range(a, 3):  # the other half follows by symmetry
            places = tables.parameters[a][:, :, None] * size + tables.parameters[b][:, None, :]
            part = np.bincount(places.ravel(), weights, size * size).reshape(size, size)
            found += part if a == b else part + part.T
    return found


def prior_precision(tables: RatedTables, priors: Priors) -> Floats:
    """Return the precision of each parameter's prior."""
    versions, columns = len(tables.versions), len(tables.columns)
    deviations = np.full(tables.size, priors.interaction)
    deviations[:versions] = priors.version
    deviations[versions : versions + columns] = priors.faction
    return np.asarray(deviations**-2)


def fit(tables: RatedTables, priors: Priors = Priors()) -> StrengthFit:
    """Fit the model by Newton's method, from nothing.

    Returns:
        The only maximum: the penalised log likelihood is strictly concave.
    """
    prior = prior_precision(tables, priors)
    parameters = np.zeros(tables.size)

    slopes, curvature, likelihood = _slopes_and_curvature(tables, parameters)
    for _ in range(_MOST_STEPS):
        precision = _sum_curvature(tables, curvature) + np.diag(prior)
        step = np.linalg.solve(precision, _sum_slopes(tables, slopes) - prior * parameters)
        worth = likelihood - float(prior @ parameters**2) / 2
        length = 1.0
        while True:
            tried = parameters + length * step
            slopes, curvature, likelihood = _slopes_and_curvature(tables, tried)
            if likelihood - float(prior @ tried**2) / 2 >= worth - 1e-9 * abs(worth) or length < 1e-6:
                break
            length /= 2  # too far: Newton's parabola does not hold there
        parameters = tried
        if np.abs(length * step).max() < _SMALL_STEP:
            break
    precision = _sum_curvature(tables, curvature) + np.diag(prior)
    return StrengthFit(tables, parameters, precision, prior, slopes)


def strength_weights(tables: RatedTables) -> Floats:
    """Return how each version's strength follows from the parameters: (versions, parameters).

    It is the mean over the factions, so that playing one faction more often is no advantage.
    """
    versions = len(tables.versions)
    weights = np.zeros((versions, tables.size))
    weights[np.arange(versions), np.arange(versions)] = 1.0
    weights[np.arange(versions)[:, None], tables.interactions()] = 1 / len(tables.factions)
    return weights


def faction_weights(tables: RatedTables) -> Floats:
    """Return how each version's strength with each faction follows: (versions, factions, parameters).

    The faction's own term is left out: it is the same for all versions.
    """
    versions, factions = len(tables.versions), len(tables.factions)
    weights = np.zeros((versions, factions, tables.size))
    weights[np.arange(versions), :, np.arange(versions)] = 1.0
    rows, columns = np.meshgrid(np.arange(versions), np.arange(factions), indexing="ij")
    weights[rows, columns, tables.interactions()] = 1.0
    return weights
