"""The grammar of answers: contains, enumerate, sample and count agree with each other."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from landsraad_engine.errors import LawBroken
from landsraad_engine.kernel import grammar
from landsraad_engine.kernel.grammar import (
    Act,
    Alloc,
    Choice,
    Clause,
    Constraint,
    Distinct,
    Domain,
    Linear,
    Literal,
    OneOf,
    Options,
    Order,
    Path,
    Range,
    Rows,
    Subset,
    Term,
    excludes,
    requires,
)
from landsraad_engine.testing.fairness import looks_uniform

grammar.GRAPHS["square"] = {"a": ("b", "c"), "b": ("a", "d"), "c": ("a", "d"), "d": ("b", "c", "e"), "e": ("d",)}


class Deed(Act, frozen=True):
    what: Any
    how: Any
    more: Any


class Other(Act, frozen=True):
    what: Any


letters = st.lists(st.sampled_from("abcd"), max_size=4).map(lambda items: tuple(sorted(items)))
small = st.integers(0, 3)
areas = st.sampled_from("abcde")
area_sets = st.lists(areas, max_size=2, unique=True).map(tuple)
domains: st.SearchStrategy[Domain] = st.one_of(
    st.lists(st.sampled_from([None, 0, 1, 2, "a", "b"]), min_size=1, max_size=4, unique=True).map(
        lambda items: OneOf(tuple(items))
    ),
    st.builds(lambda low, more: Range(low, low + more), st.integers(-2, 2), small),
    st.builds(Subset, letters, small, small),
    st.builds(
        lambda caps, low, high: Alloc(tuple("pqrs"[: len(caps)]), tuple(caps), low, high),
        st.lists(small, min_size=1, max_size=3),
        small,
        st.integers(0, 6),
    ),
    letters.map(Order),
    st.builds(
        lambda start, steps, blocked, stops, ends: Path("square", start, steps, blocked, stops, ends),
        areas,
        st.integers(1, 4),
        area_sets,
        area_sets,
        st.none() | area_sets,
    ),
)


def candidates(domain: Domain) -> list[Any]:
    """Return all values of the right type for a domain, legal or not."""
    if isinstance(domain, Subset | Order):
        return [value for size in range(5) for value in product("abcd", repeat=size)]
    if isinstance(domain, Alloc):
        return list(product(range(-1, 5), repeat=len(domain.caps)))
    if isinstance(domain, Path):
        return [value for size in range(6) for value in product("abcde", repeat=size)]
    return [None, "a", "b", "z", True, *range(-4, 8)]


@given(domains)
@settings(max_examples=150, deadline=None)
def test_a_domain_lists_counts_and_contains_the_same_values(domain: Domain) -> None:
    listed = list(domain.values())
    assert len(listed) == len(set(listed)) == domain.count()
    # bool is not int here: (True, 1) are equal values of different types
    assert {(type(v), v) for v in candidates(domain) if domain.has(v)} == {(type(v), v) for v in listed}


@given(domains)
@settings(max_examples=50, deadline=None)
def test_a_domain_as_plain_data_is_what_any_encoder_makes_of_it(domain: Domain) -> None:
    assert repr(domain.plain()) == repr(msgspec.to_builtins(domain))


@given(domains, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_a_drawn_or_near_value_is_contained(domain: Domain, rng: Random) -> None:
    assume(domain.count())
    assert domain.has(domain.draw(rng))
    for wrong in candidates(domain)[:200]:
        near = domain.near(wrong)
        assert domain.has(near), f"{near} is near {wrong}, but not legal"


@pytest.mark.parametrize(
    "domain",
    [
        OneOf(("a", None, 3)),
        Range(-1, 3),
        Subset(("a", "b", "c", "d"), 1, 3),
        Subset(("a", "a", "b", "b", "c"), 0, 3),
        Alloc(("p", "q", "r"), (2, 1, 3), 2, 4),
        Order(("a", "a", "b", "c")),
        Path("square", "a", 3, ends=("d", "e")),
    ],
    ids=lambda domain: type(domain).__name__,
)
def test_every_value_is_drawn_equally_often(domain: Domain) -> None:
    rng = Random(7)
    assert looks_uniform(Counter(domain.draw(rng) for _ in range(60 * domain.count())), list(domain.values()))


def test_domains_far_too_large_to_list_are_still_counted_drawn_and_begun() -> None:
    troops = Alloc(tuple(f"area {n}" for n in range(40)), (20,) * 40, 20, 400)
    cards = Subset(tuple(f"card {n:02}" for n in range(40)), 5, 10)
    doubles = Subset(tuple(sorted(f"card {n // 2:02}" for n in range(40))), 5, 10)
    rng = Random(1)
    for domain in (troops, cards, doubles):
        assert domain.count() > 100_000
        assert domain.has(next(domain.values()))
        assert all(domain.has(domain.draw(rng)) for _ in range(50))
    choice = Choice(Deed, what=troops, how=cards, more=doubles)
    options = Options([choice, choice])
    assert len(list(options.enumerate(5))) == 5
    assert options.count(limit=9) == 9
    assert options.contains(options.sample(rng))


@pytest.mark.parametrize("wrong", [None, 1, "a", (), ("a",), (1, 1), [0], {"a": 1}, (None,), ((),), 1.0, True, (True,)])
@pytest.mark.parametrize(
    "domain",
    [
        OneOf((1, "b")),
        Range(5, 9),
        Subset(("b", "c"), 1, 2),
        Alloc(("p", "q"), (1, 1), 1, 1),
        Order(("b", "c")),
        Path("square", "a", 2),
    ],
)
def test_values_of_any_wrong_kind_are_refused_without_an_accident(domain: Domain, wrong: Any) -> None:
    assert domain.has(wrong) is (domain == OneOf((1, "b")) and type(wrong) is int)
    assert domain.has(domain.near(wrong))


# ---- Choices with constraints ----


def literals(names: tuple[str, ...]) -> st.SearchStrategy[Literal]:
    values = st.lists(st.sampled_from([None, 0, 1, 2, "a", (), ("a",)]), min_size=1, max_size=3).map(tuple)
    return st.builds(Literal, st.sampled_from(names), values, st.booleans())


names = ("what", "how", "more")
pairs = st.lists(st.sampled_from(names), min_size=2, max_size=3, unique=True).map(tuple)
constraints: st.SearchStrategy[Constraint] = st.one_of(
    st.lists(literals(names), min_size=1, max_size=3).map(lambda found: Clause(tuple(found))),
    st.builds(
        lambda fields, low, span: Linear(
            tuple(Term(name, 1, table=(("a", 2), ("b", 1), (1, 1), ((), 3))) for name in fields), low, low + span
        ),
        pairs,
        st.integers(-1, 3),
        small,
    ),
    pairs.map(Distinct),
    st.builds(
        lambda fields, rows: Rows(fields, tuple(tuple(row[: len(fields)]) for row in rows)),
        pairs,
        st.lists(st.lists(st.sampled_from([None, 0, 1, "a", ()]), min_size=3, max_size=3), max_size=6),
    ),
)
few = domains.filter(lambda domain: domain.count() <= 12)
choices = st.builds(
    lambda what, how, more, conditions: Choice(Deed, *conditions, what=what, how=how, more=more),
    few,
    few,
    few,
    st.lists(constraints, max_size=2),
)
others = few.map(lambda what: Choice(Other, what=what))
unions = st.lists(choices | others, min_size=1, max_size=3).map(Options)


def product_of(choice: Choice) -> list[Act]:
    """Return the legal acts of a choice by brute force."""
    acts = [choice.act(*values) for values in product(*(domain.values() for domain in choice.domains))]
    return [act for act in acts if all(constraint.holds(act) for constraint in choice.constraints)]


@given(unions, st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_options_list_count_contain_and_sample_the_same_acts(options: Options, rng: Random) -> None:
    listed = list(options.enumerate())
    assert listed == list(dict.fromkeys(act for choice in options.choices for act in product_of(choice)))
    assert options.count() == len(listed)
    assert options.count(limit=3) == min(len(listed), 3)
    assert list(options.enumerate(2)) == listed[:2]
    assert list(options.enumerate(0)) == []
    assert all(options.contains(act) for act in listed)
    assert options.only() == (listed[0] if len(listed) == 1 else None)
    if not listed:
        with pytest.raises(LawBroken, match="without a legal answer"):
            options.sample(rng)
        return
    for _ in range(10):
        assert options.sample(rng) in listed
        assert options.sample_kind(rng) in listed


@given(unions, st.lists(st.sampled_from([None, 0, 1, 5, "a", (), ("a",), (1, 0)]), min_size=3, max_size=3))
@settings(max_examples=200, deadline=None)
def test_what_is_not_listed_is_refused_with_legal_acts_nearby(options: Options, values: list[Any]) -> None:
    listed = list(options.enumerate())
    for act in (Deed(*values), Other(values[0])):
        fault = options.fault(act)
        assert (fault is None) == (act in listed)
        near = options.nearest(act)
        assert set(near) <= set(listed)
        assert bool(near) == bool(listed)
        if fault is not None and any(choice.act is type(act) for choice in options.choices):
            assert set(fault.field.split(", ")) <= set(act.__struct_fields__)


def test_an_act_is_measured_by_the_choice_that_it_comes_closest_to() -> None:
    """With a choice for each place, the fault is the number, not a place that differs from the first choice."""
    options = Options([Choice(Deed, what=OneOf((place,)), how=Range(1, 2), more=Range(0, 0)) for place in "abcd"])
    wrong = Deed("c", 7, 0)
    fault = options.fault(wrong)
    assert fault is not None
    assert (fault.field, fault.message) == ("how", "how may not be 7 here")
    assert options.nearest(wrong)[0] == Deed("c", 2, 0)


@given(unions)
@settings(max_examples=50, deadline=None)
def test_equal_grammars_are_equal_bytes(options: Options) -> None:
    again = Options(
        [
            Choice(c.act, *c.constraints, why=c.why, **dict(zip(c.names, c.domains, strict=True)))
            for c in options.choices
        ]
    )
    assert msgspec.msgpack.encode(options.plain()) == msgspec.msgpack.encode(again.plain())


# ---- Composing an act step by step ----


def extends(domain: Domain, value: Any, partial: tuple[Any, ...], element: Any) -> bool:
    """Return True if a compound value can be composed by this element after these."""
    if isinstance(domain, Subset):
        return not Counter((*partial, element)) - Counter(value)
    return bool(value[: len(partial) + 1] == (*partial, element))


def composed(choice: Choice, listed: list[Act], rng: Random) -> Act:
    """Compose an act by random values, comparing each step with what the list of legal acts allows."""
    chosen: dict[str, Any] = {}
    partial: tuple[Any, ...] = ()
    while left := [name for name in choice.names if name not in chosen]:
        name = rng.choice(left)
        while name not in chosen:
            step = choice.next_values(chosen, partial, name)
            assert step is not None
            offered = list(step.values.values())
            assert len(offered) == len(set(offered))
            values = [getattr(act, name) for act in listed if chosen.items() <= msgspec.structs.asdict(act).items()]
            domain = choice.domain(name)
            if not step.compound:
                assert set(offered) == set(values)
                chosen[name] = rng.choice(offered)
                continue
            assert step.finished == (step.partial in values)
            elements = {e for value in values for e in value if extends(domain, value, step.partial, e)}
            assert set(offered) == elements
            if step.finished and (not offered or rng.random() < 0.3):
                chosen[name], partial = step.partial, ()
            else:
                partial = (*step.partial, rng.choice(offered))
    assert choice.next_values(chosen) is None
    return choice.act(**chosen)


@given(choices, st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_a_step_offers_exactly_what_can_be_completed(choice: Choice, rng: Random) -> None:
    listed = list(choice.enumerate())
    if not listed:
        step = choice.next_values({})
        assert step is not None
        assert (step.finished, step.values.count()) == (False, 0)
        return
    for _ in range(4):
        assert composed(choice, listed, rng) in listed


def test_the_choices_of_a_type_offer_their_values_together() -> None:
    options = Options(
        [
            Choice(Deed, requires("what", ["a"], "how", [9]), what=OneOf(("a",)), how=Range(1, 2), more=OneOf((1,))),
            Choice(Deed, what=OneOf(("b",)), how=Range(1, 2), more=Subset(("p", "q", "q"), 1, 2)),
            Choice(Deed, what=OneOf(("c", "b")), how=Range(3, 4), more=Subset(("p",), 1, 1)),
            Choice(Other, what=OneOf(("d",))),
        ]
    )

    def step(chosen: dict[str, Any], partial: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        found = options.next_values(Deed, chosen, partial)
        assert found is not None
        return found.field, found.values, found.partial, found.compound, found.finished

    assert step({}) == ("what", OneOf(("b", "c")), (), False, False)
    assert step({"what": "b"}) == ("how", Range(1, 4), (), False, False)
    assert step({"what": "c"}) == ("how", Range(3, 4), (), False, False)
    assert step({"what": "a"}) == ("how", OneOf(()), (), False, False)
    assert step({"what": "b", "how": 2}) == ("more", OneOf(("p", "q")), (), True, False)
    assert step({"what": "b", "how": 2}, ("q",)) == ("more", OneOf(("p", "q")), ("q",), True, True)
    assert step({"what": "b", "how": 2}, ("q", "p")) == ("more", OneOf(()), ("p", "q"), True, True)
    nothing = options.next_values(Deed, {"what": "b", "how": 3}, ("q",))
    assert nothing is not None
    assert (nothing.field, nothing.values, nothing.finished) == ("more", OneOf(()), False)
    assert options.next_values(Deed, {"what": "b", "how": 2, "more": ("p", "q")}) is None


def test_a_step_names_what_cannot_be_composed() -> None:
    choice = Choice(Other, what=OneOf((1, 2)))
    options = Options([choice, Choice(Other, what=Subset(("p",), 0, 1))])
    with pytest.raises(LawBroken, match="no field 'where', only what"):
        choice.next_values({"where": 1})
    with pytest.raises(LawBroken, match="what is not composed of elements"):
        choice.next_values({}, (1,))
    with pytest.raises(LawBroken, match="Deed is not among"):
        options.next_values(Deed, {})
    with pytest.raises(LawBroken, match="what is composed in several ways"):
        options.next_values(Other, {})


UNIFORM: dict[str, Callable[[], Options]] = {
    "no constraint": lambda: Options([Choice(Other, what=Range(0, 4))]),
    "cost": lambda: Options(
        [
            Choice(
                Deed,
                Linear((Term("what", weights=(1, 2)), Term("how")), high=4),
                what=Alloc(("p", "q"), (3, 2), 0, 5),
                how=Range(0, 3),
                more=OneOf((None,)),
            )
        ]
    ),
    "overlap": lambda: Options(
        [
            Choice(Other, what=Range(0, 3)),
            Choice(Other, what=Range(2, 6)),
            Choice(Deed, Distinct(("what", "how")), what=Range(0, 2), how=Range(0, 2), more=OneOf((None,))),
        ]
    ),
    "hardly anything fits": lambda: Options(
        [
            Choice(
                Deed,
                Rows(("what", "how", "more"), ((7, 7, 7), (8, 1, 2), (29, 0, 0))),
                what=Range(0, 29),
                how=Range(0, 9),
                more=Range(0, 9),
            )
        ]
    ),
}


@pytest.mark.parametrize("case", UNIFORM)
def test_every_legal_act_is_sampled_equally_often(case: str) -> None:
    options = UNIFORM[case]()
    listed = list(options.enumerate())
    rng = Random(11)
    assert looks_uniform(Counter(options.sample(rng) for _ in range(60 * len(listed))), listed)


def test_a_kind_of_act_is_sampled_as_often_as_any_other() -> None:
    options = Options(
        [Choice(Other, what=Range(0, 999)), Choice(Deed, what=OneOf((1,)), how=OneOf((1,)), more=OneOf((1,)))]
    )
    rng = Random(5)
    assert looks_uniform(Counter(type(options.sample_kind(rng)) for _ in range(200)), [Other, Deed])


def test_requires_and_excludes_read_as_they_are_written() -> None:
    def legal(constraint: Constraint) -> set[tuple[Any, Any]]:
        choice = Choice(Deed, constraint, what=Range(0, 2), how=Range(0, 2), more=OneOf((None,)))
        return {(act.what, act.how) for act in choice.enumerate() if isinstance(act, Deed)}

    every = set(product(range(3), repeat=2))
    assert legal(requires("what", [1, 2], "how", [0])) == every - {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert legal(excludes("what", [1, 2], "how", [0])) == every - {(1, 0), (2, 0)}


@pytest.mark.parametrize(
    ("term", "value", "worth"),
    [
        (Term("what"), 3, 3),
        (Term("what", 2), 3, 6),
        (Term("what"), None, 0),
        (Term("what"), True, 1),
        (Term("what", 2), ("a", "b"), 4),
        (Term("what", 2), (), 0),
        (Term("what", 2), (1, 3), 8),
        (Term("what", weights=(1, 5)), (2, 3), 17),
        (Term("what", table=(("a", 4),)), "a", 4),
        (Term("what", table=(("a", 4),)), "b", 0),
    ],
)
def test_what_a_term_is_worth(term: Term, value: Any, worth: int) -> None:
    assert term.of(Other(value)) == worth


def test_a_choice_needs_a_domain_for_every_field() -> None:
    with pytest.raises(LawBroken, match="has the fields"):
        Choice(Deed, what=Range(0, 1))
    swapped = Choice(Deed, more=Range(0, 0), what=Range(1, 1), how=Range(2, 2))
    assert list(swapped.enumerate()) == [Deed(1, 2, 0)]


def test_more_than_512_rows_must_be_split() -> None:
    with pytest.raises(LawBroken, match="512"):
        Rows(("what",), tuple((n,) for n in range(513)))


def test_a_refusal_names_the_field_and_the_rule() -> None:
    choice = Choice(
        Deed,
        Distinct(("what", "how"), why="R-1.2"),
        what=Range(0, 2, why="R-1.1"),
        how=Range(0, 2),
        more=OneOf((None,)),
        why="R-1.0",
    )
    options = Options([choice])

    def found(*values: Any) -> tuple[str, str]:
        fault = options.fault(Deed(*values))
        assert fault is not None
        return fault.field, fault.rule

    assert found(9, 0, None) == ("what", "R-1.1")
    assert found(0, 9, None) == ("how", "R-1.0")
    assert found(1, 1, None) == ("what, how", "R-1.2")


@pytest.mark.parametrize(
    ("value", "said"),
    [(True, "true"), (None, "nothing"), ((), "[]"), (("a", 2, (False,)), "['a', 2, [false]]"), (7, "7"), ("b", "'b'")],
)
def test_a_refused_value_is_told_in_no_programming_language(value: Any, said: str) -> None:
    fault = Options((Choice(Other, what=OneOf(("a",)), why="R-1"),)).fault(Other(value))
    assert fault is not None
    assert fault.message == f"what may not be {said} here"
