"""The engine's own time: the same kind of play that the service is given, with nothing around it."""

from __future__ import annotations

import time
from random import Random

from landsraad import games
from landsraad_engine.grammar import Act
from landsraad_engine.match import Match
from landsraad_engine.selfplay import standing


def engine_us(game: str, seats: int, seconds: float) -> float:
    """Microseconds of CPU for one input of a random match, the seats' logs included and drawing the act left out."""
    inputs, spent, number = 0, 0.0, 0
    while spent < seconds:
        acts = _random_match(game, seats, number)
        again = _match(game, seats, number)
        began = time.process_time()
        for seat, act in acts:
            again.answer(seat, act)
        spent += time.process_time() - began
        inputs += len(acts)
        number += 1
    return spent / inputs * 1e6


def _match(game: str, seats: int, number: int) -> Match:
    return Match(games.load(game), seats, secret=number.to_bytes(8, "big"), orders=standing(seats))


def _random_match(game: str, seats: int, number: int) -> list[tuple[int, Act]]:
    """The inputs of one match whose seats choose at random, as the players of the bench do."""
    rng = Random(number)
    match = _match(game, seats, number)
    acts = []
    while (ask := match.g.ask) is not None:
        seat = match.waiting[0]
        act = ask.options[seat].sample(rng)
        match.answer(seat, act)
        acts.append((seat, act))
    return acts
