"""Seat views: the same accessors over the state in local play and over the folded log."""

from random import Random

from landsraad_engine.knowledge.information import view_of
from landsraad_engine.knowledge.views import SeatView
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.game import TEACHING


def test_what_is_seen_and_what_is_going_on_are_the_same_over_the_wire() -> None:
    match = Match(TEACHING, max(TEACHING.seats), secret=b"facade")
    rng = Random(1)
    deep = 0
    for _ in range(60):
        if match.g.ask is None:
            break
        seat = match.waiting[0]
        view = view_of(match.g, seat)
        local, told = SeatView(match.g, seat), SeatView.of(view.places, seat, view.at[0])
        assert (local.table, local.frames) == (told.table, told.frames)
        assert [frame["frame"] for frame in told.frames] == [type(frame).__name__ for frame in match.g.stack]
        deep = max(deep, len(told.frames))
        match.answer(seat, match.g.ask.options[seat].sample(rng))
    assert deep > 1


def test_before_anything_was_told_nothing_is_going_on() -> None:
    assert SeatView.of({}, 0).frames == ()
