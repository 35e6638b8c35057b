"""`landsraad bench service`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

import typer

from landsraad import games
from landsraad.cli.output import JsonFlag, chosen, finish, progress

#: Seconds for each of the three things that the service is compared with.
_REFERENCE_SECONDS = 2.0


def service(
    game: Annotated[str, typer.Option(help="Which game is played.")] = "dune",
    seats: Annotated[int, typer.Option(min=1, help="Seats of a match.")] = 6,
    matches: Annotated[int, typer.Option(min=1, help="Matches that are played at the same time.")] = 48,
    clients: Annotated[int, typer.Option(min=1, help="Clients, each with all seats of its matches on one stream.")] = 8,
    workers: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 2,
    rate: Annotated[float, typer.Option(min=1, help="Actions per second in open loop.")] = 1000.0,
    seconds: Annotated[float, typer.Option(min=0.5, max=60, help="Length of one run; there are six.")] = 5.0,
    live: Annotated[
        int, typer.Option(min=0, max=5000, help="Also: so many live matches, all seats streamed [try 2000].")
    ] = 0,
    json: JsonFlag = False,
) -> None:
    """What a durable action costs, beside a bare gRPC echo, a bare commit and the engine alone, measured in this run.

    Figures in us are CPU time of one action, the store's included and the players' left out: `overhead_us` is what the
    service adds to the engine's own `engine_us`; `echo_ratio` and `commit_ratio` are that overhead over what the bare
    echo and the bare commit cost. p50 and p99 are those of the open loop, from when an act was due to when it was safe.
    Each run is made with durability everysec and always: each client with the seats of its matches on one stream, a
    connection for each seat, and the open loop.
    """
    from landsraad_server.bench.echo import echo_us
    from landsraad_server.bench.engine import engine_us
    from landsraad_server.bench.measures import Crowd, closed, open_loop
    from landsraad_server.bench.rig import Service, serving
    from landsraad_server.store import Durability
    from landsraad_server.store.bench import bench_commit

    chosen("game", game, games.known())
    few = Crowd(game, seats, matches, clients)
    alone = Crowd(game, seats, max(1, matches // 4), matches * seats)
    kinds: dict[str, Callable[[Service], Coroutine[Any, Any, dict[str, Any]]]] = {
        "clients": lambda running: closed(running, few, seconds),
        "connection_per_seat": lambda running: closed(running, alone, seconds),
        "open_loop": lambda running: open_loop(running, few, rate, seconds),
    }
    many = Crowd(game, seats, live, clients)
    with progress("bench service", total=9 + bool(live)) as advance:
        engine = engine_us(game, seats, max(1, matches // workers), _REFERENCE_SECONDS)
        advance(note="echo")
        echo = echo_us(_REFERENCE_SECONDS)
        advance(note="commit")
        bare = bench_commit(2 * _REFERENCE_SECONDS).bare
        commit = bare.client + bare.server
        advance()
        runs: dict[str, dict[str, Any]] = {}
        for durability in (Durability.EVERYSEC, Durability.ALWAYS):
            for kind, run in kinds.items():
                advance(note=f"{kind}, {durability}")
                runs[f"{kind}/{durability}"] = _run(serving(durability, workers), run)
        if live:
            advance(note=f"{live} matches")
            runs["live/everysec"] = _run(
                serving(Durability.EVERYSEC, workers), lambda running: open_loop(running, many, rate, seconds)
            )
    for run_ in runs.values():
        run_["overhead_us"] = round(run_["workers_us"] + run_["store_us"] - engine, 1)
    finish({"workers": workers} | _summary(runs, engine, echo, commit), as_json=json, title="Service", held=_held(runs))


def _run(serving: Any, run: Callable[[Any], Coroutine[Any, Any, dict[str, Any]]]) -> dict[str, Any]:
    """One run, against a service of its own: no run is to pay for what the one before has left behind."""
    from landsraad_server import loops

    with serving as running:
        return loops.run(run(running))


def _summary(runs: dict[str, dict[str, Any]], engine: float, echo: float, commit: float) -> dict[str, Any]:
    first, paced = runs["clients/everysec"], runs["open_loop/everysec"]
    return {
        "engine_us": round(engine, 1),
        "overhead_us": first["overhead_us"],
        "actions_per_second": first["actions_per_second"],
        "p50_ms": paced["p50_ms"],
        "p99_ms": paced["p99_ms"],
        "echo_us": round(echo, 1),
        "echo_ratio": round(first["overhead_us"] / echo, 2),
        "commit_us": round(commit, 1),
        "commit_ratio": round(first["overhead_us"] / commit, 2),
        "streams": first["streams"],
        "matches": first["matches"],
        "rss_mb": first["rss_mb"],
        "durability": "everysec",
        "runs": runs,
    }


def _held(runs: dict[str, dict[str, Any]]) -> bool:
    """Random legal acts, answered to open questions: none may be refused, but that somebody else was faster."""
    return all(set(run["refused"]) <= {"ERROR_REASON_STALE"} for run in runs.values())
