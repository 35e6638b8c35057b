"""`landsraad compare`: the same result for any number of processes, after an interruption and with bots that fail."""

import json
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from landsraad import games
from landsraad.bots import BOTS
from landsraad.replay_files import load_replay
from landsraad_cli.app import app
from landsraad_lab.compare import running
from landsraad_lab.compare.playing import PlayedSet, play_match, play_set
from landsraad_lab.compare.records import OtherComparison, Records
from landsraad_lab.compare.running import Comparison, Stop, compare
from landsraad_lab.compare.schedule import ComparisonPlan, fixtures, seat_pair
from landsraad_lab.statistics.sequential import Hypotheses, Verdict
from landsraad_lab.statistics.sets import SetShares

FAULTY_BOTS = '''
import os
import time

from landsraad_engine.play.bot import Bot, RandomBot


class Crashing(RandomBot):
    def decide(self, view, ask):
        raise ZeroDivisionError("no plan")


class Unmakeable(RandomBot):
    def __init__(self, seed=0):
        raise OSError("no table of values")


class Illegal(RandomBot):
    def decide(self, view, ask):
        return "attack"


class Busy(RandomBot):
    """Computes without end, and catches what it can."""

    def decide(self, view, ask):
        while True:
            try:
                sum(range(1000))
            except Exception:
                pass


class Asleep(RandomBot):
    def decide(self, view, ask):
        time.sleep(1000)


class Clumsy(RandomBot):
    def ended(self, view, result):
        raise ValueError("cannot lose")


class Deadly(RandomBot):
    def decide(self, view, ask):
        os._exit(3)
'''
FAULTY = ("Crashing", "Unmakeable", "Illegal", "Busy", "Asleep", "Clumsy", "Deadly")


