"""The parts of a search: options, candidates, halving, evidence and clocks."""

from collections.abc import Sequence
from random import Random
from types import SimpleNamespace

import pytest

from landsraad.bots import bot_class, has_options, is_installed
from landsraad.errors import BadBotOptions, UnknownBot
from landsraad_bots.house_runner.cpu_budget import CpuBudget
from landsraad_bots.searching.candidates import candidates
from landsraad_bots.searching.clock import RESERVE, TimePlan, effort_for
from landsraad_bots.searching.deciding import choose
from landsraad_bots.searching.halving import Samples, halve
from landsraad_bots.searching.settings import SearchSettings, parse_settings
from landsraad_cli.local_match_options import split_names
from landsraad_engine.dune import acts


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("", SearchSettings()),
        ("1s", SearchSettings(seconds=1.0)),
        ("0.3s,k=8", SearchSettings(seconds=0.3, k=8)),
        ("worlds=32", SearchSettings(seconds=0.0, worlds=32)),
        ("worlds=32,z=2.5", SearchSettings(seconds=0.0, worlds=32, z=2.5)),
    ],
)
def test_options_in_a_name(text: str, settings: SearchSettings) -> None:
    assert parse_settings(text) == settings


@pytest.mark.parametrize(
    "text", ["1", "s", "-1s", "nans", "infs", "k=1", "k=2.5", "worlds=0", "1s,worlds=3", "k=3,k=3", "depth=2", "k"]
)
def test_bad_options_are_named(text: str) -> None:
    with pytest.raises(BadBotOptions, match="searcher"):
        parse_settings(text)


def test_names_with_options_find_their_bot() -> None:
    assert vars(bot_class("searcher@1s", "arrakis"))["settings"].seconds == 1.0
    assert bot_class("searcher@1s", "dune") is bot_class("searcher@1s", "dune")
    assert bot_class("searcher", "dune").game == "dune"
    with pytest.raises(BadBotOptions, match="takes no options"):
        bot_class("greedy@1s", "dune")
    with pytest.raises(UnknownBot, match="does not play"):
        bot_class("searcher@1s", "errand")
    with pytest.raises(UnknownBot):
        bot_class("nobody@1s", "dune")
    assert is_installed("searcher@what")
    assert has_options("searcher@what")
    assert not has_options("nobody@1s")


def test_lists_of_names_keep_options_together() -> None:
    assert split_names("searcher@0.3s,k=8,greedy") == ("searcher@0.3s,k=8", "greedy")
    assert split_names("greedy, searcher@worlds=4,z=2,random") == ("greedy", "searcher@worlds=4,z=2", "random")
    assert split_names("greedy,k=8") == ("greedy", "k=8")


def test_candidates_are_few_of_a_kind_and_hold_the_policys_act_and_passing() -> None:
    ships = [acts.Ship(tokens, 0, "arrakeen:9", None) for tokens in range(1, 8)]
    other = acts.Ship(1, 0, "carthag:10", None)
    scored = [*((float(act.tokens), act) for act in ships), (0.5, other), (0.0, acts.Pass())]
    found = candidates(scored, ships[-1], 4)
    assert found == [ships[-1], acts.Pass(), ships[-2], other]


class Worlds:
    """An effort that counts worlds."""

    def __init__(self, most: int) -> None:
        self.most = most

    def spent(self, worlds: int) -> float:
        return worlds / self.most


def test_halving_keeps_the_policys_act_and_gives_the_best_the_most_worlds() -> None:
    rng = Random(1)
    means = [0.3, 0.1, 0.5, 0.2, 0.15, 0.25]

    def evaluate(world: int, alive: Sequence[int]) -> list[float]:
        luck = rng.gauss(0, 0.3)  # of the world, which all candidates share
        return [means[each] + luck + rng.gauss(0, 0.2) for each in alive]

    samples = halve(6, evaluate, Worlds(60))
    worlds = [len(each.values) for each in samples]
    assert worlds[0] == worlds[2] == max(worlds) <= 60
    assert min(worlds) <= 20
    assert choose(samples, 1.0) == 2


def test_halving_stops_when_the_leader_is_surely_ahead() -> None:
    samples = halve(
        3, lambda world, alive: [0.9 if each == 1 else 0.1 + world % 3 / 100 for each in alive], Worlds(900)
    )
    assert len(samples[1].values) < 20


