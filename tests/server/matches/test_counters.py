"""Metrics: what a worker exposes to Prometheus is what happens on it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

import pytest
from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.parser import text_string_to_metric_families

from landsraad import AsyncClient
from landsraad_server.process.worker import Worker
from landsraad_server.telemetry.metrics import Counters, registry
from landsraad_testkit import DrivenMatch

pytestmark = pytest.mark.asyncio


def told(worker: Worker) -> dict[str, float]:
    """Return all exposed values by metric name; those with labels are added up."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(generate_latest(registry(worker.counters)).decode()):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0.0) + sample.value
    return found


async def test_a_match_is_seen_in_every_figure_of_play(
    worker: Worker, client: AsyncClient, table: Callable[..., Awaitable[DrivenMatch]]
) -> None:
    before = told(worker)
    playing = await table(2)
    watching: Any = client.watch(playing.tickets[0].match)
    async with aclosing(watching):
        await anext(watching)
        during = told(worker)
        await playing.play()
    after = told(worker)
    gauges = {"matches": 1, "streams": 2, "seats": 2, "spectators": 1, "store_up": 1, "draining": 0, "in_flight": 0}
    assert {name: during[f"landsraad_{name}"] for name in gauges} == gauges
    assert before["landsraad_matches"] == 0
    assert after["landsraad_actions_total"] > before["landsraad_actions_total"]
    # Each commit was timed, and none took longer than the whole test may.
    assert after["landsraad_commit_seconds_count"] == after["landsraad_commits_total"] > 0
    assert 0 < after["landsraad_commit_seconds_sum"] < 60


async def test_what_is_refused_for_the_first_time_while_somebody_asks_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The exporter reads in a thread of its own."""
    counters, add = Counters(), CounterMetricFamily.add_metric

    def and_another(family: CounterMetricFamily, labels: list[str], *more: Any, **named: Any) -> None:
        add(family, labels, *more, **named)
        if labels:
            counters.refusals["STALE"] = counters.limited["call", "account"] = 1

    counters.refusals["OVER"] = counters.limited["call", "address"] = 1
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(CounterMetricFamily, "add_metric", and_another)
        assert b'landsraad_refusals_total{reason="OVER"} 1.0' in generate_latest(registry(counters))
    assert b'landsraad_refusals_total{reason="STALE"} 1.0' in generate_latest(registry(counters))
