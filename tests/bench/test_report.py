"""The report of `landsraad bench service` for people: a row for each run, in a terminal of 80 characters."""

import pytest

from landsraad_bench.command import _COLUMNS, run_rows
from landsraad_cli.output import rows

RUN = {
    "actions_per_second": 123456,
    "overhead_us": 1234.5,
    "workers_us": 1234.5,
    "store_us": 123.4,
    "echo_ratio": 12.34,
    "p50_ms": 1234.56,
    "p99_ms": 12345.67,
    "refused": {"ERROR_REASON_STALE": 3, "ERROR_REASON_NOT_NOW": 1},
}


def test_the_runs_are_rows_of_a_narrow_table(capsys: pytest.CaptureFixture[str]) -> None:
    rows(run_rows({"connection_per_seat/everysec": RUN, "clients/always": RUN}), head=("run", *_COLUMNS.values()))
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 80
    told = [line.split() for line in lines if "123456" in line]
    figures = ["123456", "1234", "1234", "12.34", "1234.6", "12345.7", "4"]
    assert told == [["connection_per_seat", *figures], ["clients", *figures]]


def test_figures_without_a_baseline_are_left_open() -> None:
    (row,) = run_rows({"clients/always": {name: figure for name, figure in RUN.items() if name != "echo_ratio"}})
    assert row[4] == "-"