def samples_of(*rows: Sequence[float]) -> list[Samples]:
    found = []
    for row in rows:
        each = Samples()
        each.values.extend(row)
        found.append(each)
    return found


def test_the_policys_act_is_replaced_on_paired_evidence_only() -> None:
    luck = [0.1, 0.9, 0.3, 0.7, 0.2, 0.8]
    better = [value + 0.05 for value in luck]
    assert choose(samples_of(luck, better), 1.0) == 1  # by pairs, though the means differ by less than their errors
    assert choose(samples_of(luck, luck), 1.0) == 0
    assert choose(samples_of(luck, better[:3]), 1.0) == 0  # three worlds are no evidence
    assert choose(samples_of(luck, [value + 0.004 for value in luck]), 1.0) == 0  # less than half a point
    noisy = [value + each for value, each in zip(luck, [0.9, -0.5, 0.6, -0.6, 0.7, -0.5], strict=True)]
    assert choose(samples_of(luck, noisy), 1.0) == 0


def clock(decision: float | None = None, bank: float | None = None, increment: float | None = None) -> SimpleNamespace:
    return SimpleNamespace(decision=decision, bank=bank, increment=increment)


def test_the_clock_keeps_its_reserve() -> None:
    plan = TimePlan()
    assert plan.spare(None, "Ship") == float("inf") == plan.spare(clock(), "Ship")
    assert plan.spare(clock(decision=0.06), "Ship") == 0
    assert plan.spare(clock(bank=RESERVE), "Ship") == 0
    assert 0 < plan.spare(clock(decision=1.0), "Ship") <= 1 - RESERVE
    bank = 10.0
    for _ in range(400):  # a match of 10 s + 0.5 s with overshoots
        spent = plan.spare(clock(bank=bank, increment=0.5), "Ship") + 0.03
        assert spent < bank - RESERVE + 0.03
        bank = bank - spent + 0.5
    assert bank > 0.5


def flagged(matches: int, seed: int) -> int:
    """Play matches at 10 s + 0.5 s and other clocks; return how many decisions have run out of time."""
    rng, late = Random(seed), 0
    for number in range(matches):
        plan = TimePlan()
        bank, increment = ((10.0, 0.5), (3.0, 0.1), (60.0, 0.0), (0.3, 0.2))[number % 4]
        for _ in range(100):
            kind = rng.choice(("Ship", "Manoeuvre", "BattlePlan"))
            spare = plan.spare(clock(bank=bank, increment=increment), kind)
            policy = 0.001 + 0.09 * rng.random() ** 4 * (spare > 0.25)  # greedy only where there is time
            search = spare + 0.03 * rng.random() if spare > 0.01 else 0.0  # overshoots by a playout
            network = 0.005 * rng.random()
            bank -= policy + search + network
            late += bank < 0
            bank = max(bank, 0.0) + increment
            plan.note(kind, changed=rng.random() < 0.2)
    return late


def test_no_decision_runs_out_of_time_at_any_clock() -> None:
    assert flagged(400, 1) == 0


@pytest.mark.long
def test_no_decision_of_ten_thousand_matches_runs_out_of_time() -> None:
    assert flagged(10_000, 2) == 0


def test_kinds_that_change_more_decisions_get_more_of_the_bank() -> None:
    plan = TimePlan()
    for number in range(40):
        plan.note("Ship", changed=number % 2 == 0)
        plan.note("Revive", changed=False)
    assert plan.weight("Ship") > 1 > plan.weight("Revive") >= 0.5


def test_the_budget_of_the_house_is_shared_and_refills() -> None:
    used, now = [0.0], [0.0]
    budget = CpuBudget(0.5, cpu=lambda: used[0], now=lambda: now[0])
    assert budget.grant(1.0) == 1.0
    assert budget.grant(2.0) == 1.5  # 2.5 s are saved up at the start, and 1 s is promised
    assert budget.grant(1.0) == 0.0
    used[0] = 2.5
    budget.release(1.0)
    budget.release(1.5)
    assert budget.grant(1.0) == 0.0  # all of it was used
    now[0] = 1.0
    assert budget.grant(1.0) == 0.5
    budget.release(0.5)
    now[0] = 1000.0
    assert budget.grant(100.0) == 2.5


def test_counted_effort_does_not_depend_on_time() -> None:
    effort = effort_for(SearchSettings(seconds=0.0, worlds=8), float("inf"))
    assert [effort.spent(worlds) for worlds in (0, 4, 8)] == [0, 0.5, 1]
