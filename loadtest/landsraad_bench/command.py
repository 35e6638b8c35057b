"""Command `landsraad bench service`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, NamedTuple

import typer

from landsraad import games
from landsraad_cli.output import JsonFlag, ProgressCallback, finish, progress, require_known

#: Seconds for each baseline.
_REFERENCE_SECONDS = 2.0
#: Default rates of the open loop, in acts per second.
_RATES = (1000.0, 3000.0, 6000.0)
_Run = Callable[[Any], Coroutine[Any, Any, dict[str, Any]]]


#: Kinds of runs for `--only`; the open loop is run at each rate.
_KINDS = ("clients", "connection_per_seat", "open_loop")
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
    live: Annotated[int, typer.Option(min=0, max=5000, help="Add a run with so many live matches (try 2000).")] = 0,
    only: Annotated[
        list[str] | None,
        typer.Option(help=f"Make only these runs ({', '.join(_KINDS)}), without baselines."),
    ] = None,
    durability: Annotated[list[str] | None, typer.Option(help="Use only this durability (everysec, always).")] = None,
    players: Annotated[str, typer.Option(help="Client of the players: thin (our own) or grpcio.")] = "thin",
    json: JsonFlag = False,
) -> None:
    """Measure the cost of a durable act, beside a bare gRPC echo, a bare commit and the engine alone.

    All figures in us are CPU time for one act. `overhead_us` is everything that workers, store and players spend on it,
    minus `engine_us`, the engine's own time for the same part of such matches. (Players read what their seats are sent,
    draw an act and send it.) `echo_ratio` and `commit_ratio` relate that overhead to a bare grpc.aio echo (both sides,
    as many connections) and to a bare commit. p50 and p99 are latencies of the open loop, from when an act was due to
    when it was durable. Each run is made with durability everysec and always: `clients`, each with the seats of its
    matches on one stream; `connection_per_seat`; and `open_loop` at each rate. The players use a cheap client of ours;
    with `--players grpcio` they use grpc.aio, which costs more than everything else they do. `busy_elsewhere` is the
    share of the machine that other programs used meanwhile: on a busy machine the figures are too high and the
    latencies meaningless.
    """
    from landsraad_bench.bench_service import serving
    from landsraad_bench.engine_cost import engine_cost
    from landsraad_bench.measurements import Workload, closed, open_loop
    from landsraad_bench.transports import CARRIERS
    from landsraad_server.store import Durability

    require_known("game", game, games.known())
    require_known("players", players, CARRIERS)
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
    with progress("bench service", total=1 + 3 * (not only) + len(durabilities) * len(kinds) + bool(live)) as advance:
        engine = engine_cost(game, seats, matches, workers)
        advance()
        bare = _BareCosts() if only else _bare_costs(advance)
        runs: dict[str, dict[str, Any]] = {}
        for durable in durabilities:
            for kind, run in kinds.items():
                advance(note=f"{kind}, {durable}")
                runs[f"{kind}/{durable}"] = _run(serving(durable, workers), run, bare)
        if live:
            advance(note=f"{live} matches")
            runs["live/everysec"] = _run(serving(Durability.EVERYSEC, workers), paced(many, rates[0]), bare)
    summary = {"workers": workers} | _summary(runs, bare)
    finish(summary, as_json=json, title="Service", held=_held(runs))


def _bare_costs(advance: ProgressCallback) -> _BareCosts:
    """Measure the baselines: a bare echo and a bare commit."""
    from landsraad_bench.commit_cost import bench_commit
    from landsraad_bench.echo import STREAMS, echo_us

    shared = echo_us(1, _REFERENCE_SECONDS)
    advance(note="echo, a connection each")
    single = echo_us(STREAMS, _REFERENCE_SECONDS)
    advance(note="commit")
    commit = bench_commit(2 * _REFERENCE_SECONDS).bare
    advance()
    return _BareCosts(shared, single, commit.client + commit.server)


def _run(serving: Any, run: _Run, bare: _BareCosts) -> dict[str, Any]:
    """Make one run against a fresh service, so that no run pays for what the one before left behind."""
    from landsraad_server.process import event_loop

    with serving as running:
        found = event_loop.run(run(running))
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
