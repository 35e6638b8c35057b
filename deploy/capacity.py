"""What a fleet needs - workers, memory, store - by what one action and one live match were measured to cost.

    landsraad bench service --live 2000 --json | tail -1 > deploy/capacity.json
    python deploy/capacity.py [--check]

The first line measures, the second calculates deploy/capacity.md anew, or only says whether it is up to date.
"""

import json
import sys
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- calculated -->\n", "<!-- /calculated -->\n"
#: A worker that is busier than this has no room for bursts, and its latency grows.
BUSY = 0.6
#: Live matches, and how many seconds each of its players takes for an action.
PEOPLE_SECONDS, BOTS_SECONDS = 10.0, 0.2
FLEETS = ((500, PEOPLE_SECONDS), (5_000, PEOPLE_SECONDS), (50_000, PEOPLE_SECONDS), (200, BOTS_SECONDS))
#: The store keeps a match's log until the match is over. Measured are short ones; whole ones are guessed to be so many
#: times as long.
LOG_GROWTH = 4.0


class Costs(NamedTuple):
    """What was measured."""

    worker_us: float
    engine_us: float
    store_us: float
    #: MiB: a worker without matches, and what a live match adds, with its streamed seats; in the store alike
    worker_base: float
    worker_match: float
    store_match: float
    seats: int


def costs(measured: dict[str, Any]) -> Costs:
    """From the open loop: workers that are not saturated write smaller groups, so an action costs more than at best."""
    runs = measured["runs"]
    few = next(run for name, run in runs.items() if name.startswith("open_loop"))  # the slowest rate stands first
    many = runs["live/everysec"]
    more = many["matches"] - few["matches"]
    workers = [run["rss_mb"] - run["store_rss_mb"] for run in (few, many)]
    per_match = max(0.0, (workers[1] - workers[0]) / more)
    # The many have just begun, and the beginning of a match is cheap for the engine; the runs at full speed go further.
    engine = measured["engine_us"]
    return Costs(
        worker_us=many["workers_us"] - many["engine_us"] + engine,
        engine_us=engine,
        store_us=many["store_us"],
        worker_base=(workers[0] - per_match * few["matches"]) / measured["workers"],
        worker_match=per_match,
        store_match=max(0.0, (many["store_rss_mb"] - few["store_rss_mb"]) / more) * LOG_GROWTH,
        seats=many["seats"] // many["matches"],
    )


def fleet(cost: Costs, matches: int, seconds: float) -> tuple[int, int, int, float, int]:
    """Actions per second, workers, MiB in each worker, cores and MiB of the store."""
    rate = matches * cost.seats / seconds
    workers = max(2, ceil(rate * cost.worker_us / 1e6 / BUSY))
    # A match may be in the memory of several workers if its seats are on several; two is usual for people.
    memory = cost.worker_base + 2 * matches * cost.worker_match / workers
    return round(rate), workers, round(memory), rate * cost.store_us / 1e6, round(matches * cost.store_match)


def calculated(measured: dict[str, Any]) -> str:
    """The calculated part of the page."""
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
    """Put the calculated part into the page; 1 if only asked whether it is there, and it is not."""
    page = HERE / "capacity.md"
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    made = before + BEGIN + calculated(json.loads((HERE / "capacity.json").read_text())) + END + after
    if "--check" in sys.argv[1:]:
        return int(made != page.read_text())
    page.write_text(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
