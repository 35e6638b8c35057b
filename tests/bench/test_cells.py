"""Cells under load: two on this machine, one of which is killed."""

from __future__ import annotations

import asyncio

import pytest

from landsraad_bench.bench_service import serving_cells
from landsraad_bench.cells_run import cells_run
from landsraad_bench.command import run_rows
from landsraad_bench.engine_cost import EngineCost
from landsraad_bench.measurements import Workload
from landsraad_server.store import Durability


@pytest.mark.long
def test_the_other_cell_goes_on_when_one_is_killed() -> None:
    with serving_cells(Durability.EVERYSEC, 2, 1) as cells:
        assert [cell.cell for cell in cells] == ["c1", "c2"]
        found = asyncio.run(cells_run(cells, Workload("arrakis", 2, 8, 2), 1.0, EngineCost((1.0,))))
    both, alone = found["cells"], found["cells_one_killed"]
    assert both["acts_by_cell"].keys() == {"c1", "c2"}
    assert all(acts > 0 for acts in both["acts_by_cell"].values())
    assert alone["acts_by_cell"].keys() == {"c1"}
    assert alone["actions"] > 0
    assert set(alone["refused"]) <= {"ERROR_REASON_STALE"}
    assert (both["matches"], alone["matches"], both["streams"], alone["streams"]) == (8, 4, 2, 1)
    named = {f"{kind}/everysec": run for kind, run in found.items()}
    assert [row[0] for row in run_rows(named)] == ["cells\n  everysec", "cells_one_killed\n  everysec"]
