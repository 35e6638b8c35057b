"""Figures for Prometheus. The hot path counts in plain numbers; they become metrics when somebody asks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence, Sized
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


class Durations:
    """How often something took how long."""

    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(self._bounds, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Cumulative, as Prometheus wants them."""
        names = [*map(str, self._bounds), "+Inf"]
        return list(zip(names, accumulate(self.counts), strict=True))


class Counters:
    """What one worker counts."""

    def __init__(self) -> None:
        self.actions = 0
        self.commits = 0
        #: commits that another worker was faster with
        self.conflicts = 0
        self.rewinds = 0
        #: things that went wrong and that nobody has foreseen; to stay 0
        self.faults = 0
        #: streams whose client did not read as fast as was sent
        self.slow = 0
        self.refusals: Counter[str] = Counter()
        #: of them, those that came too often: what, and whether an account or an address was charged
        self.limited: Counter[tuple[str, str]] = Counter()
        self.commit_seconds = Durations(_COMMIT_SECONDS)
        #: how many there are now
        self.streams = 0
        self.seats = 0
        self.spectators = 0
        self.in_flight = 0
        #: the matches in memory, by whoever has them
        self.hosts: Sized = ()
        self.store_up = True
        self.draining = False

    @property
    def matches(self) -> int:
        """How many there are in memory."""
        return len(self.hosts)

    def refused(self, reason: ErrorReason.ValueType) -> None:
        """Something was refused."""
        self.refusals[ErrorReason.Name(reason).removeprefix("ERROR_REASON_")] += 1


class _Exposed(Collector):
    """Asked in another thread than that which counts: what may get a new name meanwhile is copied first."""

    def __init__(self, figures: Counters, *, plays: bool) -> None:
        self._figures = figures
        self._plays = plays

    def collect(self) -> Iterator[Metric]:
        figures = self._figures
        counters = {
            "actions": "Inputs that were committed.",
            "commits": "Entries that were committed.",
            "conflicts": "Commits that another worker was faster with.",
            "rewinds": "Logs that were found to have lost their end.",
            "faults": "Errors that nobody has foreseen; must stay 0.",
            "slow": "Streams whose client did not read as fast as was sent.",
        }
        for name, meaning in counters.items():
            yield CounterMetricFamily(f"landsraad_{name}", meaning, value=getattr(figures, name))
        gauges = {
            "streams": "Streams that are open, those of spectators included.",
            "seats": "Seats that are played on streams.",
            "spectators": "Streams of spectators.",
            "matches": "Matches in memory.",
            "in_flight": "Inputs that wait for their commit.",
            "store_up": "Whether the store can be reached.",
            "draining": "Whether the worker is about to stop.",
        }
        for name, meaning in gauges.items() if self._plays else ():
            yield GaugeMetricFamily(f"landsraad_{name}", meaning, value=float(getattr(figures, name)))
        refusals = CounterMetricFamily("landsraad_refusals", "What was refused, by reason.", labels=["reason"])
        for reason, count in tuple(figures.refusals.items()):
            refusals.add_metric([reason], count)
        yield refusals
        limited = CounterMetricFamily("landsraad_limited", "What came too often.", labels=["kind", "scope"])
        for (kind, scope), count in tuple(figures.limited.items()):
            limited.add_metric([kind, scope], count)
        yield limited
        durations = figures.commit_seconds
        yield HistogramMetricFamily(
            "landsraad_commit_seconds",
            "From a commit's sending to its confirmation.",
            buckets=durations.buckets(),
            sum_value=durations.total,
        )


def registry(figures: Counters, *, plays: bool = True) -> CollectorRegistry:
    """All metrics of a worker; or of who plays nothing itself, and has no state of its own to tell of."""
    made = CollectorRegistry()
    made.register(_Exposed(figures, plays=plays))
    ProcessCollector(registry=made)
    return made


def expose(figures: Counters, host: str, port: int, *, plays: bool = True) -> None:
    """Answer Prometheus on a port of its own, in a thread of its own."""
    start_http_server(port, host, registry=registry(figures, plays=plays))
