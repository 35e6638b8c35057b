"""The fit of strengths, its intervals and ranges of ranks, on results by hand and on simulated ladders."""

from math import log
from random import Random
from time import process_time

import numpy as np
import pytest

from landsraad_arena.rating.intervals import LEAST_GAMES, covariance, rank_ranges, rate
from landsraad_arena.rating.model import (
    ANCHOR_POINTS,
    POINTS_PER_UNIT,
    Priors,
    RatedResult,
    StrengthFit,
    UnratableResult,
    fit,
    gather,
    strength_weights,
)
from landsraad_arena.rating.simulate import KINDS, LadderKind, Recovery, SimulatedLadder, recover

FLAT = Priors(100, 100, 1e-4)


def duel(n: int, winner: str, loser: str, *, swapped: bool = False) -> RatedResult:
    seats, shares = ((winner, loser), (1.0, 0.0)) if not swapped else ((loser, winner), (0.0, 1.0))
    return RatedResult(seats, ("Atreides", "Harkonnen"), shares, f"b{n}")


def duels(wins: int, losses: int) -> list[RatedResult]:
    """A beats B so often, half of the matches from each side."""
    played = [duel(n, "a", "b", swapped=n % 2 == 1) for n in range(wins)]
    return played + [duel(wins + n, "b", "a", swapped=n % 2 == 1) for n in range(losses)]


def strengths(fitted: StrengthFit) -> dict[str, float]:
    found = strength_weights(fitted.tables) @ fitted.parameters
    return dict(zip(fitted.tables.versions, found.tolist(), strict=True))


def test_two_seats_are_bradley_and_terry() -> None:
    found = strengths(fit(gather(duels(300, 100)), FLAT))
    assert found["a"] - found["b"] == pytest.approx(log(3), abs=1e-3)


def test_the_side_takes_its_share() -> None:
    """Atreides wins three of four, whoever plays it: the versions are equal."""
    results = [
        RatedResult(
            ("a", "b") if n % 2 else ("b", "a"),
            ("Atreides", "Harkonnen"),
            (1.0, 0.0) if n % 8 < 6 else (0.0, 1.0),
            f"{n}",
        )
        for n in range(400)
    ]
    fitted = fit(gather(results), FLAT)
    found = strengths(fitted)
    assert found["a"] == pytest.approx(found["b"], abs=1e-6)
    sides = dict(zip(fitted.tables.columns, fitted.parameters[2:4], strict=True))
    assert sides[2, "Atreides"] - sides[2, "Harkonnen"] == pytest.approx(log(3), abs=1e-3)


def test_an_alliance_shares_the_win() -> None:
    whole = [RatedResult(("a", "b", "c"), ("x", "y", "z"), (0.5, 0.5, 0.0), "1")]
    halves = [RatedResult(("a", "b", "c"), ("x", "y", "z"), shares, "1") for shares in ((1.0, 0, 0), (0, 1.0, 0))]
    found = fit(gather(whole * 2)).parameters
    assert found == pytest.approx(fit(gather(halves)).parameters)


def test_one_loser_of_all() -> None:
    """With one win for each of the others, the mean strengths of winners are equal."""
    found = strengths(fit(gather([RatedResult(("a", "b", "c"), ("x", "y", "z"), (0.5, 0.5, 0.0), "1")] * 9)))
    assert found["a"] == pytest.approx(found["b"])
    assert found["c"] < found["a"]


def test_an_offender_alone_loses() -> None:
    spoiled = [RatedResult(("a", "b", "c"), ("x", "y", "z"), (1.0, 0.0, 0.0), f"{n}", offender=0) for n in range(5)]
    found = strengths(fit(gather(spoiled)))
    assert found["a"] < 0 < found["b"]
    assert found["b"] == pytest.approx(found["c"])


def test_the_fit_is_the_top() -> None:
    """The slope of the penalised likelihood, by finite differences of strengths, is 0 in each direction."""
    tables = gather(SimulatedLadder(LadderKind(versions=5, seats=3), 2).play(60))
    fitted = fit(tables)
    slope = np.zeros(tables.size)
    for places in tables.parameters:
        np.add.at(slope, places, fitted.slopes)
    assert slope - fitted.prior * fitted.parameters == pytest.approx(np.zeros(tables.size), abs=1e-7)


def test_the_order_of_results_has_no_part() -> None:
    results = SimulatedLadder(LadderKind(versions=6), 1).play(80)
    other = list(results)
    Random(1).shuffle(other)
    assert fit(gather(results)).parameters == pytest.approx(fit(gather(other)).parameters, abs=1e-9)


