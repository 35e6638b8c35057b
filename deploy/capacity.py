"""Calculate the workers, memory and store that a fleet needs, from the measured cost of an action and a match.

    python deploy/capacity.py [--measure | --check]

It updates deploy/capacity.md from deploy/capacity.json. With --measure it first makes that file anew, which takes about
five minutes of an idle machine. With --check it only fails if the page is stale.
"""

import json
import subprocess
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
FLEETS = (
    *((matches, PEOPLE_SECONDS) for matches in (500, 5_000, 50_000, 200_000)),
    (200, BOTS_SECONDS),
    (2_000, BOTS_SECONDS),
)
#: Limits of a cell: workers whose heartbeats, clocks and lists one store serves without effort, the CPU of its single
#: thread in cores, and its memory in MiB, of which a rewrite of its file may need as much again.
CELL_WORKERS, CELL_CORES, CELL_MIB = 16, 0.5, 12_288
#: Share of the machine that other programs may use, and what the page says if they used more.
MOST_BUSY = 0.2
BUSY = (
    "* **The machine was busy.** Acts queued up and were committed in groups, so one costs more on machines that are",
    "  not overloaded. Measure again before you rely on these figures.",
)
#: The measuring command. It has two cells on one machine, so it tells what they cost, not what they gain.
MEASURE = ("landsraad", "bench", "service", "--live", "2000", "--cells", "2", "--json")
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


class Fleet(NamedTuple):
    """Resources that a number of matches needs."""

    actions: int
    workers: int
    worker_mib: int
    store_cores: float
    store_mib: int
    cells: int


def fleet(cost: Costs, matches: int, seconds: float) -> Fleet:
    """Return the needs of so many matches, each of whose players makes an action in so many seconds."""
    rate = matches * cost.seats / seconds
    workers = max(2, ceil(rate * cost.worker_us / 1e6 / PLANNED_LOAD))
    cores, store = rate * cost.store_us / 1e6, matches * cost.store_match
    cells = max(1, ceil(workers / CELL_WORKERS), ceil(cores / CELL_CORES), ceil(store / CELL_MIB))
    workers = max(workers, 2 * cells)
    # A match is in the memory of each worker that serves one of its seats; with people, that is usually two.
    memory = cost.worker_base + 2 * matches * cost.worker_match / workers
    return Fleet(round(rate), workers, round(memory), cores, round(store), cells)


def calculate(measured: dict[str, Any]) -> str:
    """Return the calculated part of the page."""
    cost, runs = costs(measured), measured["runs"]
    one, both, alone = (runs[f"{kind}/everysec"] for kind in ("clients", "cells", "cells_one_killed"))
    busy = [run["busy_elsewhere"] for run in runs.values() if "busy_elsewhere" in run]
    each = f"{both['workers_us'] + both['store_us']:.0f} instead of {one['workers_us'] + one['store_us']:.0f} µs"
    single = runs["connection_per_seat/everysec"]["workers_us"] / one["workers_us"]
    kept = alone["acts_by_cell"]["c1"] / both["acts_by_cell"]["c1"]
    lines = [
        f"* Measured over {measured['transport']}, while other programs used {min(busy):.0%} to {max(busy):.0%} of the",
        "  machine. CPU times and ratios mean something on a busy machine; rates and latencies do not.",
        *(BUSY if max(busy) > MOST_BUSY else ()),
        f"* One action: {cost.worker_us:.0f} µs of a worker, the engine's {cost.engine_us:.0f} µs included, and",
        f"  {cost.store_us:.0f} µs of the store.",
        f"* One live match with its {cost.seats} streamed seats: {cost.worker_match * 1024:.0f} KiB of a worker and",
        f"  {cost.store_match * 1024:.0f} KiB of the store. A worker without any: {cost.worker_base:.0f} MiB.",
        f"* With a connection for each seat, an action costs a worker {single:.1f} times as much as with many seats on",
        "  a stream, at full speed.",
        f"* The same workers and matches in two cells: {each} of workers and store for an action at full",
        f"  speed. When one of the cells was killed, the other made {kept:.1f} times as many actions as before.",
        "",
        "| live matches | a player acts every | actions/s | cells | workers | MiB each | stores: cores | stores: MiB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for matches, seconds in FLEETS:
        needs = fleet(cost, matches, seconds)
        sizes = f"{needs.cells} | {needs.workers} | {needs.worker_mib} | {needs.store_cores:.2f} | {needs.store_mib:,}"
        lines.append(f"| {matches:,} | {seconds:g} s | {needs.actions:,} | {sizes} |")
    return "\n".join(lines) + "\n"


def measure() -> None:
    """Measure anew, with the programs beside this Python."""
    command = [str(Path(sys.executable).with_name(MEASURE[0])), *MEASURE[1:]]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603  a fixed command
    found = json.loads(done.stdout.splitlines()[-1])
    (HERE / "capacity.json").write_text(json.dumps(found, indent=4) + "\n")


def main() -> int:
    """Update the page; with --check, return 1 if it is stale."""
    if "--measure" in sys.argv[1:]:
        measure()
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
