"""The report of a search: candidates with value, interval, worlds and rule."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from landsraad_bots.searching.halving import Samples
from landsraad_engine.kernel.grammar import Act, Options

#: The standard errors of a 95 % interval.
_NORMAL = 1.96


class Candidate(msgspec.Struct, frozen=True):
    """A candidate of a search."""

    act: Act
    #: the mean share of the win that is expected after it, with a 95 % interval over worlds; None if it was not tried
    value: float | None
    low: float | None
    high: float | None
    #: the worlds in which it was tried
    worlds: int
    #: the rule of the choice that it belongs to
    rule: str


class SearchReport(msgspec.Struct, frozen=True):
    """The report of one decision."""

    #: best first
    candidates: tuple[Candidate, ...]
    chosen: Act
    #: the act of the policy, which stands unless the evidence is against it
    policy: Act
    #: worlds drawn
    worlds: int
    #: CPU seconds
    seconds: float
    #: the reason why nothing was searched, if so
    note: str = ""


def report(
    options: Options, why: str, acts: Sequence[Act], samples: Sequence[Samples], chosen: int, seconds: float
) -> SearchReport:
    """Return the report of a search."""
    rows = [_candidate(options, why, act, each) for act, each in zip(acts, samples, strict=True)]
    rows.sort(key=lambda row: -(row.value if row.value is not None else -1.0))
    worlds = max((len(each.values) for each in samples), default=0)
    return SearchReport(tuple(rows), acts[chosen], acts[0], worlds, seconds)


def unsearched(options: Options, why: str, act: Act, note: str) -> SearchReport:
    """Return the report of a decision that the policy makes alone."""
    return SearchReport((_candidate(options, why, act, Samples()),), act, act, 0, 0.0, note)


def _candidate(options: Options, why: str, act: Act, samples: Samples) -> Candidate:
    rule = next((choice.why for choice in options.choices if choice.act is type(act) and choice.why), why)
    worlds = len(samples.values)
    if not worlds:
        return Candidate(act, None, None, None, 0, rule)
    spread = _NORMAL * samples.error if worlds > 1 else 1.0
    mean = samples.mean
    return Candidate(act, mean, max(0.0, mean - spread), min(1.0, mean + spread), worlds, rule)
