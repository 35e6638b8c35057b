"""Command `landsraad bench service`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from math import ceil
from typing import Annotated, Any, NamedTuple

import typer

from landsraad import games
from landsraad_cli.output import JsonFlag, ProgressCallback, finish, progress, require_known, rows, show

#: Seconds for each baseline.
_REFERENCE_SECONDS = 2.0
#: Acts per second that one worker hardly ever makes, and seconds of play around a measured run: they bound how far the
#: matches of a run come, and so how much of such matches has to be measured in the engine alone.
_FASTEST_WORKER = 5_000
_AROUND_SECONDS = 3.0
#: Default rates of the open loop, in acts per second.
_RATES = (1000.0, 3000.0, 6000.0)
_Run = Callable[[Any], Coroutine[Any, Any, dict[str, Any]]]


#: Kinds of runs for `--only`; the open loop is run at each rate.
_KINDS = ("clients", "connection_per_seat", "open_loop", "cells")
_DURABILITIES = ("everysec", "always")


class _BareCosts(NamedTuple):
    """Baselines in microseconds of CPU; not measured if only some runs are wanted."""

    echo: float | None = None
    echo_per_connection: float | None = None
    commit: float | None = None


def service(
    game: Annotated[str, typer.Option(help="Game to play.")] = "dune",
    seats: Annotated[int, typer.Option(min=1, help="Seats of each match.")] = 6,
    matches: Annotated[int, typer.Option(min=1, help="Concurrent matches.")] = 192,
    clients: Annotated[int, typer.Option(min=1, help="Clients, each with all seats of its matches on one stream.")] = 8,
    workers: Annotated[int, typer.Option(min=1, help="Number of worker processes.")] = 2,
    rate: Annotated[
        list[float] | None, typer.Option(min=1, help="Acts per second of the open loop; may be repeated.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.5, max=60, help="Length of each of the ten runs.")] = 5.0,
    cells: Annotated[
        int,
        typer.Option(min=0, max=8, help="Add a run with so many cells, which share workers and matches (try 2)."),
    ] = 0,
    live: Annotated[int, typer.Option(min=0, max=5000, help="Add a run with so many live matches (try 2000).")] = 0,
    only: Annotated[
        list[str] | None,
        typer.Option(help=f"Make only these runs ({', '.join(_KINDS)}), without baselines."),
    ] = None,
    durability: Annotated[list[str] | None, typer.Option(help="Use only this durability (everysec, always).")] = None,
    players: Annotated[str, typer.Option(help="Client of the players: thin (our own) or grpcio.")] = "thin",
    transport: Annotated[str, typer.Option(help="Transport of the service, such as grpcio or http2.")] = "grpcio",
    json: JsonFlag = False,
) -> None:
    """Measure the cost of a durable act, beside a bare gRPC echo, a bare commit and the engine alone.

    All figures in us are CPU time for one act. `overhead_us` is everything that workers, store and players spend on it,
    minus `engine_us`, the engine's own time for the same part of such matches. (Players read what their seats are sent,
    draw an act and send it.) `echo_ratio` and `commit_ratio` relate that overhead to a bare grpc.aio echo (both sides,
    as many connections) and to a bare commit. p50 and p99 are latencies of the open loop, from when an act was due to
    when it was durable. Each run is made with durability everysec and always: `clients`, each with the seats of its
    matches on one stream; `connection_per_seat`; and `open_loop` at each rate. The players use a cheap client of ours;
    with `--players grpcio` they use grpc.aio, which costs more than everything else they do. `--cells 2` divides
    workers and matches among two cells and kills one of them halfway: `cells` is both, `cells_one_killed` the survivor,
    and `acts_by_cell` their acts per second. `busy_elsewhere` is the
    share of the machine that other programs used meanwhile: on a busy machine the figures are too high and the
    latencies meaningless.
    """
    from landsraad_bench.bench_service import serving, serving_cells
    from landsraad_bench.engine_cost import engine_cost
    from landsraad_bench.measurements import Workload, closed, open_loop
    from landsraad_bench.transports import CARRIERS
    from landsraad_server.store import Durability
    from landsraad_server.transports.registry import TRANSPORTS

    require_known("game", game, games.known())
    require_known("players", players, CARRIERS)
    require_known("transport", transport, TRANSPORTS.targets())
    wanted = {require_known("run", kind, _KINDS) for kind in only or _KINDS}
    durabilities = [
        Durability(require_known("durability", name, _DURABILITIES)) for name in durability or _DURABILITIES
    ]
    few = Workload(game, seats, matches, clients, players)
    alone = Workload(game, seats, matches, matches * seats, players)
    many = Workload(game, seats, live, clients, players)
    rates = rate or list(_RATES)

    def paced(workload: Workload, at: float) -> _Run:
        return lambda running: open_loop(running, workload, at, seconds, engine)

    kinds: dict[str, _Run] = {
        "clients": lambda running: closed(running, few, seconds, engine),
        "connection_per_seat": lambda running: closed(running, alone, seconds, engine),
        **{f"open_loop_{at:.0f}": paced(few, at) for at in rates},
    }
    kinds = {name: run for name, run in kinds.items() if name.startswith(tuple(wanted))}
    cells = cells or 2 * ("cells" in (only or ()))  # to ask for nothing but this run is to ask for it
    total = bool(cells) + 1 + 3 * (not only) + len(durabilities) * len(kinds) + bool(live)
    inputs = ceil(_FASTEST_WORKER * workers * (seconds + _AROUND_SECONDS) / matches)
    with progress("bench service", total, always=True) as advance:
        steps = _Steps(advance, total)
        steps.begin("the engine alone")
        engine = engine_cost(game, seats, matches, workers, inputs)
        bare = _BareCosts() if only else _bare_costs(steps)
        runs: dict[str, dict[str, Any]] = {}
        for durable in durabilities:
            for kind, run in kinds.items():
                steps.begin(f"{kind}, {durable}, {seconds:g} s")
                runs[f"{kind}/{durable}"] = _run(serving(durable, workers, transport), run, bare)
        if cells:
            steps.begin(f"{cells} cells, one of which is killed halfway, {2 * seconds:g} s")
            each = max(1, workers // cells)
            found = _run_cells(serving_cells(durabilities[0], cells, each, transport), few, seconds, engine, bare)
            runs |= {f"{kind}/{durabilities[0]}": run for kind, run in found.items()}
        if live:
            steps.begin(f"{live} matches, {seconds:g} s")
            runs["live/everysec"] = _run(serving(Durability.EVERYSEC, workers, transport), paced(many, rates[0]), bare)
    summary = {"transport": transport, "workers": workers} | _summary(runs, bare)
    if not json:
        show({name: value for name, value in summary.items() if name != "runs"}, title="Service")
        print()
        rows(run_rows(runs), head=("run", *_COLUMNS.values()), title=f"Runs over {transport} (us: CPU time of one act)")
        raise typer.Exit(0 if _held(runs) else 1)
    finish(summary, as_json=True, held=_held(runs))


#: Figures of a run in the table, with their headings: narrow enough for a terminal of 80 characters.
_COLUMNS = {
    "actions_per_second": "acts/s",
    "overhead_us": "overhead\nus",
    "workers_us": "workers\nus",
    "echo_ratio": "echo\nratio",
    "p50_ms": "p50\nms",
    "p99_ms": "p99\nms",
    "refused": "refused",
}


def run_rows(runs: dict[str, dict[str, Any]]) -> Iterable[list[str]]:
    """Return a row of the table for each run."""
    for name, run in runs.items():
        figures = run | {"refused": sum(run["refused"].values())}
        cells = (_cell(column, figures[column]) if column in figures else "-" for column in _COLUMNS)
        yield [name.replace("/", "\n  "), *cells]


def _cell(column: str, figure: float) -> str:
    return f"{figure:.{2 if column.endswith('_ratio') else 1 if column.endswith('_ms') else 0}f}"


class _Steps:
    """The steps of a long command, each announced when it begins."""

    def __init__(self, advance: ProgressCallback, total: int) -> None:
        self._advance = advance
        self._total = total
        self._begun = 0

    def begin(self, step: str) -> None:
        """Announce the next step; the one before is done."""
        self._advance(min(self._begun, 1), note=f"{self._begun + 1} of {self._total}: {step}")
        self._begun += 1


def _bare_costs(steps: _Steps) -> _BareCosts:
    """Measure the baselines: a bare echo and a bare commit."""
    from landsraad_bench.commit_cost import bench_commit
    from landsraad_bench.echo import STREAMS, echo_us

    steps.begin("a bare echo")
    shared = echo_us(1, _REFERENCE_SECONDS)
    steps.begin("a bare echo, a connection for each stream")
    single = echo_us(STREAMS, _REFERENCE_SECONDS)
    steps.begin("a bare commit")
    commit = bench_commit(2 * _REFERENCE_SECONDS).bare
    return _BareCosts(shared, single, commit.client + commit.server)


def _run(serving: Any, run: _Run, bare: _BareCosts) -> dict[str, Any]:
    """Make one run against a fresh service, so that no run pays for what the one before left behind."""
    from landsraad_server.process import event_loop

    with serving as running:
        return _with_ratios(event_loop.run(run(running)), bare)


def _run_cells(serving: Any, *how: Any) -> dict[str, dict[str, Any]]:
    """Make the runs with cells."""
    from landsraad_bench.cells_run import cells_run
    from landsraad_server.process import event_loop

    *given, bare = how
    with serving as running:
        return {kind: _with_ratios(run, bare) for kind, run in event_loop.run(cells_run(running, *given)).items()}


def _with_ratios(found: dict[str, Any], bare: _BareCosts) -> dict[str, Any]:
    """Add the ratios to the baselines."""
    echo = bare.echo_per_connection if found["streams"] == found["seats"] else bare.echo
    ratios = {"echo_ratio": echo, "commit_ratio": bare.commit}
    return found | {name: round(found["overhead_us"] / cost, 2) for name, cost in ratios.items() if cost is not None}


def _summary(runs: dict[str, dict[str, Any]], bare: _BareCosts) -> dict[str, Any]:
    """Summarise the first run, with the latencies of the open loop at the highest rate, if there was one."""
    kind, first = next(iter(runs.items()))
    durability = kind.partition("/")[2]
    paced = [run for name, run in runs.items() if name.startswith("open_loop") and name.endswith(durability)]
    taken = (
        "engine_us",
        "overhead_us",
        "actions_per_second",
        "echo_ratio",
        "commit_ratio",
        "streams",
        "matches",
        "rss_mb",
        "players",
    )
    return {
        **{f"{name}_us": round(cost, 1) for name, cost in bare._asdict().items() if cost is not None},
        **{name: first[name] for name in taken if name in first},
        **{name: (paced or [first])[-1][name] for name in ("p50_ms", "p99_ms")},
        "durability": durability,
        "runs": runs,
    }


def _held(runs: dict[str, dict[str, Any]]) -> bool:
    """Return whether no act was refused except as STALE: players send legal acts, but another seat may be faster."""
    return all(set(run["refused"]) <= {"ERROR_REASON_STALE"} for run in runs.values())
