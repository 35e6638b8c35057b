"""Priorities: ordered criteria that narrow options down, until one is left or those that tie go to the humans."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from landsraad_engine.kernel.frames import rule

Option = TypeVar("Option")
#: What a criterion makes of an option: the higher, the better.
Criterion: TypeAlias = Callable[[Option], Any]


@rule("WFA-Y.5")
def best(options: Iterable[Option], *criteria: Criterion[Option]) -> list[Option]:
    """Return the options that are best by the first criterion, of these by the second, and so on."""
    left = list(options)
    for criterion in criteria:
        if len(left) < 2:
            break
        worth = [criterion(option) for option in left]
        highest = max(worth)
        left = [option for option, each in zip(left, worth, strict=True) if each == highest]
    return left


def ranking(options: Iterable[Option], *criteria: Criterion[Option]) -> tuple[tuple[Option, ...], ...]:
    """Return all options from best to worst, those that tie together."""
    left = list(options)
    groups = []
    while left:
        first = best(left, *criteria)
        groups.append(tuple(first))
        left = [option for option in left if option not in first]
    return tuple(groups)


def without(groups: Sequence[Sequence[Option]], gone: Option) -> tuple[tuple[Option, ...], ...]:
    """Return a ranking without one of its options."""
    kept = (tuple(option for option in group if option != gone) for group in groups)
    return tuple(group for group in kept if group)
