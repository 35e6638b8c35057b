"""Catalog service: the games that can be played here, and the limits of the service."""

from __future__ import annotations

from collections.abc import Container, Sized
from functools import lru_cache

from google.protobuf.message import Message

from landsraad import games
from landsraad._version import __version__
from landsraad.v1 import catalog_pb2, catalog_service_pb2
from landsraad.wire.catalog import game_message, read_options, summary_message
from landsraad.wire.seat_semantics import MOST_ACT_BYTES
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.build import engine_build
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.match_list import page_size, reject_page_token
from landsraad_server.config import Config
from landsraad_server.refusals import Denied, bad_field
from landsraad_server.request_limits import MOST_BYTES, MOST_IN_FLIGHT, MOST_OPTIONS, MOST_SEATS
from landsraad_server.streams import outbox

DESCRIPTOR = catalog_service_pb2.DESCRIPTOR.services_by_name["Catalog"]


def game_named(name: str, known: Container[str]) -> Game:
    """Return the game of a resource name; `known` caches the installed names, as looking them up takes milliseconds."""
    if not name:
        raise bad_field("name", "has to name the game, as games/{game}")
    prefix, _, game = name.partition("/")
    if prefix != "games" or game not in known:
        raise Denied("NO_SUCH_GAME", "there is no such game; see Catalog.ListGames")
    return games.load(game)


def check_options(field: str, given: Sized) -> None:
    """Refuse a request with more options than any game has."""
    if len(given) > MOST_OPTIONS:
        raise bad_field(field, f"cannot have more than {MOST_OPTIONS}")


class CatalogService:
    """Implementation of the Catalog service."""

    def __init__(self, config: Config) -> None:
        self._limits = _limits_message(config)
        self._known = games.known()

    async def list_games(
        self, request: catalog_service_pb2.ListGamesRequest, call: RpcCall
    ) -> catalog_service_pb2.ListGamesResponse:
        size = page_size(request.page_size, 100, 100)
        if request.page_token and request.page_token not in self._known:
            reject_page_token()
        names = [name for name in self._known if name > request.page_token]
        return catalog_service_pb2.ListGamesResponse(
            games=[summary_message(games.load(name)) for name in names[:size]],
            next_page_token=names[size - 1] if len(names) > size else "",
            limits=self._limits,
            version=__version__,
            engine_build=engine_build(),
        )

    async def get_game(self, request: catalog_service_pb2.GetGameRequest, call: RpcCall) -> bytes:
        check_options("options", request.options)
        return game_details(game_named(request.name, self._known), request.SerializeToString(deterministic=True))


@lru_cache(64)
def game_details(game: Game, request_bytes: bytes) -> bytes:
    """Return the serialised Game message for a serialised request, cached.

    The request is part of the cache key as bytes, because True and 1 are the same key in Python.
    """
    request = catalog_service_pb2.GetGameRequest.FromString(request_bytes)
    message: Message = game_message(game, request.seats, read_options(request.options))
    return message.SerializeToString()


def _limits_message(config: Config) -> catalog_pb2.Limits:
    """Return the limits as the catalog publishes them."""
    return catalog_pb2.Limits(
        message_bytes=MOST_BYTES,
        seats_per_stream=MOST_SEATS,
        streams_per_account=config.streams_per_account,
        matches_per_account=config.matches_per_account,
        inputs_in_flight=MOST_IN_FLIGHT,
        queued_items=outbox.MOST_ITEMS,
        act_bytes=MOST_ACT_BYTES,
        options=MOST_OPTIONS,
    )
