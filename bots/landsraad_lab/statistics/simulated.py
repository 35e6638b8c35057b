"""Sets with a known truth: the test bench of the estimate, its interval and the sequential test.

`python -m landsraad_lab.statistics.simulated --runs 10000` prints the table of docs/compare.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import exp, log
from random import Random

from .sequential import Hypotheses, SequentialTest, Verdict, expected_sets
from .sets import POINTS_PER_UNIT, SetShares, estimate, lead
from .stopped import stopped_estimate

#: Boards on which the marginal scale is computed.
BOARDS = 20_000
#: Seats, deal, points and sets for which the interval of a fixed number of sets is tried.
FIXED_CASES = ((2, 0, 0, 20), (2, 1, 40, 100), (4, 1, 40, 200), (4, 2, 200, 50), (2, 0, 400, 50))


@dataclass(frozen=True, slots=True)
class Truth:
    """A table with a known difference on the marginal scale: the shares over random boards.

    Args:
        points: how much B is stronger than A.
        deal: standard deviation of what a board gives to each seat, in units of log strength.
        seats: seats at the table; A, B and the panel have equal strengths at 0 points.

    """

    points: float
    deal: float
    seats: int = 2

    def conditional(self) -> float:
        """Return the difference of log strengths on one board that gives these points over all boards."""
        target = self.points / POINTS_PER_UNIT
        if not target or not self.deal:
            return target
        rng = Random(1)
        boards = [[rng.gauss(0, self.deal) for _ in range(self.seats)] for _ in range(BOARDS)]

        def miss(conditional: float) -> float:
            """Return how far the marginal difference is from the target."""
            pairs = [
                _chances(seats, conditional) for board in boards for seats in (board, [board[1], board[0], *board[2:]])
            ]
            return log(sum(b for _, b in pairs) / sum(a for a, _ in pairs)) - target

        last, now = target, 1.5 * target
        missed, misses = miss(last), miss(now)
        while abs(misses) > 1e-6:  # the secant: the function is nearly straight
            last, now, missed = now, now - misses * (now - last) / (misses - missed), misses
            misses = miss(now)
        return now

    def sets(self, rng: Random, conditional: float) -> Iterator[SetShares]:
        """Play sets without end."""
        while True:
            board = [rng.gauss(0, self.deal) for _ in range(self.seats)]
            first = _winner(rng, board, conditional)
            second = _winner(rng, [board[1], board[0], *board[2:]], conditional)
            yield SetShares((float(first == 0), float(second == 0)), (float(first == 1), float(second == 1)))


def _chances(board: list[float], conditional: float) -> tuple[float, float]:
    """Return the probabilities that A wins in the first seat and B in the second."""
    weights = [exp(each) for each in board]
    weights[1] *= exp(conditional)
    total = sum(weights)
    return weights[0] / total, weights[1] / total


def _winner(rng: Random, board: list[float], conditional: float) -> int:
    """Draw the winner: 0 for A, 1 for B, 2 for the panel."""
    a, b = _chances(board, conditional)
    draw = rng.random()
    return 0 if draw < a else 1 if draw < a + b else 2


@dataclass(frozen=True, slots=True)
class TruthRow:
    """A row of the table: the verdicts of many runs at one truth, and the cost beside the theory."""

    truth: Truth
    runs: int
    better: float
    mean_sets: float
    theory: float
    covered: float
    #: how often the estimate is greater than the truth
    above: float


def run_tests(truth: Truth, hypotheses: Hypotheses, runs: int, seed: int = 1) -> TruthRow:
    """Run the sequential test many times at one truth."""
    rng = Random(seed)
    conditional = truth.conditional()
    found = sets = covered = above = 0
    pilot = list(islice(truth.sets(rng, conditional), 20_000))
    mean = sum(each.score for each in pilot) / len(pilot)
    variance = sum((each.score - mean) ** 2 for each in pilot) / len(pilot)
    total = sum(each.total for each in pilot) / len(pilot)
    for _ in range(runs):
        test = SequentialTest(hypotheses)
        verdict = Verdict.OPEN
        taken = []
        for played in truth.sets(rng, conditional):
            taken.append(played)
            ended = test.add(played)
            if ended is not None:
                verdict = ended
                break
        found += verdict is Verdict.BETTER
        sets += len(taken)
        interval = stopped_estimate(test, verdict, estimate(taken))
        above += interval.value > truth.points
        covered += interval.low <= truth.points <= interval.high
    target = lead(hypotheses.better) * total
    theory = expected_sets(hypotheses, target, lead(truth.points) * total, variance)
    return TruthRow(truth, runs, found / runs, sets / runs, theory, covered / runs, above / runs)


def coverage(truth: Truth, sets: int, runs: int, seed: int = 1) -> tuple[float, float]:
    """Return how often the interval of so many sets holds the truth, and the mean error of the estimate in points."""
    rng = Random(seed)
    conditional = truth.conditional()
    source = truth.sets(rng, conditional)
    covered, error = 0, 0.0
    for _ in range(runs):
        found = estimate(list(islice(source, sets)))
        covered += found.low <= truth.points <= found.high
        error += found.value - truth.points
    return covered / runs, error / runs


def _head(*columns: str) -> None:
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")


def main() -> None:
    """Print the tables of docs/compare.md."""
    parser = argparse.ArgumentParser(prog="python -m landsraad_lab.statistics.simulated")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--better", type=float, default=40.0)
    given = parser.parse_args()
    hypotheses = Hypotheses(given.better)
    _head("seats", "deal", "true points", "better", "mean sets", "theory", "covered", "estimate above")
    for seats in (2, 4):
        for deal in (0.0, 1.0, 2.0):
            for points in (0.0, given.better / 2, given.better):
                row = run_tests(Truth(points, deal, seats), hypotheses, given.runs)
                print(
                    f"| {seats} | {deal:g} | {points:g} | {row.better:.2%} | {row.mean_sets:.0f} | {row.theory:.0f}"
                    f" | {row.covered:.1%} | {row.above:.0%} |",
                    flush=True,
                )
    print()
    _head("seats", "deal", "true points", "sets", "covered", "mean error")
    for seats, deal, points, sets in FIXED_CASES:
        held, error = coverage(Truth(points, deal, seats), sets, given.runs)
        print(f"| {seats} | {deal} | {points} | {sets} | {held:.1%} | {error:+.1f} |", flush=True)


if __name__ == "__main__":
    main()
