"""Places that the kernel declares itself, in every game: answers in progress, standing orders, sides, the result."""

from __future__ import annotations

from functools import lru_cache

from .zones import Content, Sight, Zone

#: The most out-of-turn plays that can be in progress at once; questions inside the last one admit no more.
MAX_NESTED_PLAYS = 3

#: First part of a place key -> what lies there, for the reference pages.
MEANINGS = {
    "side": "The side that a seat plays, in the words of the game.",
    "sealed": "A sealed answer, until the last seat has answered; a second number counts the plays in progress.",
    "quiet": "An answer in a reaction window, until it closes; a second number counts the plays in progress.",
    "orders": "The standing orders of a seat.",
    "absent": "Set while a seat has resigned or is absent.",
    "result": "The result, once the match is over.",
}


def answer_key(sight: Sight, seat: int, level: int = 0) -> str:
    """Return the place of a seat's answer to a question to several seats, until the last seat has answered.

    ``level`` is the number of out-of-turn plays in progress: the question that they interrupt keeps its answers.
    """
    name = "sealed" if sight is Sight.SEALED else "quiet"
    return f"{name}/{seat}/{level}" if level else f"{name}/{seat}"


def absent_key(seat: int) -> str:
    """Return the place of the mark that a seat has resigned or is absent."""
    return f"absent/{seat}"


@lru_cache(maxsize=32)
def absent_keys(seats: int) -> tuple[str, ...]:
    """Return the ``absent_key`` of each seat, cached for the hot path."""
    return tuple(map(absent_key, range(seats)))


def orders_key(seat: int) -> str:
    """Return the place of a seat's standing orders."""
    return f"orders/{seat}"


@lru_cache(maxsize=256)
def seat_keys(sealed: bool, level: int, seats: int) -> tuple[tuple[str, str], ...]:
    """Return the ``answer_key`` and ``orders_key`` of each seat, cached for the hot path."""
    sight = Sight.SEALED if sealed else Sight.QUIET
    return tuple((answer_key(sight, seat, level), orders_key(seat)) for seat in range(seats))


def kernel_zones(seats: int) -> tuple[Zone, ...]:
    """Return the zones of the kernel's own places."""
    each = range(seats)

    def answers(sight: Sight) -> Zone:
        owners = {answer_key(sight, s, level): (f"#{s}",) for level in range(MAX_NESTED_PLAYS + 1) for s in each}
        return Zone(sight.value, Content.MARK, sight, owners)

    return (
        Zone("side", Content.MARK, Sight.OPEN, {f"side/{s}": () for s in each}),
        answers(Sight.SEALED),
        answers(Sight.QUIET),
        Zone("orders", Content.MARK, Sight.QUIET, {orders_key(s): (f"#{s}",) for s in each}),
        Zone("absent", Content.MARK, Sight.OPEN, {absent_key(s): () for s in each}),
        Zone("result", Content.MARK, Sight.OPEN, {"result": ()}),
    )
