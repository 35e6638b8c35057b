"""The application: all routes of the page behind its guard."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from landsraad import AsyncClient
from landsraad.errors import LandsraadError
from landsraad_web.catalog import Catalogs
from landsraad_web.errors import PageError, error_response, json_response, on_error
from landsraad_web.feed_registry import FeedRegistry
from landsraad_web.guard import Guard
from landsraad_web.match_routes import MatchRoutes
from landsraad_web.play_routes import PlayRoutes
from landsraad_web.replay_routes import ReplayRoutes
from landsraad_web.session_routes import SessionRoutes
from landsraad_web.sessions import SessionStore
from landsraad_web.settings import Settings
from landsraad_web.static_files import StaticFiles
from landsraad_web.study import StudyRoutes
from landsraad_web.visitors import Visitors

_log = logging.getLogger(__name__)
#: Seconds to go on trying: a call that a person waits for, and a stream, which outlasts a restart of the service.
_CALL_SECONDS: Final = 15.0
_STREAM_SECONDS: Final = 3600.0
#: The document is the same for all these; its script reads the path.
_PAGES: Final = ("/", "/play/{game}", "/matches/{match}", "/replays/{match}", "/rules/{game}")


class WebPage:
    """The page of one service, with its connections.

    Args:
        settings: Settings of the page.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.files = StaticFiles()
        self.sessions = SessionStore(settings.sessions, settings.limits)
        self.client = AsyncClient(settings.server, retry_timeout=_CALL_SECONDS)
        self.streams = AsyncClient(settings.server, retry_timeout=_STREAM_SECONDS)
        self.feeds = FeedRegistry(self.streams, settings.limits)
        self.visitors = Visitors(settings, self.sessions, self.client)
        catalogs = Catalogs(self.visitors)
        self.study = StudyRoutes(self.visitors)
        inner = Starlette(
            routes=[
                *[Route(path, self._document, methods=["GET"]) for path in _PAGES],
                Route("/static/{path:path}", self._static, methods=["GET"]),
                Route("/api/health", self._health, methods=["GET"]),
                *SessionRoutes(settings, self.visitors).routes(),
                *catalogs.routes(),
                *MatchRoutes(self.visitors, catalogs).routes(),
                *PlayRoutes(self.visitors, catalogs, self.feeds, settings.limits).routes(),
                *ReplayRoutes(self.visitors).routes(),
                *self.study.routes(),
            ],
            exception_handlers={
                PageError: on_error,
                LandsraadError: on_error,
                HTTPException: _on_http_error,
                Exception: _on_fault,
            },
            lifespan=self._lifespan,
        )
        self.app: ASGIApp = Guard(inner, settings)

    async def close(self) -> None:
        """End all streams, connections and computations."""
        self.study.close()
        await self.feeds.close()
        await self.streams.close()
        await self.client.close()
        self.sessions.close()

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        yield
        await self.close()

    async def _document(self, request: Request) -> Response:
        return self.files.get("index.html").response(request)

    async def _static(self, request: Request) -> Response:
        return self.files.get(request.path_params["path"]).response(request)

    async def _health(self, _request: Request) -> Response:
        return json_response({"serving": True, "streams": self.feeds.readers})


async def _on_http_error(_request: Request, error: Exception) -> Response:
    """Handle what the router itself refuses."""
    assert isinstance(error, HTTPException)
    reason = {404: "no_such_page", 405: "bad_method"}.get(error.status_code, "bad_request")
    return error_response(PageError(error.status_code, reason, str(error.detail).lower()))


async def _on_fault(request: Request, error: Exception) -> Response:
    """Log a fault of our own, and tell no details of it."""
    _log.error("%s %s has failed", request.method, request.url.path, exc_info=error)
    return error_response(error)
