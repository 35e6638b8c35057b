"""Routes of matches: list, create, join, begin and end them."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from landsraad.errors import BadRequest, LandsraadError
from landsraad.models import ClockRules, clock_message
from landsraad.v1 import common_pb2, matches_pb2, matches_service_pb2, play_pb2, play_service_pb2
from landsraad.wire.catalog import options_message
from landsraad.wire.match_names import is_match_id
from landsraad_engine.kernel.execution import AUTO
from landsraad_web.catalog import Catalogs
from landsraad_web.errors import PageError, json_response
from landsraad_web.json_forms import message_json
from landsraad_web.session_routes import MOST_NAME
from landsraad_web.visitors import Visitors, read_form

_PAGE_SIZE = 50
_MOST_SECONDS = 2_592_000
Word = Annotated[str, msgspec.Meta(max_length=64)]
Name = Annotated[str, msgspec.Meta(max_length=MOST_NAME)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=63)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=_MOST_SECONDS)]
Option = bool | int | str


class SeatForm(msgspec.Struct, forbid_unknown_fields=True):
    """One seat of a new match."""

    fill: Literal["open", "house", "invited"] = "open"
    #: for `house`: the name of the bot; empty for the usual one
    bot: Word = ""
    #: for `invited`: the id or the name of the account
    account: Word = ""


class ClockForm(msgspec.Struct, forbid_unknown_fields=True):
    """The clock of a new match, in seconds."""

    decision: Seconds = 0
    bank: Seconds = 0
    increment: Seconds = 0
    disconnect: Seconds = 0
    outcome: Literal["default_act", "resign", "house_bot"] = "default_act"


class MatchForm(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A new match. With `join`, its creator takes that seat at once."""

    game: Word
    seats: Annotated[list[SeatForm], msgspec.Meta(min_length=1, max_length=64)]
    options: Annotated[dict[Word, Option], msgspec.Meta(max_length=64)] = {}
    clock: ClockForm | None = None
    title: Annotated[str, msgspec.Meta(max_length=80)] = ""
    watch_delay: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0
    unlisted: bool = False
    join: SeatNumber | None = None
    player: Name = ""
    request_id: Word = ""


