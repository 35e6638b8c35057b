"""Routes of a seat, and the event streams of matches."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from landsraad.errors import RefusedByService, error_from_refusal
from landsraad.v1 import matches_pb2, matches_service_pb2, play_pb2, play_service_pb2
from landsraad.wire.codec import Codec
from landsraad_web.catalog import Catalogs
from landsraad_web.cursors import read_cursor
from landsraad_web.errors import PageError, describe, json_response
from landsraad_web.event_stream import EventStream
from landsraad_web.feed_registry import FeedRegistry
from landsraad_web.json_forms import read_act
from landsraad_web.match_routes import Word, match_name
from landsraad_web.sent_inputs import SentInputs
from landsraad_web.settings import PageLimits
from landsraad_web.visitors import Visitors, address_of, read_form

#: Numbers that a script can count exactly.
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
#: Refusals that are about the act, and so part of playing. Others are errors of the request.
_OF_THE_ACT = frozenset(
    {"malformed", "not_asked", "against_rules", "not_now", "stale", "superseded", "over", "bad_field", "rate_limited"}
)


class ActForm(msgspec.Struct, forbid_unknown_fields=True):
    """An act of a seat: the answer to a question, or a play out of turn during a public step."""

    seq: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    act: dict[str, Any]
    decision: Count | None = None
    during: Count | None = None


class ExplainForm(msgspec.Struct, forbid_unknown_fields=True):
    """An act to check."""

    act: dict[str, Any]


class OrdersForm(msgspec.Struct, forbid_unknown_fields=True):
    """Standing orders, replacing those before."""

    seq: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    orders: Annotated[list[Word], msgspec.Meta(max_length=64)]


class PlayRoutes:
    """Handlers of seats and event streams.

    Args:
        visitors: The visitors.
        catalogs: The games.
        feeds: The feeds of all matches.
        limits: How many streams there may be.
    """

    def __init__(self, visitors: Visitors, catalogs: Catalogs, feeds: FeedRegistry, limits: PageLimits) -> None:
        self._visitors = visitors
        self._catalogs = catalogs
        self._feeds = feeds
        self._limits = limits
        self._sent = SentInputs()

    def routes(self) -> list[Route]:
        """Return the routes."""
        seat = "/api/matches/{match}/seats/{seat:int}"
        return [
            Route("/api/matches/{match}/events", self.events, methods=["GET"]),
            Route(f"{seat}/acts", self.act, methods=["POST"]),
            Route(f"{seat}/explain", self.explain, methods=["POST"]),
            Route(f"{seat}/orders", self.orders, methods=["POST"]),
        ]

    # ------------------------------------------------------------------------------------------------------- streams

    async def events(self, request: Request) -> Response:
        """Stream the log of a seat, or that of the spectators."""
        match, seat = match_name(request), _seat_in_query(request)
        after = read_cursor(request.headers.get("last-event-id") or request.query_params.get("from", ""))
        token = await self._reading_token(request, match, seat)
        session = self._visitors.session(request)
        owners = {f"address {address_of(request)}": self._limits.streams_per_address}
        if session is not None:
            owners[f"session {session.key.hex()}"] = self._limits.streams_per_session
        stack = AsyncExitStack()
        feed = await stack.enter_async_context(self._feeds.reader(match, seat, token, after, owners))
        return EventStream(_reading(stack, feed.read(after)))

    async def _reading_token(self, request: Request, match: str, seat: int | None) -> str:
        """Return the token by which a visitor may read a log; empty for the spectators' log of a listed match.

        Raises:
            LandsraadError: The visitor may not read it.
        """
        if seat is not None:
            session = self._visitors.signed_in(request)
            asked = play_service_pb2.GetDecisionRequest(match=match, seat=seat)
            await self._visitors.call(request, "Play/GetDecision", asked, play_pb2.Decision)
            return session.token
        wanted = matches_service_pb2.GetMatchRequest(name=match)
        found = await self._visitors.call(request, "Matches/GetMatch", wanted, matches_pb2.Match)
        return self._visitors.token(request) if found.unlisted else ""

    # -------------------------------------------------------------------------------------------------------- inputs

    async def act(self, request: Request) -> Response:
        """Submit an act. The same `seq` with the same act can be sent again after any failure, and counts once."""
        session = self._visitors.signed_in(request)
        match, seat = match_name(request), _seat_in_path(request)
        form = await read_form(request, ActForm)
        if form.decision is not None and form.during is not None:
            raise PageError(
                400, "bad_field", "an act has either a decision or a step", fields={"during": "one too many"}
            )
        meant: dict[str, Any] = {"decision_id": form.decision, "during": form.during}
        wanted = play_service_pb2.SubmitRequest(
            match=match,
            seat=seat,
            seq=form.seq,
            act=_act_of(form.act),
            **{name: number for name, number in meant.items() if number is not None},
        )
        key = (match, seat, session.account)
        self._sent.check(key, form.seq, _image(wanted.act.SerializeToString(deterministic=True)))
        codec = await self._codec_of(request, match)
        try:
            done = await self._visitors.call(
                request, "Play/Submit", wanted, play_service_pb2.SubmitResponse, codec=codec
            )
        except RefusedByService as refused:
            return self._refused(refused)
        self._sent.accepted(key, form.seq, _image(wanted.act.SerializeToString(deterministic=True)))
        return self._acknowledged(match, seat, session.token, done.ack)

    async def explain(self, request: Request) -> Response:
        """Tell if an act would be legal, and otherwise which rule forbids it."""
        self._visitors.signed_in(request)
        match, seat = match_name(request), _seat_in_path(request)
        act = _act_of((await read_form(request, ExplainForm)).act)
        wanted = play_service_pb2.ExplainRequest(match=match, seat=seat, act=act)
        said = await self._visitors.call(request, "Play/Explain", wanted, play_service_pb2.ExplainResponse)
        if said.legal:
            return json_response({"legal": True})
        refused = error_from_refusal(said.refusal, await self._codec_of(request, match))
        return json_response({"legal": False, "refusal": describe(refused)[1]})

    async def orders(self, request: Request) -> Response:
        """Replace the standing orders of a seat."""
        session = self._visitors.signed_in(request)
        match, seat = match_name(request), _seat_in_path(request)
        form = await read_form(request, OrdersForm)
        wanted = play_service_pb2.SetStandingOrdersRequest(match=match, seat=seat, seq=form.seq, orders=form.orders)
        key, image = (match, seat, session.account), _image("\n".join(["orders", *form.orders]).encode())
        self._sent.check(key, form.seq, image)
        try:
            done = await self._visitors.call(
                request, "Play/SetStandingOrders", wanted, play_service_pb2.SetStandingOrdersResponse
            )
        except RefusedByService as refused:
            return self._refused(refused)
        self._sent.accepted(key, form.seq, image)
        return self._acknowledged(match, seat, session.token, done.ack)

    def _acknowledged(self, match: str, seat: int, token: str, ack: play_pb2.Ack) -> Response:
        told = {"seq": ack.seq, "entry": ack.entry, "last": ack.last, "repeated": ack.repeated}
        self._feeds.announce(match, seat, token, "ack", told)  # so that all windows of the seat count on from here
        return json_response({"ack": told})

    def _refused(self, refused: RefusedByService) -> Response:
        if refused.reason not in _OF_THE_ACT:
            raise refused
        return json_response({"refusal": describe(refused)[1]})

    async def _codec_of(self, request: Request, match: str) -> Codec:
        return await self._catalogs.codec_of(match, lambda: self._fetch(request, match))

    async def _fetch(self, request: Request, match: str) -> matches_pb2.Match:
        wanted = matches_service_pb2.GetMatchRequest(name=match)
        return await self._visitors.call(request, "Matches/GetMatch", wanted, matches_pb2.Match)


async def _reading(stack: AsyncExitStack, events: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Read a feed, and leave it in any case."""
    async with stack:
        async for data in events:
            yield data


def _act_of(form: dict[str, Any]) -> Any:
    try:
        return read_act(form)
    except ValueError as wrong:
        raise PageError(400, "malformed", f"no act in this form: {wrong}", fields={"act": str(wrong)}) from None


def _image(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()[:16]


def _seat_in_path(request: Request) -> int:
    seat: int = request.path_params["seat"]
    return _check_seat(seat)


def _seat_in_query(request: Request) -> int | None:
    text = request.query_params.get("seat", "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit():
        raise PageError(400, "bad_field", "a seat is a number", fields={"seat": "not a number"})
    return _check_seat(int(text[:4]))


def _check_seat(seat: int) -> int:
    if seat > 63:
        raise PageError(404, "no_such_seat", "there is no such seat")
    return seat
