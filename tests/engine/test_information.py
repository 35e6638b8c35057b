"""Information logs: their entries, order and numbers for each seat, and the view that results from them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from landsraad_engine.kernel import execution
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.events import WINDOW_OPENED, WINDOW_PASSED, Event
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, step
from landsraad_engine.kernel.grammar import Act, Choice, OneOf, Range
from landsraad_engine.kernel.zones import Content, Sight, Zone
from landsraad_engine.knowledge.fold import fold
from landsraad_engine.knowledge.information import KnownTable, encode_log, view_of
from landsraad_engine.knowledge.recorder import Recorder
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.acts import Bid, NameOmen, Pass, Stay, Thump
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.teaching.words import HAND
from landsraad_engine.teaching.zones import THUMPER


class Say(Act, frozen=True):
    number: int


class Nod(Act, frozen=True):
    pass


class Shout(Act, frozen=True):
    what: str


ZONES = (
    Zone("secret", Content.MARK, Sight.QUIET, {f"secret/{seat}": (f"#{seat}",) for seat in range(3)}),
    Zone("shown", Content.MARK, Sight.OPEN, {"shown": ()}),
)


class Windows(Frame):
    """Two reaction windows and then an open question, in a loop."""

    round: int = 0

    @step("R-1")
    def window(f, g: Any) -> Flow:
        more: tuple[Choice, ...] = (Choice(Say, number=Range(0, 9)),)
        options = {seat: (Choice(Nod), *(more if g.table.get(f"secret/{seat}") else ())) for seat in range(3)}
        return Ask.quiet(options, why="R-1", window="first", default=Nod())

    @window.answer
    def reacted(f, g: Any, answers: Mapping[int, Act]) -> Flow:
        for act in answers.values():
            if isinstance(act, Say):
                g.set_mark("shown", act.number)
        return None

    @step("R-2")
    def ask(f, g: Any) -> Flow:
        return Ask.one(0, Choice(Say, number=Range(0, 9)), why="R-2")

    @ask.answer
    def said(f, g: Any, seat: int, act: Say) -> Flow:
        f.round += 1
        for other in range(3):
            g.set_mark(f"secret/{other}", act.number >> other & 1 or None)
        if f.round == 4:
            g.finish("over")
        return goto("window")


class Interruption(Frame):
    what: str

    @step("R-8")
    def happens(f, g: Any) -> Flow:
        g.emit("announce", (f.what,))
        return None if f.what == "ask" else END

    @step("R-8")
    def ask(f, g: Any) -> Flow:
        return Ask.one(1, Choice(Nod), why="R-8")

    @ask.answer
    def nodded(f, g: Any, seat: int, act: Nod) -> Flow: ...


@pytest.fixture
def match(toy: Any) -> Any:
    """Return a factory of matches that consist of windows."""

    def begin(orders: Mapping[int, tuple[str, ...]] | None = None) -> Match:
        game = toy(
            ZONES,
            (Windows, Interruption),
            (Say, Nod, Shout),
            plays=lambda g, seat: (Choice(Shout, what=OneOf(("ask", "nothing")), why="R-8"),),
            play=lambda g, seat, act: Interruption(act.what),
        )
        return Match(game, 3, orders=orders)

    return begin


def kinds(log: Sequence[Any]) -> list[str]:
    """Summarize the entries of a log: events by their verb, questions by their rule."""
    return [entry[1] if entry[0] in ("event", "aside", "ask") else entry[0] for entry in log]


def pass_all(match: Match) -> None:
    """Pass for all seats in the open window, if there is one."""
    while match.g.ask is not None and match.g.ask.window:
        match.submit(match.waiting[0], Nod())


def test_a_log_tells_the_step_the_question_and_the_answer(match: Any) -> None:
    m = match()
    assert kinds(m.log(0)) == ["at", "R-1"]
    assert kinds(m.log(None)) == ["at"]
    m.submit(0, Nod(), m.decision(0))
    assert kinds(m.log(0)) == ["at", "R-1", "answer", "set"], "the quiet answer is told to nobody else"
    assert kinds(m.log(1)) == ["at", "R-1"]
    m.submit(1, Nod())
    m.submit(2, Nod())
    assert kinds(m.log(0))[4:] == ["set", "at", "R-2"]
    assert kinds(m.log(1)) == ["at", "R-1", "answer", "set", "set", "at"]
    assert kinds(m.log(None)) == ["at", "at"]


def test_decisions_are_numbered_by_the_seat_s_own_log(match: Any) -> None:
    m = match()
    for seat in range(3):
        assert m.log(seat)[m.decision(seat) - 1][0] == "ask"
    m.submit(2, Nod())
    assert m.decision(2) == 0
    m.submit(0, Nod())
    m.submit(1, Nod())
    assert m.decision(0) == len(m.log(0))
    assert m.fold(0).ask[0] == m.decision(0)


def test_a_question_unchanged_by_a_play_keeps_its_number(match: Any) -> None:
    m = match()
    pass_all(m)
    number = m.decision(0)
    m.submit(2, Shout("nothing"))
    assert m.decision(0) == number
    assert kinds(m.log(0))[number:] == ["announce"]
    m.submit(2, Shout("ask"))
    assert m.decision(0) == 0
    assert kinds(m.log(0))[-2:] == ["at", "closed"]
    m.submit(1, Nod())
    assert m.decision(0) == len(m.log(0)) > number
    assert "play" in kinds(m.log(2))
    assert "play" not in kinds(m.log(0))


@pytest.mark.parametrize("holders", range(8))
def test_nobody_can_tell_who_could_have_reacted(match: Any, holders: int) -> None:
    """Other seats get the same bytes if a window closes at once and if a seat with other options passes."""
    auto = dict.fromkeys(range(3), (execution.AUTO,))

    def logs(mask: int, orders: Mapping[int, tuple[str, ...]]) -> list[bytes]:
        m = match(orders)
        for _ in range(3):
            pass_all(m)
            m.submit(0, Say(mask))
        pass_all(m)
        public = [[entry for entry in m.log(seat) if entry[:1] != ("answer",)] for seat in (None, 1)]
        return [encode_log(public[0]), encode_log([e for e in public[1] if "secret/1" not in e and e[0] != "ask"])]

    able, unable = logs(holders | 1, auto), logs(0 | 1, auto)
    assert able[0] == unable[0], "the spectators"
    if not holders & 0b010:
        assert able[1] == unable[1], "seat 1"
    assert logs(holders | 1, {})[0] == able[0], "standing orders"


def test_everybody_is_told_the_same_step(match: Any) -> None:
    m = match()
    pass_all(m)
    m.submit(1, Shout("ask"))
    views = [m.view(seat) for seat in (None, 0, 1, 2)]
    assert len({repr(view.at) for view in views}) == 1
    stack, why, seats = views[0].at
    assert [dict(frame)["frame"] for frame in stack] == ["Windows", "Interlude", "Interruption"]
    assert dict(stack[1])["play"] == "Shout"
    assert dict(stack[1])["seat"] == 1
    assert (why, seats) == ("R-8", (1,))


def test_a_fold_can_be_taken_up_anywhere(match: Any) -> None:
    m = match()
    for _ in range(3):
        pass_all(m)
        m.submit(0, Say(5))
    layout = m.g.setting.layout
    for seat in (None, 0, 1, 2):
        assert fold(layout, seat, m.log(seat)) == m.view(seat) == m.fold(seat)
        assert m.fold(seat) != KnownTable(seat)


def test_seats_see_nothing_of_the_engine_s_own_places() -> None:
    m = Match(TEACHING, 3)
    seen = {key for seat in (None, 0, 1, 2) for key in view_of(m.g, seat).places}
    assert any(key.startswith("chance/") for key in m.g.table)
    assert not [key for key in seen if key.startswith(("*", "chance", "epoch"))]


def test_a_whole_market_as_one_seat_sees_it() -> None:
    """Pin the log of a few inputs of the teaching game: change it only on purpose."""
    m = Match(TEACHING, 2, secret=b"golden 6")
    for seat in (0, 1):
        m.submit(seat, NameOmen(m.g.side(seat)))
    while m.g.path()[-1] != ("Market", "bids"):
        m.submit(m.waiting[0], Pass())
    start = len(m.log(1))
    m.submit(0, Bid(0))
    m.submit(1, Bid(2))
    while m.waiting and m.g.path()[-1][0] != "Journey":
        m.submit(m.waiting[0], Pass())
    buyer = m.g.side(1)
    bought = next(entry[-1] for entry in m.log(1)[start:] if entry[1:2] == ("move",))
    told = [entry[1:] for entry in m.log(1)[start:] if entry[0] in ("event", "aside")]
    price = 1 if buyer == "amber" else 2
    assert told == [
        ("set", "TEACH-2.2", "sealed/0", "?"),
        ("set", "TEACH-2.2", "sealed/1", ("Bid", 2)),
        ("open", "TEACH-2.2", "sealed/0", ("Bid", 0)),
        ("open", "TEACH-2.2", "sealed/1", ("Bid", 2)),
        ("transfer", "TEACH-2.4", f"water/{buyer}", "spring", price),
        ("move", "TEACH-2.4", "offer", 0, HAND[buyer], None, bought),
    ]
    assert bought in m.g.finds(buyer)  # type: ignore[attr-defined]
    assert ("event", "move", "TEACH-2.4", "offer", 0, HAND[buyer], None, None) in m.log(None)


def test_a_reopened_question_is_asked_anew() -> None:
    for n in range(50):
        m = Match(TEACHING, 3, secret=b"%d" % n)
        for seat in range(3):
            m.submit(seat, NameOmen(m.g.side(seat)))
        while m.g.ask is not None and m.g.ask.why == "TEACH-6.2":
            m.submit(m.waiting[0], Pass())
        thumper = next((s for s in range(3) if THUMPER in m.g.table.get(HAND[m.g.side(s)], ())), None)
        if thumper is not None:
            break
    else:
        raise AssertionError("nobody has a thumper")
    answered, target = (seat for seat in range(3) if seat != thumper)
    m.submit(answered, Bid(1))
    first = m.decision(target)
    assert m.view(target).places[f"sealed/{answered}"] == "?"
    m.submit(thumper, Thump(m.g.side(target)), during=m.step(thumper))
    assert m.g.ask is not None
    assert m.g.ask.why == "TEACH-5.2"
    assert m.decision(target) > first, "it has to appease the worm first"
    assert f"sealed/{answered}" not in m.view(target).places
    m.submit(target, next(m.g.ask.options[target].enumerate()))
    assert m.g.ask.why == "TEACH-2.2"
    assert m.waiting == tuple(seat for seat in m.g.ask.seats if seat != target)
    assert answered in m.waiting


def test_staying_at_home_is_public_and_its_water_is_not_counted_by_others() -> None:
    m = Match(TEACHING, 2, {"rounds": 1})
    while m.g.ask and m.g.ask.why != "TEACH-4.1":
        m.submit(m.waiting[0], m.g.ask.default_for(m.waiting[0]))
    seat = m.waiting[0]
    band = m.g.side(seat)
    m.submit(seat, Stay())
    assert ("event", "transfer", "TEACH-4.6", "spring", f"water/{band}", 2) in m.log(1 - seat)
    assert f"water/{band}" not in m.view(1 - seat).places
    assert f"water/{band}" in m.view(seat).places


@pytest.mark.parametrize("verb", [WINDOW_OPENED, WINDOW_PASSED])
def test_a_question_is_withdrawn_at_the_window_that_interrupts_it(verb: str) -> None:
    """The order of a seat's entries does not show if another seat could react."""
    g = Match(TEACHING, 3, secret=b"window").g
    recorder = Recorder(3)
    recorder.note(g, ())
    (seat, *_), frames = g.waiting, tuple(frame.copy() for frame in g.stack)
    window = Event(verb, "TEACH-3.2", (frames, "TEACH-3.2", (0, 1, 2)))
    later = Event("announce", "TEACH-3.2", ("what",))
    g.ask, g.waiting = None, ()
    for events in [[window], [later]] if verb == WINDOW_OPENED else [[window, later]]:
        recorder.note(g, events)
    kinds = [entry[0] for entry in recorder.logs[seat]]
    assert [kind for kind in kinds if kind != "at"][-3:] == ["ask", "closed", "event"]
