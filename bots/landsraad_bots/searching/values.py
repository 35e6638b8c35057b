"""Learned values: the probability that a seat's side wins, from features of its view.

`landsraad train value` makes the weights, which lie beside this module as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import exp
from typing import Any, Final, Protocol

import msgspec

from landsraad_bots.players import side_of
from landsraad_bots.searching.features import arrakis as arrakis_features
from landsraad_bots.searching.features import dune as dune_features

_FOLDER: Final = "weights"


class Weights(msgspec.Struct, frozen=True):
    """The weights of a value, with what is known of them."""

    game: str
    #: the number of seats; 0 if it does not matter
    seats: int
    #: the weight of each feature by name; of each side's model, if sides have their own
    weights: dict[str, dict[str, float]]
    #: the mean log loss on boards that were not trained on, and that of someone who knows only the base rates
    log_loss: float
    ignorance: float
    #: decile of the prediction -> (predictions, mean prediction, share of wins)
    calibration: tuple[tuple[int, float, float], ...]
    matches: int
    command: str


class PositionValue(Protocol):
    """A value of positions."""

    def of(self, view: Any) -> float:
        """Return the probability that the side of a view's seat wins."""

    def of_result(self, view: Any, shares: Sequence[float]) -> float:
        """Return the value of a match that is over, from the share of each seat in the win."""


class DuneValue:
    """A softmax over the factions."""

    def __init__(self, weights: Weights) -> None:
        self._weights = _in_order(weights.weights["faction"], dune_features.NAMES)

    def of(self, view: Any) -> float:
        """Return the probability that the faction of a view's seat wins."""
        return self.shares(view)[side_of(view)]

    def of_result(self, view: Any, shares: Sequence[float]) -> float:
        """Return the share of the view's seat: allies share a win."""
        seat: int = view.seat
        return shares[seat]

    def shares(self, view: Any) -> dict[str, float]:
        """Return the probability to win of each faction, as the view's seat sees it."""
        factions, rows = dune_features.rows(view)
        powers = [exp(sum(map(float.__mul__, self._weights, row))) for row in rows]
        total = sum(powers)
        return {faction: power / total for faction, power in zip(factions, powers, strict=True)}


class ArrakisValue:
    """A logistic function, with other weights for each side, because each knows other things."""

    def __init__(self, weights: Weights) -> None:
        self._weights = {side: _in_order(each, arrakis_features.NAMES) for side, each in weights.weights.items()}

    def of(self, view: Any) -> float:
        """Return the probability that the side of a view's seat wins."""
        sum_ = sum(map(float.__mul__, self._weights[side_of(view)], arrakis_features.row(view)))
        return 1 / (1 + exp(-sum_))

    def of_result(self, view: Any, shares: Sequence[float]) -> float:
        """Return the share of the view's side: partners win together."""
        return sum(share for seat, share in enumerate(shares) if view.table.get(f"side/{seat}") == side_of(view))


def _in_order(weights: dict[str, float], names: tuple[str, ...]) -> list[float]:
    return [float(weights[name]) for name in names]


def read_weights(text: bytes) -> Weights:
    """Return the weights in a file's text."""
    return msgspec.json.decode(text, type=Weights)


def write_weights(weights: Weights) -> bytes:
    """Return the text of a file with weights."""
    return msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n"


def weights_name(game: str, seats: int) -> str:
    """Return the name of the file with a game's weights."""
    return f"{game}_{seats}.json" if seats else f"{game}.json"


@cache
def value_for(game: str, seats: int) -> PositionValue | None:
    """Return the value of a game with so many seats; None if none has been learned.

    Where there are no weights for a number of seats of `dune`, those for the nearest number serve: features count by
    what is needed to win, and the softmax takes any number of factions. In `arrakis` partners share the value of their
    side, and solo play has none.
    """
    if game not in _KINDS or seats < _LEAST_SEATS:
        return None
    folder = files(__package__).joinpath(_FOLDER)
    learned = [each for each in range(_MOST_SEATS + 1) if folder.joinpath(weights_name(game, each)).is_file()]
    if not learned:
        return None
    nearest = min(learned, key=lambda each: (abs(each - seats), -each))
    return _KINDS[game](read_weights(folder.joinpath(weights_name(game, nearest)).read_bytes()))


_KINDS: Final[dict[str, type[DuneValue | ArrakisValue]]] = {"dune": DuneValue, "arrakis": ArrakisValue}
_LEAST_SEATS: Final = 2
_MOST_SEATS: Final = 6
