"""Estimates, intervals and the sequential test against sets with a known truth."""

from itertools import islice
from math import inf, log
from random import Random

import pytest

from landsraad_lab.statistics.sequential import LEAST_SETS, Hypotheses, SequentialTest, Verdict, expected_sets
from landsraad_lab.statistics.sets import SetShares, estimate, lead, mean_share, pairing, points_of
from landsraad_lab.statistics.simulated import Truth, coverage, run_tests
from landsraad_lab.statistics.stopped import hit_low, stopped_estimate

EVEN = SetShares((1.0, 0.0), (0.0, 1.0))  # the same seat wins both matches
FOR_B = SetShares((0.0, 0.0), (1.0, 1.0))
FOR_A = SetShares((1.0, 1.0), (0.0, 0.0))


def played(truth: Truth, sets: int, seed: int = 3) -> list[SetShares]:
    return list(islice(truth.sets(Random(seed), truth.conditional()), sets))


def test_points_are_a_scale_of_odds() -> None:
    assert points_of(10 / 11) == pytest.approx(400)
    assert points_of(1 / 11) == pytest.approx(-400)
    assert points_of((1 + lead(40)) / 2) == pytest.approx(40)
    assert (points_of(0), points_of(1)) == (-inf, inf)


@pytest.mark.parametrize("truth", [Truth(0, 0), Truth(120, 1), Truth(-200, 2), Truth(60, 1, seats=4)])
def test_the_estimate_finds_the_truth(truth: Truth) -> None:
    found = estimate(played(truth, 20_000))
    assert found.low <= truth.points <= found.high
    assert found.value == pytest.approx(truth.points, abs=10)
    assert found.high - found.low < 20


@pytest.mark.parametrize(("truth", "sets"), [(Truth(0, 0), 20), (Truth(40, 1), 100), (Truth(200, 2, seats=4), 50)])
def test_the_interval_holds_the_truth_as_often_as_it_says(truth: Truth, sets: int) -> None:
    held, error = coverage(truth, sets, 800)
    assert 0.93 <= held <= 0.98  # 95 %, with a standard error of 0.8
    assert abs(error) < 8


def test_a_clean_sweep_has_a_bound_on_one_side_only() -> None:
    found = estimate([FOR_B] * 20)
    assert found.high == inf
    assert 0 < found.low < found.value < inf
    other = estimate([FOR_A] * 20)
    assert other.low == -inf
    assert (other.high, other.value) == pytest.approx((-found.low, -found.value))


def test_no_win_of_either_says_nothing() -> None:
    found = estimate([SetShares((0.0, 0.0), (0.0, 0.0))] * 20)
    assert (found.value, found.low, found.high) == (0, -inf, inf)


def test_pairing_saves_what_the_board_decides() -> None:
    assert pairing([EVEN] * 20).saved == 1
    assert pairing([FOR_A, FOR_B] * 20).saved == pytest.approx(-1)
    assert pairing([FOR_B] * 20).saved == 0  # nothing varies, so there is nothing to save
    free = pairing(played(Truth(0, 0), 20_000))
    assert free.low <= 0 <= free.high
    assert free.high - free.low < 0.05
    assert pairing(played(Truth(0, 2), 5_000)).low > 0.4


def test_the_test_takes_at_least_sixteen_sets() -> None:
    test = SequentialTest(Hypotheses())
    verdicts = [test.add(FOR_B) for _ in range(LEAST_SETS)]
    assert verdicts[:-1] == [None] * 15
    assert test.ratio > 0
    while verdicts[-1] is None:
        verdicts.append(test.add(FOR_B))
    assert verdicts[-1] is Verdict.BETTER


def test_equal_matches_show_that_b_is_not_better() -> None:
    test = SequentialTest(Hypotheses())
    verdict = next(end for _ in range(100) if (end := test.add(EVEN)) is not None)
    assert verdict is Verdict.NOT_BETTER
    found = stopped_estimate(test, verdict, estimate([EVEN] * test.sets))
    assert found.value == 0
    assert found.low < 0 < found.high


