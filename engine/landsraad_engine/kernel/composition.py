"""The composition of an act step by step: the values that the next field can take, each of which can be completed.

A value is offered if a search finds a legal act with it. The search assigns one open field after the other, small
domains first, and gives up a branch as soon as a constraint cannot hold any more. Fields that no constraint connects
are searched apart. The checks of a branch may err on the side of going on, so they cost time at worst: once all of its
fields are assigned, each constraint is evaluated itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import mul
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import msgspec

from landsraad_engine.errors import LawBroken

from .constraints import Clause, Constraint, Distinct, Linear, Rows, Term
from .domains import Alloc, Domain, OneOf, Order, Path, Range, Subset

#: The bounds of a term about which nothing is known.
_ANYTHING: Final = (-(1 << 62), 1 << 62)


class NextValues(msgspec.Struct, frozen=True):
    """The next step of an act that is being composed: one field, or one element of a compound field.

    ``values`` holds the values of the field, or the elements that can follow ``partial``. Each can be completed to a
    legal act. ``finished`` is True if ``partial`` can be the value of the field as it stands; it is always False for a
    field that is not compound.
    """

    field: str
    values: OneOf | Range
    partial: tuple[Any, ...] = ()
    compound: bool = False
    finished: bool = False


class _Open(msgspec.Struct, frozen=True):
    """The values that an open field can still take: those of ``rest``, each joined to the elements ``kept``."""

    rest: Domain
    kept: tuple[Any, ...] = ()

    def values(self) -> Iterator[Any]:
        if not self.kept:
            return self.rest.values()
        if isinstance(self.rest, Subset):
            return (tuple(sorted(self.kept + value)) for value in self.rest.values())
        return (self.kept + value for value in self.rest.values())

    def is_empty(self) -> bool:
        """Return True if there is no value, without listing the items of a subset or the slots of an allocation."""
        rest = self.rest
        if isinstance(rest, Subset | Alloc):
            most = len(rest.items) if isinstance(rest, Subset) else sum(rest.caps)
            return max(rest.low, 0) > min(rest.high, most)
        return next(rest.values(), self) is self


_State: TypeAlias = dict[str, _Open]


def is_compound(domain: Domain) -> bool:
    """Return True if the values of a domain are composed element by element."""
    if isinstance(domain, OneOf):
        return bool(domain.items) and all(type(item) is tuple for item in domain.items)
    return isinstance(domain, Subset | Alloc | Order | Path)


def _without(items: tuple[Any, ...], taken: Iterable[Any]) -> tuple[Any, ...] | None:
    """Return the items that are left after some are taken; None if one of them is not there."""
    rest = list(items)
    for item in taken:
        if item not in rest:
            return None
        rest.remove(item)
    return tuple(rest)


def _begun(domain: Domain, partial: tuple[Any, ...]) -> _Open | None:
    """Return the values of a compound domain that begin with ``partial``; None if it does not fit the domain."""
    opened: _Open | None = None
    if isinstance(domain, Subset):
        if (rest := _without(domain.items, partial)) is not None:
            size = len(partial)
            opened = _Open(Subset(rest, domain.low - size, domain.high - size), partial)
    elif isinstance(domain, Alloc):
        size = len(partial)
        if size <= len(domain.caps) and all(
            type(n) is int and 0 <= n <= cap for n, cap in zip(partial, domain.caps, strict=False)
        ):
            total = sum(partial)
            left = Alloc(domain.slots[size:], domain.caps[size:], domain.low - total, domain.high - total)
            opened = _Open(left, partial)
    elif isinstance(domain, Order):
        if (rest := _without(domain.items, partial)) is not None:
            opened = _Open(Order(rest), partial)
    else:
        opened = _Open(OneOf(tuple(value for value in domain.values() if value[: len(partial)] == partial)))
    return opened


def _elements(domain: Domain, partial: tuple[Any, ...]) -> Iterable[Any]:
    """Return the elements that may follow ``partial`` by the domain alone, and perhaps some that may not."""
    if isinstance(domain, Subset | Order):
        return dict.fromkeys(_without(domain.items, partial) or ())
    if isinstance(domain, Alloc):
        return range(domain.caps[len(partial)] + 1) if len(partial) < len(domain.caps) else ()
    size = len(partial)
    return dict.fromkeys(value[size] for value in domain.values() if len(value) > size and value[:size] == partial)


def _span(term: Term, opened: _Open) -> tuple[int, int]:
    """Return bounds of a term over the values of a field."""
    rest, kept = opened.rest, opened.kept
    if isinstance(rest, OneOf) and not kept:
        worth = [term.of(SimpleNamespace(**{term.field: value})) for value in rest.items]
        return (min(worth), max(worth)) if worth else _ANYTHING
    if term.table:
        least = min(n for _, n in term.table)
        most = max(n for _, n in term.table)
        return min(least, 0), max(most, 0)
    if isinstance(rest, Alloc) and term.weights:
        fixed = sum(map(mul, kept, term.weights))
        full = [weight * cap for weight, cap in zip(term.weights[len(kept) :], rest.caps, strict=False)]
        return fixed + sum(n for n in full if n < 0), fixed + sum(n for n in full if n > 0)
    if term.weights:
        return _ANYTHING
    if isinstance(rest, Range):
        low, high = rest.low, rest.high
    elif isinstance(rest, Alloc):
        low, high = sum(kept) + max(rest.low, 0), sum(kept) + min(rest.high, sum(rest.caps))
    elif isinstance(rest, Subset) and not any(type(item) is int for item in (*kept, *rest.items)):
        low, high = len(kept) + max(rest.low, 0), len(kept) + min(rest.high, len(rest.items))
    else:
        return _ANYTHING
    return min(term.weight * low, term.weight * high), max(term.weight * low, term.weight * high)


def _may_be(opened: _Open, wanted: Sequence[Any]) -> bool:
    """Return False only if no value of a field is among the wanted ones."""
    rest = opened.rest
    if isinstance(rest, OneOf) and not opened.kept:
        return any(item in wanted for item in rest.items)
    if isinstance(rest, Range):
        return any(value in range(rest.low, rest.high + 1) for value in wanted)
    return True


def _may_differ(opened: _Open, unwanted: Sequence[Any]) -> bool:
    """Return False only if every value of a field is among the unwanted ones."""
    if isinstance(opened.rest, OneOf) and not opened.kept:
        return any(item not in unwanted for item in opened.rest.items)
    return True


def _may_hold(constraint: Constraint, state: _State) -> bool:
    """Return False only if no values of the fields satisfy a constraint."""
    if isinstance(constraint, Linear):
        spans = [_span(term, state[term.field]) for term in constraint.terms]
        return sum(low for low, _ in spans) <= constraint.high and sum(high for _, high in spans) >= constraint.low
    if isinstance(constraint, Clause):
        return any(
            (_may_be if literal.wanted else _may_differ)(state[literal.field], literal.values)
            for literal in constraint.literals
        )
    if isinstance(constraint, Rows):
        fields = [state[name] for name in constraint.names]
        return any(
            all(_may_be(opened, (value,)) for opened, value in zip(fields, row, strict=False))
            for row in constraint.rows
        )
    if isinstance(constraint, Distinct):
        known = [state[name].rest for name in constraint.names]
        values = [rest.items[0] for rest in known if isinstance(rest, OneOf) and len(rest.items) == 1]
        values = [value for value in values if value is not None]
        return len(set(values)) == len(values)
    return True


class Composition:
    """A choice with some fields chosen: tells by search which further values can be completed."""

    __slots__ = ("_constraints", "_links", "_open", "_state", "_values", "possible")

    def __init__(
        self,
        domains: Mapping[str, Domain],
        constraints: Sequence[Constraint],
        chosen: Mapping[str, Any],
        field: str | None = None,
    ) -> None:
        """Fix the chosen fields; ``possible`` is False if the fields apart from ``field`` rule out every act."""
        if unknown := [name for name in (*chosen, *([field] if field else ())) if name not in domains]:
            raise LawBroken(f"there is no field {unknown[0]!r}, only {', '.join(domains)}")
        self._constraints = constraints
        self._values = SimpleNamespace()
        self._state: _State = {}
        self._open = {name for name in domains if name not in chosen}
        self.possible = all(domains[name].has(value) for name, value in chosen.items())
        for name, domain in domains.items():
            if name in chosen:
                self._assign(name, chosen[name])
            else:
                self._state[name] = _Open(domain)
        self._links: frozenset[str] = self._linked(field) if field else frozenset()
        left = self._open - self._links
        while self.possible and left:
            part = self._linked(min(left))
            self.possible = self._solvable(part)
            left -= part
        if self.possible:
            self.possible = all(c.holds(self._values) for c in constraints if self._open.isdisjoint(c.fields()))

    def _assign(self, name: str, value: Any) -> None:
        self._state[name] = _Open(OneOf((value,)))
        setattr(self._values, name, value)

    def _linked(self, field: str) -> frozenset[str]:
        """Return the open fields that constraints connect with a field, directly or through others."""
        found = {field}
        while True:
            reached = {
                name
                for c in self._constraints
                if not found.isdisjoint(c.fields())
                for name in c.fields()
                if name in self._open
            }
            if reached <= found:
                return frozenset(found)
            found |= reached

    def is_free(self) -> bool:
        """Return True if no constraint limits the field in question."""
        return not any(not self._links.isdisjoint(c.fields()) for c in self._constraints)

    def allows(self, field: str, opened: _Open) -> bool:
        """Return True if one of these values of the field can be completed."""
        before = self._state[field]
        self._state[field] = opened
        try:
            return self._solvable(self._links)
        finally:
            self._state[field] = before

    def _solvable(self, part: frozenset[str]) -> bool:
        """Return True if the open fields of a part have values that satisfy all of its constraints."""
        constraints = [c for c in self._constraints if not part.isdisjoint(c.fields())]
        if not constraints:
            return not any(self._state[name].is_empty() for name in part)
        if not all(_may_hold(constraint, self._state) for constraint in constraints):
            return False
        order = sorted(part, key=lambda name: (self._state[name].rest.count(), name))
        due: list[list[Constraint]] = []  # the constraints whose last open field is this one
        touching: list[list[Constraint]] = []  # those that have fields left open after it
        for index, name in enumerate(order):
            later = order[index + 1 :]
            mine = [c for c in constraints if name in c.fields()]
            due.append([c for c in mine if not any(other in c.fields() for other in later)])
            touching.append([c for c in mine if c not in due[-1]])
        return self._search(order, due, touching, 0)

    def _search(
        self, order: list[str], due: list[list[Constraint]], touching: list[list[Constraint]], index: int
    ) -> bool:
        if index == len(order):
            return True
        name = order[index]
        before = self._state[name]
        try:
            for value in self._narrowed(name, due[index] + touching[index]).values():
                self._assign(name, value)
                if (
                    all(constraint.holds(self._values) for constraint in due[index])
                    and all(_may_hold(constraint, self._state) for constraint in touching[index])
                    and self._search(order, due, touching, index + 1)
                ):
                    return True
            return False
        finally:
            self._state[name] = before

    def _narrowed(self, name: str, constraints: Iterable[Constraint]) -> _Open:
        """Return the values of a field within the totals that the linear constraints leave it."""
        opened = self._state[name]
        for constraint in constraints:
            if not isinstance(constraint, Linear):
                continue
            mine = [term for term in constraint.terms if term.field == name]
            if len(mine) != 1 or mine[0].weights or mine[0].table or abs(mine[0].weight) != 1:
                continue
            rest = opened.rest
            if not isinstance(rest, Range | Alloc | Subset) or _span(mine[0], opened) == _ANYTHING:
                continue
            spans = [_span(term, self._state[term.field]) for term in constraint.terms if term.field != name]
            low = constraint.low - sum(high for _, high in spans)
            high = constraint.high - sum(low for low, _ in spans)
            if mine[0].weight < 0:
                low, high = -high, -low
            kept = 0
            if opened.kept:
                kept = sum(opened.kept) if isinstance(rest, Alloc) else len(opened.kept)
            rest = msgspec.structs.replace(rest, low=max(rest.low, low - kept), high=min(rest.high, high - kept))
            opened = _Open(rest, opened.kept)
        return opened


def next_values(
    domains: Mapping[str, Domain],
    constraints: Sequence[Constraint],
    chosen: Mapping[str, Any],
    partial: Sequence[Any] = (),
    field: str | None = None,
) -> NextValues | None:
    """Return the values that an open field can take; see :meth:`.grammar.Choice.next_values`."""
    if field is None:
        field = next((name for name in domains if name not in chosen), None)
        if field is None:
            return None
    draft = Composition(domains, constraints, {name: v for name, v in chosen.items() if name != field}, field)
    domain = domains[field]
    begin = tuple(partial)
    if not draft.possible:
        return NextValues(field, OneOf(()), begin, compound=is_compound(domain))
    if not is_compound(domain):
        if begin:
            raise LawBroken(f"{field} is not composed of elements")
        if draft.is_free() and isinstance(domain, OneOf | Range):
            return NextValues(field, domain)
        found = [value for value in domain.values() if draft.allows(field, _Open(OneOf((value,))))]
        return NextValues(field, compact(found))
    if _begun(domain, begin) is None:
        return NextValues(field, OneOf(()), begin, compound=True)
    if isinstance(domain, Subset):
        begin = tuple(sorted(begin))
    found = []
    for element in _elements(domain, begin):
        opened = _begun(domain, (*begin, element))
        if opened is not None and draft.allows(field, opened):
            found.append(element)
    finished = domain.has(begin) and draft.allows(field, _Open(OneOf((begin,))))
    return NextValues(field, compact(found), begin, compound=True, finished=finished)


def compact(values: Iterable[Any]) -> OneOf | Range:
    """Return values as a range if they are consecutive integers, else as a list without repetitions."""
    listed = tuple({(type(value), value): value for value in values}.values())
    if len(listed) > 1 and all(type(value) is int for value in listed):
        low, high = min(listed), max(listed)
        if high - low + 1 == len(listed):
            return Range(low, high)
    return OneOf(listed)


def merge(steps: Sequence[NextValues]) -> NextValues:
    """Return one step with the values of several steps at the same field."""
    first = steps[0]
    if len(steps) == 1:
        return first
    if any((step.compound, step.partial) != (first.compound, first.partial) for step in steps):
        raise LawBroken(f"{first.field} is composed in several ways")
    return NextValues(
        first.field,
        compact(value for step in steps for value in step.values.values()),
        first.partial,
        compound=first.compound,
        finished=any(step.finished for step in steps),
    )
