"""The engine's own time: the same kind of play that the service is given, with nothing around it."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from itertools import zip_longest
from multiprocessing import get_context
from random import Random

from landsraad import games
from landsraad_engine.grammar import Act
from landsraad_engine.match import Match
from landsraad_engine.selfplay import standing

#: How far each match is played: about as far as a run of the bench comes.
_INPUTS = 300


def engine_us(game: str, seats: int, matches: int, seconds: float, workers: int) -> float:
    """Microseconds of CPU for one input of a random match, the seats' logs included and drawing the act left out.

    As in the service, so many processes run beside each other, and each plays its share of the matches in turns: a
    processor whose neighbour is busy is slower, and so is a match that has to come back into its caches each time.
    """
    share = max(1, matches // workers)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as processes:
        running = [processes.submit(_played, game, seats, share, seconds) for _ in range(workers)]
        return sum(one.result() for one in running) / workers


def _played(game: str, seats: int, matches: int, seconds: float) -> float:
    drawn = [_random_match(game, seats, number) for number in range(matches)]
    inputs, spent = 0, 0.0
    while spent < seconds:
        again = [_match(game, seats, number) for number in range(matches)]
        began = time.process_time()
        for turn in zip_longest(*drawn):
            for match, given in zip(again, turn, strict=True):
                if given is not None:
                    match.answer(*given)
        spent += time.process_time() - began
        inputs += sum(map(len, drawn))
    return spent / inputs * 1e6


def _match(game: str, seats: int, number: int) -> Match:
    return Match(games.load(game), seats, secret=number.to_bytes(8, "big"), orders=standing(seats))


def _random_match(game: str, seats: int, number: int) -> list[tuple[int, Act]]:
    """The inputs with which a match begins whose seats choose at random, as the players of the bench do."""
    rng = Random(number)
    match = _match(game, seats, number)
    acts: list[tuple[int, Act]] = []
    while (ask := match.g.ask) is not None and len(acts) < _INPUTS:
        seat = match.waiting[0]
        act = ask.options[seat].sample(rng)
        match.answer(seat, act)
        acts.append((seat, act))
    return acts
