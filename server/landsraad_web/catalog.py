"""Catalogs of games: everything about a game that no match changes, under the digest of its content."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from landsraad.seat_log import installed_game
from landsraad.v1 import catalog_pb2, catalog_service_pb2, matches_pb2
from landsraad.wire.catalog import options_message, read_options
from landsraad.wire.codec import Codec, codec_for
from landsraad.wording import wording_of
from landsraad_web.errors import PageError, json_response
from landsraad_web.json_forms import encode, message_json
from landsraad_web.static_files import StaticFile, make_file
from landsraad_web.visitors import Visitors

_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_JSON: Final = "application/json; charset=utf-8"
#: Catalogs that are kept, and matches whose game is known.
_MOST: Final = 64
_MOST_MATCHES: Final = 20_000
_OPTION: Final = (bool, int, str)


class Catalogs:
    """Handlers of `/api/games` and `/api/catalog`, and the codecs of matches.

    Args:
        visitors: The visitors.
    """

    def __init__(self, visitors: Visitors) -> None:
        self._visitors = visitors
        self._files: OrderedDict[str, StaticFile] = OrderedDict()
        self._games: OrderedDict[str, str] = OrderedDict()

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/games", self.list_games, methods=["GET"]),
            Route("/api/catalog/{game}", self.show, methods=["GET"]),
        ]

    async def list_games(self, request: Request) -> Response:
        """List the games with their options and numbers of seats."""
        wanted = catalog_service_pb2.ListGamesRequest()
        found = await self._visitors.call(request, "Catalog/ListGames", wanted, catalog_service_pb2.ListGamesResponse)
        return json_response(message_json(found))

    async def show(self, request: Request) -> Response:
        """Return a game: components, acts, places, boards, announcements and rules."""
        game, query = request.path_params["game"], request.query_params
        found = await self._file(request, game, _seats(query.get("seats", "0")), _options(query.get("options", "{}")))
        current = query.get("v") == found.etag.strip('"')
        return found.response(request, _IMMUTABLE if current else "no-cache")

    async def _file(self, request: Request, game: str, seats: int, options: dict[str, Any]) -> StaticFile:
        key = json.dumps([game, seats, options], sort_keys=True)
        kept = self._files.get(key)
        if kept is None:
            wanted = catalog_service_pb2.GetGameRequest(
                name=f"games/{game}", seats=seats, options=options_message(options)
            )
            found = await self._visitors.call(request, "Catalog/GetGame", wanted, catalog_pb2.Game)
            content = {**message_json(found), "wording": wording_of(game)}
            kept = self._files[key] = make_file(encode(content), _JSON)
            if len(self._files) > _MOST:
                self._files.popitem(last=False)
        self._files.move_to_end(key)
        return kept

    def address_of(self, match: matches_pb2.Match) -> str:
        """Return the path of the catalog of a match. Matches with the same terms share it, and a browser keeps it."""
        game = match.game.removeprefix("games/")
        options = json.dumps(read_options(match.options), sort_keys=True, separators=(",", ":"))
        query = {"seats": len(match.seats), "options": options}
        kept = self._files.get(json.dumps([game, len(match.seats), read_options(match.options)], sort_keys=True))
        if kept is not None:
            query["v"] = kept.etag.strip('"')
        return f"/api/catalog/{game}?{urlencode(query)}"

    async def codec_of(self, match: str, fetch: Callable[[], Awaitable[matches_pb2.Match]]) -> Codec:
        """Return the codec of a match; the game of a match never changes."""
        if match not in self._games:
            self._games[match] = (await fetch()).game.removeprefix("games/")
            if len(self._games) > _MOST_MATCHES:
                self._games.popitem(last=False)
        return codec_for(installed_game(self._games[match]))


def _seats(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 3:
        return int(text)
    raise PageError(400, "bad_field", "seats is a number", fields={"seats": "not a number"})


def _options(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if (
        isinstance(found, dict)
        and len(found) <= 64
        and all(isinstance(one, bool | int | str) for one in found.values())
    ):
        return found
    raise PageError(400, "bad_field", "options is a JSON object of values", fields={"options": "no such object"})
