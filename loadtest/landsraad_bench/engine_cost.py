"""Engine benchmark: the engine's own CPU time for random matches, without a service around it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import islice, zip_longest
from random import Random
from typing import NamedTuple

from landsraad import games, gc_tuning
from landsraad.process_pool import process_pool
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import standing

#: Inputs per step: an input in the middle of a match costs half as much again as one at its beginning, so costs are
#: measured step by step.
STEP = 100


class EngineCost(NamedTuple):
    """Microseconds of CPU for one input of a random match, including the seats' logs but not drawing the act."""

    #: mean cost in the first `STEP` inputs, in the next, and so on
    by_step: tuple[float, ...]

    def of(self, played: Mapping[int, int]) -> float:
        """Return the mean cost for a run, given the number of inputs in each step."""
        last = len(self.by_step) - 1
        return sum(self.by_step[min(at, last)] * count for at, count in played.items()) / sum(played.values())


def engine_cost(game: str, seats: int, matches: int, workers: int, inputs: int | None = None) -> EngineCost:
    """Measure the cost of whole matches, or of their first inputs: whole matches of 192 tables take a minute.

    As in the service, several processes run side by side, and each plays its matches in turns: a core is slower while
    its neighbour is busy, and a match is slower if it has to be loaded into the CPU caches each time.
    """
    share = max(1, matches // workers)
    with process_pool(workers) as processes:
        running = [processes.submit(_played, game, seats, share, inputs) for _ in range(workers)]
        steps = list(zip_longest(*(one.result() for one in running), fillvalue=(0.0, 0)))
    return EngineCost(tuple(sum(spent for spent, _ in step) / sum(count for _, count in step) * 1e6 for step in steps))


def _played(game: str, seats: int, matches: int, inputs: int | None) -> list[tuple[float, int]]:
    """Replay random matches; return the CPU seconds and the number of inputs of each step."""
    drawn = [_random_match(game, seats, number, inputs) for number in range(matches)]
    again = [_match(game, seats, number) for number in range(matches)]
    found: list[tuple[float, int]] = []
    gc_tuning.tune()  # as a worker does; the garbage collector would take a sixth of the time
    turns = zip_longest(*drawn)
    while step := list(islice(turns, STEP)):
        made = 0
        began = time.process_time()
        for turn in step:
            for match, given in zip(again, turn, strict=True):
                if given is not None:
                    match.answer(*given)
                    made += 1
        found.append((time.process_time() - began, made))
    return found


def _match(game: str, seats: int, number: int) -> Match:
    return Match(games.load(game), seats, secret=number.to_bytes(8, "big"), orders=standing(seats))


def _random_match(game: str, seats: int, number: int, inputs: int | None) -> list[tuple[int, Act]]:
    """Return the inputs of a match with random players, such as the bench uses, or the first of them."""
    rng = Random(number)
    match = _match(game, seats, number)
    acts: list[tuple[int, Act]] = []
    while (ask := match.g.ask) is not None and len(acts) != inputs:
        seat = match.waiting[0]
        act = ask.options[seat].sample(rng)
        match.answer(seat, act)
        acts.append((seat, act))
    return acts
