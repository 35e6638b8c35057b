"""Questions in words: no id of the engine reaches a person, and everything that a choice depends on stands there."""

import re
from collections.abc import Iterator
from io import StringIO
from random import Random

import pytest
from rich.console import Console

from landsraad import games
from landsraad_cli.terminal.person import OutOfTurn, Person
from landsraad_cli.terminal.pictures import picture_of
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.kernel.execution import plays, standing_orders
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import standing

#: Forms of ids, of docstrings' markup, and of ranges that read as a mistake.
RAW = re.compile(r"\w+:[0-9]+|\b\w*[a-z]_[a-z]\w*|`|\b(\d+) to \1\b|[a-z]/[a-z]+\b|\(\)|\bNone\b|[{}]")


def spoken(match: Match, seat: int, *lines: str) -> tuple[str, Act]:
    """A question as the person at a seat reads it, with what these lines call up, and the act chosen in the end."""
    out = StringIO()
    console = Console(file=out, width=200)
    stage = Screen(picture_of(match.game), "a match", console=console)
    seen = match.view(seat)
    stage.show(match.log(seat)[-60:], match.game.facade.of(seen.places, seat, seen.at[0]), seen.at)
    typed: Iterator[str] = iter([*lines, "any"])
    # No rules: theirs are the rulebook's words, which name options by their ids.
    person = Person(stage, {}, console, lambda _: next(typed), standing_orders(match.game))
    ask = match.g.ask
    assert ask is not None
    try:
        act = person.choose(ask.options[seat], ask.why, plays(match.g, seat))
    except OutOfTurn:
        act = ask.options[seat].sample(Random(0))
    return out.getvalue(), act


def random_questions(name: str, number: int, seed: int) -> Iterator[tuple[Match, int, Random]]:
    """Questions of random matches, each at its place in a match, spread over whole matches."""
    game, rng = games.load(name), Random(seed)
    while number:
        seats = max(game.seats)
        match = Match(game, seats, secret=rng.randbytes(8), orders=standing(seats) if rng.random() < 0.8 else {})
        while match.g.ask is not None and number:
            seat = rng.choice(match.waiting)
            if rng.random() < 0.1:
                number -= 1
                yield match, seat, rng
            match.answer(seat, match.g.ask.options[seat].sample(rng))


@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_no_id_of_the_engine_reaches_a_person(name: str) -> None:
    found = {}
    for match, seat, rng in random_questions(name, 200, seed=7):
        walk = [str(rng.randint(1, 5)) for _ in range(rng.randint(0, 4))]
        said, _ = spoken(match, seat, "c", "s", "o", *walk, "0", *walk)
        for line in said.splitlines():
            if raw := RAW.search(line):
                found[raw[0]] = line
    assert found == {}, "\n".join(found.values())
