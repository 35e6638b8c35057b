"""The benchmark plays real matches on a real service, and counts what really happened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from landsraad_server import loops
from landsraad_server.bench.echo import echo_us
from landsraad_server.bench.engine import engine_us
from landsraad_server.bench.measures import Crowd, closed, open_loop
from landsraad_server.bench.processes import usage
from landsraad_server.bench.rig import Service, serving
from landsraad_server.store import Durability

FIELDS = (
    "engine_us overhead_us actions_per_second p50_ms p99_ms echo_ratio commit_ratio streams matches rss_mb durability"
)


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with serving(Durability.EVERYSEC, workers=1) as started:
        yield started


def test_usage_of_a_process_grows_as_it_works() -> None:
    before = usage(os.getpid())
    while usage(os.getpid()).cpu_seconds < before.cpu_seconds + 0.02:
        sum(range(10_000))
    assert before.rss_bytes > 10_000_000


@pytest.mark.parametrize(("matches", "streams", "opened"), [(3, 2, 2), (1, 6, 6), (1, 100, 6)])
def test_as_fast_as_it_answers(service: Service, matches: int, streams: int, opened: int) -> None:
    found = loops.run(closed(service, Crowd("dune", 6, matches, streams), 0.3))
    assert found["streams"] == opened
    assert found["seats"] == 6 * matches
    assert found["actions"] > 0
    assert set(found["refused"]) <= {"ERROR_REASON_STALE"}
    assert found["workers_us"] > 0


def test_at_a_fixed_rate(service: Service) -> None:
    found = loops.run(open_loop(service, Crowd("dune", 6, 8, 2), 50.0, 1.0))
    assert 40 <= found["actions"] <= 60
    assert 0 < found["p50_ms"] <= found["p99_ms"] <= found["p999_ms"]


def test_the_references_are_measured() -> None:
    assert engine_us("dune", 2, 2, 0.05, workers=1) > 0
    assert echo_us(1, 0.2) > 0


@pytest.mark.long
def test_the_command_prints_every_figure() -> None:
    command = [str(Path(sys.executable).with_name("landsraad")), "bench", "service", "--json"]
    command += ["--seconds", "1", "--matches", "8", "--clients", "2", "--rate", "50", "--rate", "100", "--live", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    found = json.loads(done.stdout.splitlines()[-1])
    assert set(FIELDS.split()) <= found.keys()
    kinds = {"clients", "connection_per_seat", "open_loop_50", "open_loop_100"}
    assert found["runs"].keys() == {f"{kind}/{how}" for kind in kinds for how in ("everysec", "always")} | {
        "live/everysec"
    }
    assert found["runs"]["live/everysec"]["seats"] == 120
