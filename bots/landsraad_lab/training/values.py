"""Training of a value: play matches, fit the models, report by cross-validation over boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from landsraad.process_pool import process_map
from landsraad_bots.searching.features import arrakis, dune
from landsraad_bots.searching.values import Weights
from landsraad_lab.training.fitting import Fitted, Floats, calibration, fit, ignorance, log_loss, probabilities
from landsraad_lab.training.positions import Position, SelfPlayPlan, positions

#: The boards are divided in so many parts, of which so many at a time are predicted.
_PARTS: Final = 10
_FOLD: Final = 2
_ALL: Final = frozenset(range(_PARTS))
#: The pull of weights towards 0 is this over the number of boards: the positions of a board say nearly the same.
_PULL: Final = 2.0

_NAMES: Final = {"dune": dune.NAMES, "arrakis": arrakis.NAMES}


class TrainedValue(NamedTuple):
    """A trained value and its report."""

    weights: Weights
    positions: int
    steps: dict[str, int]


class _Part(NamedTuple):
    rows: Floats
    shares: Floats


def play(plan: SelfPlayPlan, matches: int, jobs: int, advance: Callable[[], None]) -> list[Position]:
    """Play matches in several processes; the positions come in the order of the boards."""
    found: list[Position] = []
    one = partial(positions, plan)
    with process_map(jobs) as each:
        for batch in each(one, range(matches)):
            found.extend(batch)
            advance()
    return found


def train(game: str, seats: int, data: Sequence[Position], matches: int, command: str) -> TrainedValue:
    """Fit a value to positions.

    The report is cross-validated: each board is predicted by weights that were fitted without it.

    Args:
        game: The game's id.
        seats: The number of seats that the weights are for; 0 for any.
        data: The positions.
        matches: The number of matches that they come from.
        command: The command that makes the same weights again.
    """
    names = _NAMES[game]
    weights: dict[str, dict[str, float]] = {}
    steps: dict[str, int] = {}
    predicted, outcomes, base = [], [], []
    for model in sorted({position.model for position in data}):
        rows = [position for position in data if position.model == model]
        fitted = _fit(rows, frozenset())
        weights[model] = {name: round(float(w), 5) for name, w in zip(names, fitted.weights, strict=True)}
        steps[model] = fitted.steps
        for fold in range(0, _PARTS, _FOLD):
            unseen = frozenset(range(fold, fold + _FOLD))
            there = _part(rows, unseen)
            found = probabilities(there.rows, _fit(rows, unseen).weights)
            predicted.append(found)
            outcomes.append(there.shares)
            base.append((ignorance(there.shares, _part(rows, _ALL - unseen).shares), len(found)))
    found, shares = np.concatenate(predicted), np.concatenate(outcomes)
    return TrainedValue(
        Weights(
            game,
            seats,
            weights,
            log_loss=round(log_loss(found, shares), 4),
            ignorance=round(sum(loss * number for loss, number in base) / len(found), 4),
            calibration=calibration(found, shares),
            matches=matches,
            command=command,
        ),
        len(data),
        steps,
    )


def _fit(rows: Sequence[Position], unseen: frozenset[int]) -> Fitted:
    """Fit to all parts but those unseen; the last one of the others stops the training."""
    stopping = max(_ALL - unseen)
    trained = _part(rows, _ALL - unseen - {stopping})
    boards = len({position.board for position in rows})
    return fit(*trained, *_part(rows, frozenset({stopping})), pull=_PULL / boards)


def _part(data: Sequence[Position], parts: frozenset[int]) -> _Part:
    chosen = [position for position in data if position.board % _PARTS in parts]
    if not chosen:
        raise ValueError("too few matches: at least ten boards are needed, with positions on each")
    return _Part(np.array([each.rows for each in chosen]), np.array([each.shares for each in chosen]))
