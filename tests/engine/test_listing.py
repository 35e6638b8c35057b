"""Listing legal acts: in the order of the recursive definition, at a constant cost for each act."""

import sys
from collections.abc import Callable, Iterator
from itertools import chain, islice, product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.dune.game import DUNE
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Alloc, Choice, Domain, Options, Range, Subset
from landsraad_engine.teaching.game import TEACHING


class Visit(Act, frozen=True):
    areas: tuple[str, ...]


def fillings(caps: tuple[int, ...], low: int, high: int) -> Iterator[tuple[int, ...]]:
    """Yield the allocations in their defining order, one slot after the other, the smaller number first."""
    if not caps:
        if low <= 0 <= high:
            yield ()
        return
    for n in range(caps[0] + 1):
        if n <= high and low <= n + sum(caps[1:]):
            for rest in fillings(caps[1:], low - n, high - n):
                yield (n, *rest)


def ordered(domain: Domain) -> Iterator[Any]:
    """Yield the values of a domain in their defining order."""
    if isinstance(domain, Alloc):
        yield from fillings(domain.caps, domain.low, domain.high)
    elif isinstance(domain, Subset):
        kinds = sorted(set(domain.items))
        for counts in fillings(tuple(domain.items.count(kind) for kind in kinds), domain.low, domain.high):
            yield tuple(kind for kind, n in zip(kinds, counts, strict=True) for _ in range(n))
    else:
        yield from domain.values()


def defined(choice: Choice, head: tuple[Any, ...] = ()) -> Iterator[Act]:
    """Yield the legal acts that begin with ``head`` in their defining order, field by field."""
    if len(head) == len(choice.names):
        yield choice.act(*head)
        return
    for value in ordered(choice.domains[len(head)]):
        known = dict(zip(choice.names, (*head, value), strict=False))
        due = [c for c in choice.constraints if set(c.fields()) <= set(known)]
        if all(constraint.holds(SimpleNamespace(**known)) for constraint in due):
            yield from defined(choice, (*head, value))


class Errand(Act, frozen=True):
    day: int
    hour: int
    cost: int


caps = st.lists(st.integers(0, 3), max_size=5).map(tuple)


@given(caps, st.integers(-1, 6), st.integers(-1, 9))
@settings(max_examples=300, deadline=None)
def test_allocations_and_subsets_come_in_lexicographic_order(most: tuple[int, ...], low: int, high: int) -> None:
    counts = [n for n in product(*(range(cap + 1) for cap in most)) if low <= sum(n) <= high]
    assert list(Alloc(tuple("pqrst"[: len(most)]), most, low, high).values()) == counts
    items = tuple(kind for kind, n in zip("pqrst", most, strict=False) for _ in range(n))
    subsets = [tuple(kind for kind, n in zip("pqrst", found, strict=False) for _ in range(n)) for found in counts]
    assert list(Subset(items, low, high).values()) == subsets


@pytest.mark.parametrize(
    ("game", "seats"), [(TEACHING, 3), (DUNE, 4), (ARRAKIS, 2)], ids=["teaching", "dune", "arrakis"]
)
def test_a_question_lists_its_acts_in_the_defining_order(
    questions_of: Callable[[Game, int, str], list[Options]], game: Game, seats: int
) -> None:
    found = questions_of(game, seats, "order")
    assert len(found) > 10
    for options in found[:: max(1, len(found) // 120)]:
        acts = chain.from_iterable(map(defined, options.choices))
        limit = 60
        assert list(options.enumerate(limit)) == list(islice(dict.fromkeys(islice(acts, 4 * limit)), limit))


def test_fields_with_many_values_come_back_whole_for_each_value_before_them() -> None:
    """Few values are kept from the second time on, many are listed anew."""
    choice = Choice(Errand, day=Range(0, 3), hour=Range(0, 99), cost=Range(0, 2))
    assert list(choice.enumerate()) == [Errand(*values) for values in product(range(4), range(100), range(3))]


def events(options: Options, limit: int) -> int:
    """Return how many calls (of functions, and resumptions of generators) listing so many acts takes."""
    counted = 0

    def count(frame: Any, event: str, arg: Any) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        listed = list(options.enumerate(limit))
    finally:
        sys.setprofile(before)
    assert len(listed) == limit
    return counted


@pytest.mark.parametrize(("low", "high"), [(0, 2), (0, 50), (3, 3), (20, 25)])
def test_an_act_of_a_long_list_costs_the_same_as_one_of_a_short_list(low: int, high: int) -> None:
    """Listing subsets of 50 areas once resumed 50 generators for each act."""
    areas = tuple(f"area {n:02}" for n in range(50))
    many = Options([Choice(Visit, areas=Subset(areas, low, high))])
    events(many, 10)  # fill the caches
    assert events(many, 1000) < 12 * 1000