def test_tables_of_different_sizes_have_faction_terms_of_their_own() -> None:
    results = [*duels(3, 1), RatedResult(("a", "b", "c"), ("Atreides", "Harkonnen", "x"), (0.0, 0.0, 1.0), "t")]
    fitted = fit(gather(results))
    assert fitted.tables.columns == ((2, "Atreides"), (2, "Harkonnen"), (3, "Atreides"), (3, "Harkonnen"), (3, "x"))
    assert fitted.parameters[3:5] != pytest.approx(fitted.parameters[5:7])


def test_the_anchor_stands_at_1500() -> None:
    rows = rate(fit(gather(duels(300, 100)), FLAT), "b")
    assert [row.version for row in rows] == ["a", "b"]
    assert rows[1].rating.value == ANCHOR_POINTS
    assert rows[1].rating.error == 0
    assert rows[0].rating.value - ANCHOR_POINTS == pytest.approx(POINTS_PER_UNIT * log(3), abs=0.5)
    # the error of a log odds is 1/sqrt(n p q)
    assert rows[0].rating.error == pytest.approx(POINTS_PER_UNIT / (400 * 0.25 * 0.75) ** 0.5, rel=0.02)
    assert rows[0].ranks == (1, 1)
    assert rows[0].games == 400
    assert set(rows[0].by_faction) == {"Atreides", "Harkonnen"}


def test_matches_of_one_board_count_as_one() -> None:
    """Ten copies of each result on its board are no more evidence than one."""
    single = duels(60, 40)
    fitted, copied = fit(gather(single), FLAT), fit(gather(single * 10), FLAT)
    contrast = strength_weights(fitted.tables)[0] - strength_weights(fitted.tables)[1]
    once, tenfold = (contrast @ covariance(each) @ contrast for each in (fitted, copied))
    assert tenfold == pytest.approx(once, rel=0.02)


def test_few_matches_give_no_rank() -> None:
    results = [
        *duels(40, 20),
        *(RatedResult(("c", "a"), ("Atreides", "Harkonnen"), (1.0, 0.0), f"c{n}") for n in range(5)),
    ]
    rows = {row.version: row for row in rate(fit(gather(results)), "a")}
    assert rows["c"].games < LEAST_GAMES
    assert rows["c"].ranks is None
    assert rows["a"].ranks == (1, 1)


def test_ranges_of_ranks() -> None:
    clear = rank_ranges(np.array([0.0, 2.0, 4.0]), np.eye(3) * 0.01, 1, 500)
    assert clear == [(3, 3), (2, 2), (1, 1)]
    unclear = rank_ranges(np.array([0.0, 0.1, 4.0]), np.eye(3) * 0.01, 1, 500)
    assert unclear == [(2, 3), (2, 3), (1, 1)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"shares": (1.0, 1.0)}, "no parts of one win"),
        ({"shares": (1.5, -0.5)}, "no parts of one win"),
        ({"factions": ("x",)}, "1 factions"),
        ({"offender": 2}, "seat 2 of 2"),
    ],
)
def test_results_that_cannot_be_are_refused(change: dict[str, object], words: str) -> None:
    given: dict[str, object] = {"versions": ("a", "b"), "factions": ("x", "y"), "shares": (1.0, 0.0), "board": "1"}
    with pytest.raises(UnratableResult, match=words):
        RatedResult(**(given | change))  # type: ignore[arg-type]


def test_nothing_cannot_be_rated() -> None:
    with pytest.raises(UnratableResult, match="needs a result"):
        gather([])
    with pytest.raises(UnratableResult, match="anchor greedy"):
        rate(fit(gather(duels(1, 1))), "greedy")


def recoveries(kind: str, ladders: int) -> list[Recovery]:
    return [recover(KINDS[kind], 1200, seed) for seed in range(ladders)]


def mean_correlation(found: list[Recovery]) -> float:
    return sum(each.correlation for each in found) / len(found)


def test_strengths_are_recovered() -> None:
    assert mean_correlation(recoveries("fair", 2)) > 0.93


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "least"), [("fair", 0.96), pytest.param("unfair", 0.93, marks=pytest.mark.exhaustive)]
)
def test_strengths_are_recovered_with_intervals_that_hold(kind: str, least: float) -> None:
    found = recoveries(kind, 60)
    assert mean_correlation(found) >= least
    assert 0.92 <= sum(each.covered for each in found) / len(found) <= 0.98
    assert sum(each.ranks_held for each in found) / len(found) >= 0.9


@pytest.mark.long
def test_a_large_league_is_fitted_in_five_seconds() -> None:
    tables = gather(SimulatedLadder(LadderKind(versions=60, seats=6), 1).play(50_000))
    begun = process_time()
    fit(tables)
    assert process_time() - begun < 5
