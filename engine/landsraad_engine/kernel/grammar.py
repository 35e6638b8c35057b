"""The grammar of answers: one description that lists, samples, counts and checks the legal acts of a question.

A :class:`Choice` is one act type with a *domain* for each field and *constraints* between fields; :class:`Options` is a
union of choices. Both are data without code, because clients in other languages read them. Property tests compare
``contains``, ``enumerate``, ``sample`` and ``count`` with each other for every question of both games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
from msgspec.structs import astuple

from landsraad_engine.errors import LawBroken

from .composition import NextValues, merge, next_values
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
    "NextValues",
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
    """A player's action. Each act type of a game is a frozen subclass with plain fields."""


class Fault(msgspec.Struct, frozen=True):
    """The reason for which an act is illegal: the wrong field (or the fields of a constraint) and the rule."""

    field: str
    rule: str
    message: str


#: Rejections by constraints after which a sample is drawn from the full list instead.
_SAMPLE_TRIES = 64

#: Marks a single legal act that has not been computed yet (None means that there are several).
_NOT_COMPUTED: Any = object()

#: The most values of a field that listing keeps, because it comes back to them for each value of the fields before.
_KEPT_VALUES = 64

#: Values of a field that are tried to find a legal act near an illegal one.
_NEAREST_TRIES = 256


def _described(value: Any) -> str:
    """Return a value as a refusal names it: independent of Python, because clients come in any language."""
    if value is None:
        return "nothing"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is tuple:
        return f"[{', '.join(map(_described, value))}]"
    return repr(value)


def _unique(acts: Iterable[Act]) -> Iterator[Act]:
    """Yield each act at its first occurrence only."""
    seen: set[Act] = set()
    for act in acts:
        if act not in seen:
            seen.add(act)
            yield act


class _Listing:
    """The values of one field, listed many times: kept from the second time on if they are few."""

    __slots__ = ("_domain", "_kept", "_times")

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._times = 0
        self._kept: tuple[Any, ...] | None = None

    def values(self) -> Iterator[Any]:
        if self._kept is not None:
            return iter(self._kept)
        self._times += 1
        values = self._domain.values()
        if self._times != 2:
            return values
        begun = tuple(islice(values, _KEPT_VALUES + 1))
        if len(begun) > _KEPT_VALUES:
            return chain(begun, values)
        self._kept = begun
        return iter(begun)


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
        if self.names != act.__struct_fields__:  # fields may be given in any order
            if set(self.names) != set(act.__struct_fields__):
                raise LawBroken(f"{act.__name__} has the fields {act.__struct_fields__}, not {self.names}")
            self.domains = tuple(domains[name] for name in act.__struct_fields__)
            self.names = act.__struct_fields__

    def __repr__(self) -> str:
        return f"Choice({self.act.__name__}, {dict(zip(self.names, self.domains, strict=True))}, {self.constraints})"

    def plain(self) -> tuple[Any, ...]:
        """Return the choice as plain data, equal for equal grammars (cached)."""
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
        """Return the number of combinations of field values, constraints not applied."""
        n = self._raw
        if n < 0:
            n = 1
            for domain in self.domains:
                n *= domain.count()
            self._raw = n
        return n

    def fault(self, act: Act) -> Fault | None:
        """Return the first fault of an act, or None if it is legal."""
        for index, value in enumerate(astuple(act)):
            domain = self.domains[index]
            if not domain.has(value):
                name = self.names[index]
                return Fault(name, domain.why or self.why, f"{name} may not be {_described(value)} here")
        for constraint in self.constraints:
            if not constraint.holds(act):
                fields = ", ".join(dict.fromkeys(constraint.fields()))
                return Fault(fields, constraint.why or self.why, f"{fields} do not go together")
        return None

    def agreement(self, act: Act) -> int:
        """Return the number of fields whose value is in their domain."""
        return sum(domain.has(value) for domain, value in zip(self.domains, astuple(act), strict=True))

    def enumerate(self) -> Iterator[Act]:
        """Yield every legal act in a fixed order, checking each constraint as soon as its fields are set."""
        act = self.act
        last = len(self.names) - 1
        if last < 0:
            yield act()
            return
        due: list[list[Constraint]] = [[] for _ in self.names]
        for constraint in self.constraints:
            due[max(self.names.index(name) for name in constraint.fields())].append(constraint)
        draft = SimpleNamespace()
        head: list[Any] = []
        rest = [self.domains[0].values()]  # the values still to come of each field that is being set
        listings = [_Listing(domain) for domain in self.domains]
        while rest:
            index = len(head)
            name, tests = self.names[index], due[index]
            for value in rest[-1]:
                setattr(draft, name, value)
                for test in tests:
                    if not test.holds(draft):
                        break
                else:
                    if index == last:
                        yield act(*head, value)
                        continue
                    head.append(value)
                    rest.append(listings[index + 1].values())
                    break
            else:
                rest.pop()
                if head:
                    head.pop()

    def possible(self) -> bool:
        """Return True if there is a legal act."""
        return next(self.enumerate(), None) is not None

    def next_values(
        self, chosen: Mapping[str, Any], partial: Sequence[Any] = (), field: str | None = None
    ) -> NextValues | None:
        """Return the values that the next field can take so that the act can still be completed to a legal one.

        Every value returned can be completed, and every legal act can be composed in this way. ``chosen`` holds the
        values of fields by name, in any order. The next field is ``field``, or else the first one that is not chosen;
        without any, the act is complete and the answer is None. For a compound field, ``partial`` holds the elements
        chosen so far: the items of a subset in any order, the numbers of an allocation slot by slot, the items of an
        order or the areas of a path from the first one.
        """
        return next_values(dict(zip(self.names, self.domains, strict=True)), self.constraints, chosen, partial, field)

    def draw(self, rng: Random) -> Act | None:
        """Draw an act uniformly over the raw combinations; None if a constraint forbids it."""
        act = self.act(*[d.draw(rng) for d in self.domains])
        for constraint in self.constraints:
            if not constraint.holds(act):
                return None
        return act

    def nearest(self, act: Act) -> Act | None:
        """Return a legal act close to the given one, or None if the choice has no legal act."""
        if not self.raw_count():
            return None
        values = []
        for name, domain in zip(self.names, self.domains, strict=True):
            value = getattr(act, name)
            values.append(value if domain.has(value) else domain.near(value))
        close = self.act(*values)
        if all(c.holds(close) for c in self.constraints):
            return close
        for index, domain in enumerate(self.domains):  # a constraint fails: change one field at a time
            for value in islice(domain.values(), _NEAREST_TRIES):
                other = self.act(*values[:index], value, *values[index + 1 :])
                if all(c.holds(other) for c in self.constraints):
                    return other
        return next(self.enumerate(), None)


