"""The capacity plan matches the measured figures beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import capacity


@pytest.fixture
def measured(deploy: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((deploy / "capacity.json").read_text())
    return found


def test_the_page_is_what_the_figures_say(deploy: Path, measured: dict[str, Any]) -> None:
    assert capacity.calculate(measured) in (deploy / "capacity.md").read_text()


def test_costs_are_differences_between_few_and_many_matches() -> None:
    runs = {
        "open_loop_1000/everysec": {"matches": 50, "rss_mb": 220, "store_rss_mb": 20},
        "live/everysec": {
            "matches": 1050,
            "seats": 6300,
            "rss_mb": 350,
            "store_rss_mb": 50,
            "workers_us": 370.0,
            "engine_us": 30.0,
            "store_us": 40.0,
        },
    }
    cost = capacity.costs({"workers": 2, "engine_us": 60.0, "runs": runs})
    assert cost.worker_match == pytest.approx(0.1)
    assert cost.worker_base == pytest.approx(97.5)
    assert cost.store_match == pytest.approx(0.03 + capacity.LOG_GROWTH / 2)
    assert cost.seats == 6
    assert cost.worker_us == 400.0  # the engine's part as in whole matches
    # 10,000 matches of six, each player acting every 10 s: 6,000 actions of 400 us, workers 60 % busy
    needs = capacity.fleet(cost, 10_000, 10.0)
    assert (needs.actions, needs.workers, needs.cells) == (6_000, 4, 1)
    assert needs.worker_mib == round(97.5 + 2 * 10_000 * 0.1 / 4)
    assert needs.store_cores == pytest.approx(0.24)


@pytest.mark.parametrize(
    ("cost", "cells"),
    [
        ({"worker_us": 500.0}, 1),  # 10,000 actions a second: 9 workers
        ({"worker_us": 1_000.0}, 2),  # 17 workers
        ({"store_us": 101.0}, 3),  # a little more than a core
        ({"store_match": 2.5}, 3),  # 25,000 MiB
    ],
)
def test_a_fleet_has_as_many_cells_as_its_workers_or_stores_need(cost: dict[str, Any], cells: int) -> None:
    usual = capacity.Costs(500.0, 60.0, 10.0, 100.0, 0.1, 0.3, 10)
    needs = capacity.fleet(usual._replace(**cost), 10_000, 10.0)
    assert needs.cells == cells
    assert needs.workers >= 2 * cells


def test_even_a_small_fleet_has_a_worker_to_spare(measured: dict[str, Any]) -> None:
    assert capacity.fleet(capacity.costs(measured), 1, 60.0).workers == 2
