"""The core of a match: what each input has led to, and that another core can go on from it."""

from random import Random

import pytest

from landsraad_engine.errors import Refused
from landsraad_engine.play.match import Match
from landsraad_engine.play.match_core import Input, MatchCore
from landsraad_engine.teaching.acts import Bid
from landsraad_engine.teaching.game import TEACHING


def begun(seats: int = 3) -> MatchCore:
    """A core whose first question is open."""
    return Match(TEACHING, seats, secret=b"core").core


def test_what_an_input_has_led_to_is_taken_out_of_the_state() -> None:
    core, rng = begun(), Random(1)
    seat = core.waiting[0]
    act = core.state.ask.options[seat].sample(rng)  # type: ignore[union-attr]
    delta = core.answer(seat, act)
    assert [(given.seat, given.kind) for given in delta.inputs] == [(seat, "answer")]
    assert delta.places
    assert (delta.ask, delta.waiting) == (core.state.ask, core.waiting)
    assert not core.state.events
    assert not core.state.dirty
    assert core.changes(delta.places) == {key: core.state.table.get(key) for key in sorted(delta.places)}


def test_default_answers_of_absent_seats_belong_to_the_input_that_led_to_them() -> None:
    core = begun(2)
    first, second = core.waiting
    core.set_absent(second)
    delta = core.answer(first, core.state.ask.default_for(first))  # type: ignore[union-attr]
    assert [given.seat for given in delta.inputs] == [first]
    assert second not in delta.waiting


def test_another_core_goes_on_from_changes_and_from_images() -> None:
    core, rng = begun(), Random(2)
    follower = begun()
    while core.result is None:
        seat = core.waiting[0]
        delta = core.answer(seat, core.state.ask.options[seat].sample(rng))  # type: ignore[union-attr]
        follower.absorb(core.changes(delta.places), core.stack())
        assert follower.image() == core.image()
        if core.result is None:
            follower.ask_again()
            assert follower.waiting == core.waiting
            loaded = MatchCore(follower.state.copy())
            loaded.resume(core.image())
            assert loaded.image() == core.image()
    assert follower.result == core.result


def test_an_input_that_is_refused_leaves_the_state_as_it_was() -> None:
    core = begun()
    before = core.image()
    for given in (Input(0, "answer", ("Bid", 99)), Input(7, "absent", (True,)), Input(0, "orders", ("nonsense",))):
        with pytest.raises(Refused):
            core.apply(given)
        assert core.image() == before
    with pytest.raises(Refused):
        core.submit(0, Bid(1))
    assert core.image() == before
