"""Reaction windows that are held open: they end by the clock, not by who has answered."""

from random import Random

import pytest

from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.match_options import window_ms
from landsraad_engine.play.match import Match, replay, verify
from landsraad_engine.play.match_core import Input
from landsraad_engine.teaching.acts import Pass, SpringSnare
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.testing.fuzz.random_play import random_input


def at_window(seed: int = 1, **orders: object) -> Match:
    """A match of four that stands in its first window."""
    match = Match(TEACHING, 4, secret=b"%d" % seed, timed=True, **orders)  # type: ignore[arg-type]
    rng = Random(seed)
    while not execution.held(match.g):
        match.take(random_input(match, rng, plays=0.0))
    return match


def test_all_answers_do_not_close_it() -> None:
    match = at_window()
    told = len(match.log(None))
    for seat in match.waiting:
        match.submit(seat, Pass())
    assert execution.held(match.g)
    assert match.waiting == ()
    assert len(match.log(None)) == told
    match.close_window()
    assert not execution.held(match.g)
    assert len(match.log(None)) > told


def test_standing_orders_do_not_close_it_either() -> None:
    asked = at_window()
    silent = at_window(orders=dict.fromkeys(range(4), ("snare",)))
    assert asked.waiting
    assert silent.waiting == ()
    assert execution.held(silent.g)
    assert silent.log(None) == asked.log(None)


def test_who_has_not_answered_takes_the_default() -> None:
    passed, late = at_window(), at_window()
    for seat in passed.waiting:
        passed.submit(seat, Pass())
    for match in (passed, late):
        match.close_window()
    assert passed.log(None) == late.log(None)
    with pytest.raises(Refused):
        late.close_window()


def test_an_answer_of_a_held_window_counts_when_it_closes() -> None:
    for seed in range(40):
        match = at_window(seed)
        ask = match.g.ask
        assert ask is not None
        thief = next((seat for seat in match.waiting if ask.options[seat].contains(SpringSnare())), None)
        if thief is not None:
            break
    else:
        pytest.fail("nobody holds a Snare")
    match.submit(thief, SpringSnare())
    assert ("event", "move", "TEACH-3.2") not in [entry[:3] for entry in match.log(None)]
    match.close_window()
    assert ("event", "move", "TEACH-3.2") in [entry[:3] for entry in match.log(None)]


def test_the_journal_has_what_it_takes_to_play_it_again() -> None:
    match = Match(TEACHING, 3, secret=b"held", timed=True)
    rng = Random(7)
    while match.g.ask is not None:
        if execution.held(match.g) and (not match.waiting or rng.random() < 0.3):
            match.close_window()
        else:
            match.take(random_input(match, rng, plays=0.2))
    certificate = match.certificate()
    assert certificate["journal"][0] == [0, "window", (True,)]
    assert Input(0, "window", (False,)) in match.journal
    assert verify(TEACHING, certificate) == []
    assert replay(TEACHING, certificate).log(None) == match.log(None)


@pytest.mark.parametrize(("chosen", "ms"), [("fast", 0), ("fixed:1500", 1500), ("fixed:0", 0)])
def test_the_option_says_how_long(chosen: str, ms: int) -> None:
    assert window_ms(TEACHING.parse_options({"window": chosen}, 2)) == ms
    assert window_ms({}) == 0
