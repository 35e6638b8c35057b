"""Linear softmax and logistic models: Adam on the log loss, stopped early by boards that are not trained on."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS: Final = 4000
_RATE: Final = 0.02
#: The steps without a better loss on the other boards after which training stops.
_PATIENCE: Final = 250


class Fitted(NamedTuple):
    """A fitted model."""

    weights: Floats
    #: the steps until the best loss on the boards that stop training
    steps: int


def probabilities(rows: Floats, weights: Floats) -> Floats:
    """Return the probability of each row of each position.

    Args:
        rows: (positions, rows, features). With one row it is the logistic function, else the softmax over rows.
        weights: One for each feature.
    """
    scores = rows @ weights
    if rows.shape[1] == 1:
        return np.asarray(1 / (1 + np.exp(-scores)))
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def log_loss(found: Floats, shares: Floats) -> float:
    """Return the mean log loss of probabilities. Shares of a win count as that much of an outcome."""
    found = np.clip(found, 1e-9, 1 - 1e-9)
    losses = -(shares * np.log(found)).sum(axis=1)
    if found.shape[1] == 1:
        losses -= ((1 - shares) * np.log(1 - found)).sum(axis=1)
    return float(losses.mean())


def fit(rows: Floats, shares: Floats, other_rows: Floats, other_shares: Floats, pull: float = 0.0) -> Fitted:
    """Fit the weights; training stops when the loss on the other boards rises.

    Args:
        rows: The features, (positions, rows, features).
        shares: The shares of the win, (positions, rows).
        other_rows: The features on other boards.
        other_shares: Their shares.
        pull: The pull of all weights towards 0.
    """
    scale = np.maximum(np.abs(rows).max(axis=(0, 1)), 1e-6)
    rows, other_rows = rows / scale, other_rows / scale
    weights = np.zeros(rows.shape[2])
    best, best_loss, best_step = weights.copy(), float("inf"), 0
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        wrong = probabilities(rows, weights) - shares
        slope = np.einsum("prf,pr->f", rows, wrong) / len(rows) + pull * weights
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        weights = weights - _RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        if step % 10 == 0:
            loss = log_loss(probabilities(other_rows, weights), other_shares)
            if loss < best_loss - 1e-6:
                best, best_loss, best_step = weights.copy(), loss, step
            elif step - best_step > _PATIENCE:
                break
    return Fitted(best / scale, best_step)


def ignorance(shares: Floats, trained: Floats) -> float:
    """Return the log loss of someone who knows only the mean outcome: base rates, or an equal chance for each row."""
    rows = shares.shape[1]
    base = np.full_like(shares, trained.mean() if rows == 1 else 1 / rows)
    return log_loss(base, shares)


def calibration(found: Floats, shares: Floats) -> tuple[tuple[int, float, float], ...]:
    """Return, for each tenth of the predictions by size: their number, mean, and the mean outcome."""
    order = np.argsort(found, axis=None)
    flat_found, flat_shares = found.ravel()[order], shares.ravel()[order]
    parts = zip(np.array_split(flat_found, 10), np.array_split(flat_shares, 10), strict=True)
    return tuple((len(a), round(float(a.mean()), 4), round(float(b.mean()), 4)) for a, b in parts if len(a))
