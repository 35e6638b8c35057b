"""Which of the legal acts a bot looks at: all of them where they are few, else a handful that covers the extremes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from landsraad_engine.kernel.domains import Alloc, Domain, OneOf
from landsraad_engine.kernel.grammar import Act, Choice, Options

#: Of a field with more values than this, so many are looked at.
_VALUES = 8


def candidates(options: Options, rng: Random, most: int = 400) -> Iterator[tuple[Choice, Act]]:
    """Legal acts with the choices that they come from, at most so many of each choice."""
    for choice in options.choices:
        if choice.raw_count() <= most:
            yield from ((choice, act) for act in choice.enumerate())
        else:
            yield from ((choice, act) for act in _some(choice, rng, most))


def slots_of(choice: Choice, field: str) -> tuple[str, ...]:
    """What the numbers of a field are of."""
    domain = choice.domain(field)
    assert isinstance(domain, Alloc)
    return domain.slots


def how_many(value: tuple[Any, ...]) -> int:
    """How many things a field names: by their numbers, or one by one."""
    return sum(value) if value and isinstance(value[0], int) else len(value)


def _some(choice: Choice, rng: Random, most: int) -> Iterator[Act]:
    """Acts from a few values of each field; where these are still too many, drawn from them."""
    fields = [_few(domain, rng) for domain in choice.domains]
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


def _few(domain: Domain, rng: Random) -> list[Any]:
    """A few values of a field: a list as it is, of anything else the first, the last and some between."""
    if isinstance(domain, OneOf) or domain.count() <= _VALUES:
        return list(domain.values())
    if domain.count() <= 64:
        values = list(domain.values())
        return [values[at * (len(values) - 1) // (_VALUES - 1)] for at in range(_VALUES)]
    return [domain.draw(rng) for _ in range(_VALUES)]
