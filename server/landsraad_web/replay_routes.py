"""Routes of replays: lists of finished matches, whole logs, certificates."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from landsraad.replays import replay_name
from landsraad.seat_log import installed_game
from landsraad.v1 import replays_pb2, replays_service_pb2
from landsraad.wire.codec import codec_for
from landsraad_web.errors import PageError, json_response
from landsraad_web.json_forms import JsonForms, encode, message_json
from landsraad_web.match_routes import match_name
from landsraad_web.static_files import StaticFile, make_file
from landsraad_web.visitors import Visitors

_PAGE_SIZE: Final = 50
#: Entries of one part of a log: each part holds up all other visitors for a few milliseconds.
_PART: Final = 500
#: Logs of finished matches that are kept, in bytes, compressed.
_KEPT_BYTES: Final = 32 << 20
_JSON: Final = "application/json; charset=utf-8"


class ReplayRoutes:
    """Handlers of `/api/replays`.

    Args:
        visitors: The visitors.
    """

    def __init__(self, visitors: Visitors) -> None:
        self._visitors = visitors
        self._logs: OrderedDict[tuple[str, int | None], StaticFile] = OrderedDict()
        self._bytes = 0

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/replays", self.list_replays, methods=["GET"]),
            Route("/api/replays/{match}/log", self.log, methods=["GET"]),
            Route("/api/replays/{match}/certificate", self.certificate, methods=["GET"]),
        ]

    async def list_replays(self, request: Request) -> Response:
        """List finished matches, the last to end first."""
        query = request.query_params
        wanted = replays_service_pb2.ListReplaysRequest(
            page_size=_PAGE_SIZE,
            page_token=query.get("page", ""),
            game=f"games/{query['game']}" if query.get("game") else "",
            mine=query.get("mine") == "1",
        )
        if wanted.mine and self._visitors.session(request) is None:
            return json_response({"matches": [], "next": ""})
        page = await self._visitors.call(
            request, "Replays/ListReplays", wanted, replays_service_pb2.ListReplaysResponse
        )
        matches = [message_json(replay.match) for replay in page.replays]
        return json_response({"matches": matches, "next": page.next_page_token})

    async def log(self, request: Request) -> Response:
        """Return the whole log of a seat, or of the spectators, compressed."""
        match, seat = match_name(request), _seat(request)
        wanted = replays_service_pb2.GetReplayRequest(name=replay_name(match), seat=seat, page_size=_PART)
        first = await self._visitors.call(request, "Replays/GetReplay", wanted, replays_pb2.Replay)
        key = match, seat
        if key in self._logs:  # whoever gets the first part may have the others
            self._logs.move_to_end(key)
            return self._logs[key].response(request)
        content = await self._whole(request, wanted, first)
        found = await asyncio.to_thread(make_file, encode(content), _JSON)
        if content["match"].get("state") == "MATCH_STATE_OVER":
            self._keep(key, found)
        return found.response(request)

    async def _whole(
        self, request: Request, wanted: replays_service_pb2.GetReplayRequest, first: replays_pb2.Replay
    ) -> dict[str, Any]:
        """Return a log as JSON, beginning with its first part."""
        forms = JsonForms(codec_for(installed_game(first.match.game.removeprefix("games/"))))
        content = {name: part for name, part in message_json(first).items() if name not in ("entries", "nextFrom")}
        entries = content["entries"] = []
        page = first
        while True:
            entries += [forms.entry(entry) for entry in page.entries.entries]
            if not page.next_from:
                return content
            await asyncio.sleep(0)
            setattr(wanted, "from", page.next_from)
            page = await self._visitors.call(request, "Replays/GetReplay", wanted, replays_pb2.Replay)

    def _keep(self, key: tuple[str, int | None], found: StaticFile) -> None:
        """Keep a log that does not change any more. Its plain form is for the few that read no gzip."""
        self._logs[key] = found
        self._bytes += len(found.plain) + len(found.compressed or b"")
        while self._bytes > _KEPT_BYTES and len(self._logs) > 1:
            _, dropped = self._logs.popitem(last=False)
            self._bytes -= len(dropped.plain) + len(dropped.compressed or b"")

    async def certificate(self, request: Request) -> Response:
        """Return the certificate of a finished match."""
        wanted = replays_service_pb2.GetCertificateRequest(name=replay_name(match_name(request)))
        found = await self._visitors.call(request, "Replays/GetCertificate", wanted, replays_pb2.Certificate)
        return json_response(message_json(found))


def _seat(request: Request) -> int | None:
    text = request.query_params.get("seat", "")
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) < 3:
        return int(text)
    raise PageError(400, "bad_field", "a seat is a number", fields={"seat": "not a number"})
