"""The choice of an act by menus that narrow until one act is left.

If there are few acts, a menu lists them. If there are many, it lists kinds of act, then the values of one field after
the other. It offers only what can still be completed to a legal act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, Final, TypeAlias

from landsraad_engine.kernel.domains import Alloc, Domain, OneOf, Order, Range, Subset
from landsraad_engine.kernel.grammar import Act, Choice, Options

#: The most acts or values in one menu, and the most acts of one kind next to other kinds.
MOST: Final = 40
_FEW: Final = 8


@dataclass(frozen=True, slots=True)
class Kind:
    """A line of a menu: the acts of one kind, which are too many to list."""

    kind: type[Act]
    options: Options


@dataclass(frozen=True, slots=True)
class Value:
    """A line of a menu: one value of a field."""

    field: str
    value: Any
    domain: Domain
    options: Options


@dataclass(frozen=True, slots=True)
class Typed:
    """A prompt instead of a menu: the field has too many values, so one has to be typed."""

    field: str
    domain: Domain
    options: Options


Line: TypeAlias = Act | Kind | Value
Menu: TypeAlias = list[Line] | Typed


def menu(options: Options) -> Menu:
    """Return the next menu."""
    kinds = list(dict.fromkeys(choice.act for choice in options.choices))
    few = options.count(limit=MOST + 1) <= MOST
    if len(kinds) == 1:
        return list(options.enumerate()) if few and not _of_numbers(options) else _fields(options)
    lines: list[Line] = []
    for kind in kinds:
        of_kind = Options([choice for choice in options.choices if choice.act is kind])
        listed = (few or of_kind.count(limit=_FEW + 1) <= _FEW) and not _of_numbers(of_kind)
        lines += of_kind.enumerate() if listed else [Kind(kind, of_kind)]
    return lines


def _of_numbers(options: Options) -> bool:
    """Return whether acts of one kind differ in one number only: a list would number the numbers."""
    names = options.choices[0].names
    acts = list(options.enumerate(_FEW))
    varying = [name for name in names if len({getattr(act, name) for act in acts}) > 1]
    return len(acts) > 2 and len(varying) == 1 and all(_is_number(getattr(act, varying[0])) for act in acts)


def _is_number(value: Any) -> bool:
    """Return whether a value is typed as one number."""
    return type(value) is int or (type(value) is tuple and len(value) == 1 and type(value[0]) is int)


def _fields(options: Options) -> Menu:
    """Return a menu of the values of the first field that is still open."""
    for name in options.choices[0].names:
        domains = [choice.domain(name) for choice in options.choices]
        if sum(domain.count() for domain in domains) > MOST:
            return Typed(name, _together(domains), options)
        values = list(dict.fromkeys(value for domain in domains for value in domain.values()))
        if all(type(value) is int for value in values):
            values = sorted(value for value in values if with_value(options, name, value))
            if len(values) > 1:
                return Typed(name, _numbers(values), options)
        if len(domains) == 1 and len(values) > 2 and all(map(_is_number, values)):
            return Typed(name, domains[0], options)
        if len(values) > 1:
            lines: list[Line] = [
                Value(name, value, domains[0], left) for value in values if (left := with_value(options, name, value))
            ]
            if len(lines) > 1:
                return lines
    return list(options.enumerate(MOST))


def _numbers(values: list[int]) -> Domain:
    """Return the domain of some sorted numbers."""
    low, high = values[0], values[-1]
    return Range(low=low, high=high) if high - low == len(values) - 1 else OneOf(items=tuple(values))


def _together(domains: list[Domain]) -> Domain:
    """Return one domain for a field whose domain differs between choices: the widest range, or all the values."""
    kinds = {type(domain) for domain in domains}
    if kinds == {OneOf}:
        return OneOf(items=tuple(dict.fromkeys(value for domain in domains for value in domain.values())))
    if kinds <= {Range, OneOf}:
        return _numbers(sorted({value for domain in domains for value in domain.values()}))
    return domains[0]


def with_value(options: Options, name: str, value: Any) -> Options | None:
    """Return the acts whose field has this value; None if there are none."""
    choices = [_with_value(choice, name, value) for choice in options.choices if choice.domain(name).has(value)]
    left = Options(choices)
    return left if left.count(limit=1) else None


def _with_value(choice: Choice, name: str, value: Any) -> Choice:
    domains = dict(zip(choice.names, choice.domains, strict=True)) | {name: OneOf(items=(value,))}
    return Choice(choice.act, *choice.constraints, why=choice.why, **domains)


def default_act(options: Options) -> Act | None:
    """Return the act that leaves all open fields at their defaults; None if there is no such act, or several."""
    return Options([_with_defaults(choice) for choice in options.choices]).only()


def _with_defaults(choice: Choice) -> Choice:
    kind = choice.act
    defaulted = kind.__struct_fields__[len(kind.__struct_fields__) - len(kind.__struct_defaults__) :]
    for name, default in zip(defaulted, kind.__struct_defaults__, strict=True):
        domain = choice.domain(name)
        if domain.count() > 1 and domain.has(default):
            choice = _with_value(choice, name, default)
    return choice


def between(low: int, high: int) -> str:
    """Return a range of numbers in words."""
    if low == high:
        return f"exactly {low}"
    return f"up to {high}" if low == 0 else f"between {low} and {high}"


def hint(
    domain: Domain,
    say: Callable[[Any], str],
    amount: Callable[[int, str], str],
    remark: Callable[[Any], str] = lambda _: "",
) -> str:
    """Explain how to type a value. ``say`` names a value, ``amount`` a number of what a slot counts, and ``remark``
    tells more about a value.
    """
    match domain:
        case Range(low=low, high=high):
            return f"type a number, {between(low, high)}"
        case Alloc(slots=slots, caps=caps, low=low, high=high):
            each = ", then ".join(f"up to {amount(cap, slot)}" for slot, cap in zip(slots, caps, strict=True))
            numbers = "a number" if len(slots) == 1 else f"{len(slots)} numbers"
            return f"type {numbers}: {each}; {between(low, high)} in all"
        case Subset(items=items, low=low, high=high):
            none = "; just Enter chooses none" if low == 0 else ""
            listed = _list(enumerate(items, 1), say)
            return f"choose {between(low, high)} of these by numbers, as in 1 2, or names with commas{none}: {listed}"
        case Order(items=items):
            return f"type all these numbers in the order you want: {_list(enumerate(items, 1), say)}"
        case OneOf(items=items) if all(type(item) is int for item in items):
            return f"type one of the numbers {', '.join(map(str, items))}"
        case _:
            return f"type the number, or part of the name, of one of these: {_list(_numbered(domain), say, remark)}"


def parse_typed(domain: Domain, text: str) -> Any:
    """Parse a value that was typed.

    Raises:
        ValueError: The text is not a value of the domain.
    """
    numbers = [int(word) for word in text.replace(",", " ").split()]
    match domain:
        case Range():
            (value,) = numbers
            return value
        case Alloc():
            return tuple(numbers)
        case Subset(items=items) | Order(items=items):
            if not all(1 <= number <= len(items) for number in numbers):
                raise ValueError(text)
            chosen = tuple(items[number - 1] for number in numbers)
            return tuple(sorted(chosen)) if isinstance(domain, Subset) else chosen
        case OneOf(items=items) if all(type(item) is int for item in items):
            (value,) = numbers
            return value
        case _:
            (number,) = numbers
            return dict(_numbered(domain))[number]


def named_values(domain: Domain) -> list[Any]:
    """Return the values among which a part of a name may search: those that are chosen one at a time."""
    match domain:
        case OneOf(items=items) if not all(type(item) is int for item in items):
            return list(items)
        case Subset(items=items, low=low, high=1) if low <= 1:
            return list(dict.fromkeys((item,) for item in items))
        case _:
            return []


def _numbered(domain: Domain) -> Iterator[tuple[int, Any]]:
    return enumerate(islice(domain.values(), 500), 1)


def _list(
    numbered: Iterable[tuple[int, Any]], say: Callable[[Any], str], remark: Callable[[Any], str] = lambda _: ""
) -> str:
    """List values with their numbers. Neighbours with the same remark share it."""
    groups = []
    for told, pairs in groupby(numbered, lambda pair: remark(pair[1])):
        names = [f"{number} {say(value)}" for number, value in pairs]
        shared = f" ({'each ' if len(names) > 1 else ''}{told})" if told else ""
        groups.append(", ".join(names) + shared)
    return "; ".join(groups)
