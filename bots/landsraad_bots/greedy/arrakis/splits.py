"""The parts of a legion that are tried in moves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from landsraad_engine.arrakis.words import Legion

#: Numbers of units that stay behind when a legion is split.
STAY: Final = (0, 1, 2, 3)


@lru_cache(maxsize=8192)
def splits(legion: Legion, stay: Iterable[int] = STAY) -> tuple[Legion, ...]:
    """Return the parts of a legion that may move: all, all but a few of the weakest units, a single unit."""
    found = [going for number in stay if (going := _without(legion, number)) is not None]
    if legion.size > 1:
        regular, elite, special, _ = legion.units
        if legion.tokens and not legion.strength:
            found.append(Legion(tokens=legion.tokens[:1]))
        elif regular:
            found.append(Legion((1, 0, 0, 0)))
        elif elite:
            found.append(Legion((0, 1, 0, 0)))
        elif special:
            found.append(Legion((0, 0, 1, 0)))
    return tuple(dict.fromkeys(found))


def _without(legion: Legion, stay: int) -> Legion | None:
    """Return a legion without its ``stay`` weakest units; leaders leave with it. None if no unit is left."""
    left = stay
    tokens = legion.tokens[min(left, len(legion.tokens)) :]
    left -= len(legion.tokens) - len(tokens)
    units = []
    for number in legion.units[:3]:
        gone = min(left, number)
        left -= gone
        units.append(number - gone)
    if left or not (sum(units) + len(tokens)):
        return None
    return Legion((units[0], units[1], units[2], legion.units[3]), legion.named, tokens)
