"""The grammar of answers: what an ask lists is what it accepts.

An option is a :class:`Choice`: one act type whose fields have *domains*, and *constraints* between fields from a closed
vocabulary. There is no code in it, because it crosses the wire. From the one object follow ``contains``, ``enumerate``,
``sample`` and ``count``; property tests hold them against each other for every question of both games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from math import comb, factorial
from random import Random
from typing import Any, ClassVar

import msgspec

from .errors import LawBroken


class Act(msgspec.Struct, frozen=True, tag=True, tag_field="act"):
    """Something a player does. Each act type of a game is a frozen subclass with plain fields."""


# --------------------------------------------------------------------------------------------------------------- domains


class Domain(msgspec.Struct, frozen=True, tag=True, tag_field="domain", kw_only=True):
    """The values that one field may take, and the rule that says so."""

    why: str = ""

    def has(self, value: Any) -> bool:
        raise NotImplementedError

    def count(self) -> int:
        raise NotImplementedError

    def values(self) -> Iterator[Any]:
        raise NotImplementedError

    def draw(self, rng: Random) -> Any:
        raise NotImplementedError

    def near(self, value: Any) -> Any:
        """The legal value closest to a wrong one (for refusals)."""
        return next(self.values(), None)


class OneOf(Domain, frozen=True):
    """One of the listed values."""

    items: tuple[Any, ...]

    def has(self, value: Any) -> bool:
        return any(value == item and type(value) is type(item) for item in self.items)

    def count(self) -> int:
        return len(self.items)

    def values(self) -> Iterator[Any]:
        return iter(self.items)

    def draw(self, rng: Random) -> Any:
        return self.items[int(rng.random() * len(self.items))]


class Range(Domain, frozen=True):
    """A whole number from ``low`` to ``high``, both included."""

    low: int
    high: int

    def has(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def count(self) -> int:
        return max(0, self.high - self.low + 1)

    def values(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def draw(self, rng: Random) -> int:
        return self.low + int(rng.random() * (self.high - self.low + 1))

    def near(self, value: Any) -> Any:
        return min(max(value, self.low), self.high) if type(value) is int else self.low


class Subset(Domain, frozen=True):
    """Some of the listed items, at least ``low`` and at most ``high`` of them; written as a sorted tuple.

    ``items`` is sorted and may hold the same item several times (two shields in a hand).
    """

    items: tuple[Any, ...]
    low: int
    high: int

    def has(self, value: Any) -> bool:
        if type(value) is not tuple or not self.low <= len(value) <= self.high:
            return False
        rest = list(self.items)
        for item in value:
            if item not in rest:
                return False
            rest.remove(item)
        return list(value) == sorted(value)

    def count(self) -> int:
        if len(set(self.items)) == len(self.items):
            return sum(comb(len(self.items), size) for size in range(self.low, min(self.high, len(self.items)) + 1))
        return len(self._all())

    def _all(self) -> tuple[tuple[Any, ...], ...]:
        return _subsets(self.items, self.low, self.high)

    def values(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._all())

    def draw(self, rng: Random) -> tuple[Any, ...]:
        if len(set(self.items)) < len(self.items):
            every = self._all()
            return every[int(rng.random() * len(every))]
        pick = int(rng.random() * self.count())
        for size in range(self.low, min(self.high, len(self.items)) + 1):
            ways = comb(len(self.items), size)
            if pick < ways:
                return tuple(sorted(rng.sample(self.items, size)))
            pick -= ways
        raise LawBroken("empty subset domain")

    def near(self, value: Any) -> Any:
        kept: list[Any] = []
        rest = list(self.items)
        for item in value if isinstance(value, tuple | list) else ():
            if item in rest and len(kept) < self.high:
                rest.remove(item)
                kept.append(item)
        while len(kept) < self.low and rest:
            kept.append(rest.pop(0))
        return tuple(sorted(kept))


@lru_cache(maxsize=512)
def _subsets(items: tuple[Any, ...], low: int, high: int) -> tuple[tuple[Any, ...], ...]:
    kinds = sorted(set(items))
    tallies = [range(items.count(kind) + 1) for kind in kinds]
    found = []
    for tally in product(*tallies):
        if low <= sum(tally) <= high:
            found.append(tuple(kind for kind, n in zip(kinds, tally, strict=True) for _ in range(n)))
    return tuple(found)


class Alloc(Domain, frozen=True):
    """A number for each slot, at most its cap, with a total from ``low`` to ``high``; a tuple parallel to ``slots``."""

    slots: tuple[str, ...]
    caps: tuple[int, ...]
    low: int
    high: int

    def has(self, value: Any) -> bool:
        if type(value) is not tuple or len(value) != len(self.caps):
            return False
        for n, cap in zip(value, self.caps, strict=True):
            if type(n) is not int or not 0 <= n <= cap:
                return False
        return self.low <= sum(value) <= self.high

    def count(self) -> int:
        return _alloc_ways(self.caps, self.low, self.high)[0].get(0, 0)

    def values(self) -> Iterator[tuple[int, ...]]:
        return self._fill((), 0)

    def _fill(self, head: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
        ways = _alloc_ways(self.caps, self.low, self.high)
        at = len(head)
        if at == len(self.caps):
            yield head
            return
        for n in range(self.caps[at] + 1):
            if ways[at + 1].get(total + n, 0):
                yield from self._fill((*head, n), total + n)

    def draw(self, rng: Random) -> tuple[int, ...]:
        ways = _alloc_ways(self.caps, self.low, self.high)
        total = 0
        value = []
        for at, cap in enumerate(self.caps):
            pick = int(rng.random() * ways[at][total])
            for n in range(cap + 1):
                here = ways[at + 1].get(total + n, 0)
                if pick < here:
                    break
                pick -= here
            value.append(n)
            total += n
        return tuple(value)


@lru_cache(maxsize=4096)
def _alloc_ways(caps: tuple[int, ...], low: int, high: int) -> tuple[dict[int, int], ...]:
    """``ways[i][t]``: how many completions there are when the first ``i`` slots hold ``t`` together."""
    ways: list[dict[int, int]] = [{} for _ in range(len(caps) + 1)]
    top = sum(caps)
    ways[-1] = dict.fromkeys(range(max(low, 0), min(high, top) + 1), 1)
    for at in range(len(caps) - 1, -1, -1):
        for total in range(top + 1):
            n = sum(ways[at + 1].get(total + k, 0) for k in range(caps[at] + 1))
            if n:
                ways[at][total] = n
    return tuple(ways)


class Order(Domain, frozen=True):
    """All listed items, in an order of the player's choice."""

    items: tuple[Any, ...]

    def has(self, value: Any) -> bool:
        return type(value) is tuple and sorted(value) == sorted(self.items)

    def count(self) -> int:
        return factorial(len(self.items))

    def values(self) -> Iterator[tuple[Any, ...]]:
        return permutations(self.items)

    def draw(self, rng: Random) -> tuple[Any, ...]:
        return tuple(rng.sample(self.items, len(self.items)))


