"""The commit benchmark measures both ways of committing, and leaves nothing behind."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from landsraad_bench.commit_cost import UNDER_WAY, bench_commit
from landsraad_server.store import Durability


@pytest.mark.parametrize("durability", [Durability.EVERYSEC, Durability.ALWAYS])
def test_both_ways_are_measured(durability: Durability, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    measured = bench_commit(0.2, durability)
    for cost in (measured.bare, measured.pipeline):
        assert cost.commits >= UNDER_WAY
        assert cost.client > 0
        assert cost.server > 0

    assert list(tmp_path.iterdir()) == []