@pytest.fixture
def faulty_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install bots that fail, as a distribution that child processes find, too."""
    place = tmp_path / "site-packages"
    meta = place / "faulty_bots-1.dist-info"
    meta.mkdir(parents=True)
    (place / "faulty_bots.py").write_text(FAULTY_BOTS, encoding="utf-8")
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty-bots\nVersion: 1\n", encoding="utf-8")
    points = "".join(f"{name.lower()} = faulty_bots:{name}\n" for name in FAULTY)
    (meta / "entry_points.txt").write_text(f"[landsraad.bots]\n{points}", encoding="utf-8")
    monkeypatch.syspath_prepend(str(place))
    known = BOTS._installed | {name.lower(): f"faulty_bots:{name}" for name in FAULTY}
    monkeypatch.setitem(BOTS.__dict__, "_installed", known)


def plan(
    a: str = "greedy", b: str = "random", seats: int = 2, time_limit: float = 10.0, seed: int = 1
) -> ComparisonPlan:
    options = games.load("dune").parse_options({"length": "10"}, seats)
    return ComparisonPlan("dune", seats, tuple(options.items()), a, b, ("random",) * (seats - 2), seed, time_limit)


def results(comparison: Comparison) -> list[SetShares]:
    return comparison.shares


def invoke(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["compare", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def told(*arguments: object) -> dict[str, Any]:
    status, said, complained = invoke(*arguments, "--json")
    assert status == 0, complained
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return {name: value for name, value in found.items() if name != "seconds"}


# ------------------------------------------------------------------------------------------------------- the schedule


def test_a_set_is_one_board_on_which_two_seats_are_swapped() -> None:
    first, second = fixtures(plan(seats=4), 5)
    assert (first.name, first.secret, first.seeds) == (second.name, second.secret, second.seeds)
    swapped = {"a": "b", "b": "a", "panel": "panel"}
    assert first.players == tuple(swapped[each] for each in second.players)
    assert Counter(first.players) == {"a": 1, "b": 1, "panel": 2}
    assert fixtures(plan(seats=4), 6)[0].secret != first.secret
    assert fixtures(plan(seats=4, seed=2), 5)[0].secret != first.secret


def test_each_pair_of_seats_comes_equally_often() -> None:
    given = plan(seats=4)
    assert set(Counter(seat_pair(given, number) for number in range(60)).values()) == {10}
    assert [seat_pair(given, n) for n in range(6)] != [seat_pair(given, n) for n in range(6, 12)]


def test_both_matches_have_the_same_deal() -> None:
    first, second = play_set(plan("random", "random"), 3).matches
    assert (first.a, first.b) == (second.b, second.a)
    assert first.ending == second.ending


# --------------------------------------------------------------------------------------------------------- the result


def test_random_is_worse_than_greedy() -> None:
    result = told("greedy", "random", "--game", "dune", "--seats", 2, "--games", 24)
    assert result["verdict"] == "worse"
    assert result["estimate"] < -200
    assert result["low"] is None or result["low"] < result["estimate"]
    assert result["high"] < 0
    assert (result["sets"], result["games"]) == (12, 24)
    assert result["timeouts"] == result["faults"] == {"a": 0, "b": 0, "panel": 0}
    assert set(result) == {
        *("verdict", "estimate", "low", "high", "sets", "games", "shares", "timeouts", "faults", "saved_by_pairing")
    }


@pytest.mark.long
def test_the_test_ends_early_where_the_difference_is_great(tmp_path: Path) -> None:
    place = tmp_path / "report.html"
    result = told("random", "greedy", "--game", "dune", "--seats", 2, "--better", 100, "--report", place)
    assert result["verdict"] == "better"
    assert 16 <= result["sets"] <= 40
    assert result["low"] > 0
    page = place.read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "greedy is better than random" in page
    assert not re.search(r"<script|<link|<img|https?:|url\(|@import|nan|inf\b", page)


def test_a_bot_does_not_differ_from_itself() -> None:
    result = told("random", "random", "--game", "dune", "--seats", 2, "-o", "length=10", "--better", 100)
    assert result["verdict"] == "not_better"
    assert result["estimate"] == 0
    assert result["low"] < 0 < result["high"]
    assert result["saved_by_pairing"] == 1


@pytest.mark.long
def test_the_result_follows_from_the_seed_for_any_number_of_processes() -> None:
    stop = Stop(3)
    one = compare(plan(seats=3), stop, 1, None)
    assert results(one) == results(compare(plan(seats=3), stop, 2, None))
    assert results(one) != results(compare(plan(seats=3, seed=2), stop, 1, None))


@pytest.mark.long
def test_sets_are_taken_in_the_order_of_the_schedule_and_no_further_than_the_verdict() -> None:
    stop = Stop(200, Hypotheses(better=200))
    one, two = (compare(plan("random", "greedy"), stop, jobs, None) for jobs in (1, 2))
    assert [each.number for each in two.played] == list(range(len(two.played)))
    assert (one.verdict, results(one), one.ratios) == (two.verdict, results(two), two.ratios)


def test_a_test_without_end_stays_open() -> None:
    found = compare(plan("random", "random", seats=3), Stop(16, Hypotheses(better=5)), 1, None)
    assert found.verdict is Verdict.OPEN


def test_the_cost_is_said_beforehand_and_progress_on_the_way() -> None:
    _, said, noted = invoke("greedy", "random", "--game", "dune", "--seats", 2, "--games", 20, "--explain")
    assert re.search(r"A set takes \S+ CPU seconds: 10 sets take", noted)
    assert "10 sets, " in noted
    assert "Pairing has saved" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("--games", "3"),
        ("--games", "4", "--better", "40"),
        ("--panel", "nobody", "--seats", "3"),
        ("--seats", "1"),
    ],
)
def test_bad_arguments_end_with_two(arguments: tuple[str, ...]) -> None:
    assert invoke("greedy", "random", "--game", "dune", *arguments)[0] == 2


# ----------------------------------------------------------------------------------------------------------- resuming


class Interrupted(Exception):
    """The comparison was interrupted."""


def interrupt_after(sets: int) -> Any:
    def after(now: Comparison) -> None:
        if len(now.played) == sets:
            raise Interrupted

    return after


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_an_interrupted_comparison_goes_on(tmp_path: Path, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compare(plan(), Stop(4), 1, None)
    with pytest.raises(Interrupted):
        compare(plan(), Stop(4), jobs, tmp_path, interrupt_after(2))
    file = tmp_path / "sets.jsonl"
    assert len(file.read_text().splitlines()) >= 2
    file.write_bytes(file.read_bytes()[:-20])  # the last line is cut off
    numbers: list[int] = []

    def play(given: ComparisonPlan, number: int, faults: Path | None) -> PlayedSet:
        numbers.append(number)
        return play_set(given, number, faults)

    monkeypatch.setattr(running, "play_set", play)
    again = compare(plan(), Stop(4), 1, tmp_path)
    assert results(again) == results(whole)
    assert 0 not in numbers
    assert numbers
    numbers.clear()
    assert results(compare(plan(), Stop(4), 1, tmp_path)) == results(whole)
    assert not numbers


def test_a_folder_belongs_to_one_comparison(tmp_path: Path) -> None:
    Records(tmp_path, plan()).close()
    with pytest.raises(OtherComparison, match="different: seed"):
        Records(tmp_path, plan(seed=2))
    (tmp_path / "comparison.json").write_text("[]")
    with pytest.raises(OtherComparison, match="not the head"):
        Records(tmp_path, plan())
    status, _, said = invoke("greedy", "random", "--game", "dune", "--seats", 2, "--games", 4, "--data", tmp_path)
    assert (status, "not the head" in said) == (1, True)


#: Run the command line with SIGINT enabled, which the test runner may ignore.
INTERRUPTIBLE = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("landsraad_cli", run_name="__main__")
"""