#: name -> {area: neighbours}; boards register their graphs here, the catalog publishes them to clients.
GRAPHS: dict[str, dict[str, tuple[str, ...]]] = {}


class Path(Domain, frozen=True):
    """A walk on a named graph: a tuple of areas that begins with ``start``, of 1 to ``steps`` moves.

    ``blocked`` areas may not be entered at all; the walk may end only in ``ends`` if that is given, and goes on through an
    area in ``stops`` never (it must end there). No area is entered twice.
    """

    graph: str
    start: str
    steps: int
    blocked: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    ends: tuple[str, ...] | None = None

    def has(self, value: Any) -> bool:
        if type(value) is not tuple or not 2 <= len(value) <= self.steps + 1 or value[0] != self.start:
            return False
        graph = GRAPHS[self.graph]
        if len(set(value)) != len(value):
            return False
        for here, there in zip(value, value[1:], strict=False):
            if there not in graph.get(here, ()) or there in self.blocked:
                return False
        return not any(area in self.stops for area in value[1:-1]) and (self.ends is None or value[-1] in self.ends)

    def count(self) -> int:
        return len(self._all())

    def values(self) -> Iterator[tuple[str, ...]]:
        return iter(self._all())

    def draw(self, rng: Random) -> tuple[str, ...]:
        every = self._all()
        return every[int(rng.random() * len(every))]

    def _all(self) -> tuple[tuple[str, ...], ...]:
        return _walks(self.graph, self.start, self.steps, self.blocked, self.stops, self.ends)


@lru_cache(maxsize=2048)
def _walks(
    name: str, start: str, steps: int, blocked: tuple[str, ...], stops: tuple[str, ...], ends: tuple[str, ...] | None
) -> tuple[tuple[str, ...], ...]:
    graph = GRAPHS[name]
    found: list[tuple[str, ...]] = []
    open_ = [(start,)]
    for _ in range(steps):
        longer = []
        for walk in open_:
            if len(walk) > 1 and walk[-1] in stops:
                continue
            longer += [(*walk, a) for a in graph[walk[-1]] if a not in blocked and a not in walk]
        found += [walk for walk in longer if ends is None or walk[-1] in ends]
        open_ = longer
    return tuple(found)


