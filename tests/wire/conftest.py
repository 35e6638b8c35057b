"""Fixtures of the wire tests: matches of every installed game, in progress, with out-of-turn plays."""

from functools import cache
from random import Random

import pytest

from landsraad import games
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.game import TEACHING

#: Inputs of one match: enough to see every phase, few enough to be quick.
INPUTS = 250


@cache
def the_game(name: str) -> Game:
    return TEACHING if name == TEACHING.id else games.load(name)


@pytest.fixture(scope="session", params=sorted({TEACHING.id, *games.known()}))
def game(request: pytest.FixtureRequest) -> Game:
    """Each installed game."""
    return the_game(request.param)


@cache
def _played(name: str) -> Match:
    game = the_game(name)
    seats = game.default_seats
    rng = Random(7)
    match = Match(game, seats, secret=b"wire", name="wire", entropy=[b"a", b"b"], orders={0: (execution.AUTO,)})
    for _ in range(INPUTS):
        if not match.waiting:
            break
        seat = rng.choice([*match.waiting, *range(seats)])
        plays = execution.plays(match.g, seat)
        if plays.choices and rng.random() < 0.2:
            match.submit(seat, plays.sample_kind(rng))
        elif seat in match.waiting:
            assert match.g.ask is not None
            match.submit(seat, match.g.ask.options[seat].sample_kind(rng))
    match.set_orders(1, execution.standing_orders(game)[:2])
    match.set_absent(1)
    return match


@pytest.fixture
def match(game: Game) -> Match:
    """A match of the game in progress, shared by tests: do not change it."""
    return _played(game.id)


@pytest.fixture
def begun(game: Game) -> Match:
    """A new match at its first question."""
    return Match(game, game.default_seats)


@pytest.fixture(params=["a seat", "another seat", "spectators"])
def viewer(request: pytest.FixtureRequest) -> int | None:
    """The seat of a log; None for spectators."""
    seats: dict[str, int | None] = {"a seat": 0, "another seat": 1, "spectators": None}
    return seats[request.param]
