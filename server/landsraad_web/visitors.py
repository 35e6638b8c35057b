"""Visitors: the session of a request, and the calls of the service in its name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec
from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response

from landsraad import AsyncClient
from landsraad.transport import ON_BEHALF_OF
from landsraad.wire.codec import Codec
from landsraad_web.errors import PageError, no_session
from landsraad_web.guard import ADDRESS
from landsraad_web.sessions import SessionStore, VisitorSession
from landsraad_web.settings import Settings

Answer = TypeVar("Answer", bound=Message)
Form = TypeVar("Form")
_DAY_SECONDS = 86_400


class Visitors:
    """All that a route needs to know about who asks.

    Args:
        settings: Settings of the page.
        sessions: The sessions.
        client: The client for calls of the service.
    """

    def __init__(self, settings: Settings, sessions: SessionStore, client: AsyncClient) -> None:
        self._settings = settings
        self._client = client
        self.sessions = sessions
        prefix = "__Host-" if settings.secure else ""
        self.cookie = f"{prefix}landsraad_{sessions.instance}"

    def session(self, request: Request) -> VisitorSession | None:
        """Return the session of a request, if it has one."""
        given = request.cookies.get(self.cookie, "")
        return self.sessions.find(given) if given else None

    def signed_in(self, request: Request) -> VisitorSession:
        """Return the session of a request.

        Raises:
            PageError: It has none.
        """
        session = self.session(request)
        if session is None:
            raise no_session()
        return session

    def token(self, request: Request) -> str:
        """Return the token of a request's account; empty if it has none."""
        session = self.session(request)
        return session.token if session is not None else ""

    def set_cookie(self, response: Response, given: str) -> None:
        """Hand a session's id to the browser, out of reach of scripts and of other sites."""
        response.set_cookie(
            self.cookie,
            given,
            max_age=self._settings.limits.session_days * _DAY_SECONDS,
            path="/",
            secure=self._settings.secure,
            httponly=True,
            samesite="strict",
        )

    def clear_cookie(self, response: Response) -> None:
        """Take the cookie back."""
        response.delete_cookie(self.cookie, "/", secure=self._settings.secure, httponly=True, samesite="strict")

    async def call(
        self,
        request: Request,
        method: str,
        message: Message,
        answer: type[Answer],
        *,
        token: str | None = None,
        codec: Codec | None = None,
    ) -> Answer:
        """Call the service for a visitor; the service charges the visitor's address, not ours.

        Args:
            request: The visitor's request.
            method: The service and the method, such as "Matches/GetMatch".
            message: The request message.
            answer: The class of the answer message.
            token: The token to use; by default, that of the visitor's session.
            codec: The codec of the game, if a refusal may name legal acts.
        """
        with on_behalf_of(address_of(request)):
            return await self._client.call(
                method, message, answer, token=self.token(request) if token is None else token, codec=codec
            )


def address_of(request: Request) -> str:
    """Return the visitor's address."""
    address: str = request.scope[ADDRESS]
    return address


@contextmanager
def on_behalf_of(address: str) -> Iterator[None]:
    """Make calls in the name of an address while the block runs."""
    before = ON_BEHALF_OF.set(address)
    try:
        yield
    finally:
        ON_BEHALF_OF.reset(before)


async def read_form(request: Request, kind: type[Form]) -> Form:
    """Read the body of a request.

    Raises:
        PageError: It has not the form that is wanted.
    """
    body = await request.body()
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as wrong:
        text, _, path = str(wrong).partition(" - at `$.")
        field = path.rstrip("`")
        raise PageError(400, "bad_field", str(wrong), fields={field: text} if field else None) from None
    except (msgspec.DecodeError, RecursionError):
        raise PageError(400, "bad_body", "the body is not JSON") from None