def test_control_c_ends_with_its_status_and_the_command_goes_on(tmp_path: Path) -> None:
    arguments = ["greedy", "random", "--game", "dune", "--seats", "2", "--games", "16", "--json"]
    command = [sys.executable, "-c", INTERRUPTIBLE, "compare", *arguments, "--data", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert "A set takes" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, noted = process.communicate(timeout=60)
    assert process.returncode == 130, noted
    assert "goes on from there" in noted
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    again = json.loads(done.stdout)
    del again["seconds"]
    assert again == told(*arguments[:-1])


# ------------------------------------------------------------------------------------------------------ bots that fail


@pytest.mark.usefixtures("faulty_bots")
@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("crashing", "ZeroDivisionError at .*: no plan"),
        ("unmakeable", "OSError when the bot was made: no table of values"),
        ("illegal", "'attack' is not an act"),
        ("busy", "3 decisions took more than 0.05 s"),
        ("asleep", "3 decisions took more than 0.05 s"),
    ],
)
def test_a_failure_is_counted_and_costs_the_match(bot: str, why: str, tmp_path: Path) -> None:
    given = plan("random", bot, time_limit=0.05)
    played = play_set(given, 0, tmp_path / "faults")
    timeouts = 3 if bot in ("busy", "asleep") else 0
    for match in played.matches:
        assert (match.a, match.b) == (1, 0)
        assert match.faults == {"a": 0, "b": 1, "panel": 0}
        assert match.timeouts == {"a": 0, "b": timeouts, "panel": 0}
        assert re.search(why, match.notes[0])
    replays = sorted((tmp_path / "faults").iterdir())
    assert [path.name for path in replays] == ["compare-1-0-ab.json.gz", "compare-1-0-ba.json.gz"]
    assert load_replay(replays[0])["name"] == "compare-1-0"


@pytest.mark.usefixtures("faulty_bots")
def test_with_a_panel_the_match_goes_on_without_the_bot_that_failed() -> None:
    given = plan("random", "crashing", seats=3)
    for fixture in fixtures(given, 0):
        match = play_match(given, fixture, None)
        assert match.b == 0
        assert match.ending != "fault"
        assert match.faults == {"a": 0, "b": 1, "panel": 0}


@pytest.mark.usefixtures("faulty_bots")
def test_a_failure_after_the_end_is_counted_and_changes_nothing() -> None:
    clumsy, sound = (play_set(plan("greedy", bot), 1) for bot in ("clumsy", "random"))
    assert clumsy.shares == sound.shares
    assert [match.faults["b"] for match in clumsy.matches] == [1, 1]


@pytest.mark.usefixtures("faulty_bots")
def test_a_comparison_with_a_bot_that_fails_is_sound() -> None:
    result = told("random", "crashing", "--game", "dune", "--seats", 2, "--games", 20)
    assert result["faults"] == {"a": 0, "b": 20, "panel": 0}
    assert result["verdict"] == "worse"


@pytest.mark.usefixtures("faulty_bots")
def test_a_bot_that_ends_its_process_ends_the_comparison_with_a_reason() -> None:
    status, _, said = invoke("random", "deadly", "--game", "dune", "--seats", 2, "--games", 4, "--jobs", 2)
    assert status == 1
    assert "a process ended in the middle of a match" in said
