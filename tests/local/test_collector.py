"""The garbage collector while bots play many matches: it runs seldom, and is as it was afterwards."""

from __future__ import annotations

import gc
import operator
from functools import partial
from typing import Any

import pytest

from landsraad import gc_tuning
from landsraad.process_pool import process_map
from landsraad_cli.local import simulation
from landsraad_cli.local.simulation import Job, play_job, run_jobs

JOB = Job("dune", 6, {}, ("random",) * 6, 1, range(9), None)


def settings() -> tuple[tuple[int, int, int], bool]:
    """Return the thresholds, and whether objects are exempt from collection."""
    return gc.get_threshold(), gc.get_freeze_count() > 0


def test_simulated_matches_are_seldom_interrupted_by_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count collections in the same matches, with the interpreter's own settings and with those of `simulate`."""
    runs: list[str] = []

    def count(phase: str, _: dict[str, int]) -> None:
        runs.append(phase)

    def counted(job: Job) -> Any:
        runs.clear()
        gc.callbacks.append(count)
        try:
            return play_job(job)
        finally:
            gc.callbacks.remove(count)

    play_job(JOB)  # fills the caches
    before = settings()
    counted(JOB)
    usual = runs.count("start")
    monkeypatch.setattr(simulation, "play_job", counted)
    assert run_jobs([JOB], 1, "").games == 9
    assert usual >= 10
    assert runs.count("start") <= usual // 10
    assert settings() == before


def test_the_settings_are_restored_after_a_failure() -> None:
    before = settings()
    inside = []

    def fail() -> None:
        with gc_tuning.tuned():
            inside.append(settings())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert inside == [(gc_tuning.THROUGHPUT, True)]
    assert settings() == before


def test_each_process_of_a_pool_is_tuned() -> None:
    with process_map(2, partial(gc_tuning.tune, gc_tuning.THROUGHPUT)) as each:
        thresholds, frozen = each(operator.call, [gc.get_threshold, gc.get_freeze_count])
    assert thresholds == gc_tuning.THROUGHPUT
    assert frozen > 0
