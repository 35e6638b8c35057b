"""Constraints between the fields of one act.

The vocabulary is closed, because clients in other languages evaluate the same constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Any, ClassVar

import msgspec

from landsraad_engine.errors import LawBroken


class Constraint(msgspec.Struct, frozen=True, tag=True, tag_field="constraint", kw_only=True, gc=False):
    """A condition on several fields of one act; ``why`` is the rule that sets it."""

    why: str = ""

    def holds(self, act: Any) -> bool:
        raise NotImplementedError

    def fields(self) -> tuple[str, ...]:
        raise NotImplementedError


class Literal(msgspec.Struct, frozen=True, gc=False):
    """``field`` has one of ``values`` (or, if not ``wanted``, none of them)."""

    field: str
    values: tuple[Any, ...]
    wanted: bool = True

    def holds(self, act: Any) -> bool:
        return (getattr(act, self.field) in self.values) is self.wanted


class Clause(Constraint, frozen=True):
    """At least one of the literals holds."""

    literals: tuple[Literal, ...]

    def holds(self, act: Any) -> bool:
        return any((getattr(act, lit.field) in lit.values) is lit.wanted for lit in self.literals)

    def fields(self) -> tuple[str, ...]:
        return tuple(lit.field for lit in self.literals)


def requires(field: str, values: Sequence[Any], other: str, others: Sequence[Any], *, why: str = "") -> Clause:
    """If ``field`` has one of ``values``, then ``other`` has one of ``others``."""
    return Clause((Literal(field, tuple(values), wanted=False), Literal(other, tuple(others))), why=why)


def excludes(field: str, values: Sequence[Any], other: str, others: Sequence[Any], *, why: str = "") -> Clause:
    """If ``field`` has one of ``values``, then ``other`` has none of ``others``."""
    literals = (Literal(field, tuple(values), wanted=False), Literal(other, tuple(others), wanted=False))
    return Clause(literals, why=why)


class Term(msgspec.Struct, frozen=True, gc=False):
    """One addend of a :class:`Linear` constraint, computed from one field.

    A number counts ``weight`` times its value. A tuple counts ``weight`` times its sum (of numbers) or its length, or,
    with ``weights``, the weighted sum of its slots. With ``table`` the value is looked up there (0 if absent).
    """

    field: str
    weight: int = 1
    weights: tuple[int, ...] = ()
    table: tuple[tuple[Any, int], ...] = ()

    def of(self, act: Any) -> int:
        value = getattr(act, self.field)
        if self.table:
            return next((n for item, n in self.table if item == value), 0)
        if self.weights:
            return sum(map(mul, value, self.weights))
        if type(value) is tuple:
            return self.weight * len(value) if value and type(value[0]) is not int else self.weight * sum(value)
        return self.weight * int(value or 0)


class Linear(Constraint, frozen=True):
    """``low`` <= sum of the terms <= ``high``: totals, costs, "at least one"."""

    terms: tuple[Term, ...]
    low: int = -(1 << 31)
    high: int = 1 << 31

    def holds(self, act: Any) -> bool:
        total = 0
        for term in self.terms:
            total += term.of(act)
        return self.low <= total <= self.high

    def fields(self) -> tuple[str, ...]:
        return tuple(term.field for term in self.terms)


class Distinct(Constraint, frozen=True):
    """The named fields differ from each other; fields that are None are ignored."""

    names: tuple[str, ...]

    def holds(self, act: Any) -> bool:
        values = [v for v in (getattr(act, name) for name in self.names) if v is not None]
        return len(set(values)) == len(values)

    def fields(self) -> tuple[str, ...]:
        return self.names


class Rows(Constraint, frozen=True):
    """The named fields together have one of the listed combinations (at most 512)."""

    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    LIMIT: ClassVar[int] = 512

    def __post_init__(self) -> None:
        if len(self.rows) > self.LIMIT:
            raise LawBroken(f"{len(self.rows)} listed combinations, more than {self.LIMIT}: split the ask")

    def holds(self, act: Any) -> bool:
        return tuple(getattr(act, name) for name in self.names) in self.rows

    def fields(self) -> tuple[str, ...]:
        return self.names