# ----------------------------------------------------------------------------------------------------------- constraints


class Constraint(msgspec.Struct, frozen=True, tag=True, tag_field="constraint", kw_only=True):
    """A condition between fields of one act, and the rule that sets it."""

    why: str = ""

    def holds(self, act: Any) -> bool:
        raise NotImplementedError

    def fields(self) -> tuple[str, ...]:
        raise NotImplementedError


class Literal(msgspec.Struct, frozen=True):
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
    bar = (Literal(field, tuple(values), wanted=False), Literal(other, tuple(others), wanted=False))
    return Clause(bar, why=why)


class Term(msgspec.Struct, frozen=True):
    """A weighted field: a number times ``weight``, an allocation times ``weights``, or ``table[value]`` for a listed value."""

    field: str
    weight: int = 1
    weights: tuple[int, ...] = ()
    table: tuple[tuple[Any, int], ...] = ()

    def of(self, act: Any) -> int:
        value = getattr(act, self.field)
        if self.table:
            return next((n for item, n in self.table if item == value), 0)
        if self.weights:
            return sum(n * w for n, w in zip(value, self.weights, strict=True))
        if type(value) is tuple:
            return self.weight * len(value) if value and type(value[0]) is not int else self.weight * sum(value)
        return self.weight * int(value or 0)


class Linear(Constraint, frozen=True):
    """``low`` <= sum of the terms <= ``high``: sums, costs, "at least one"."""

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
    """The named fields differ from each other (fields that are None do not count)."""

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
            raise LawBroken("more than 512 listed combinations: split the ask")

    def holds(self, act: Any) -> bool:
        return tuple(getattr(act, name) for name in self.names) in self.rows

    def fields(self) -> tuple[str, ...]:
        return self.names


# --------------------------------------------------------------------------------------------------------------- choices


class Fault(msgspec.Struct, frozen=True):
    """Why an act is not contained: the field that is wrong (or fields of a constraint) and the rule."""

    field: str
    rule: str
    message: str


#: How often a sample may be thrown away because of constraints before it is drawn from the full list instead.
_TRIES = 64


class Choice:
    """One act type with a domain for each of its fields, and constraints between them."""

    __slots__ = ("act", "constraints", "domains", "names", "why")

    def __init__(self, act: type[Act], *constraints: Constraint, why: str = "", **domains: Domain) -> None:
        self.act = act
        self.why = why
        self.domains = tuple(domains.values())
        self.names = tuple(domains)
        self.constraints = constraints
        if self.names != act.__struct_fields__:
            # Fields may be given in any order, but all of them.
            if set(self.names) != set(act.__struct_fields__):
                raise LawBroken(f"{act.__name__} has the fields {act.__struct_fields__}, not {self.names}")
            self.domains = tuple(domains[name] for name in act.__struct_fields__)
            self.names = act.__struct_fields__

    def __repr__(self) -> str:
        return f"Choice({self.act.__name__}, {dict(zip(self.names, self.domains, strict=True))}, {self.constraints})"

    def plain(self) -> tuple[Any, ...]:
        """Plain data: equal grammars, equal bytes."""
        return (
            self.act.__name__,
            self.why,
            tuple((name, msgspec.to_builtins(d)) for name, d in zip(self.names, self.domains, strict=True)),
            tuple(msgspec.to_builtins(c) for c in self.constraints),
        )

    def domain(self, name: str) -> Domain:
        return self.domains[self.names.index(name)]

    def raw_count(self) -> int:
        """How many combinations of field values there are before constraints."""
        n = 1
        for domain in self.domains:
            n *= domain.count()
        return n

    def fault(self, act: Act) -> Fault | None:
        """None if the act is legal, else what is wrong with it."""
        for name, domain in zip(self.names, self.domains, strict=True):
            if not domain.has(getattr(act, name)):
                return Fault(name, domain.why or self.why, f"{name} may not be {getattr(act, name)!r} here")
        for constraint in self.constraints:
            if not constraint.holds(act):
                fields = ", ".join(dict.fromkeys(constraint.fields()))
                return Fault(fields, constraint.why or self.why, f"{fields} do not go together")
        return None

    def enumerate(self) -> Iterator[Act]:
        """Every legal act, in a fixed order."""
        constraints = self.constraints
        for values in product(*(tuple(d.values()) for d in self.domains)):
            act = self.act(*values)
            if all(c.holds(act) for c in constraints):
                yield act

    def draw(self, rng: Random) -> Act | None:
        """One act uniform over the raw combinations, or None if a constraint forbids it."""
        act = self.act(*[d.draw(rng) for d in self.domains])
        for constraint in self.constraints:
            if not constraint.holds(act):
                return None
        return act

    def nearest(self, act: Act) -> Act | None:
        """A legal act like the given one."""
        values = []
        for name, domain in zip(self.names, self.domains, strict=True):
            value = getattr(act, name)
            values.append(value if domain.has(value) else domain.near(value))
        close = self.act(*values)
        if all(c.holds(close) for c in self.constraints):
            return close
        for n, other in enumerate(self.enumerate()):
            if n >= 4096:
                return None
            same = [name for name in self.names if getattr(other, name) == getattr(close, name)]
            if len(same) >= len(self.names) - 1:
                return other
        return next(self.enumerate(), None)


