"""Random answers are legal acts, and every legal act can be drawn."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from landsraad import games
from landsraad.v1 import act_pb2, ask_pb2, log_pb2
from landsraad.wire.codec import Codec
from landsraad_bench.random_answers import random_answerer
from landsraad_engine.dune.acts import DialStorm, Predict
from landsraad_engine.kernel.constraints import excludes
from landsraad_engine.kernel.domains import OneOf, Range
from landsraad_engine.kernel.execution import plain
from landsraad_engine.kernel.grammar import Choice, Options
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import standing


def question(match: Match, seat: int, codec: Codec) -> bytes:
    """Return the last question of a seat."""
    asked = [entry for entry in match.log(seat) if entry[0] == "ask"][-1]
    return log_pb2.Entries.FromString(codec.entry(asked, 1)).entries[0].question.SerializeToString()


@pytest.mark.parametrize("name", sorted(games.known()))
def test_a_match_that_is_played_by_guesses(name: str) -> None:
    game = games.load(name)
    seats = game.default_seats
    match = Match(game, seats, secret=b"s", orders=standing(seats))
    codec = Codec(game)
    guess = random_answerer(codec, Random(3))
    for _ in range(200):
        if not match.waiting:
            break
        seat = match.waiting[-1]
        assert match.g.ask is not None
        act = codec.read_act(act_pb2.Act.FromString(guess(question(match, seat, codec))))
        assert match.g.ask.options[seat].contains(act)
        match.submit(seat, act)
    assert len(match.journal) > 100


def test_every_answer_may_come() -> None:
    match = Match(games.load("dune"), 6)
    seat = match.waiting[0]
    codec = Codec(match.game)
    assert match.g.ask is not None
    legal = {codec.acts.write(plain(act)) for act in match.g.ask.options[seat].enumerate()}
    guess = random_answerer(codec, Random(1))
    assert 1 < len(legal) < 50
    asked = question(match, seat, codec)
    assert {guess(asked) for _ in range(50 * len(legal))} == legal


@pytest.mark.parametrize("last", [2, 9])
def test_all_answers_are_equally_likely(last: int) -> None:
    """Enumerated or drawn, with a constraint, and with values that are offered twice."""
    codec = Codec(games.load("dune"))
    turns = Range(low=1, high=last)
    options = Options([
        Choice(DialStorm, number=OneOf(items=(0, 7))),
        Choice(Predict, faction=OneOf(items=("a", "b")), turn=turns),
        Choice(Predict, excludes("faction", ("c",), "turn", (2,)), faction=OneOf(items=("b", "c")), turn=turns),
    ])  # fmt: skip
    legal = {codec.act_bytes(act) for act in options.enumerate()}
    assert len(legal) == 3 * last + 1
    asked = ask_pb2.Question(rule="DUNE-1.1", options=codec.options(options)).SerializeToString()
    guess = random_answerer(codec, Random(2))
    drawn = Counter(guess(asked) for _ in range(1000 * len(legal)))
    assert drawn.keys() == legal
    assert all(850 < times < 1150 for times in drawn.values())
