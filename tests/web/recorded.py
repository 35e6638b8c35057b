"""Matches played here by greedy bots, served like the page's own routes, with the page's files and its policy.

/replays/{game} shows a whole match. /matches/live-{game}-{entries} shows one that goes on: its stream begins with a
snapshot after so many entries, and tests move it on (`live_log`).
"""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import uvicorn
from google.protobuf.json_format import MessageToDict
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from tests.ports import free_port

from landsraad import games
from landsraad.bots import derive_seed, make_bot
from landsraad.v1 import log_pb2, matches_pb2, replays_pb2
from landsraad.wire.catalog import game_message, options_message
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries, write_observation
from landsraad.wording import wording_of
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.play.build import engine_build
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out
from landsraad_web import study_jobs

STATIC: Final = Path(__file__).resolve().parents[2] / "server" / "landsraad_web" / "static"
SEATS: Final = {"dune": 6, "arrakis": 2}
#: The policy of the page (guard.py): what it forbids must not be needed.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def played(game: str) -> Match:
    """Return a whole match."""
    match = Match(games.load(game), SEATS[game], {}, secret=b"page", name="page")
    bots = [make_bot("greedy", game, derive_seed(1, 0, "bot", seat)) for seat in range(SEATS[game])]
    play_out(match, bots)
    return match


@cache
def catalog(game: str) -> dict[str, Any]:
    """Return a catalog as the page gets it."""
    return {
        **MessageToDict(game_message(games.load(game), SEATS[game])),
        "wording": msgspec.to_builtins(wording_of(game)),
    }


@cache
def log(game: str, seat: int | None) -> list[dict[str, Any]]:
    """Return the entries of a log."""
    match = played(game)
    encoded = write_entries(1, codec_for(match.game).numbered_entries(1, match.log(seat)))
    entries: list[dict[str, Any]] = MessageToDict(log_pb2.Entries.FromString(encoded))["entries"]
    return entries


def about(game: str) -> dict[str, Any]:
    """Return the match's own facts."""
    seats = [{"number": seat, "player": f"Player {seat + 1}"} for seat in range(SEATS[game])]
    return {"name": f"matches/{game}", "game": f"games/{game}", "state": "MATCH_STATE_OVER", "seats": seats}


class LiveLog:
    """The log of a match that goes on as far as a test wants."""

    def __init__(self, game: str, seat: int | None, begin: int) -> None:
        self.game, self.seat, self.shown = game, seat, begin
        self.streams = 0

    def snapshot(self) -> dict[str, Any]:
        """Return the observation after the entries shown so far."""
        match = played(self.game)
        fold = Fold(match.g.setting.layout, self.seat).add(match.log(self.seat)[: self.shown])
        encoded = write_observation(fold.view, match="", number=self.shown)
        return MessageToDict(log_pb2.Observation.FromString(encoded))

    async def events(self, after: int | None) -> AsyncIterator[bytes]:
        """Yield events from an entry on, or from a snapshot."""
        self.streams += 1
        yield b"retry: 100\n\n" + _event("match", about(self.game) | {"state": "MATCH_STATE_LIVE"})
        if after is None:
            after = self.shown
            yield _event("snapshot", self.snapshot(), f"1.{after}")
        while True:
            while after < self.shown:
                after += 1
                yield _event("entry", log(self.game, self.seat)[after - 1], f"1.{after}")
            await asyncio.sleep(0.01)  # no test waits for this: it waits for what the browser shows


def _event(kind: str, content: Any, number: str = "") -> bytes:
    head = f"id: {number}\n" if number else ""
    return f"{head}event: {kind}\ndata: {json.dumps(content)}\n\n".encode()


#: The live logs of this process by their match ids and seats.
LIVE: Final[dict[tuple[str, str], LiveLog]] = {}


def live_log(match: str, seat: str) -> LiveLog:
    """Return the live log of a match id "live-{game}-{entries}"."""
    _, game, begin = match.split("-")[:3]
    return LIVE.setdefault((match, seat), LiveLog(game, int(seat) if seat else None, int(begin)))


async def _events(request: Request) -> Response:
    found = live_log(request.path_params["game"], request.query_params.get("seat", ""))
    cursor = request.headers.get("last-event-id") or request.query_params.get("from", "")
    after = int(cursor.split(".")[1]) if cursor else None
    return StreamingResponse(found.events(after), media_type="text/event-stream")


def _answer(content: Any) -> Response:
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    return Response(gzip.compress(json.dumps(content).encode(), 6), headers=headers)


async def _document(_: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"content-security-policy": POLICY})


def _match(request: Request) -> Response:
    game = request.path_params["game"]
    if game.startswith("live-"):
        game = game.split("-")[1]
        live = about(game) | {"state": "MATCH_STATE_LIVE"}
        return _answer({"match": live, "seats": [], "catalog": f"/api/catalog/{game}"})
    return _answer({"match": about(game), "seats": [], "catalog": f"/api/catalog/{game}"})


def _catalog(request: Request) -> Response:
    return _answer(catalog(request.path_params["game"]))


def _log(request: Request) -> Response:
    game, seat = request.path_params["game"], request.query_params.get("seat", "")
    shown = live_log(game, seat).shown if game.startswith("live-") else None
    game = game.split("-")[1] if shown else game
    entries = log(game, int(seat) if seat else None)[:shown]
    return _answer({"match": about(game), "layout": catalog(game)["layout"], "entries": entries, "epoch": "1"})


def pages(game: str, seat: int) -> list[bytes]:
    """Return a log as the pages of the service."""
    match = played(game)
    encoded = write_entries(1, codec_for(match.game).numbered_entries(1, match.log(seat)))
    about_match = matches_pb2.Match(
        name=f"matches/{game}",
        game=f"games/{game}",
        options=options_message(match.options),
        engine_build=engine_build(),
        content_digest=match.game.content_digest(match.options),
    )
    page = replays_pb2.Replay(match=about_match, entries=log_pb2.Entries.FromString(encoded))
    for number in range(SEATS[game]):
        page.match.seats.add(number=number)
    return [page.SerializeToString()]


def _values(request: Request) -> Response:
    game = request.path_params["game"]
    return _answer(json.loads(study_jobs.win_curve([pages(game, seat) for seat in range(SEATS[game])])))


def _advice(request: Request) -> Response:
    game, seat = request.path_params["game"], int(request.query_params["seat"])
    return _answer(json.loads(study_jobs.advice(pages(game, seat), seat, int(request.query_params["at"]))))


def application() -> Starlette:
    """Return an application that serves both matches as replays."""
    documents = ("/", "/matches/{game}", "/replays/{game}", "/rules/{game}")
    return Starlette(
        routes=[
            *[Route(path, _document) for path in documents],
            Route("/api/matches/{game}", _match),
            Route("/api/matches/{game}/events", _events),
            Route("/api/catalog/{game}", _catalog),
            Route("/api/replays/{game}/log", _log),
            Route("/api/replays/{game}/values", _values),
            Route("/api/replays/{game}/advice", _advice),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
    )


@contextmanager
def serving() -> Iterator[str]:
    """Serve the recorded matches; yield the address."""
    port = free_port()
    config = uvicorn.Config(application(), port=port, log_level="warning", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        assert thread.is_alive(), "the server has ended"
        assert time.monotonic() < deadline, "the server does not start"
        thread.join(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
