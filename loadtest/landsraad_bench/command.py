"""`landsraad bench service`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, NamedTuple

import typer

from landsraad import games
from landsraad_cli.output import Advance, JsonFlag, chosen, finish, progress

#: Seconds for each of the things that the service is compared with.
_REFERENCE_SECONDS = 2.0
#: Acts per second at which latencies are told.
_RATES = (1000.0, 3000.0, 6000.0)
_Run = Callable[[Any], Coroutine[Any, Any, dict[str, Any]]]


#: What `--only` may name, the open loop at all of its rates.
_KINDS = ("clients", "connection_per_seat", "open_loop")
_DURABILITIES = ("everysec", "always")


class _Bare(NamedTuple):
    """What the parts cost by themselves, in microseconds of CPU; not measured if only some runs are wanted."""

    echo: float | None = None
    echo_per_connection: float | None = None
    commit: float | None = None


def service(
    game: Annotated[str, typer.Option(help="Which game is played.")] = "dune",
    seats: Annotated[int, typer.Option(min=1, help="Seats of a match.")] = 6,
    matches: Annotated[int, typer.Option(min=1, help="Matches that are played at the same time.")] = 192,
    clients: Annotated[int, typer.Option(min=1, help="Clients, each with all seats of its matches on one stream.")] = 8,
    workers: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 2,
    rate: Annotated[list[float] | None, typer.Option(min=1, help="Actions per second in open loop.")] = None,
    seconds: Annotated[float, typer.Option(min=0.5, max=60, help="Length of one run; there are ten.")] = 5.0,
    live: Annotated[
        int, typer.Option(min=0, max=5000, help="Also: so many live matches, all seats streamed (try 2000).")
    ] = 0,
    only: Annotated[
        list[str] | None,
        typer.Option(help=f"Only these runs ({', '.join(_KINDS)}), and no echo or commit beside them."),
    ] = None,
    durability: Annotated[list[str] | None, typer.Option(help="Only with this (everysec, always).")] = None,
    players: Annotated[str, typer.Option(help="Whose client the players use: thin (our own) or grpcio.")] = "thin",
    json: JsonFlag = False,
) -> None:
    """What a durable action costs, beside a bare gRPC echo, a bare commit and the engine alone, measured in this run.

    Figures in us are CPU time for one action. `overhead_us` is all that is spent on it but for the engine's own
    `engine_us` for the same part of such matches: by the workers, by the store, and by the players, who read what
    their seats are told, draw an act and send it. `echo_ratio` and `commit_ratio` are that overhead over what a bare
    grpc.aio echo (both sides, as many connections) and the bare commit cost. p50 and p99 are those of the open loop,
    from when an act was due to when it was safe. Each run is made with durability everysec and always: `clients`,
    each with the seats of its matches on one stream; `connection_per_seat`; and `open_loop` at each rate. The players
    use a client of ours that costs little; with `--players grpcio` they use grpc.aio, which costs more than all else
    that they do. `busy_elsewhere` is the part of the machine that something else has used meanwhile: figures of a
    busy machine are too high, its latencies mean nothing.
    """
    from landsraad_bench.bench_service import serving
    from landsraad_bench.engine_cost import engine_cost
    from landsraad_bench.measurements import Crowd, closed, open_loop
    from landsraad_bench.transports import CARRIERS
    from landsraad_server.store import Durability

    chosen("game", game, games.known())
    chosen("players", players, CARRIERS)
    wanted = {chosen("run", kind, _KINDS) for kind in only or _KINDS}
    durabilities = [Durability(chosen("durability", name, _DURABILITIES)) for name in durability or _DURABILITIES]
    few = Crowd(game, seats, matches, clients, players)
    alone = Crowd(game, seats, matches, matches * seats, players)
    many = Crowd(game, seats, live, clients, players)
    rates = rate or list(_RATES)

    def paced(crowd: Crowd, at: float) -> _Run:
        return lambda running: open_loop(running, crowd, at, seconds, engine)

    kinds: dict[str, _Run] = {
        "clients": lambda running: closed(running, few, seconds, engine),
        "connection_per_seat": lambda running: closed(running, alone, seconds, engine),
        **{f"open_loop_{at:.0f}": paced(few, at) for at in rates},
    }
    kinds = {name: run for name, run in kinds.items() if name.startswith(tuple(wanted))}
    with progress("bench service", total=1 + 3 * (not only) + len(durabilities) * len(kinds) + bool(live)) as advance:
        engine = engine_cost(game, seats, matches, workers)
        advance()
        bare = _Bare() if only else _compared(advance)
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


def _compared(advance: Advance) -> _Bare:
    """What a bare echo and a bare commit cost."""
    from landsraad_bench.commit_cost import bench_commit
    from landsraad_bench.echo import STREAMS, echo_us

    shared = echo_us(1, _REFERENCE_SECONDS)
    advance(note="echo, a connection each")
    single = echo_us(STREAMS, _REFERENCE_SECONDS)
    advance(note="commit")
    commit = bench_commit(2 * _REFERENCE_SECONDS).bare
    advance()
    return _Bare(shared, single, commit.client + commit.server)


def _run(serving: Any, run: _Run, bare: _Bare) -> dict[str, Any]:
    """One run, against a service of its own: no run is to pay for what the one before has left behind."""
    from landsraad_server.process import event_loop

    with serving as running:
        found = event_loop.run(run(running))
    echo = bare.echo_per_connection if found["streams"] == found["seats"] else bare.echo
    ratios = {"echo_ratio": echo, "commit_ratio": bare.commit}
    return found | {name: round(found["overhead_us"] / cost, 2) for name, cost in ratios.items() if cost is not None}


def _summary(runs: dict[str, dict[str, Any]], bare: _Bare) -> dict[str, Any]:
    """The first run, but the latencies of an open loop at the highest rate, if there was one."""
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
    """Random legal acts, answered to open questions: none may be refused, but that somebody else was faster."""
    return all(set(run["refused"]) <= {"ERROR_REASON_STALE"} for run in runs.values())