class Options:
    """What one seat may answer to one ask: a union of choices."""

    __slots__ = ("_only", "choices")

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.choices = tuple(choices)
        self._only: Act | None | bool = False

    def __repr__(self) -> str:
        return f"Options({', '.join(map(repr, self.choices))})"

    def plain(self) -> tuple[Any, ...]:
        return tuple(choice.plain() for choice in self.choices)

    def only(self) -> Act | None:
        """The single legal act, or None if there are several (a cheap test, no enumeration)."""
        if self._only is False:
            self._only = None
            if len(self.choices) == 1 and self.choices[0].raw_count() == 1:
                self._only = next(self.choices[0].enumerate(), None)
            elif self.count(limit=2) == 1:
                self._only = next(self.enumerate(), None)
        assert not isinstance(self._only, bool)
        return self._only

    def fault(self, act: Act) -> Fault | None:
        """None if the act is legal, else the fault in the choice that comes closest."""
        first: Fault | None = None
        for choice in self.choices:
            if choice.act is type(act):
                fault = choice.fault(act)
                if fault is None:
                    return None
                first = first or fault
        return first or Fault("", "", f"{type(act).__name__} is not among the answers to this question")

    def contains(self, act: Act) -> bool:
        return self.fault(act) is None

    def enumerate(self, limit: int | None = None) -> Iterator[Act]:
        """Every legal act once, in a fixed order, at most ``limit`` of them."""
        seen: set[Act] = set()
        several = len({choice.act for choice in self.choices}) < len(self.choices)
        n = 0
        for choice in self.choices:
            for act in choice.enumerate():
                if several:
                    if act in seen:
                        continue
                    seen.add(act)
                yield act
                n += 1
                if limit is not None and n >= limit:
                    return

    def count(self, limit: int | None = None) -> int:
        """How many legal acts there are (counting stops at ``limit``)."""
        if all(not c.constraints for c in self.choices) and len({c.act for c in self.choices}) == len(self.choices):
            total = sum(c.raw_count() for c in self.choices)
            return total if limit is None else min(total, limit)
        return sum(1 for _ in self.enumerate(limit))

    def sample(self, rng: Random) -> Act:
        """One legal act, uniform over all of them."""
        choices = self.choices
        if len(choices) == 1 and not choices[0].constraints:
            return choices[0].act(*[d.draw(rng) for d in choices[0].domains])
        weights = [c.raw_count() for c in choices]
        total = sum(weights)
        for _ in range(_TRIES):
            pick = int(rng.random() * total)
            at = 0
            while pick >= weights[at]:
                pick -= weights[at]
                at += 1
            act = choices[at].draw(rng)
            # An act that several choices contain is counted at its first one only, so that it is not favoured.
            if act is not None and not any(
                c.act is type(act) and c.fault(act) is None for c in choices[:at] if c.act is type(act)
            ):
                return act
        every = list(self.enumerate(100_000))
        if not every:
            raise LawBroken("an ask without a legal answer")
        return every[int(rng.random() * len(every))]

    def sample_kind(self, rng: Random) -> Act:
        """One legal act, uniform over act types first: what a fuzzer wants, else rare kinds of act drown."""
        kinds = sorted({c.act.__name__ for c in self.choices})
        kind = kinds[int(rng.random() * len(kinds))]
        picked = Options([c for c in self.choices if c.act.__name__ == kind])
        if picked.count(limit=1):
            return picked.sample(rng)
        return self.sample(rng)

    def nearest(self, act: Act, limit: int = 3) -> tuple[Act, ...]:
        """A few legal acts like the given one; the first legal acts if none is of its kind."""
        near = [choice.nearest(act) for choice in self.choices if choice.act is type(act)]
        found = list(dict.fromkeys(a for a in near if a is not None))[:limit]
        return tuple(found or self.enumerate(limit))
