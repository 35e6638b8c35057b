"""Routes of sessions: sign in, take a name, move to another device, sign out."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from landsraad.v1 import accounts_service_pb2
from landsraad_web.errors import PageError, json_response
from landsraad_web.sessions import LINK_SECONDS, VisitorSession
from landsraad_web.settings import Settings
from landsraad_web.visitors import Visitors, address_of, read_form

#: Longest name of a player; the service has the same limit.
MOST_NAME = 40


class SessionForm(msgspec.Struct, forbid_unknown_fields=True):
    """Beginning or change of a session. Without a token or a code, the visitor becomes a guest."""

    token: Annotated[str, msgspec.Meta(max_length=512)] = ""
    code: Annotated[str, msgspec.Meta(max_length=128)] = ""
    name: Annotated[str, msgspec.Meta(max_length=MOST_NAME)] | None = None


class SessionRoutes:
    """Handlers of `/api/session`.

    Args:
        settings: Settings of the page.
        visitors: The visitors.
    """

    def __init__(self, settings: Settings, visitors: Visitors) -> None:
        self._guests = settings.guests
        self._visitors = visitors

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/session", self.show, methods=["GET"]),
            Route("/api/session", self.begin, methods=["POST"]),
            Route("/api/session/link", self.link, methods=["POST"]),
            Route("/api/session/end", self.end, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Tell who is signed in."""
        return json_response(self._describe(self._visitors.session(request)))

    async def begin(self, request: Request) -> Response:
        """Begin a session, or change the name of the one that there is."""
        form = await read_form(request, SessionForm)
        sessions, session = self._visitors.sessions, self._visitors.session(request)
        if session is not None and not form.token and not form.code:
            if form.name is not None:
                sessions.rename(session, check_name(form.name))
                session = sessions.find(request.cookies[self._visitors.cookie])
            return json_response(self._describe(session))
        token, account, name, guest = await self._identify(request, form)
        given = sessions.create(token, account, check_name(form.name or name), address_of(request), guest=guest)
        if session is not None:
            sessions.end(session)
        response = json_response(self._describe(sessions.find(given)))
        self._visitors.set_cookie(response, given)
        return response

    async def link(self, request: Request) -> Response:
        """Make a link by which another device takes the account up, once and soon."""
        session = self._visitors.signed_in(request)
        return json_response({"code": self._visitors.sessions.link(session), "seconds": LINK_SECONDS})

    async def end(self, request: Request) -> Response:
        """Sign out."""
        session = self._visitors.session(request)
        if session is not None:
            self._visitors.sessions.end(session)
        response = json_response(self._describe(None))
        self._visitors.clear_cookie(response)
        return response

    async def _identify(self, request: Request, form: SessionForm) -> tuple[str, str, str, bool]:
        """Return the token, the account, the name, and if it is a guest."""
        if form.code:
            linked = self._visitors.sessions.take_link(form.code)
            return linked.token, linked.account, linked.name, linked.guest
        if form.token:
            asked = accounts_service_pb2.WhoAmIRequest()
            known = await self._visitors.call(
                request, "Accounts/WhoAmI", asked, accounts_service_pb2.WhoAmIResponse, token=form.token
            )
            if accounts_service_pb2.ROLE_PLAYER not in known.roles:
                raise PageError(403, "not_an_account", "this is the credential of a seat, not the token of an account")
            return form.token, known.account.account_id, known.account.display_name, known.account.guest
        if not self._guests:
            raise PageError(401, "no_credential", "this service has no guests: sign in with the token of an account")
        wanted = accounts_service_pb2.CreateGuestRequest(request_id=secrets.token_hex(16))
        made = await self._visitors.call(
            request, "Accounts/CreateGuest", wanted, accounts_service_pb2.CreateGuestResponse, token=""
        )
        return made.token, made.account.account_id, "", True

    def _describe(self, session: VisitorSession | None) -> dict[str, Any]:
        told: dict[str, Any] = {"guests": self._guests, "signedIn": session is not None}
        if session is not None:
            told |= {"account": session.account, "name": session.name, "guest": session.guest}
        return told


def check_name(name: str) -> str:
    """Return a name without surrounding blanks.

    Raises:
        PageError: It contains characters that cannot be printed.
    """
    name = name.strip()
    if not name.isprintable():
        raise PageError(400, "bad_field", "a name has printable characters only", fields={"name": "not printable"})
    return name
