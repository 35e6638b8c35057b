"""Prometheus metrics: plain counters on the hot path, converted to metric families when they are scraped."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from landsraad.v1.errors_pb2 import ErrorReason

_COMMIT_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0)


class DurationHistogram:
    """A histogram of durations in seconds."""

    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(self._bounds, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Return the cumulative bucket counts that Prometheus expects."""
        names = [*map(str, self._bounds), "+Inf"]
        return list(zip(names, accumulate(self.counts), strict=True))


class Counters:
    """Counters and gauges of one worker."""

    def __init__(self) -> None:
        self.actions = 0
        self.commits = 0
        #: commits that lost the race against another worker
        self.conflicts = 0
        self.rewinds = 0
        #: unexpected errors; has to stay 0
        self.faults = 0
        #: streams closed because the client read too slowly
        self.slow = 0
        self.refusals: Counter[str] = Counter()
        #: rate-limited calls, by kind and by whether an account or an address was charged
        self.limited: Counter[tuple[str, str]] = Counter()
        self.commit_seconds = DurationHistogram(_COMMIT_SECONDS)
        #: gauges
        self.streams = 0
        self.seats = 0
        self.spectators = 0
        self.in_flight = 0
        #: the matches in memory; set by the object that holds them
        self.hosts: Sized = ()
        #: figures of the public port's transport, by name, if it has any
        self.transport: Callable[[], Mapping[str, float]] = dict
        self.store_up = True
        self.draining = False

    @property
    def matches(self) -> int:
        """Return the number of matches in memory."""
        return len(self.hosts)

    def refused(self, reason: ErrorReason.ValueType) -> None:
        """Count a refusal."""
        self.refusals[ErrorReason.Name(reason).removeprefix("ERROR_REASON_")] += 1


class _Exposed(Collector):
    """Collector that runs in Prometheus' own thread; dictionaries that may grow meanwhile are copied first."""

    def __init__(self, counters: Counters, *, plays: bool) -> None:
        self._counters = counters
        self._plays = plays

    def collect(self) -> Iterator[Metric]:
        counters = self._counters
        totals = {
            "actions": "Committed inputs.",
            "commits": "Committed log entries.",
            "conflicts": "Commits that lost the race against another worker.",
            "rewinds": "Logs found to have lost their last entries.",
            "faults": "Unexpected errors; must stay 0.",
            "slow": "Streams whose client read too slowly.",
        }
        for name, meaning in totals.items():
            yield CounterMetricFamily(f"landsraad_{name}", meaning, value=getattr(counters, name))
        gauges = {
            "streams": "Open streams, including those of spectators.",
            "seats": "Seats played on streams.",
            "spectators": "Open streams of spectators.",
            "matches": "Matches in memory.",
            "in_flight": "Inputs waiting for their commit.",
            "store_up": "Whether the store can be reached.",
            "draining": "Whether the worker is shutting down.",
        }
        for name, meaning in gauges.items() if self._plays else ():
            yield GaugeMetricFamily(f"landsraad_{name}", meaning, value=float(getattr(counters, name)))
        refusals = CounterMetricFamily("landsraad_refusals", "Refusals by reason.", labels=["reason"])
        for reason, count in tuple(counters.refusals.items()):
            refusals.add_metric([reason], count)
        yield refusals
        limited = CounterMetricFamily("landsraad_limited", "Rate-limited calls.", labels=["kind", "scope"])
        for (kind, scope), count in tuple(counters.limited.items()):
            limited.add_metric([kind, scope], count)
        yield limited
        for name, value in counters.transport().items():
            yield GaugeMetricFamily(f"landsraad_transport_{name}", "Of the transport: its own figure.", value=value)
        durations = counters.commit_seconds
        yield HistogramMetricFamily(
            "landsraad_commit_seconds",
            "Time from sending a commit to its confirmation.",
            buckets=durations.buckets(),
            sum_value=durations.total,
        )


def registry(counters: Counters, *, plays: bool = True) -> CollectorRegistry:
    """Return a registry with all metrics; without gauges for a process that hosts no matches (`plays=False`)."""
    made = CollectorRegistry()
    made.register(_Exposed(counters, plays=plays))
    ProcessCollector(registry=made)
    return made


def expose(counters: Counters, host: str, port: int, *, plays: bool = True) -> None:
    """Serve the metrics on a port, in a thread of their own."""
    start_http_server(port, host, registry=registry(counters, plays=plays))
