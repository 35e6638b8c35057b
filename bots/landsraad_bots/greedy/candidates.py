"""The candidate acts that a bot evaluates: all legal acts, or a sample that covers the extremes if there are many."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from landsraad_engine.kernel.domains import Alloc, Domain, OneOf
from landsraad_engine.kernel.grammar import Act, Choice, Options

#: The most values of a field that are tried.
_VALUES = 8


def candidates(options: Options, rng: Random, most: int = 400) -> Iterator[tuple[Choice, Act]]:
    """Yield legal acts, each with its choice, at most ``most`` for each choice."""
    for choice in options.choices:
        if choice.raw_count() <= most:
            yield from ((choice, act) for act in choice.enumerate())
        else:
            yield from ((choice, act) for act in _sample_acts(choice, rng, most))


def slots_of(choice: Choice, field: str) -> tuple[str, ...]:
    """Return the slots of an allocation field."""
    domain = choice.domain(field)
    assert isinstance(domain, Alloc)
    return domain.slots


def count_items(value: tuple[Any, ...]) -> int:
    """Count the things in a field: the sum of its numbers, or the number of its items."""
    return sum(value) if value and isinstance(value[0], int) else len(value)


def _sample_acts(choice: Choice, rng: Random, most: int) -> Iterator[Act]:
    """Yield the legal combinations of a few values of each field, or a random sample of too many."""
    fields = [_sample_values(domain, rng) for domain in choice.domains]
    count = 1
    for values in fields:
        count *= len(values)
    if count <= most:
        combinations: Any = product(*fields)
    else:
        combinations = ([rng.choice(values) for values in fields] for _ in range(most))
    for values in combinations:
        act = choice.act(*values)
        if choice.fault(act) is None:
            yield act


def _sample_values(domain: Domain, rng: Random) -> list[Any]:
    """Return all values of a small domain; else the first, the last and some between, or random ones."""
    if isinstance(domain, OneOf) or domain.count() <= _VALUES:
        return list(domain.values())
    if domain.count() <= 64:
        values = list(domain.values())
        return [values[index * (len(values) - 1) // (_VALUES - 1)] for index in range(_VALUES)]
    return [domain.draw(rng) for _ in range(_VALUES)]