def test_tables_that_neither_wins_decide_nothing() -> None:
    test = SequentialTest(Hypotheses())
    assert {test.add(SetShares((0.0, 0.0), (0.0, 0.0))) for _ in range(100)} == {None}
    assert test.expected_sets() == (inf, inf)


def test_the_theory_gives_the_sets_that_the_design_expects() -> None:
    even = Hypotheses()
    mean = lead(40)
    assert expected_sets(even, mean, mean, 0.5) == pytest.approx(200, rel=0.02)
    assert expected_sets(even, mean, 0, 0.5) == pytest.approx(expected_sets(even, mean, mean, 0.5))
    assert expected_sets(even, mean, mean / 2, 0.5) == pytest.approx(330, rel=0.02)


@pytest.mark.parametrize("drift", [-0.2, -0.03, 0.0, 0.03, 0.2])
def test_the_brownian_motion_comes_to_one_bound_or_the_other(drift: float) -> None:
    low, high = 6.0, 9.0
    assert hit_low(drift, low, high, 1e6) + hit_low(-drift, high, low, 1e6) == pytest.approx(1)
    early, late = hit_low(drift, low, high, 10), hit_low(drift, low, high, 100)
    assert 0 <= early < late <= hit_low(drift, low, high, 1e6)
    assert hit_low(0, low, high, 1e6) == pytest.approx(0.6)


def test_a_simulated_walk_agrees_with_the_brownian_motion() -> None:
    rng, runs, below = Random(5), 1000, 0
    for _ in range(runs):
        place, step = 0.0, 0
        while -10 < place < 10 and step < 100:
            place, step = place + rng.gauss(-0.05, 1), step + 1
        below += place <= -10
    # The walk overshoots its bounds, so the motion's bounds lie 0.583 steps further out.
    assert below / runs == pytest.approx(hit_low(-0.05, 10.583, 10.583, 100), abs=0.05)


def check(truth: Truth, runs: int, error: float, spread: float, covered: float) -> None:
    """Hold a row of the table to its bounds."""
    row = run_tests(truth, Hypotheses(), runs)
    if truth.points in (0, 40):
        assert (row.better if truth.points == 0 else 1 - row.better) <= error, row
    assert row.mean_sets == pytest.approx(row.theory, rel=spread), row
    assert row.covered >= covered, row
    assert row.above == pytest.approx(0.5, abs=4 * 0.5 / runs**0.5 + 0.05), row


@pytest.mark.parametrize("points", [0, 40])
@pytest.mark.parametrize("deal", [0.0, 2.0])
def test_errors_of_the_sequential_test_in_short(deal: float, points: float) -> None:
    check(Truth(points, deal), 250, error=0.10, spread=0.30, covered=0.90)


@pytest.mark.long
@pytest.mark.parametrize("points", [0, 40])
@pytest.mark.parametrize("deal", [0.0, 1.0, 2.0])
def test_errors_of_the_sequential_test(deal: float, points: float) -> None:
    check(Truth(points, deal), 10_000, error=0.055, spread=0.15, covered=0.93)


def test_marginal_points_are_what_a_table_of_random_boards_shows() -> None:
    truth = Truth(80, 2.0)
    sets = played(truth, 40_000)
    wins_a, wins_b = sum(sum(each.a) for each in sets), sum(sum(each.b) for each in sets)
    assert 400 * log(wins_b / wins_a) / log(10) == pytest.approx(80, abs=6)
    assert truth.conditional() * 400 / log(10) > 100  # on one board the difference is greater


def test_the_mean_share_of_a_match_has_an_interval_clustered_by_set() -> None:
    rng = Random(4)
    covered = 0
    for _ in range(400):
        boards = [0.1 if rng.random() < 0.5 else 0.5 for _ in range(40)]  # both matches of a set share the board
        shares = [(float(rng.random() < p), float(rng.random() < p)) for p in boards]
        mean, low, high = mean_share(shares)
        assert 0 <= low <= mean <= high <= 1
        covered += low <= 0.3 <= high
    assert covered > 0.9 * 400
    assert mean_share([(0.0, 0.0)] * 10)[2] > 0.05