class JoinForm(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A seat that is wanted; left out: the first free one."""

    seat: SeatNumber | None = None
    player: Name = ""
    orders: Annotated[list[Word], msgspec.Meta(max_length=64)] = msgspec.field(default_factory=lambda: [AUTO])
    request_id: Word = ""


class SeatOnly(msgspec.Struct, forbid_unknown_fields=True):
    """One of the visitor's seats."""

    seat: SeatNumber


class EndForm(msgspec.Struct, forbid_unknown_fields=True):
    """The reason for an early end."""

    reason: Annotated[str, msgspec.Meta(max_length=200)] = ""


class MatchRoutes:
    """Handlers of `/api/matches`.

    Args:
        visitors: The visitors.
        catalogs: The games.
    """

    def __init__(self, visitors: Visitors, catalogs: Catalogs) -> None:
        self._visitors = visitors
        self._catalogs = catalogs

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/matches", self.list_matches, methods=["GET"]),
            Route("/api/matches", self.create, methods=["POST"]),
            Route("/api/matches/{match}", self.show, methods=["GET"]),
            Route("/api/matches/{match}/join", self.join, methods=["POST"]),
            Route("/api/matches/{match}/start", self.start, methods=["POST"]),
            Route("/api/matches/{match}/leave", self.leave, methods=["POST"]),
            Route("/api/matches/{match}/resign", self.resign, methods=["POST"]),
            Route("/api/matches/{match}/abort", self.abort, methods=["POST"]),
        ]

    async def list_matches(self, request: Request) -> Response:
        """List matches that are open, live, or just over."""
        query = request.query_params
        state = query.get("state", "")
        if state and state not in ("open", "live", "over"):
            raise PageError(400, "bad_field", "state is open, live or over", fields={"state": "unknown"})
        wanted = matches_service_pb2.ListMatchesRequest(
            page_size=_PAGE_SIZE,
            page_token=query.get("page", ""),
            game=f"games/{query['game']}" if query.get("game") else "",
            mine=query.get("mine") == "1",
        )
        if state:
            wanted.state = common_pb2.MatchState.Value(f"MATCH_STATE_{state.upper()}")
        if wanted.mine and self._visitors.session(request) is None:
            return json_response({"matches": [], "next": ""})
        page = await self._visitors.call(
            request, "Matches/ListMatches", wanted, matches_service_pb2.ListMatchesResponse
        )
        told: dict[str, Any] = {
            "matches": [message_json(match) for match in page.matches],
            "next": page.next_page_token,
        }
        if page.unreachable:
            told["unreachable"] = list(page.unreachable)
        return json_response(told)

    async def create(self, request: Request) -> Response:
        """Create a match, and take a seat of it if that is wanted."""
        session = self._visitors.signed_in(request)
        form = await read_form(request, MatchForm)
        if form.join is not None and form.join >= len(form.seats):
            raise PageError(400, "bad_field", "there is no such seat", fields={"join": "no such seat"})
        match = matches_pb2.Match(
            game=f"games/{form.game}",
            options=options_message(form.options),
            seats=[_seat_message(seat) for seat in form.seats],
            clock=_clock_message(form.clock),
            title=form.title,
            watch_delay_ms=round(form.watch_delay * 1000),
            unlisted=form.unlisted,
        )
        wanted = matches_service_pb2.CreateMatchRequest(
            match=match, request_id=form.request_id or secrets.token_hex(16)
        )
        made = await self._visitors.call(request, "Matches/CreateMatch", wanted, matches_pb2.Match)
        if form.join is None:
            return self._described(made, [])
        joining = JoinForm(
            seat=form.join,
            player=form.player or session.name,
            request_id=form.request_id and f"{form.request_id[:60]}.j",
        )
        return await self._take_seat(request, made.name, joining)

    async def show(self, request: Request) -> Response:
        """Return a match, with the seats that the visitor has in it."""
        name = match_name(request)
        found = await self._visitors.call(
            request, "Matches/GetMatch", matches_service_pb2.GetMatchRequest(name=name), matches_pb2.Match
        )
        return self._described(found, await self._own_seats(request, found))

    async def join(self, request: Request) -> Response:
        """Take a seat."""
        self._visitors.signed_in(request)
        return await self._take_seat(request, match_name(request), await read_form(request, JoinForm))

    async def start(self, request: Request) -> Response:
        """Begin a match now; house bots take its free seats."""
        self._visitors.signed_in(request)
        wanted = matches_service_pb2.StartMatchRequest(name=match_name(request))
        found = await self._visitors.call(request, "Matches/StartMatch", wanted, matches_pb2.Match)
        return self._described(found, await self._own_seats(request, found))

    async def leave(self, request: Request) -> Response:
        """Give a seat back."""
        session = self._visitors.signed_in(request)
        name, seat = match_name(request), (await read_form(request, SeatOnly)).seat
        wanted = matches_service_pb2.LeaveMatchRequest(name=name, seat=seat)
        found = await self._visitors.call(request, "Matches/LeaveMatch", wanted, matches_pb2.Match)
        self._visitors.sessions.drop_seat(session.account, name, seat)
        return self._described(found, self._visitors.sessions.seats(session.account, name))

    async def resign(self, request: Request) -> Response:
        """Give up for good."""
        self._visitors.signed_in(request)
        wanted = matches_service_pb2.ResignRequest(
            name=match_name(request), seat=(await read_form(request, SeatOnly)).seat
        )
        found = await self._visitors.call(request, "Matches/Resign", wanted, matches_pb2.Match)
        return self._described(found, await self._own_seats(request, found))

    async def abort(self, request: Request) -> Response:
        """End a match of the visitor's own for everybody."""
        self._visitors.signed_in(request)
        reason = (await read_form(request, EndForm)).reason
        wanted = matches_service_pb2.AbortMatchRequest(name=match_name(request), reason=reason)
        found = await self._visitors.call(request, "Matches/AbortMatch", wanted, matches_pb2.Match)
        return self._described(found, await self._own_seats(request, found))

    async def _take_seat(self, request: Request, match: str, form: JoinForm) -> Response:
        session = self._visitors.signed_in(request)
        wanted = matches_service_pb2.JoinMatchRequest(
            name=match,
            seat=form.seat,
            player=form.player or session.name,
            entropy=secrets.token_bytes(16),
            standing_orders=form.orders,
            request_id=form.request_id or secrets.token_hex(16),
        )
        joined = await self._visitors.call(request, "Matches/JoinMatch", wanted, matches_service_pb2.JoinMatchResponse)
        self._visitors.sessions.add_seat(session.account, joined.match.name, joined.seat)
        return self._described(joined.match, self._visitors.sessions.seats(session.account, joined.match.name))

    async def _own_seats(self, request: Request, match: matches_pb2.Match) -> list[int]:
        """Return the visitor's seats: those taken here, or else those that the service lets the account play."""
        session = self._visitors.session(request)
        if session is None:
            return []
        known = self._visitors.sessions.seats(session.account, match.name)
        if known:
            return known
        tried = [seat.number for seat in match.seats if seat.player and seat.fill != matches_pb2.SEAT_FILL_HOUSE_BOT]
        held = await asyncio.gather(*(self._holds(request, match.name, seat) for seat in tried))
        own = [seat for seat, holds in zip(tried, held, strict=True) if holds]
        for seat in own:
            self._visitors.sessions.add_seat(session.account, match.name, seat)
        return own

    async def _holds(self, request: Request, match: str, seat: int) -> bool:
        asked = play_service_pb2.GetDecisionRequest(match=match, seat=seat)
        try:
            await self._visitors.call(request, "Play/GetDecision", asked, play_pb2.Decision)
        except LandsraadError:
            return False
        return True

    def _described(self, match: matches_pb2.Match, seats: list[int]) -> Response:
        return json_response(
            {"match": message_json(match), "seats": seats, "catalog": self._catalogs.address_of(match)}
        )


def match_name(request: Request) -> str:
    """Return the name of the match in a path.

    Raises:
        PageError: It cannot be one.
    """
    found = request.path_params["match"]
    if not is_match_id(found):
        raise PageError(404, "no_such_match", "there is no such match")
    return f"matches/{found}"


def _seat_message(form: SeatForm) -> matches_pb2.Seat:
    match form.fill:
        case "open":
            return matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_OPEN)
        case "house":
            return matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_HOUSE_BOT, house_bot=form.bot)
        case "invited":
            return matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_INVITED, invited=form.account)


def _clock_message(form: ClockForm | None) -> common_pb2.ClockRules | None:
    if form is None or not (form.decision or form.bank):
        return None
    try:
        return clock_message(ClockRules(form.decision, form.bank, form.increment, form.disconnect, form.outcome))
    except ValueError as wrong:
        raise BadRequest("bad_field", str(wrong), fields={"clock": str(wrong)}) from None
