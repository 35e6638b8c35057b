"""The schedule of a comparison: boards and seats, each set by its number alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from landsraad.bots import derive_seed, rng


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """The matches of a comparison. Two comparisons with equal plans play equal matches.

    `panel` has a bot for each seat that A and B leave free. `time_limit` is CPU time for one decision, in seconds.
    """

    game: str
    seats: int
    options: tuple[tuple[str, Any], ...]
    a: str
    b: str
    panel: tuple[str, ...]
    seed: int
    time_limit: float


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match of a set: its board, and who sits where ("a", "b" or "panel")."""

    name: str
    secret: bytes
    players: tuple[str, ...]
    bots: tuple[str, ...]
    seeds: tuple[int, ...]


def seat_pair(plan: ComparisonPlan, number: int) -> tuple[int, int]:
    """Return the two seats that A and B swap in a set. Each pair of seats comes once in a block of sets."""
    pairs = list(combinations(range(plan.seats), 2))
    block, place = divmod(number, len(pairs))
    rng(plan.seed, "seats", block).shuffle(pairs)
    return pairs[place]


def fixtures(plan: ComparisonPlan, number: int) -> tuple[Fixture, Fixture]:
    """Return the two matches of a set.

    Both have the same chance, and each seat has the same seed for its bot, whoever sits there: what differs between
    the two is who plays.
    """
    one, other = seat_pair(plan, number)
    return _fixture(plan, number, one, other), _fixture(plan, number, other, one)


def _fixture(plan: ComparisonPlan, number: int, seat_of_a: int, seat_of_b: int) -> Fixture:
    panel = iter(plan.panel)
    players, bots = [], []
    for seat in range(plan.seats):
        player = "a" if seat == seat_of_a else "b" if seat == seat_of_b else "panel"
        players.append(player)
        bots.append({"a": plan.a, "b": plan.b}.get(player) or next(panel))
    return Fixture(
        name=f"compare-{plan.seed}-{number}",
        secret=derive_seed(plan.seed, number, "secret").to_bytes(8, "big"),
        players=tuple(players),
        bots=tuple(bots),
        seeds=tuple(derive_seed(plan.seed, number, "bot", seat) for seat in range(plan.seats)),
    )
