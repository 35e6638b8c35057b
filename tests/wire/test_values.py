"""Values and the grammar of answers on the wire: property tests of round trips."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from landsraad.v1 import ask_pb2, value_pb2
from landsraad.wire.grammar import read_choice, write_offered, write_options
from landsraad.wire.values import read_value, write_value
from landsraad_engine.kernel.constraints import Clause, Constraint, Distinct, Linear, Literal, Rows, Term
from landsraad_engine.kernel.domains import Alloc, Domain, OneOf, Order, Path, Range, Subset
from landsraad_engine.kernel.grammar import Act, Choice, Options

numbers = st.integers(-(1 << 31), (1 << 31) - 1)
small = st.integers(-3, 300)
words = st.text(max_size=6)
plain = st.recursive(
    st.none() | st.booleans() | numbers | words, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=12
)
some = st.lists(plain, max_size=4).map(tuple)
some_words = st.lists(words, max_size=4).map(tuple)
some_numbers = st.lists(small, max_size=4).map(tuple)


class Deed(Act, frozen=True):
    what: Any
    how: Any


FIELDS = st.sampled_from(["what", "how"])
domains: st.SearchStrategy[Domain] = st.one_of(
    st.builds(OneOf, some, why=words),
    st.builds(Range, small, small, why=words),
    st.builds(Subset, some, small, small, why=words),
    st.builds(Alloc, some_words, some_numbers, small, small, why=words),
    st.builds(Order, some, why=words),
    st.builds(Path, words, words, small, some_words, some_words, st.none() | some_words, why=words),
)
terms = st.builds(Term, FIELDS, small, some_numbers, st.lists(st.tuples(plain, small), max_size=3).map(tuple))
constraints: st.SearchStrategy[Constraint] = st.one_of(
    st.builds(Clause, st.lists(st.builds(Literal, FIELDS, some, st.booleans()), max_size=3).map(tuple), why=words),
    st.builds(Linear, st.lists(terms, max_size=3).map(tuple), why=words),
    st.builds(Linear, st.lists(terms, max_size=3).map(tuple), small, small, why=words),
    st.builds(Distinct, st.lists(FIELDS, max_size=2).map(tuple), why=words),
    st.builds(Rows, st.just(("what", "how")), st.lists(st.tuples(plain, plain), max_size=3).map(tuple), why=words),
)
choices = st.builds(
    lambda what, how, between, why: Choice(Deed, *between, why=why, what=what, how=how),
    domains,
    domains,
    st.lists(constraints, max_size=2),
    words,
)


@given(plain)
@settings(max_examples=200, deadline=None)
def test_a_value_comes_back_with_its_type(value: Any) -> None:
    raw = write_value(value)
    parsed = value_pb2.Value.FromString(raw)
    assert parsed.SerializeToString(deterministic=True) == raw
    assert repr(read_value(parsed)) == repr(value)  # repr distinguishes 1 from True


@given(st.lists(choices, max_size=3))
@settings(max_examples=200, deadline=None)
def test_options_come_back(offered: list[Choice]) -> None:
    form = Options(offered).plain()
    raw = write_options(form)
    parsed = ask_pb2.Options.FromString(raw)
    assert parsed.SerializeToString(deterministic=True) == raw
    read = Options([read_choice(choice, {"Deed": Deed}) for choice in parsed.choices])
    assert repr(read.plain()) == repr(form)


@given(st.lists(choices, max_size=3))
@settings(max_examples=200, deadline=None)
def test_what_is_offered_is_written_as_its_plain_form_would_be(offered: list[Choice]) -> None:
    options = Options(offered)
    assert write_offered(options) == write_options(options.plain())


def test_equal_numbers_and_flags_are_not_taken_for_each_other() -> None:
    def written(item: Any) -> bytes:
        return write_options(Options([Choice(Deed, what=OneOf((item,)), how=OneOf((None,)))]).plain())

    assert written(1) != written(True)
    assert written(1) == written(1)
