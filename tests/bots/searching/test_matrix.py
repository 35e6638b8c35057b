"""Sealed questions as matrix games: known games, different plans, and the searcher's mixture."""

from collections import Counter
from random import Random

import pytest

from landsraad_bots.quick import quick
from landsraad_bots.searching import searcher
from landsraad_bots.searching.matrix import POLICY_SHARE, Payoffs, drawn, solve, trimmed
from landsraad_bots.searching.player import Searcher
from landsraad_bots.searching.sealed import different
from landsraad_bots.searching.worlds import WorldPool
from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.game import DUNE
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, put_question, standing


def zero_sum(*rows: tuple[float, ...]) -> Payoffs:
    return Payoffs(rows, tuple(tuple(1 - each for each in row) for row in rows))


def test_matching_pennies_are_thrown_evenly() -> None:
    own = solve([zero_sum((1, 0), (0, 1))]).own
    assert own == pytest.approx((0.5, 0.5), abs=0.03)


def test_an_uneven_game_has_its_known_mixture() -> None:
    solution = solve([zero_sum((0.75, 0.25), (0.0, 1.0))])
    assert solution.own == pytest.approx((2 / 3, 1 / 3), abs=0.03)
    assert solution.opponent[0] == pytest.approx((0.5, 0.5), abs=0.03)


def test_a_plan_that_is_always_worse_is_not_played() -> None:
    own = solve([zero_sum((0.5, 0.6), (0.4, 0.1), (0.2, 0.3))]).own
    assert own[0] > 0.95
    assert trimmed(own, 0) == (1.0, 0.0, 0.0)


def test_one_mixture_serves_all_worlds() -> None:
    """In either world alone one plan is sure to win; who does not know the world can only mix."""
    worlds = [zero_sum((1.0,), (0.0,)), zero_sum((0.0,), (1.0,))]
    own = solve(worlds).own
    assert own == pytest.approx((0.5, 0.5), abs=0.05)
    assert solve([*worlds, worlds[0]]).own[0] > 0.95, "unless one world is likelier"


def test_small_shares_are_dropped_and_the_policy_keeps_its_own() -> None:
    mixture = trimmed((0.02, 0.58, 0.4), 0)
    assert sum(mixture) == pytest.approx(1.0)
    assert mixture[0] == pytest.approx(POLICY_SHARE)
    assert mixture[1] / mixture[2] == pytest.approx(0.58 / 0.4)
    assert trimmed((0.04,) * 25, 3)[3] == 1.0, "if all are small, the policy's stands"
    rng = Random(1)
    counts = Counter(drawn((0.25, 0.0, 0.75), rng) for _ in range(2000))
    assert counts[1] == 0
    assert counts[0] == pytest.approx(500, abs=100)


def plan(dial: int, leader: str = "lady_jessica", weapon: str | None = None) -> BattlePlan:
    return BattlePlan(dial, leader, weapon, None, cheap_hero=False, kwisatz_haderach=False)


def test_plans_that_are_tried_differ() -> None:
    scored = [(float(dial), plan(dial)) for dial in range(10)] + [(0.5, plan(9, weapon="crysknife"))]
    found = different(scored, 6, first=plan(0))
    assert found == [plan(0), plan(9), plan(7), plan(9, weapon="crysknife")]
    assert different(scored, 2) == [plan(9), plan(7)]


# --- the searcher


def clash(answered: int) -> Match:
    """Play quick players up to the plans of a battle, of which so many have been committed."""
    match = Match(DUNE, 4, secret=b"clash", record=False, orders=standing(4))
    bots = [quick("dune")(seat) for seat in range(4)]
    while match.g.ask is None or match.g.ask.why != "DUNE-6.9" or len(match.g.waiting) != 2 - answered:
        play_out(match, bots, 1)
    return match


def player(options: str, seed: int = 3) -> Searcher:
    bot = searcher("dune", options)(seed)
    assert isinstance(bot, Searcher)
    return bot


def test_a_battle_plan_is_drawn_from_a_mixture_that_the_seed_decides() -> None:
    match = clash(0)
    seat = match.waiting[0]
    report, again = (player("worlds=3,k=5,matrix=1").consider(*put_question(match, seat)) for _ in range(2))
    assert (report.candidates, report.chosen) == (again.candidates, again.chosen)
    assert len(report.candidates) > 1
    assert all(row.worlds == 3 for row in report.candidates), "no plan is dropped before the game is solved"
    assert report.chosen in [row.act for row in report.candidates]


@pytest.mark.parametrize("answered", [0, 1])
def test_the_opponents_plan_is_searched_whether_it_lies_there_or_not(answered: int) -> None:
    match = clash(answered)
    seat = match.waiting[0]
    view, ask = put_question(match, seat)
    pool = WorldPool(ask, Random(1))
    assert len(pool[0][0].asked) == 2, "what lies there is taken back in a world"
    report = player("worlds=2,k=4,matrix=1").consider(view, ask)
    assert (report.worlds, report.note) == (2, "")
    assert ask.options.contains(report.chosen)


def test_without_the_matrix_plans_are_searched_like_other_acts() -> None:
    match = clash(0)
    report = player("worlds=8,k=4").consider(*put_question(match, match.waiting[0]))
    assert min(row.worlds for row in report.candidates) < 8, "the worse half is dropped"
