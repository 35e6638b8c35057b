"""Simulation: bots play whole matches on this machine, in one process or several."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Any

from landsraad import games as all_games
from landsraad import gc_tuning
from landsraad.bot_failures import FAILURES, SeatedBot, saved_failure
from landsraad.bots import derive_seed, make_bot
from landsraad.process_pool import process_map
from landsraad.replay_files import save_match
from landsraad_cli.output import progress
from landsraad_engine.errors import BotFailed, Refused
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import listens, play_out, standing


@dataclass(frozen=True, slots=True)
class Job:
    """A portion of matches: everything that a process needs to play them."""

    game: str
    seats: int
    options: Mapping[str, Any]
    bots: tuple[str, ...]
    seed: int
    numbers: range
    save: Path | None


@dataclass(slots=True)
class SimulatedMatch:
    """The totals of some matches. The sum does not depend on how they are divided into portions."""

    games: int = 0
    decisions: int = 0
    cpu_seconds: float = 0.0
    results: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)
    winners_by_faction: Counter[str] = field(default_factory=Counter)
    turns: Counter[str] = field(default_factory=Counter)

    def add(self, other: SimulatedMatch) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.cpu_seconds += other.cpu_seconds
        for name in ("results", "winners", "winners_by_faction", "turns"):
            getattr(self, name).update(getattr(other, name))


def play_job(job: Job) -> SimulatedMatch:
    """Play the matches of a job.

    Raises:
        BotFailure: A bot has failed. The match is saved up to there.
    """
    played = SimulatedMatch()
    found = all_games.load(job.game)
    began = time.process_time()
    for number in job.numbers:
        name = f"simulate-{job.seed}-{number}"
        seated = [SeatedBot(bot, derive_seed(job.seed, number, "bot", seat)) for seat, bot in enumerate(job.bots)]
        bots = [make_bot(one.bot, job.game, one.seed) for one in seated]
        match = Match(
            found,
            job.seats,
            job.options,
            secret=derive_seed(job.seed, number, "secret").to_bytes(8, "big"),
            name=name,
            record=any(map(listens, bots)),
            orders=standing(job.seats),
        )
        file = f"{job.game}-{job.seed}-{number}.json.gz"
        try:
            tally = play_out(match, bots)
        except (Refused, BotFailed) as error:
            raise saved_failure(error, match, seated, (job.save or FAILURES) / file) from None
        played.games += 1
        played.decisions += tally.decisions
        assert match.result is not None
        kind, winners = match.result
        played.results[kind] += 1
        for seat in winners:
            played.winners[str(seat)] += 1
        for side in {match.g.table.get(f"side/{seat}") for seat in winners}:  # partners win one match together
            played.winners_by_faction[str(side)] += 1
        played.turns[str(match.g.table.get(found.turn_counter, 0))] += 1
        if job.save is not None:
            save_match(match, job.save / file, bots=[asdict(one) for one in seated])
    played.cpu_seconds = time.process_time() - began
    return played


def interval(won: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return the bounds of the true share of wins: Wilson's score interval, with a confidence of 95 % by default."""
    share, spread = won / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def portions(games: int, size: int) -> Iterator[range]:
    numbers = iter(range(games))
    while portion := tuple(islice(numbers, size)):
        yield range(portion[0], portion[-1] + 1)


def run_jobs(jobs: list[Job], processes: int, label: str) -> SimulatedMatch:
    """Play all jobs. The sum does not depend on the number of processes."""
    total = SimulatedMatch()
    matches = sum(len(job.numbers) for job in jobs)
    tune = partial(gc_tuning.tune, gc_tuning.THROUGHPUT)
    with gc_tuning.tuned(), progress(label, matches) as advance, process_map(processes, tune) as each:
        for job, played in zip(jobs, each(play_job, jobs), strict=True):
            total.add(played)
            advance(len(job.numbers))
    return total
