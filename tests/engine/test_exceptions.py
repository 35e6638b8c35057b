"""Overrides: the four kinds of hooks, their conditions and their order."""

from enum import Enum, auto
from typing import Any

import pytest

from landsraad_engine.kernel import execution
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Act, Choice, Range
from landsraad_engine.kernel.overrides import OverrideOrder, Source
from landsraad_engine.kernel.snapshots import decode, encode
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import Content, Sight, Zone


class Query(Enum):
    PRICE = auto()


class Permit(Enum):
    ENTER = auto()


class Timing(Enum):
    DAWN = auto()
    DUSK = auto()


class Deed(Enum):
    DEATH = auto()


class Say(Act, frozen=True):
    number: int


TRACE = Zone("trace", Content.MARK, Sight.OPEN, {"trace": ()})


def trace(g: State, what: str) -> None:
    g.set_mark("trace", (*(g.table.get("trace") or ()), what))


@pytest.fixture
def with_sources(toy: Any, state_of: Any) -> Any:
    """Return a state of a game with these sources, with the sides amber and basalt in play."""

    def make(*sources: Source, frames: tuple[type[Frame], ...] = (), begin: bool = False) -> State:
        g: State = state_of(toy((TRACE,), frames, (Say,), sources=sources), ("amber", "basalt"))
        if begin:
            execution.begin(g)
        return g

    return make


def test_a_query_passes_through_all_that_modifies_it_in_order(with_sources: Any) -> None:
    guild, emperor, variant = Source("guild"), Source("emperor"), Source("variant")
    variant.modifies(Query.PRICE, OverrideOrder.LAST)(lambda g, price, buyer: price + 1)
    guild.modifies(Query.PRICE)(lambda g, price, buyer: price * 2)
    emperor.modifies(Query.PRICE)(lambda g, price, buyer: price - 3 if buyer == "emperor" else price)
    guild.modifies(Query.PRICE, OverrideOrder.FIRST)(lambda g, price, buyer: price + 10)
    g = with_sources(guild, emperor, variant)
    assert g.query(Query.PRICE, 5, "amber") == (5 + 10) * 2 + 1
    assert g.query(Query.PRICE, 5, "emperor") == (5 + 10) * 2 - 3 + 1
    assert with_sources().query(Query.PRICE, 5, "amber") == 5


@pytest.mark.parametrize(
    ("default", "permitted", "barred", "allowed"),
    [
        (False, False, False, False),
        (True, False, False, True),
        (False, True, False, True),
        (True, False, True, False),
        (False, True, True, False),
    ],
)
def test_a_bar_wins_over_a_permission_and_that_over_the_rule(
    with_sources: Any, default: bool, permitted: bool, barred: bool, allowed: bool
) -> None:
    one, other = Source("one"), Source("other")
    one.permits(Permit.ENTER)(lambda g, where: False)
    one.permits(Permit.ENTER)(lambda g, where: permitted and where == "sietch")
    other.forbids(Permit.ENTER)(lambda g, where: barred and where == "sietch")
    assert with_sources(one, other).allowed(Permit.ENTER, "sietch", default=default) is allowed
    assert with_sources(one, other).allowed(Permit.ENTER, "desert", default=default) is default


def test_only_sources_whose_side_is_in_play_count(with_sources: Any) -> None:
    amber, coral, either = Source("amber", "amber"), Source("coral", "coral"), Source("both", "coral", "basalt")
    for source, more in ((amber, 1), (coral, 10), (either, 100)):
        source.modifies(Query.PRICE)(lambda g, price, more=more: price + more)
    assert with_sources(amber, coral, either).query(Query.PRICE, 0) == 101


def test_the_first_that_stands_in_does(with_sources: Any) -> None:
    source = Source("any")
    source.instead_of(Deed.DEATH)(lambda g, who: None)
    source.instead_of(Deed.DEATH, OverrideOrder.LAST)(lambda g, who: f"last for {who}")
    source.instead_of(Deed.DEATH)(lambda g, who: f"first for {who}" if who == "amber" else None)
    g = with_sources(source)
    assert g.instead(Deed.DEATH, "amber") == "first for amber"
    assert g.instead(Deed.DEATH, "basalt") == "last for basalt"
    assert with_sources().instead(Deed.DEATH, "amber") is None


def test_a_moment_lets_each_act_one_after_the_other(with_sources: Any) -> None:
    source = Source("any")

    class Speech(Frame):
        who: str

        @step("R-3")
        def ask(f, g: State) -> Flow:
            return Ask.one(0, Choice(Say, number=Range(0, 3)), why="R-3")

        @ask.answer
        def said(f, g: State, seat: int, act: Say) -> Flow:
            trace(g, f"{f.who} says {act.number}")
            return None

    class Main(Frame):
        @step()
        def dawn(f, g: State) -> Flow:
            return g.at(Timing.DAWN, "desert")

        @step()
        def dusk(f, g: State) -> Flow:
            assert g.at(Timing.DUSK) is None, "nobody does anything then"
            trace(g, "dusk")
            g.finish("over")
            return None

    @source.at(Timing.DAWN, OverrideOrder.LAST)
    @rule("R-9")
    def last(g: State, where: str) -> None:
        trace(g, f"last in the {where}, by {g.rule}")

    @source.at(Timing.DAWN)
    def speaks(g: State, where: str) -> Frame:
        trace(g, f"first by {g.rule}")
        return Speech("first")

    @source.at(Timing.DAWN)
    def speaks_too(g: State, where: str) -> Frame:
        return Speech("second")

    g = with_sources(source, frames=(Main, Speech), begin=True)
    assert g.table["trace"] == ("first by ",)
    g = decode(g.setting, encode(g))
    execution.answer(g, 0, Say(1))
    execution.answer(g, 0, Say(2))
    assert g.table["trace"] == ("first by ", "first says 1", "second says 2", "last in the desert, by R-9", "dusk")


def test_copies_and_assignments_keep_what_is_in_force(with_sources: Any) -> None:
    source = Source("coral", "coral")
    source.modifies(Query.PRICE)(lambda g, price: price + 1)
    g = with_sources(source)
    assert g.query(Query.PRICE, 0) == 0
    g.assign(1, "coral")
    assert g.copy().query(Query.PRICE, 0) == g.query(Query.PRICE, 0) == 1
