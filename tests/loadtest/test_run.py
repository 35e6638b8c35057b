"""Both load tests run by one command, against a service of their own, and write their reports."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "loadtest" / "run.py"


def run(kind: str, report: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), kind, "--report", str(report), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.long
def test_open_loop_keeps_its_rate_and_leaves_nothing_unanswered(tmp_path: Path) -> None:
    done = run("open-loop", tmp_path, "--rate", "50", "--matches", "8", "--clients", "2", "--seconds", "2")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "open-loop.json").read_text())
    assert (report["unanswered"], report["refused"]) == (0, {})
    assert 90 <= report["acknowledged"] <= 100
    assert report["p50_ms"] <= report["p99_ms"] <= report["p999_ms"]


def submitted(calls: dict[str, dict[str, str]]) -> int:
    """Return the number of acts in the report."""
    return int(calls["Play/Submit"]["Request Count"]) if "Play/Submit" in calls else 0


@pytest.mark.long
def test_locust_plays_matches_without_a_failure(tmp_path: Path) -> None:
    calls: dict[str, dict[str, str]] = {}
    for seconds in (5, 40):  # a busy machine may hardly have begun after five
        done = run("locust", tmp_path, "--users", "3", "--seconds", str(seconds))
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "locust.html").stat().st_size > 10_000
        with (tmp_path / "locust_stats.csv").open() as lines:
            calls = {row["Name"]: row for row in csv.DictReader(lines)}
        if submitted(calls) > 20:
            break
    assert {"Matches/CreateMatch", "Matches/JoinMatch", "Play/GetDecision", "Play/Submit"} <= calls.keys()
    assert {name: row["Failure Count"] for name, row in calls.items()} == dict.fromkeys(calls, "0")
    assert submitted(calls) > 20


@pytest.mark.long
@pytest.mark.parametrize("kind", ["locust", "open-loop"])
def test_a_service_that_is_not_there_is_a_failure(kind: str, tmp_path: Path) -> None:
    done = run(kind, tmp_path, "--server", "127.0.0.1:1", "--users", "1", "--seconds", "2")
    assert done.returncode == 1
    assert "UNAVAILABLE" in done.stdout + done.stderr
    assert kind == "locust" or "Traceback" not in done.stderr  # locust shows where each failure came from


@pytest.mark.long
def test_a_load_test_that_is_ended_ends_what_it_has_started(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), "locust", "--users", "1", "--seconds", "60", "--report", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stderr is not None
        try:
            assert any("Starting Locust" in line for line in process.stderr)
            process.terminate()
            process.communicate(timeout=40)  # returns once all processes have closed the pipe
        finally:
            with suppress(ProcessLookupError):  # all processes have exited
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
