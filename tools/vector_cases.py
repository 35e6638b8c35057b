"""Small handwritten questions: one for each feature of the grammar of answers."""

from collections.abc import Mapping
from typing import Any, Final

from landsraad_engine.kernel.constraints import Clause, Constraint, Distinct, Linear, Literal, Rows, Term, requires
from landsraad_engine.kernel.domains import GRAPHS, Alloc, Domain, OneOf, Order, Path, Range, Subset
from landsraad_engine.kernel.grammar import Act, Choice, Options


class Nothing(Act, frozen=True):
    """An act without fields."""


class Single(Act, frozen=True):
    """An act with one field."""

    one: Any


class Triple(Act, frozen=True):
    """An act with three fields."""

    one: Any
    two: Any
    three: Any


SQUARE: Final = "vectors/square"
GRAPHS[SQUARE] = {"a": ("b", "c"), "b": ("a", "d"), "c": ("a", "d"), "d": ("b", "c", "e"), "e": ("d",)}


def single(*domains: Domain) -> Options:
    """Return options with a single field, and a choice for each domain."""
    return Options([Choice(Single, one=domain) for domain in domains])


def triple(
    constraint: Constraint, one: Domain | None = None, two: Domain | None = None, three: Domain | None = None
) -> Options:
    """Return options with three fields and a constraint; the fields are two numbers and some letters by default."""
    letters = Subset(("p", "q", "r"), 0, 3)
    return Options([Choice(Triple, constraint, one=one or Range(0, 3), two=two or Range(0, 3), three=three or letters)])


_STATEMENTS = (Literal("one", (0,)), Literal("two", (3,)), Literal("three", ((), ("p",)), wanted=False))
_PRICES = Term("one", table=(("dear", 5), (None, 1)))
_NAMES = OneOf(("a", "b", None))

CASES: Final[Mapping[str, Options]] = {
    "one of a list; a flag is no number": single(OneOf((None, 0, True, "a", (1, "b")))),
    "a range": single(Range(-2, 3)),
    "a range without numbers": single(Range(3, 2), Range(7, 7)),
    "a subset": single(Subset(("a", "b", "c", "d"), 1, 2)),
    "a subset of numbers, sorted by size": single(Subset((2, 9, 10), 1, 3)),
    "a subset of texts, sorted by code point": single(Subset(("Z", "a_z", "ab"), 1, 3)),
    "a subset with doubles": single(Subset(("a", "b", "b", "b", "c", "c"), 2, 4)),
    "an allocation": single(Alloc(("x", "y", "z"), (2, 0, 3), 1, 3)),
    "an order": single(Order(("a", "b", "c"))),
    "an order of things that are partly equal": single(Order(("a", "b", "a"))),
    "a walk": single(Path(SQUARE, "a", 2)),
    "a walk with areas that are blocked, stop it, or end it": single(
        Path(SQUARE, "a", 4, blocked=("c",), stops=("d",), ends=("b", "d", "e"))
    ),
    "a walk from an area that may not be entered, and one from an area that stops": single(
        Path(SQUARE, "a", 2, blocked=("a",)), Path(SQUARE, "e", 2, stops=("e",))
    ),
    "a walk that may end nowhere, beside one that may": single(
        Path(SQUARE, "a", 2, ends=()), Path(SQUARE, "e", 2, ends=("c",))
    ),
    "several types of act": Options([Choice(Nothing), Choice(Single, one=OneOf(("a", "b")))]),
    "choices that overlap": single(Range(0, 3), Range(2, 5)),
    "if one then the other": triple(requires("one", [1, 2], "two", [0])),
    "one of three statements": triple(Clause(_STATEMENTS)),
    "a weighted sum": triple(Linear((Term("one", 2), Term("two", -1), Term("three", 3)), low=2, high=5)),
    "a sum of an allocation's slots": triple(
        Linear((Term("one", weights=(1, 3)), Term("two", -2)), high=0), Alloc(("x", "y"), (2, 2), 0, 4)
    ),
    "a sum of an allocation as a whole": triple(
        Linear((Term("one", 2), Term("two", -2)), low=0, high=0), Alloc(("x", "y"), (2, 2), 0, 4)
    ),
    "a sum of a number or nothing, and a flag": triple(
        Linear((Term("one", 2), Term("two"), Term("three", 3)), low=3, high=5),
        OneOf((None, 2)),
        three=OneOf((True, False)),
    ),
    "a sum of numbers by value": triple(
        Linear((_PRICES, Term("two")), low=3, high=6), OneOf(("dear", "cheap", None)), three=OneOf((True, False))
    ),
    "fields that differ": triple(Distinct(("one", "two", "three")), _NAMES, _NAMES, _NAMES),
    "listed combinations": triple(Rows(("one", "three"), ((0, ()), (1, ("p",)), (3, ("p", "q", "r"))))),
}
