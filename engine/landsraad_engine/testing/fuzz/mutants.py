"""Mutants: acts that are nearly legal, to test refusals with."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from landsraad_engine.kernel.grammar import Act, Options


def mutants(options: Options, rng: Random, n: int) -> Iterator[Act]:
    """Yield legal acts with one value changed; most of them are illegal."""
    for _ in range(n):
        act = options.sample_kind(rng)
        names = act.__struct_fields__
        if not names:
            continue
        values = [getattr(act, name) for name in names]
        at = rng.randrange(len(names))
        values[at] = _mutated(values[at], rng)
        yield type(act)(*values)


def _mutated(value: Any, rng: Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice((-100, -1, 1, 100))
        case str():
            return rng.choice((value + "?", "", value[::-1]))
        case tuple() if value:
            at = rng.randrange(len(value))
            changed = (*value[:at], _mutated(value[at], rng), *value[at + 1 :])
            return rng.choice(((*value, value[0]), value[1:], value[::-1], changed))
        case _:
            return rng.choice((("?",), "?", 0))