class Options(msgspec.Struct, eq=False, gc=False):
    """The legal answers of one seat to one ask: a union of choices."""

    choices: Sequence[Choice]
    _only: Any = _NOT_COMPUTED
    _plain: tuple[Any, ...] | None = None

    def __repr__(self) -> str:
        return f"Options({', '.join(map(repr, self.choices))})"

    def plain(self) -> tuple[Any, ...]:
        """Return the plain form of the choices (cached).

        Returns:
            The form that goes over the wire.
        """
        form = self._plain
        if form is None:
            form = self._plain = tuple([choice.plain() for choice in self.choices])
        return form

    def offers(self, kind: type[Act]) -> bool:
        """Tell if an act of a type is among the legal acts.

        Args:
            kind: The class of the act.

        Returns:
            True if there is a choice of this type.
        """
        return kind in [choice.act for choice in self.choices]

    def next_values(
        self, kind: type[Act], chosen: Mapping[str, Any], partial: Sequence[Any] = (), field: str | None = None
    ) -> NextValues | None:
        """Return the next step of composing an act field by field; see :meth:`Choice.next_values`.

        Args:
            kind: The class of the act.
            chosen: The values of the fields chosen so far, by name.
            partial: The elements chosen so far of a field with several elements.
            field: The field to choose next; without it, the first that is not chosen.

        Returns:
            The values that the next field can take; None if every field is chosen.

        Raises:
            LawBroken: No legal act has this type.
        """
        steps = [choice.next_values(chosen, partial, field) for choice in self.choices if choice.act is kind]
        if not steps:
            raise LawBroken(f"{kind.__name__} is not among the answers to this question")
        found = [step for step in steps if step is not None]
        return merge([step for step in found if step.finished or step.values.count()] or found[:1]) if found else None

    def only(self) -> Act | None:
        """Return the only legal act (cached).

        Returns:
            The act; None if there are several.
        """
        only: Act | None = self._only
        if only is _NOT_COMPUTED:
            only = self._only = None if self._several() else next(self.enumerate(), None)
        return only

    def _several(self) -> bool:
        """Return True if there is more than one legal act, avoiding enumeration where possible."""
        kind: type[Act] | None = None
        constrained = []
        maybe_equal = False
        for choice in self.choices:  # counting the choices without constraints nearly always decides
            if choice.constraints:
                constrained.append(choice)
            elif acts := choice.raw_count():
                if acts > 1 or (kind is not None and kind is not choice.act):
                    return True
                maybe_equal = kind is not None  # two choices of one type may hold the same act
                kind = choice.act
        if kind is not None and any(choice.act is not kind and choice.possible() for choice in constrained):
            return True
        return (maybe_equal or bool(constrained)) and self.count(limit=2) > 1

    def fault(self, act: Act) -> Fault | None:
        """Check an act.

        Args:
            act: The act to check.

        Returns:
            The fault that the closest choice finds in it; None if the act is legal.
        """
        if act is self._only:
            return None
        for choice in self.choices:
            if choice.act is type(act) and choice.fault(act) is None:
                return None
        if closest := self._closest(act):
            return closest[0].fault(act)
        return Fault("", "", f"{type(act).__name__} is not among the answers to this question")

    def _closest(self, act: Act) -> list[Choice]:
        """Return the choices of an act's type, best match first: the one that the sender most likely meant.

        Often there is a choice for each place, so the first choice of the type would report a correct place as wrong.
        """
        return sorted((c for c in self.choices if c.act is type(act)), key=lambda choice: -choice.agreement(act))

    def contains(self, act: Act) -> bool:
        """Tell if an act is legal.

        Args:
            act: The act to check.

        Returns:
            True if it is one of the legal acts.
        """
        return self.fault(act) is None

    def enumerate(self, limit: int | None = None) -> Iterator[Act]:
        """List the legal acts, each once, in a fixed order.

        Args:
            limit: The most acts to list; without it, all. There may be billions.

        Returns:
            An iterator over the acts.
        """
        acts = chain.from_iterable(choice.enumerate() for choice in self.choices)
        return islice(acts if self._disjoint() else _unique(acts), limit)

    def _disjoint(self) -> bool:
        """Return True if all choices differ in act type, so that no act is in two of them."""
        return len({choice.act for choice in self.choices}) == len(self.choices)

    def count(self, limit: int | None = None) -> int:
        """Count the legal acts.

        Args:
            limit: The number at which counting stops.

        Returns:
            The number of legal acts, or the limit.
        """
        if self._disjoint() and not any(c.constraints for c in self.choices):
            total = sum(c.raw_count() for c in self.choices)
            return total if limit is None else min(total, limit)
        return sum(1 for _ in self.enumerate(limit))

    def sample(self, rng: Random) -> Act:
        """Draw a legal act uniformly: rejection sampling, then the full list if constraints reject too often.

        Args:
            rng: The source of random numbers.

        Returns:
            The act.

        Raises:
            LawBroken: There is no legal act. The questions of a match always have one.
        """
        choices = self.choices
        if len(choices) == 1 and not choices[0].constraints and choices[0].raw_count():
            return choices[0].act(*[d.draw(rng) for d in choices[0].domains])
        weights = [c.raw_count() for c in choices]
        total = sum(weights)
        for _ in range(_SAMPLE_TRIES if total else 0):
            pick = below(rng, total)
            index = 0
            while pick >= weights[index]:
                pick -= weights[index]
                index += 1
            act = choices[index].draw(rng)
            # Accept an act that several choices contain from the first of them only, or it would be favoured.
            if act is not None and not (
                index and any(c.act is type(act) and c.fault(act) is None for c in choices[:index])
            ):
                return act
        acts = list(self.enumerate(100_000))
        if not acts:
            raise LawBroken("an ask without a legal answer")
        return acts[below(rng, len(acts))]

    def sample_kind(self, rng: Random) -> Act:
        """Draw an act type uniformly, then an act of that type: fuzzers would hardly meet rare types otherwise.

        Args:
            rng: The source of random numbers.

        Returns:
            The act.
        """
        kinds = sorted({c.act.__name__ for c in self.choices})
        kind = kinds[below(rng, len(kinds))]
        picked = Options([c for c in self.choices if c.act.__name__ == kind])
        if picked.count(limit=1):
            return picked.sample(rng)
        return self.sample(rng)

    def nearest(self, act: Act, limit: int = 3) -> tuple[Act, ...]:
        """Return legal acts close to one that is not.

        Args:
            act: An illegal act.
            limit: The most acts to return.

        Returns:
            Legal acts of the same type with most fields alike; the first legal acts if none has its type.
        """
        near = [choice.nearest(act) for choice in self._closest(act)]
        found = list(dict.fromkeys(a for a in near if a is not None))[:limit]
        return tuple(found or self.enumerate(limit))
