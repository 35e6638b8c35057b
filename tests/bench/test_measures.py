"""The benchmark plays real matches on a real service, and counts what really happened."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from landsraad_bench.bench_service import BenchService, serving
from landsraad_bench.echo import echo_us
from landsraad_bench.engine_cost import STEP, EngineCost, engine_cost
from landsraad_bench.measurements import Workload, closed, open_loop
from landsraad_bench.process_usage import usage
from landsraad_server.process import event_loop
from landsraad_server.store import Durability

FIELDS = (
    "engine_us overhead_us actions_per_second p50_ms p99_ms echo_ratio commit_ratio streams matches rss_mb durability "
    "players"
)


ENGINE = EngineCost((1.0,))


@pytest.fixture(scope="module")
def service() -> Iterator[BenchService]:
    with serving(Durability.EVERYSEC, workers=1) as started:
        yield started


def test_usage_of_a_process_grows_as_it_works() -> None:
    before = usage(os.getpid())
    while usage(os.getpid()).cpu_seconds < before.cpu_seconds + 0.02:
        sum(range(10_000))
    assert before.rss_bytes > 10_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="only there the system tells of those that have ended")
def test_usage_of_a_process_has_that_of_its_children_that_have_ended() -> None:
    before = usage(os.getpid())
    burn = "import time\nwhile time.process_time() < 0.1: pass"
    subprocess.run([sys.executable, "-c", burn], check=True)
    assert usage(os.getpid()).cpu_seconds >= before.cpu_seconds + 0.08  # in ticks of ten milliseconds


@pytest.mark.parametrize(
    ("matches", "streams", "opened", "carrier"),
    [(3, 2, 2, "thin"), (1, 6, 6, "thin"), (1, 100, 6, "thin"), (3, 2, 2, "grpcio")],
)
def test_as_fast_as_it_answers(service: BenchService, matches: int, streams: int, opened: int, carrier: str) -> None:
    workload = Workload("dune", 6, matches, streams, carrier)
    while not (found := event_loop.run(closed(service, workload, 0.3, ENGINE)))["workers_us"]:
        """In so short a time a worker on a busy machine may get less than a tick of ten milliseconds."""
    assert found["players"] == carrier
    assert found["streams"] == opened
    assert found["seats"] == 6 * matches
    assert found["actions"] > 0
    assert set(found["refused"]) <= {"ERROR_REASON_STALE"}
    assert found["workers_us"] > found["engine_us"] == 1.0
    assert found["overhead_us"] == pytest.approx(
        found["workers_us"] + found["store_us"] + found["players_us"] - found["engine_us"], abs=0.1
    )


def test_at_a_fixed_rate(service: BenchService) -> None:
    found = event_loop.run(open_loop(service, Workload("dune", 6, 8, 2), 50.0, 1.0, ENGINE))
    assert 20 <= found["actions"] <= 80  # a closed loop would make more than a thousand
    assert 0 < found["p50_ms"] <= found["p99_ms"] <= found["p999_ms"]


def test_the_references_are_measured() -> None:
    assert echo_us(1, 0.2) > 0


def test_the_engine_is_measured_with_whole_matches() -> None:
    found = engine_cost("arrakis", 2, 2, workers=1)
    assert all(cost > 0 for cost in found.by_step)
    assert len(found.by_step) > 1  # a match has some hundreds of inputs


def test_the_engine_is_measured_no_further_than_a_run_comes() -> None:
    assert len(engine_cost("arrakis", 2, 2, workers=1, inputs=STEP + 1).by_step) == 2


def test_the_engine_s_part_goes_by_how_far_the_matches_of_a_run_have_come() -> None:
    cost = EngineCost((10.0, 40.0))
    assert cost.of({0: 5}) == 10.0
    assert cost.of({0: 1, 1: 1}) == 25.0
    assert cost.of({0: 1, 1: 1, 7: 2}) == 32.5  # beyond the longest match measured, the last step counts


def bench(*arguments: str, as_json: bool = True) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("landsraad")), "bench", "service", *arguments, *["--json"] * as_json]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("wrong", ["--only", "--durability", "--players"])
def test_runs_that_there_are_not(wrong: str) -> None:
    done = bench(wrong, "nothing")
    assert done.returncode == 2
    assert "nothing" in done.stderr


@pytest.mark.long
def test_single_runs() -> None:
    few = ("--seconds", "1", "--matches", "8", "--clients", "2", "--rate", "50")
    done = bench(*few, "--only", "open_loop", "--only", "clients", "--durability", "always", "--players", "grpcio")
    found = json.loads(done.stdout.splitlines()[-1])
    assert list(found["runs"]) == ["clients/always", "open_loop_50/always"]
    assert (found["durability"], found["players"]) == ("always", "grpcio")
    assert found["overhead_us"] == found["runs"]["clients/always"]["overhead_us"]
    assert found["p99_ms"] == found["runs"]["open_loop_50/always"]["p99_ms"]
    assert "echo_us" not in found
    announced = [line for line in done.stderr.splitlines() if line.startswith("bench service: ")]
    assert announced == [
        "bench service: 1 of 3: the engine alone",
        "bench service: 2 of 3: clients, always, 1 s",
        "bench service: 3 of 3: open_loop_50, always, 1 s",
    ]


@pytest.mark.long
def test_the_table_fits_a_terminal() -> None:
    done = bench("--seconds", "1", "--matches", "8", "--clients", "2", "--only", "connection_per_seat", as_json=False)
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert re.search(r"connection_per_seat +\d+ +\d+ ", done.stdout)


@pytest.mark.long
def test_the_command_prints_every_figure() -> None:
    done = bench("--seconds", "1", "--matches", "8", "--clients", "2", "--rate", "50", "--rate", "100", "--live", "20")
    found = json.loads(done.stdout.splitlines()[-1])
    assert set(FIELDS.split()) <= found.keys()
    kinds = {"clients", "connection_per_seat", "open_loop_50", "open_loop_100"}
    assert found["runs"].keys() == {f"{kind}/{how}" for kind in kinds for how in ("everysec", "always")} | {
        "live/everysec"
    }
    assert found["runs"]["live/everysec"]["seats"] == 120
