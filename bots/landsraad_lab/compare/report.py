"""The report of a comparison: one HTML file with its plots as inline SVG, without scripts and foreign hosts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isfinite
from pathlib import Path

from landsraad_lab.statistics.sequential import OVERSHOOT, SequentialTest
from landsraad_lab.statistics.sets import estimate

from .command import result_of, verdict_in_words
from .running import Comparison
from .schedule import ComparisonPlan

WIDTH, HEIGHT, MARGIN = 720, 240, 48
#: Points of a plot; a line with more looks the same.
MOST_POINTS = 200
STYLE = """
:root { color-scheme: light dark; --line: #a04000; --band: #a0400033; --rule: #777; }
@media (prefers-color-scheme: dark) { :root { --line: #f0a060; --band: #f0a06040; --rule: #999; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 760px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem 1rem .2rem 0; vertical-align: top; }
svg { width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
.line { fill: none; stroke: var(--line); stroke-width: 2; } .band { fill: var(--band); stroke: none; }
.rule { stroke: var(--rule); stroke-dasharray: 4 4; } .bar { fill: var(--line); }
"""

#: A point of a plot.
Point = tuple[float, float]


def write_report(path: Path, plan: ComparisonPlan, comparison: Comparison, title: str) -> None:
    """Write the report to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report_page(plan, comparison, title), encoding="utf-8")


def report_page(plan: ComparisonPlan, comparison: Comparison, title: str) -> str:
    """Return the report."""
    result = result_of(comparison)
    saved = comparison.pairing
    facts = {
        "A": plan.a,
        "B": plan.b,
        "Panel": ", ".join(plan.panel) or "none",
        "Options": ", ".join(f"{name}={value}" for name, value in plan.options),
        "Seed": plan.seed,
        "CPU seconds for a decision": plan.time_limit,
        "Estimate, B - A": f"{result['estimate']:+.0f} points",
        "95 % interval": f"{_bound(result['low'])} to {_bound(result['high'])}",
        "Sets and matches": f"{result['sets']} and {result['games']}",
        "CPU seconds for a set": f"{comparison.cpu_seconds_per_set:.2f}",
        "Timeouts": _counts(plan, comparison.count("timeouts")),
        "Faults": _counts(plan, comparison.count("faults")),
        "Saved by pairing": f"{saved.saved:.0%} of the variance (95 % interval {saved.low:.0%} to {saved.high:.0%})",
    }
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in facts.items())
    parts = [
        f"<h1>{escape(title)}</h1><p><strong>{escape(verdict_in_words(plan, comparison))}.</strong></p>",
        f"<table>{rows}</table>",
        "<h2>Estimate after each set</h2>",
        "<p>Points of B over A with the 95 % interval of a fixed number of sets. The table above allows for the moment",
        " at which a test stopped.</p>",
        _estimate_plot(comparison),
    ]
    if comparison.test is not None:
        parts += ["<h2>Test</h2><p>Log likelihood ratio, and the bounds at which the test ends.</p>"]
        parts += [_ratio_plot(comparison, comparison.test)]
    parts += ["<h2>Set scores</h2><p>Lead of B in each set, from -1 to 1.</p>", _score_plot(comparison)]
    notes = [note for played in comparison.played for match in played.matches for note in match.notes]
    if notes:
        parts.append(f"<h2>Faults</h2><ul>{''.join(f'<li>{escape(note)}</li>' for note in notes)}</ul>")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body>{''.join(parts)}</body></html>\n"
    )


def _bound(value: float | None) -> str:
    return "no bound" if value is None else f"{value:+.0f}"


def _counts(plan: ComparisonPlan, counted: dict[str, int]) -> str:
    return f"A {counted['a']}, B {counted['b']}" + (f", panel {counted['panel']}" if plan.panel else "")


def _estimate_plot(comparison: Comparison) -> str:
    """Draw the running estimate with its interval."""
    shares = comparison.shares
    numbers = _thinned(len(shares))
    found = [estimate(shares[:number]) for number in numbers]
    most = max(40.0, *(2.5 * abs(each.value) for each in found[len(found) // 2 :]))

    def cut(value: float) -> float:
        return max(-most, min(most, value))

    middle = [(number, cut(each.value)) for number, each in zip(numbers, found, strict=True)]
    low = [(number, cut(each.low)) for number, each in zip(numbers, found, strict=True)]
    high = [(number, cut(each.high)) for number, each in zip(numbers, found, strict=True)]
    return _plot("Estimate after each set", len(shares), (-most, most), middle, rules=(0.0,), band=[*high, *low[::-1]])


def _ratio_plot(comparison: Comparison, test: SequentialTest) -> str:
    """Draw the log likelihood ratio between the bounds, as they are corrected at the end."""
    low, high = test.hypotheses.bounds
    shift = OVERSHOOT * test.step
    numbers = _thinned(len(comparison.ratios))
    line = [(float(number), comparison.ratios[number - 1]) for number in numbers]
    values = [value for _, value in line]
    rules = (low + shift, high - shift)
    span = (min(low, *values), max(high, *values))
    return _plot("Log likelihood ratio after each set", len(comparison.ratios), span, line, rules=rules)


def _score_plot(comparison: Comparison) -> str:
    """Draw how many sets have each score, in bars of a tenth."""
    counted: dict[int, int] = {}
    for each in comparison.shares:
        place = round(each.score * 10)
        counted[place] = counted.get(place, 0) + 1
    most = max(counted.values())
    bars = []
    for place, number in sorted(counted.items()):
        x = MARGIN + (place + 10) / 20 * (WIDTH - 2 * MARGIN)
        height = number / most * (HEIGHT - 2 * MARGIN)
        y = HEIGHT - MARGIN - height
        bars.append(f'<rect class="bar" x="{x - 10:.1f}" y="{y:.1f}" width="20" height="{height:.1f}"/>')
        bars.append(f'<text x="{x:.1f}" y="{y - 4:.1f}" text-anchor="middle">{number}</text>')
        label = f"{place / 10:g}"
        bars.append(f'<text x="{x:.1f}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle">{label}</text>')
    return _svg("Number of sets by score", bars)


def _plot(
    label: str, sets: int, span: Point, line: Sequence[Point], *, rules: Sequence[float], band: Sequence[Point] = ()
) -> str:
    """Draw a line over the number of sets, with horizontal rules and a band below it."""
    low, high = span

    def place(point: Point) -> str:
        x = MARGIN + (point[0] - 1) / max(sets - 1, 1) * (WIDTH - 2 * MARGIN)
        return f"{x:.1f},{_height(point[1], low, high):.1f}"

    parts = [f'<polygon class="band" points="{" ".join(map(place, band))}"/>'] if band else []
    for rule in rules:
        y = _height(rule, low, high)
        parts.append(f'<line class="rule" x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{MARGIN - 4}" y="{y + 4:.1f}" text-anchor="end">{rule:.3g}</text>')
    parts.append(f'<polyline class="line" points="{" ".join(map(place, line))}"/>')
    parts.append(f'<text x="{MARGIN}" y="{HEIGHT - MARGIN + 24}">1</text>')
    parts.append(f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - MARGIN + 24}" text-anchor="end">{sets} sets</text>')
    parts += [
        f'<text x="{WIDTH - MARGIN + 4}" y="{_height(value, low, high) + 4:.1f}">{value:.3g}</text>'
        for value in span
        if isfinite(value)
    ]
    return _svg(label, parts)


def _height(value: float, low: float, high: float) -> float:
    return HEIGHT - MARGIN - (value - low) / (high - low) * (HEIGHT - 2 * MARGIN)


def _svg(label: str, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _thinned(sets: int) -> list[int]:
    """Return numbers of sets from 1 to all, as many as a plot can show."""
    step = max(1, sets // MOST_POINTS)
    return sorted({*range(1, sets + 1, step), sets})
