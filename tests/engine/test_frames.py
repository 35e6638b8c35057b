"""Frames, steps and questions: the control flow of the kernel, and the invariants that it enforces on rules."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from landsraad_engine.errors import LawBroken, Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, step
from landsraad_engine.kernel.grammar import Act, Choice, OneOf, Range
from landsraad_engine.kernel.reserved_places import MAX_NESTED_PLAYS
from landsraad_engine.kernel.snapshots import decode, encode
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import Content, Sight, Zone
from landsraad_engine.testing.kernel_laws import watched


class Say(Act, frozen=True):
    number: int


class Pass(Act, frozen=True):
    pass


class Shout(Act, frozen=True):
    """An out-of-turn play."""

    what: str


SAY = (Choice(Say, number=Range(0, 9)),)
MARKS = Zone("marks", Content.MARK, Sight.OPEN, dict.fromkeys(("a", "b", "c", "trace"), ()))


def trace(g: State, what: str) -> None:
    """Count in a mark that a step has run."""
    g.set_mark("trace", (*(g.table.get("trace") or ()), what))


def asked(g: State) -> tuple[int, ...]:
    """Return the seats whose answer is missing."""
    return g.waiting


@pytest.fixture
def start(toy: Any, state_of: Any) -> Any:
    """Return a factory that starts a game of three seats whose opening is the first of some frames."""

    def begin(*frames: type[Frame], **more: Any) -> State:
        game = toy((MARKS,), frames, (Say, Pass, Shout), **more)
        g: State = state_of(game, ("amber", "basalt", "coral"))
        execution.begin(g)
        return g

    return begin


class Over(Frame):
    """Ends the match: the last frame of every toy game."""

    @step()
    def over(f, g: State) -> Flow:
        g.finish("over", (0,))
        return None


# ---- Flow ----


def test_steps_run_in_order_calls_return_and_jumps_jump(start: Any) -> None:
    class Main(Frame):
        turns: int = 0

        @step()
        def first(f, g: State) -> Flow:
            trace(g, "first")
            return Part("a")

        @step()
        def second(f, g: State) -> Flow:
            trace(g, "second")
            f.turns += 1
            return goto("second") if f.turns < 3 else None

        @step()
        def third(f, g: State) -> Flow:
            trace(g, "third")
            return Call(Part("b"), "last")

        @step()
        def skipped(f, g: State) -> Flow:
            trace(g, "skipped")
            return None

        @step()
        def last(f, g: State) -> Flow:
            return Over()

    class Part(Frame):
        name: str

        @step()
        def begin(f, g: State) -> Flow:
            trace(g, f.name)
            return END if f.name == "b" else None

        @step()
        def finish(f, g: State) -> Flow:
            trace(g, f.name + "!")
            return None

    g = start(Main, Part, Over)
    assert g.table["trace"] == ("first", "a", "a!", "second", "second", "second", "third", "b")
    assert g.result == ("over", (0,))
    assert g.stack == []
    assert g.ask is None


def test_a_call_in_the_last_step_leaves_nothing_behind(start: Any) -> None:
    class Main(Frame):
        depth: int = 0

        @step()
        def deeper(f, g: State) -> Flow:
            assert len(g.stack) == 1
            return Main(f.depth + 1) if f.depth < 300 else Over()

    assert start(Main, Over).result is not None


def test_a_match_may_end_anywhere(start: Any) -> None:
    class Main(Frame):
        @step()
        def ask(f, g: State) -> Flow:
            return Ask.one(1, *SAY, why="R-1")

        @ask.answer
        def answered(f, g: State, seat: int, act: Say) -> Flow:
            g.finish("over", (seat,))
            return [None, END, Over(), goto("after"), Call(Over(), "after")][act.number]

        @step()
        def after(f, g: State) -> Flow:
            raise AssertionError("the match is over")

    for number in range(5):
        g = start(Main, Over)
        execution.answer(g, 1, Say(number))
        assert g.result == ("over", (1,))
        assert (g.stack, g.ask, g.waiting) == ([], None, ())


def test_the_rule_of_a_step_goes_with_its_events(start: Any) -> None:
    class Main(Frame):
        @step("R-1", "R-2")
        def first(f, g: State) -> Flow:
            g.emit("announce", ("first",))
            return None

        @step("R-3")
        def second(f, g: State) -> Flow:
            return Ask.one(0, *SAY, why="R-4")

        @second.answer
        def answered(f, g: State, seat: int, act: Say) -> Flow:
            g.emit("announce", ("answered",))
            g.emit("announce", ("more",), rule="R-5")
            return Over()

    g = start(Main, Over)
    execution.answer(g, 0, Say(1))
    assert [event.rule for event in g.events if event.verb == "announce"] == ["R-1", "R-3", "R-5"]


def test_an_overlay_replaces_a_step_by_its_name(start: Any) -> None:
    class Main(Frame):
        @step("R-1")
        def first(f, g: State) -> Flow:
            trace(g, "as printed")
            return None

        @step()
        def second(f, g: State) -> Flow:
            return Over()

    @step("R-2")
    def variant(f: Main, g: State) -> Flow:
        trace(g, "variant " + g.rule)
        return None

    assert start(Main, Over).table["trace"] == ("as printed",)
    assert start(Main, Over, overlay={("Main", "first"): variant}).table["trace"] == ("variant R-2",)
    with pytest.raises(LawBroken, match=r"replaces steps that do not exist: \[\('Main', 'third'\)\]"):
        start(Main, Over, overlay={("Main", "third"): variant})


def test_a_frame_inherits_steps_and_may_replace_them(start: Any) -> None:
    class Raid(Frame):
        @step()
        def first(f, g: State) -> Flow:
            trace(g, "raid")
            return None

        @step()
        def second(f, g: State) -> Flow:
            return Over()

    class GreatRaid(Raid):
        @step()
        def first(f, g: State) -> Flow:
            trace(g, "great raid")
            return None

    assert start(GreatRaid, Over).table["trace"] == ("great raid",)


# ---- Laws ----


def one_step(flow: Callable[[Any, State], Flow]) -> type[Frame]:
    class Main(Frame):
        @step()
        def only(f, g: State) -> Flow:
            return flow(f, g)

    return Main


@pytest.mark.parametrize(
    ("flow", "complaint"),
    [
        (lambda f, g: goto("only"), r"more than 1000 steps without a question in \(\('Main', 'only'\),\)"),
        (lambda f, g: goto("nowhere"), "Main has no step 'nowhere'"),
        (lambda f, g: 7, r"Main\.only returned 7"),
        (lambda f, g: None, "no frame left and no result"),
        (lambda f, g: Over(), "Over is not in the game's list of frames"),
        (lambda f, g: Ask.one(0, *SAY, why=""), r"Main\.only asks but takes no answer"),
    ],
)
def test_a_step_that_breaks_a_law_is_named(start: Any, flow: Any, complaint: str) -> None:
    with pytest.raises(LawBroken, match=complaint):
        start(one_step(flow))


def test_a_question_to_nobody(start: Any) -> None:
    class Main(Frame):
        @step()
        def ask(f, g: State) -> Flow:
            return Ask.any_of((), *SAY, why="R-1")

        @ask.answer
        def answered(f, g: State, seat: int, act: Say) -> Flow: ...

    with pytest.raises(LawBroken, match="a question without seats"):
        start(Main)


def test_a_step_that_has_written_before_it_asks_is_found_under_watch(start: Any) -> None:
    class Main(Frame):
        @step()
        def ask(f, g: State) -> Flow:
            g.set_mark("a", 1)
            return Ask.one(0, *SAY, why="R-1")

        @ask.answer
        def answered(f, g: State, seat: int, act: Say) -> Flow: ...

    g = start(Main)  # without the check, this passes unnoticed
    steps = watched(g.setting.flow).info[Main][1]
    again: State = g.copy()
    again.set_mark("a", None)
    with pytest.raises(LawBroken, match=r"Main\.ask has written before it asked"):
        steps["ask"][0](again.stack[0], again)


# ---- Questions ----


def asking(make: Callable[[State], Ask]) -> type[Frame]:
    """Start a game with a single question that writes the answers to mark a."""

    class Main(Frame):
        @step("R-1")
        def ask(f, g: State) -> Flow:
            return make(g)

        @ask.answer
        def answered(f, g: State, *answer: Any) -> Flow:
            if len(answer) == 1:
                g.set_mark("a", tuple((seat, execution.plain(act)) for seat, act in answer[0].items()))
            else:
                g.set_mark("a", ((answer[0], execution.plain(answer[1])),))
            return Over()

    return Main


def test_one_seat_is_asked_and_no_other(start: Any) -> None:
    g = start(asking(lambda g: Ask.one(1, *SAY, why="R-1")), Over)
    assert asked(g) == (1,)
    for seat in (0, 2):
        with pytest.raises(Refused, match="nothing for this seat to decide"):
            execution.answer(g, seat, Say(1))
    execution.answer(g, 1, Say(4))
    assert g.table["a"] == ((1, ("Say", 4)),)
    with pytest.raises(Refused, match="has ended"):
        execution.answer(g, 1, Say(4))


def test_of_partners_the_first_answer_counts(start: Any) -> None:
    g = start(asking(lambda g: Ask.any_of((0, 2), *SAY, why="R-1")), Over)
    assert asked(g) == (0, 2)
    execution.answer(g, 2, Say(5))
    assert g.table["a"] == ((2, ("Say", 5)),)


def sealed(seats: Sequence[int]) -> Any:
    return lambda g: Ask.sealed(dict.fromkeys(seats, SAY), why="R-1", default=Say(9))


def test_sealed_answers_lie_hidden_until_all_are_in(start: Any) -> None:
    g = start(asking(sealed((2, 0))), Over)
    assert asked(g) == (2, 0)
    execution.answer(g, 0, Say(7))
    assert g.table["sealed/0"] == ("Say", 7)
    assert asked(g) == (2,)
    with pytest.raises(Refused, match="nothing for this seat"):
        execution.answer(g, 0, Say(8))
    execution.answer(g, 2, Say(3))
    assert g.table["a"] == ((2, ("Say", 3)), (0, ("Say", 7))), "in the order of the question"
    assert not [key for key in g.table if key.startswith("sealed/")]


def test_a_question_to_several_that_goes_to_nobody_is_answered_at_once(start: Any) -> None:
    assert start(asking(lambda g: Ask.sealed({}, why="R-1")), Over).table["a"] == ()


def window(g: State) -> Ask:
    more = (Choice(Pass), *SAY)
    return Ask.quiet({0: (Choice(Pass),), 1: more, 2: more}, why="R-1", window="karama", default=Pass())


def test_standing_orders_answer_windows(start: Any) -> None:
    class Main(Frame):
        @step()
        def wait(f, g: State) -> Flow:
            return Ask.one(0, Choice(Pass), why="R-1")

        @wait.answer
        def waited(f, g: State, seat: int, act: Act) -> Flow:
            return second()

    second = asking(window)
    second.__name__ = "Second"

    def opened(orders: dict[int, tuple[str, ...]]) -> State:
        g: State = start(Main, second, Over)
        for seat, standing in orders.items():
            execution.set_orders(g, seat, standing)
        execution.answer(g, 0, Pass())
        return g

    assert opened({}).waiting == (0, 1, 2)
    assert opened(dict.fromkeys(range(3), (execution.AUTO,))).waiting == (1, 2), "they could do more than pass"
    assert opened({1: ("karama",), 2: ("other",)}).waiting == (0, 2)
    closed = opened({0: (execution.AUTO,), 1: ("karama",), 2: ("karama",)})
    assert closed.table["a"] == tuple((seat, ("Pass",)) for seat in range(3))
    g = opened({})
    execution.answer(g, 2, Say(2))
    execution.set_orders(g, 0, (execution.AUTO,))
    assert asked(g) == (1,)
    execution.set_orders(g, 1, ("karama",))
    assert g.table["a"] == ((0, ("Pass",)), (1, ("Pass",)), (2, ("Say", 2)))


def test_the_default_is_legal_whatever_was_stated(start: Any) -> None:
    g = start(asking(lambda g: Ask.sealed({0: SAY, 1: SAY, 2: SAY}, why="R-1", default={0: Say(3), 1: Say(77)})), Over)
    assert [g.ask.default_for(seat) for seat in range(3)] == [Say(3), Say(0), Say(0)]


def test_a_wrong_answer_is_refused_with_its_rule_and_legal_ones(start: Any) -> None:
    choice = Choice(Say, number=Range(2, 5, why="R-7"))
    g = start(asking(lambda g: Ask.one(0, choice, why="R-1")), Over)
    before = encode(g)
    with pytest.raises(Refused) as refused:
        execution.answer(g, 0, Say(8))
    refusal = refused.value
    assert (refusal.reason, refusal.rule, refusal.field) == ("against_rules", "R-7", "number")
    assert refusal.nearest == (Say(5),)
    with pytest.raises(Refused) as refused:
        execution.answer(g, 0, Pass())
    assert (refused.value.rule, refused.value.nearest) == ("R-1", (Say(2), Say(3), Say(4)))
    assert encode(g) == before


# ---- Out-of-turn plays ----


class Interruption(Frame):
    """A play that asks all seats in secret, and may first change the table."""

    what: str

    @step("R-8")
    def happens(f, g: State) -> Flow:
        trace(g, f.what)
        if f.what == "reopen":
            g.reopen("R-9")
        if f.what in ("narrow", "leave out 2", "no question"):
            g.set_mark("b", f.what)
        return END if f.what != "ask" else None

    @step("R-8")
    def ask(f, g: State) -> Flow:
        return Ask.sealed(dict.fromkeys((0, 1, 2), SAY), why="R-8")

    @ask.answer
    def answered(f, g: State, answers: dict[int, Say]) -> Flow:
        trace(g, "".join(str(act.number) for act in answers.values()))
        return None


SHOUTS = ("ask", "reopen", "narrow", "leave out 2", "no question", "nothing")


class Outer(Frame):
    """A sealed question, which a play may change, then an open one."""

    @step("R-1")
    def ask(f, g: State) -> Flow:
        change = g.table.get("b")
        if change == "no question":
            trace(g, "not asked")
            return None
        choice = Choice(Say, number=Range(0, 3 if change == "narrow" else 9))
        seats = (0, 1) if change == "leave out 2" else (0, 1, 2)
        return Ask.sealed(dict.fromkeys(seats, (choice,)), why="R-1")

    @ask.answer
    def answered(f, g: State, answers: dict[int, Say]) -> Flow:
        trace(g, "".join(str(act.number) for act in answers.values()))
        return None

    @step("R-2")
    def again(f, g: State) -> Flow:
        return Ask.sealed(dict.fromkeys((0, 1, 2), SAY), why="R-2", closed=True)

    @again.answer
    def answered_again(f, g: State, answers: dict[int, Say]) -> Flow:
        trace(g, "".join(str(act.number) for act in answers.values()))
        return Over()


@pytest.fixture
def interrupted(start: Any) -> State:
    """Answer 5 and 6 to the outer question as seats 1 and 2, but not as seat 0."""
    g: State = start(
        Outer,
        Interruption,
        Over,
        plays=lambda g, seat: (Choice(Shout, what=OneOf(SHOUTS), why="R-8"),),
        play=lambda g, seat, act: Interruption(act.what),
    )
    execution.answer(g, 1, Say(5))
    execution.answer(g, 2, Say(6))
    return g


def test_a_play_leaves_the_question_and_its_answers_as_they_were(interrupted: State) -> None:
    g = interrupted
    execution.play(g, 2, Shout("nothing"))
    assert (asked(g), g.ask.why if g.ask else "") == ((0,), "R-1")
    execution.answer(g, 0, Say(4))
    assert g.table["trace"] == ("nothing", "456")


def test_questions_inside_a_play_keep_their_answers_apart(interrupted: State) -> None:
    g = interrupted
    execution.play(g, 0, Shout("ask"))
    assert asked(g) == (0, 1, 2), "answers to the outer question are none to this one"
    assert g.path() == (("Outer", "ask"), ("Interlude", "over"), ("Interruption", "ask"))
    execution.answer(g, 1, Say(1))
    execution.play(g, 1, Shout("ask"))
    for seat in (0, 1, 2):
        execution.answer(g, seat, Say(8))
    assert asked(g) == (0, 2)
    g = decode(g.setting, encode(g))
    assert asked(g) == (0, 2)
    for seat in (0, 2):
        execution.answer(g, seat, Say(2))
    assert asked(g) == (0,)
    execution.answer(g, 0, Say(4))
    assert g.table["trace"] == ("ask", "ask", "888", "212", "456")


def test_reopen_makes_everybody_answer_anew(interrupted: State) -> None:
    g = interrupted
    execution.play(g, 0, Shout("ask"))
    execution.play(g, 0, Shout("reopen"))
    assert ("set", "R-9", "sealed/1", None) in [event.seen_by(1) for event in g.events]
    for seat in (0, 1, 2):
        execution.answer(g, seat, Say(8))
    assert asked(g) == (0, 1, 2), "the question below the one that was interrupted, too"


def test_an_answer_that_is_no_longer_legal_is_asked_for_again(interrupted: State) -> None:
    g = interrupted
    execution.play(g, 0, Shout("narrow"))
    assert asked(g) == (0, 1, 2)
    with pytest.raises(Refused):
        execution.answer(g, 1, Say(5))


@pytest.mark.parametrize("what", ["leave out 2", "no question"])
def test_answers_to_a_question_no_longer_put_are_void(interrupted: State, what: str) -> None:
    """Otherwise the next sealed question would find an old answer of seat 2."""
    g = interrupted
    execution.play(g, 0, Shout(what))
    if what == "leave out 2":
        assert "sealed/2" not in g.table
        execution.answer(g, 0, Say(4))
        assert g.table["trace"] == (what, "45")
    else:
        assert g.table["trace"] == (what, "not asked")
    assert (asked(g), g.ask.why if g.ask else "") == ((0, 1, 2), "R-2")


def test_no_plays_during_a_closed_question_or_inside_too_many(interrupted: State) -> None:
    g = interrupted
    for _ in range(MAX_NESTED_PLAYS):
        execution.play(g, 0, Shout("ask"))
    assert g.level == MAX_NESTED_PLAYS
    assert execution.plays(g, 0).choices == ()
    with pytest.raises(Refused) as refused:
        execution.play(g, 0, Shout("ask"))
    assert refused.value.reason == "not_now"
    while g.level:
        execution.answer(g, g.waiting[0], Say(0))
    execution.answer(g, 0, Say(0))
    assert g.ask is not None
    assert g.ask.closed
    with pytest.raises(Refused, match="not open to this seat now"):
        execution.play(g, 1, Shout("nothing"))


def test_a_wrong_play_is_refused(interrupted: State) -> None:
    with pytest.raises(Refused) as refused:
        execution.play(interrupted, 1, Shout("whisper"))
    assert (refused.value.reason, refused.value.rule) == ("against_rules", "R-8")
    assert refused.value.nearest == (Shout("ask"),)
    with pytest.raises(Refused) as refused:
        execution.play(interrupted, 1, Say(3))
    assert refused.value.reason == "not_now"


# ---- Copies and images ----


def test_copies_share_nothing_that_changes(interrupted: State) -> None:
    g = interrupted
    image = encode(g)
    twin: State = g.copy()
    execution.answer(twin, 0, Say(1))
    twin.set_mark("c", 1)
    assert encode(g) == image
    assert g.events != twin.events
    assert decode(g.setting, image).waiting == g.waiting


def test_frames_come_back_with_tuples(start: Any) -> None:
    class Holding(Frame):
        nested: tuple[tuple[str, int], ...] = (("a", 1), ("b", 2))
        anything: Any = (1, (2, (None, "x")))

        @step()
        def ask(f, g: State) -> Flow:
            return Ask.one(0, *SAY, why="R-1")

        @ask.answer
        def answered(f, g: State, seat: int, act: Say) -> Flow: ...

    g = start(Holding)
    loaded = decode(g.setting, encode(g))
    assert loaded.stack == g.stack
    assert hash(loaded.stack[0].nested) == hash(g.stack[0].nested)  # type: ignore[attr-defined]
    assert loaded.stack[0].anything == (1, (2, (None, "x")))  # type: ignore[attr-defined]
