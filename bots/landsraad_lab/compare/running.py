"""A comparison: sets from the schedule, in several processes, taken in order until the plan or the test ends it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice
from pathlib import Path

from landsraad import gc_tuning
from landsraad.process_pool import process_pool
from landsraad_engine.errors import EngineError
from landsraad_lab.statistics.sequential import Hypotheses, SequentialTest, Verdict
from landsraad_lab.statistics.sets import Estimate, Pairing, SetShares, estimate, pairing
from landsraad_lab.statistics.stopped import stopped_estimate

from .playing import PlayedSet, play_set
from .records import Records
from .schedule import ComparisonPlan

#: Sets that are under way or wait for their turn, for each process. More would be wasted at the verdict.
WINDOW = 2


class ProcessDied(EngineError):
    """A bot has ended the process it played in, so its failure cannot be told from that of another."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of a comparison: after so many sets, or at the verdict of the test, at the latest after so many."""

    sets: int
    hypotheses: Hypotheses | None = None


@dataclass(slots=True)
class Comparison:
    """The sets that count, in the order of the schedule, and what follows from them."""

    stop: Stop
    played: list[PlayedSet] = field(default_factory=list)
    #: the log likelihood ratio after each set, if there is a test
    ratios: list[float] = field(default_factory=list)
    verdict: Verdict | None = None
    seconds: float = 0.0
    test: SequentialTest | None = None

    def __post_init__(self) -> None:
        if self.stop.hypotheses is not None:
            self.test = SequentialTest(self.stop.hypotheses)

    def add(self, played: PlayedSet) -> None:
        """Take the next set."""
        self.played.append(played)
        if self.test is not None:
            self.verdict = self.test.add(played.shares)
            self.ratios.append(self.test.ratio)
        if self.verdict is None and len(self.played) == self.stop.sets:
            self.verdict = Verdict.OPEN if self.test is not None else self._verdict_of_interval()

    @property
    def shares(self) -> list[SetShares]:
        """The shares of A and B in each set."""
        return [played.shares for played in self.played]

    @property
    def estimate(self) -> Estimate:
        """The difference B - A in points; after a test, it allows for the moment at which the test stopped."""
        found = estimate(self.shares)
        if self.test is None or self.verdict is None:
            return found
        return stopped_estimate(self.test, self.verdict, found)

    @property
    def pairing(self) -> Pairing:
        """The part of the variance that pairing has saved."""
        return pairing(self.shares)

    @property
    def cpu_seconds_per_set(self) -> float:
        """The mean CPU time of a set."""
        return sum(match.cpu_seconds for each in self.played for match in each.matches) / len(self.played)

    def count(self, name: str) -> dict[str, int]:
        """Return the timeouts or the faults of A, B and the panel."""
        matches = [match for each in self.played for match in each.matches]
        return {player: sum(getattr(match, name)[player] for match in matches) for player in ("a", "b", "panel")}

    def expected_sets(self) -> tuple[float, float]:
        """Return the number of sets to expect in all: at a hypothesis, and midway between both."""
        return (self.stop.sets, self.stop.sets) if self.test is None else self.test.expected_sets()

    def _verdict_of_interval(self) -> Verdict:
        found = self.estimate
        if found.low > 0:
            return Verdict.BETTER
        return Verdict.WORSE if found.high < 0 else Verdict.OPEN


def compare(
    plan: ComparisonPlan,
    stop: Stop,
    jobs: int,
    folder: Path | None,
    after_set: Callable[[Comparison], None] = lambda _: None,
) -> Comparison:
    """Play sets until the end.

    Args:
        plan: The matches.
        stop: The end. The result depends on it and on the plan alone, not on the number of processes.
        jobs: The number of processes.
        folder: A folder for the sets, to go on from after an interruption.
        after_set: A function that is called after each set.

    Returns:
        The comparison.

    Raises:
        OtherComparison: The folder holds another comparison.
        ProcessDied: A bot has ended its process.
    """
    began = time.perf_counter()
    comparison = Comparison(stop)
    records = None if folder is None else Records(folder, plan)
    try:
        with nullcontext() if records is None else closing(records), closing(_sets(plan, jobs, records)) as sets:
            for played in islice(sets, stop.sets):
                comparison.add(played)
                comparison.seconds = time.perf_counter() - began
                after_set(comparison)
                if comparison.verdict is not None:
                    break
    except BrokenProcessPool:
        after = f"after {len(comparison.played)} sets"
        raise ProcessDied(f"{after}, a process ended in the middle of a match; with --jobs 1 you see why") from None
    return comparison


def _sets(plan: ComparisonPlan, jobs: int, records: Records | None) -> Generator[PlayedSet, None, None]:
    """Yield the sets of the schedule in their order, from the records as far as they go."""
    known = {} if records is None else records.played
    play = partial(play_set, plan, faults=None if records is None else records.faults)
    if jobs == 1:
        with gc_tuning.tuned():
            for number in count():
                if number not in known:
                    known[number] = _kept(play(number), records)
                yield known.pop(number)
    tune = partial(gc_tuning.tune, gc_tuning.THROUGHPUT)
    pending: dict[int, Future[PlayedSet]] = {}
    with process_pool(jobs, tune) as pool:
        for number in count():
            for ahead in range(number, number + WINDOW * jobs):
                if ahead not in known and ahead not in pending:
                    pending[ahead] = pool.submit(play, ahead)
            if number in pending:
                known[number] = _kept(pending.pop(number).result(), records)
            yield known.pop(number)


def _kept(played: PlayedSet, records: Records | None) -> PlayedSet:
    if records is not None:
        records.add(played)
    return played
