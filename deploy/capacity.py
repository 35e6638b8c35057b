"""Calculate the workers, memory and store that a fleet needs, from the measured cost of an action and a match.

    landsraad bench service --live 2000 --json | tail -1 > deploy/capacity.json
    python deploy/capacity.py [--check]

The first line measures; the second updates deploy/capacity.md, or with --check fails if it is stale.
"""

import json
import sys
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- calculated -->\n", "<!-- /calculated -->\n"
#: The CPU load planned for a worker; above it there is no room for bursts, and latency grows.
PLANNED_LOAD = 0.6
#: Fleets of the table: live matches, and the seconds that each of their players takes for an action.
PEOPLE_SECONDS, BOTS_SECONDS = 10.0, 0.2
FLEETS = ((500, PEOPLE_SECONDS), (5_000, PEOPLE_SECONDS), (50_000, PEOPLE_SECONDS), (200, BOTS_SECONDS))
#: The store keeps a log until its match ends, and the measured logs have just begun. MiB by which the log of a match of
#: six seats grows until the end: `tests/server/matches/test_stored_bytes.py` measures it. Live matches are on average
#: halfway.
LOG_GROWTH = 0.56


class Costs(NamedTuple):
    """The measured costs."""

    worker_us: float
    engine_us: float
    store_us: float
    #: MiB of a worker without matches; MiB that a live match with its streamed seats adds to a worker and the store
    worker_base: float
    worker_match: float
    store_match: float
    seats: int


def costs(measured: dict[str, Any]) -> Costs:
    """Return the costs from the open-loop runs.

    Workers that are not saturated commit smaller groups, so an action costs more there than at full speed.
    """
    runs = measured["runs"]
    few = next(run for name, run in runs.items() if name.startswith("open_loop"))  # the lowest rate comes first
    many = runs["live/everysec"]
    more = many["matches"] - few["matches"]
    workers = [run["rss_mb"] - run["store_rss_mb"] for run in (few, many)]
    per_match = max(0.0, (workers[1] - workers[0]) / more)
    # Matches of the large run have just begun, when they are cheap for the engine: take its cost at full speed.
    engine = measured["engine_us"]
    return Costs(
        worker_us=many["workers_us"] - many["engine_us"] + engine,
        engine_us=engine,
        store_us=many["store_us"],
        worker_base=(workers[0] - per_match * few["matches"]) / measured["workers"],
        worker_match=per_match,
        store_match=max(0.0, (many["store_rss_mb"] - few["store_rss_mb"]) / more) + LOG_GROWTH / 2,
        seats=many["seats"] // many["matches"],
    )


def fleet(cost: Costs, matches: int, seconds: float) -> tuple[int, int, int, float, int]:
    """Return actions per second, workers, MiB of each worker, cores and MiB of the store."""
    rate = matches * cost.seats / seconds
    workers = max(2, ceil(rate * cost.worker_us / 1e6 / PLANNED_LOAD))
    # A match is in the memory of each worker that serves one of its seats; with people, that is usually two.
    memory = cost.worker_base + 2 * matches * cost.worker_match / workers
    return round(rate), workers, round(memory), rate * cost.store_us / 1e6, round(matches * cost.store_match)


def calculate(measured: dict[str, Any]) -> str:
    """Return the calculated part of the page."""
    cost = costs(measured)
    lines = [
        f"* One action: {cost.worker_us:.0f} µs of a worker, the engine's {cost.engine_us:.0f} µs included, and",
        f"  {cost.store_us:.0f} µs of the store.",
        f"* One live match with its {cost.seats} streamed seats: {cost.worker_match * 1024:.0f} KiB of a worker and",
        f"  {cost.store_match * 1024:.0f} KiB of the store. A worker without any: {cost.worker_base:.0f} MiB.",
        "",
        "| live matches | a player acts every | actions/s | workers | MiB each | store: cores | store: MiB |",
        "|---|---|---|---|---|---|---|",
    ]
    for matches, seconds in FLEETS:
        rate, workers, memory, cores, store = fleet(cost, matches, seconds)
        lines.append(f"| {matches:,} | {seconds:g} s | {rate:,} | {workers} | {memory} | {cores:.2f} | {store:,} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Update the page; with --check, return 1 if it is stale."""
    page = HERE / "capacity.md"
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    made = before + BEGIN + calculate(json.loads((HERE / "capacity.json").read_text())) + END + after
    if "--check" in sys.argv[1:]:
        return int(made != page.read_text())
    page.write_text(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
