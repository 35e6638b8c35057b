"""`landsraad bench service`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, NamedTuple

import typer

from landsraad import games
from landsraad.cli.output import JsonFlag, chosen, finish, progress

#: Seconds for each of the things that the service is compared with.
_REFERENCE_SECONDS = 2.0
#: Acts per second at which latencies are told.
_RATES = (1000.0, 3000.0, 6000.0)
_Run = Callable[[Any], Coroutine[Any, Any, dict[str, Any]]]


class _Bare(NamedTuple):
    """What the parts cost by themselves, in microseconds of CPU."""

    engine: float
    echo: float
    echo_per_connection: float
    commit: float


def service(
    game: Annotated[str, typer.Option(help="Which game is played.")] = "dune",
    seats: Annotated[int, typer.Option(min=1, help="Seats of a match.")] = 6,
    matches: Annotated[int, typer.Option(min=1, help="Matches that are played at the same time.")] = 48,
    clients: Annotated[int, typer.Option(min=1, help="Clients, each with all seats of its matches on one stream.")] = 8,
    workers: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 2,
    rate: Annotated[list[float] | None, typer.Option(min=1, help="Actions per second in open loop.")] = None,
    seconds: Annotated[float, typer.Option(min=0.5, max=60, help="Length of one run; there are ten.")] = 5.0,
    live: Annotated[
        int, typer.Option(min=0, max=5000, help="Also: so many live matches, all seats streamed (try 2000).")
    ] = 0,
    json: JsonFlag = False,
) -> None:
    """What a durable action costs, beside a bare gRPC echo, a bare commit and the engine alone, measured in this run.

    Figures in us are CPU time for one action. `overhead_us` is all that is spent on it but for the engine's own
    `engine_us`: by the workers, by the store, and by the players, who read what their seats are told, draw an act and
    send it. `echo_ratio` and `commit_ratio` are that overhead over what a bare grpc.aio echo (both sides, as many
    connections) and the bare commit cost. p50 and p99 are those of the open loop, from when an act was due to when it
    was safe. Each run is made with durability everysec and always: each client with the seats of its matches on one
    stream; a connection for each seat; and the open loop at each rate. `busy_elsewhere` is the part of the machine that
    something else has used meanwhile: figures of a busy machine are too high, its latencies mean nothing.
    """
    from landsraad_server.bench.echo import STREAMS, echo_us
    from landsraad_server.bench.engine import engine_us
    from landsraad_server.bench.measures import Crowd, closed, open_loop
    from landsraad_server.bench.rig import serving
    from landsraad_server.store import Durability
    from landsraad_server.store.bench import bench_commit

    chosen("game", game, games.known())
    few = Crowd(game, seats, matches, clients)
    alone = Crowd(game, seats, max(1, matches // 4), matches * seats)
    many = Crowd(game, seats, live, clients)
    rates = rate or list(_RATES)

    def paced(crowd: Crowd, at: float) -> _Run:
        return lambda running: open_loop(running, crowd, at, seconds)

    kinds: dict[str, _Run] = {
        "clients": lambda running: closed(running, few, seconds),
        "connection_per_seat": lambda running: closed(running, alone, seconds),
        **{f"open_loop_{at:.0f}": paced(few, at) for at in rates},
    }
    with progress("bench service", total=4 + 2 * len(kinds) + bool(live)) as advance:
        engine = engine_us(game, seats, matches, _REFERENCE_SECONDS, workers)
        advance(note="echo")
        shared = echo_us(1, _REFERENCE_SECONDS)
        advance(note="echo, a connection each")
        single = echo_us(STREAMS, _REFERENCE_SECONDS)
        advance(note="commit")
        commit = bench_commit(2 * _REFERENCE_SECONDS).bare
        advance()
        bare = _Bare(engine, shared, single, commit.client + commit.server)
        runs: dict[str, dict[str, Any]] = {}
        for durability in (Durability.EVERYSEC, Durability.ALWAYS):
            for kind, run in kinds.items():
                advance(note=f"{kind}, {durability}")
                runs[f"{kind}/{durability}"] = _run(serving(durability, workers), run, bare)
        if live:
            advance(note=f"{live} matches")
            runs["live/everysec"] = _run(serving(Durability.EVERYSEC, workers), paced(many, rates[0]), bare)
    summary = {"workers": workers} | _summary(runs, bare, f"open_loop_{rates[-1]:.0f}/everysec")
    finish(summary, as_json=json, title="Service", held=_held(runs))


def _run(serving: Any, run: _Run, bare: _Bare) -> dict[str, Any]:
    """One run, against a service of its own: no run is to pay for what the one before has left behind."""
    from landsraad_server import loops

    with serving as running:
        found = loops.run(run(running))
    overhead = found["workers_us"] + found["store_us"] + found["players_us"] - bare.engine
    alone = found["streams"] == found["seats"]
    return found | {
        "overhead_us": round(overhead, 1),
        "echo_ratio": round(overhead / (bare.echo_per_connection if alone else bare.echo), 2),
        "commit_ratio": round(overhead / bare.commit, 2),
    }


def _summary(runs: dict[str, dict[str, Any]], bare: _Bare, paced: str) -> dict[str, Any]:
    first = runs["clients/everysec"]
    taken = ("overhead_us", "actions_per_second", "echo_ratio", "commit_ratio", "streams", "matches", "rss_mb")
    return {
        "engine_us": round(bare.engine, 1),
        "echo_us": round(bare.echo, 1),
        "echo_per_connection_us": round(bare.echo_per_connection, 1),
        "commit_us": round(bare.commit, 1),
        **{name: first[name] for name in taken},
        "p50_ms": runs[paced]["p50_ms"],
        "p99_ms": runs[paced]["p99_ms"],
        "durability": "everysec",
        "runs": runs,
    }


def _held(runs: dict[str, dict[str, Any]]) -> bool:
    """Random legal acts, answered to open questions: none may be refused, but that somebody else was faster."""
    return all(set(run["refused"]) <= {"ERROR_REASON_STALE"} for run in runs.values())
