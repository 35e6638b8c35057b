"""The grammar of answers: what an ask lists is what it accepts.

An option is a :class:`Choice`: one act type whose fields have *domains*, and *constraints* between fields from a closed
vocabulary. There is no code in it, because it crosses the wire. From the one object follow ``contains``, ``enumerate``,
``sample`` and ``count``; property tests hold them against each other for every question of both games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
from msgspec.structs import astuple

from landsraad_engine.errors import LawBroken

from .constraints import Clause, Constraint, Distinct, Linear, Literal, Rows, Term, excludes, requires
from .domains import GRAPHS, Alloc, Domain, OneOf, Order, Path, Range, Subset, below

__all__ = [
    "GRAPHS",
    "Act",
    "Alloc",
    "Choice",
    "Clause",
    "Constraint",
    "Distinct",
    "Domain",
    "Fault",
    "Linear",
    "Literal",
    "OneOf",
    "Options",
    "Order",
    "Path",
    "Range",
    "Rows",
    "Subset",
    "Term",
    "excludes",
    "requires",
]


class Act(msgspec.Struct, frozen=True, tag=True, tag_field="act", gc=False):
    """Something a player does. Each act type of a game is a frozen subclass with plain fields."""


class Fault(msgspec.Struct, frozen=True):
    """Why an act is not contained: the field that is wrong (or fields of a constraint) and the rule."""

    field: str
    rule: str
    message: str


#: How often a sample may be thrown away because of constraints before it is drawn from the full list instead.
_TRIES = 64

#: Stands for the single legal act until somebody asks for it.
_UNASKED: Any = object()

#: How many values of a field are tried to find a legal act near a wrong one.
_NEAR = 256


def _said(value: Any) -> str:
    """A value in words: whoever is refused may write in any language."""
    if value is None:
        return "nothing"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is tuple:
        return f"[{', '.join(map(_said, value))}]"
    return repr(value)


def _once(acts: Iterable[Act]) -> Iterator[Act]:
    """Each act at its first occurrence only."""
    seen: set[Act] = set()
    for act in acts:
        if act not in seen:
            seen.add(act)
            yield act


class Choice:
    """One act type with a domain for each of its fields, and constraints between them."""

    __slots__ = ("_plain", "_raw", "act", "constraints", "domains", "names", "why")

    def __init__(self, act: type[Act], *constraints: Constraint, why: str = "", **domains: Domain) -> None:
        self.act = act
        self.why = why
        self.domains = tuple(domains.values())
        self.names = tuple(domains)
        self.constraints = constraints
        self._raw = -1
        self._plain: tuple[Any, ...] | None = None
        if self.names != act.__struct_fields__:
            # Fields may be given in any order, but all of them.
            if set(self.names) != set(act.__struct_fields__):
                raise LawBroken(f"{act.__name__} has the fields {act.__struct_fields__}, not {self.names}")
            self.domains = tuple(domains[name] for name in act.__struct_fields__)
            self.names = act.__struct_fields__

    def __repr__(self) -> str:
        return f"Choice({self.act.__name__}, {dict(zip(self.names, self.domains, strict=True))}, {self.constraints})"

    def plain(self) -> tuple[Any, ...]:
        """Plain data: equal grammars, equal bytes (kept: equal questions share their choices)."""
        form = self._plain
        if form is None:
            form = self._plain = (
                self.act.__name__,
                self.why,
                tuple([(name, domain.plain()) for name, domain in zip(self.names, self.domains, strict=True)]),
                tuple([msgspec.to_builtins(constraint) for constraint in self.constraints]),
            )
        return form

    def domain(self, name: str) -> Domain:
        return self.domains[self.names.index(name)]

    def raw_count(self) -> int:
        """How many combinations of field values there are before constraints."""
        n = self._raw
        if n < 0:
            n = 1
            for domain in self.domains:
                n *= domain.count()
            self._raw = n
        return n

    def fault(self, act: Act) -> Fault | None:
        """None if the act is legal, else what is wrong with it."""
        for at, value in enumerate(astuple(act)):
            domain = self.domains[at]
            if not domain.has(value):
                name = self.names[at]
                return Fault(name, domain.why or self.why, f"{name} may not be {_said(value)} here")
        for constraint in self.constraints:
            if not constraint.holds(act):
                fields = ", ".join(dict.fromkeys(constraint.fields()))
                return Fault(fields, constraint.why or self.why, f"{fields} do not go together")
        return None

    def agreement(self, act: Act) -> int:
        """How many fields of an act have a value that their domain has."""
        return sum(domain.has(value) for domain, value in zip(self.domains, astuple(act), strict=True))

    def enumerate(self) -> Iterator[Act]:
        """Every legal act, in a fixed order and one by one; a constraint is checked as soon as its fields are set."""
        due: list[list[Constraint]] = [[] for _ in self.names]
        for constraint in self.constraints:
            due[max(self.names.index(name) for name in constraint.fields())].append(constraint)
        return self._complete((), SimpleNamespace(), due)

    def _complete(self, head: tuple[Any, ...], draft: Any, due: list[list[Constraint]]) -> Iterator[Act]:
        """The legal acts that begin with these values, which the draft of an act has as its fields."""
        at = len(head)
        if at == len(self.names):
            yield self.act(*head)
            return
        for value in self.domains[at].values():
            setattr(draft, self.names[at], value)
            for constraint in due[at]:
                if not constraint.holds(draft):
                    break
            else:
                yield from self._complete((*head, value), draft, due)

    def possible(self) -> bool:
        """Whether there is a legal act at all."""
        return next(self.enumerate(), None) is not None

    def draw(self, rng: Random) -> Act | None:
        """One act uniform over the raw combinations, or None if a constraint forbids it."""
        act = self.act(*[d.draw(rng) for d in self.domains])
        for constraint in self.constraints:
            if not constraint.holds(act):
                return None
        return act

    def nearest(self, act: Act) -> Act | None:
        """A legal act like the given one; None if there is none, or none near."""
        if not self.raw_count():
            return None
        values = []
        for name, domain in zip(self.names, self.domains, strict=True):
            value = getattr(act, name)
            values.append(value if domain.has(value) else domain.near(value))
        close = self.act(*values)
        if all(c.holds(close) for c in self.constraints):
            return close
        for at, domain in enumerate(self.domains):  # another field has to give way, or this one more
            for value in islice(domain.values(), _NEAR):
                other = self.act(*values[:at], value, *values[at + 1 :])
                if all(c.holds(other) for c in self.constraints):
                    return other
        return next(self.enumerate(), None)


class Options(msgspec.Struct, eq=False, gc=False):
    """What one seat may answer to one ask: a union of choices."""

    choices: Sequence[Choice]
    _only: Any = _UNASKED
    _plain: tuple[Any, ...] | None = None

    def __repr__(self) -> str:
        return f"Options({', '.join(map(repr, self.choices))})"

    def plain(self) -> tuple[Any, ...]:
        form = self._plain
        if form is None:
            form = self._plain = tuple([choice.plain() for choice in self.choices])
        return form

    def offers(self, kind: type[Act]) -> bool:
        """Whether some choice is of that kind of act."""
        return kind in [choice.act for choice in self.choices]

    def only(self) -> Act | None:
        """The single legal act, or None if there are several (a cheap test, no enumeration)."""
        only: Act | None = self._only
        if only is _UNASKED:
            only = self._only = None if self._several() else next(self.enumerate(), None)
        return only

    def _several(self) -> bool:
        """Whether there is more than one legal act."""
        kind: type[Act] | None = None
        bound = []
        doubtful = False
        for choice in self.choices:  # nearly always acts without constraints show it, and nothing is enumerated
            if choice.constraints:
                bound.append(choice)
            elif acts := choice.raw_count():
                if acts > 1 or (kind is not None and kind is not choice.act):
                    return True
                doubtful = kind is not None  # it may be the same act
                kind = choice.act
        if kind is not None and any(choice.act is not kind and choice.possible() for choice in bound):
            return True
        return (doubtful or bool(bound)) and self.count(limit=2) > 1

    def fault(self, act: Act) -> Fault | None:
        """None if the act is legal, else what is wrong with it, as the choice that it comes closest to sees it."""
        if act is self._only:
            return None
        for choice in self.choices:
            if choice.act is type(act) and choice.fault(act) is None:
                return None
        if closest := self._closest(act):
            return closest[0].fault(act)
        return Fault("", "", f"{type(act).__name__} is not among the answers to this question")

    def _closest(self, act: Act) -> list[Choice]:
        """The choices of an act's type, first those of which it breaks the fewest domains: one of them was meant.

        Often there is a choice for each place. That an act begins at another place than the first one is no fault.
        """
        return sorted((c for c in self.choices if c.act is type(act)), key=lambda choice: -choice.agreement(act))

    def contains(self, act: Act) -> bool:
        return self.fault(act) is None

    def enumerate(self, limit: int | None = None) -> Iterator[Act]:
        """Every legal act once, in a fixed order, at most ``limit`` of them."""
        acts = chain.from_iterable(choice.enumerate() for choice in self.choices)
        return islice(acts if self._disjoint() else _once(acts), limit)

    def _disjoint(self) -> bool:
        """Whether no act can be contained in two of the choices."""
        return len({choice.act for choice in self.choices}) == len(self.choices)

    def count(self, limit: int | None = None) -> int:
        """How many legal acts there are (counting stops at ``limit``)."""
        if self._disjoint() and not any(c.constraints for c in self.choices):
            total = sum(c.raw_count() for c in self.choices)
            return total if limit is None else min(total, limit)
        return sum(1 for _ in self.enumerate(limit))

    def sample(self, rng: Random) -> Act:
        """One legal act, uniform over all of them."""
        choices = self.choices
        if len(choices) == 1 and not choices[0].constraints and choices[0].raw_count():
            return choices[0].act(*[d.draw(rng) for d in choices[0].domains])
        weights = [c.raw_count() for c in choices]
        total = sum(weights)
        for _ in range(_TRIES if total else 0):
            pick = below(rng, total)
            at = 0
            while pick >= weights[at]:
                pick -= weights[at]
                at += 1
            act = choices[at].draw(rng)
            # An act that several choices contain is counted at its first one only, so that it is not favoured.
            if act is not None and not (at and any(c.act is type(act) and c.fault(act) is None for c in choices[:at])):
                return act
        every = list(self.enumerate(100_000))
        if not every:
            raise LawBroken("an ask without a legal answer")
        return every[below(rng, len(every))]

    def sample_kind(self, rng: Random) -> Act:
        """One legal act, uniform over act types first: what a fuzzer wants, else rare kinds of act drown."""
        kinds = sorted({c.act.__name__ for c in self.choices})
        kind = kinds[below(rng, len(kinds))]
        picked = Options([c for c in self.choices if c.act.__name__ == kind])
        if picked.count(limit=1):
            return picked.sample(rng)
        return self.sample(rng)

    def nearest(self, act: Act, limit: int = 3) -> tuple[Act, ...]:
        """A few legal acts like the given one; the first legal acts if none is of its kind."""
        near = [choice.nearest(act) for choice in self._closest(act)]
        found = list(dict.fromkeys(a for a in near if a is not None))[:limit]
        return tuple(found or self.enumerate(limit))
