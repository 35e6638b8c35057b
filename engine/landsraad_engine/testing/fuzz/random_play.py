"""Random play: settings, inputs and positions, for fuzzing, the leak test and tests of the sampler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from landsraad_engine.errors import BadOption
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.match_options import OptionSpec
from landsraad_engine.play.match import Match
from landsraad_engine.play.match_core import Input
from landsraad_engine.play.self_play import standing

#: Out-of-turn plays are offered this seldom, else every Karama burns in its first window.
PLAY_WEIGHT = 0.02
#: How many kinds of act a match dislikes, and how often one of these is passed over for something else.
DISLIKED = 0.3
RELUCTANCE = 0.8
#: How often an option leaves its default: one that has a few named values (an edition, say), and any other.
NAMED = 0.75
OTHER = 0.4


def random_setting(game: Game, rng: Random, given: Mapping[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
    """Return random seats and options; those that are given stay, and most others keep their defaults."""
    seats = rng.choice(game.seats)
    fixed = given or {}
    values = {spec.name: (spec, game.values_of(spec)) for spec in game.option_specs if spec.name not in fixed}
    chosen = {
        name: rng.choice(named) if named else _random_value(spec, rng)
        for name, (spec, named) in values.items()
        if rng.random() < (NAMED if named else OTHER)
    }
    others = [number for number in game.seats if number != seats]
    while True:
        try:
            return seats, game.parse_options({**chosen, **fixed}, seats)
        except BadOption as error:  # a combination that the game refuses is no failure
            if chosen.pop(error.field, None) is not None:
                continue
            if others:
                seats = others.pop(rng.randrange(len(others)))
            elif chosen:  # no number of seats goes with all that was drawn
                chosen.clear()
                others = list(game.seats)
            else:
                raise


def _random_value(spec: OptionSpec, rng: Random) -> Any:
    match spec.default:
        case bool():
            return rng.random() < 0.5
        case int():
            return rng.randint(spec.low, spec.high)
        case _:
            return spec.default


def random_orders(seats: int, rng: Random) -> Mapping[int, tuple[str, ...]]:
    """Return standing orders: in most matches seats that can only pass are passed over, in some every seat is asked."""
    return standing(seats) if rng.random() < 0.7 else {}


def random_input(match: Match, rng: Random, *, plays: float = PLAY_WEIGHT, unrest: float = 0.0) -> Input:
    """Return a random answer or, seldom, an out-of-turn play: mostly uniform over kinds of act, else rare ones drown.

    Each match avoids some kinds, so that positions come about which those kinds would prevent.

    Args:
        match: the match.
        rng: the source of chance.
        plays: how often the input is an out-of-turn play.
        unrest: how often a seat changes its standing orders, goes away or comes back.

    """
    g = match.g
    assert g.ask is not None
    seat = rng.randrange(match.seats)
    chance = rng.random()
    if chance < unrest:
        if rng.random() < 0.3:
            return Input(seat, "absent", (rng.random() < 0.3,))
        wished = rng.sample((execution.AUTO, g.ask.window), rng.randrange(3))
        known = execution.standing_orders(match.game)
        return Input(seat, "orders", tuple([order for order in wished if order in known]))
    if chance < unrest + plays:
        open_ = execution.plays(g, seat)
        if open_.choices:
            return Input(seat, "play", execution.plain(open_.sample_kind(rng)))
    seat = rng.choice(g.waiting)
    options = g.ask.options[seat]
    act = options.sample(rng) if rng.random() < 0.2 else options.sample_kind(rng)
    if type(act).__name__ in _disliked(match.game, match.name) and rng.random() < RELUCTANCE:
        act = options.sample_kind(rng)
    return Input(seat, "answer", execution.plain(act))


@lru_cache(maxsize=64)
def _disliked(game: Game, match: str) -> frozenset[str]:
    """Return the kinds of act that a match of this name avoids where it can."""
    rng = Random(match)
    return frozenset(kind.__name__ for kind in game.acts if rng.random() < DISLIKED)


def positions(game: Game, number: int, seed: int, apart: int = 60) -> Iterator[Match]:
    """Yield random matches at random positions, about ``apart`` inputs from one another."""
    rng = Random(seed)
    while number > 0:
        seats, options = random_setting(game, rng)
        orders = random_orders(seats, rng)
        match = Match(game, seats, options, secret=rng.randbytes(8), name=f"position-{number}", orders=orders)
        while match.g.ask is not None and number > 0:
            if rng.random() * apart < 1:
                number -= 1
                yield match
            match.take(random_input(match, rng))
