"""The places that every match has, whatever its game: the kernel declares and writes them itself."""

from __future__ import annotations

from functools import lru_cache

from .zones import Content, Sight, Zone

#: How many out-of-turn plays can be in progress at once; questions inside the last one admit no more.
MAX_NESTED_PLAYS = 3


def answer_key(sight: Sight, seat: int, level: int = 0) -> str:
    """Where a seat's answer to a question to several seats lies while others still think.

    ``level`` counts the out-of-turn plays in progress: the question that they interrupt keeps its answers.
    """
    name = "sealed" if sight is Sight.SEALED else "quiet"
    return f"{name}/{seat}/{level}" if level else f"{name}/{seat}"


def absent_key(seat: int) -> str:
    """Where it lies that a seat has resigned, or stays away."""
    return f"absent/{seat}"


def orders_key(seat: int) -> str:
    """Where the standing orders of a seat lie."""
    return f"orders/{seat}"


@lru_cache(maxsize=256)
def seat_keys(sealed: bool, level: int, seats: int) -> tuple[tuple[str, str], ...]:
    """For each seat where its answer to a question to several lies, and where its standing orders do."""
    sight = Sight.SEALED if sealed else Sight.QUIET
    return tuple((answer_key(sight, seat, level), orders_key(seat)) for seat in range(seats))


def kernel_zones(seats: int) -> tuple[Zone, ...]:
    """The kernel's own places: who plays which side, answers under way, standing orders, the result."""
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
