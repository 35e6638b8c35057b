"""Matches: made, listed, filled, ended."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

from landsraad import games
from landsraad.bots import BOTS
from landsraad.v1 import common_pb2, matches_pb2
from landsraad.v1 import matches_service_pb2 as api
from landsraad.wire.catalog import read_options
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.build import engine_build
from landsraad_server.accounts.admission import Admission, CallKind
from landsraad_server.accounts.authentication import Authenticator, Caller, match_id
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.catalog_service import check_options, game_named
from landsraad_server.api.match_list import list_matches
from landsraad_server.api.visibility import whose_list
from landsraad_server.config import Config
from landsraad_server.matches import match_changes, match_messages
from landsraad_server.matches.credentials import SeatSecret, not_good
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import ClockTerms, Fill, Overtime, Presence, SeatPlan, Terms, new_secret
from landsraad_server.matches.requests import check_orders
from landsraad_server.refusals import SOON_MS, Denied, bad_field, check_text, option_violation
from landsraad_server.store.account_store import TOKEN_PREFIX

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Matches"]

#: Trailing metadata for whoever has come without an account and got one.
NEW_TOKEN, NEW_ACCOUNT = "landsraad-token", "landsraad-account"

_NO_HOUSE = "this service has no bots of the house"

_NAME_CHARACTERS = 40
_REQUEST_CHARACTERS = 64
_DAY_MS, _MONTH_MS = 86_400_000, 30 * 86_400_000


class MatchesService:
    """See the protocol."""

    def __init__(self, hall: MatchHosts, accounts: Authenticator, admission: Admission, config: Config) -> None:
        self._hall = hall
        self._accounts = accounts
        self._admission = admission
        self._most_matches = config.matches_per_account
        self._house = config.house
        self._makes = config.new_matches
        self._games = games.known()

    async def create_match(self, request: api.CreateMatchRequest, call: RpcCall) -> matches_pb2.Match:
        """A match's name follows from account and request, so that the same request finds the same match for ever."""
        caller = await self._caller(call, welcome=request.request_id)
        check_text("request_id", request.request_id, _REQUEST_CHARACTERS)
        given = request.match
        game = game_named(given.game, self._games)
        terms = _terms(given, game, caller, self._hall.now())
        if terms.clock is not None and terms.clock.outcome is Overtime.HOUSE_BOT and not self._house:
            raise bad_field("match.clock.outcome", _NO_HOUSE)
        match = _name_for(caller, request.request_id)
        position = HostedMatch(match, terms)
        for number, plan in enumerate(terms.seats):
            if plan.fill is Fill.HOUSE:
                if not self._house:
                    raise bad_field(f"match.seats[{number}].fill", _NO_HOUSE)
                position.plan(number, SeatPlan(Fill.HOUSE, plan.invited, "", match_changes.HOUSE))
                position.seats[number].presence = Presence.AWAY
            if plan.fill is Fill.INVITED and not await self._accounts.exists(plan.invited):
                raise bad_field(f"match.seats[{number}].invited", "there is no such account")  # it would stay empty
        if request.validate_only:
            return match_messages.match_message(position)
        if not self._makes:
            raise Denied("DRAINING", "this worker makes no new matches: send the same to another", retry_ms=SOON_MS)
        if request.request_id and await self._hall.archive.holds(match):  # a second of that name would take its place
            return await self._hall.read(match, match_messages.match_message)
        await self._may_make(match, caller, call)

        def begin_if_full(found: HostedMatch, now: int) -> matches_pb2.Match:
            if found is position and all(plan.taken for plan in terms.seats):
                match_changes.begin(found, now)
            return match_messages.match_message(found)

        return await self._hall.create(position, begin_if_full)

    async def get_match(self, request: api.GetMatchRequest, call: RpcCall) -> matches_pb2.Match:
        return await self._hall.read(match_id(request.name, "name"), match_messages.match_message)

    async def list_matches(self, request: api.ListMatchesRequest, call: RpcCall) -> bytes:
        identity = await whose_list(self._accounts, call.bearer, mine=request.mine)
        return await list_matches(self._hall, request, identity)

    async def join_match(self, request: api.JoinMatchRequest, call: RpcCall) -> api.JoinMatchResponse:
        match = match_id(request.name, "name")
        caller = await self._caller(call, welcome=request.request_id)
        check_text("player", request.player, _NAME_CHARACTERS)
        check_text("request_id", request.request_id, _REQUEST_CHARACTERS)
        if len(request.entropy) > 64:
            raise bad_field("entropy", "64 bytes at most")
        check_orders(tuple(request.standing_orders), "standing_orders")
        secret = SeatSecret()
        plan = SeatPlan(
            account=caller.identity,
            player=request.player or caller.name,
            entropy=request.entropy,
            orders=tuple(request.standing_orders),
            request=request.request_id,
            key=secret.key,
        )
        wanted = request.seat if request.HasField("seat") else None
        seat = await self._hall.change(match, partial(match_changes.join, wanted=wanted, plan=plan))
        if call.bearer.startswith(TOKEN_PREFIX) and not await self._accounts.is_good(call.bearer):
            # An operator has put the account out, and may have looked for its seats before it had this one.
            await self._hall.change(match, partial(match_changes.put_out, number=seat))
            raise not_good()
        message, build, ours = await self._hall.read(match, _told_who_joins)
        hint = self._hall.attendance.meeting_place(match, build, ours=ours)
        return api.JoinMatchResponse(match=message, seat=seat, credential=secret.of(match, seat), address_hint=hint)

    async def leave_match(self, request: api.LeaveMatchRequest, call: RpcCall) -> matches_pb2.Match:
        match = match_id(request.name, "name")
        claim = await self._accounts.seat(request.name, request.seat, call.bearer)
        return await self._changed(match, partial(match_changes.leave, number=request.seat, claim=claim))

    async def start_match(self, request: api.StartMatchRequest, call: RpcCall) -> matches_pb2.Match:
        caller = await self._caller(call)
        run = partial(match_changes.start, account=caller.identity, house=self._house)
        return await self._changed(match_id(request.name, "name"), run)

    async def resign(self, request: api.ResignRequest, call: RpcCall) -> matches_pb2.Match:
        match = match_id(request.name, "name")
        claim = await self._accounts.seat(request.name, request.seat, call.bearer)
        return await self._changed(match, partial(match_changes.resign, number=request.seat, claim=claim))

    async def abort_match(self, request: api.AbortMatchRequest, call: RpcCall) -> matches_pb2.Match:
        caller = await self._caller(call)
        check_text("reason", request.reason, 200)
        run = partial(match_changes.abort, account=caller.identity, reason=request.reason)
        return await self._changed(match_id(request.name, "name"), run)

    async def _changed(self, match: str, run: Callable[[HostedMatch, int], None]) -> matches_pb2.Match:
        await self._hall.change(match, run)
        return await self._hall.read(match, match_messages.match_message)

    async def _may_make(self, match: str, caller: Caller, call: RpcCall) -> None:
        """Denied if there are too many already, or too many at once."""
        await self._admission.address(CallKind.MATCH, call.address)
        await self._admission.account(CallKind.MATCH, caller.identity)
        if not await self._hall.store.quotas.take(caller.identity, match, self._most_matches, self._hall.now()):
            raise Denied("QUOTA", f"{self._most_matches} matches at a time; let some end, or abort them")

    async def _caller(self, call: RpcCall, *, welcome: str | None = None) -> Caller:
        caller = await self._accounts.caller(call.bearer, welcome=welcome)
        if caller.token:
            call.trailing += [(NEW_TOKEN, caller.token), (NEW_ACCOUNT, caller.identity)]
        return caller


def _told_who_joins(position: HostedMatch) -> tuple[matches_pb2.Match, str, bool]:
    """A match, the build that plays it, and whether that is ours, content files included."""
    return match_messages.match_message(position), position.terms.build, position.ours


def _terms(given: matches_pb2.Match, game: Game, caller: Caller, now: int) -> Terms:
    """What is agreed, checked."""
    check_options("match.options", given.options)
    # Of too many seats `_options` will say that they are; not each of them has to be looked at for that.
    seats = [_plan(seat, number) for number, seat in enumerate(islice(given.seats, max(game.seats)))]
    options = _options(given, game, len(given.seats))
    check_text("match.title", given.title, 80)
    if given.watch_delay_ms > 3_600_000:
        raise bad_field("match.watch_delay_ms", "3600000 at most")
    return Terms(
        game=game.id,
        seats=seats,
        options=options,
        creator=caller.identity,
        created=now,
        secret=new_secret(),
        build=engine_build(),
        content=game.content_digest(options),
        clock=_clock(given.clock) if given.HasField("clock") else None,
        watch_delay_ms=given.watch_delay_ms,
        title=given.title,
        unlisted=given.unlisted,
        illegal_limit=given.illegal_acts_limit,
    )


def _options(given: matches_pb2.Match, game: Game, seats: int) -> dict[str, Any]:
    """The options, with their defaults; or all that is wrong with them, not only the first."""
    chosen = dict(sorted(read_options(given.options).items()))
    wrong: list[BadOption] = []
    options: dict[str, Any] | None = None
    while options is None:
        try:
            options = game.parse_options(chosen, seats)
        except BadOption as problem:
            wrong.append(problem)
            if chosen.pop(problem.field, None) is None:  # the seats, or several options that do not go together
                break
    if wrong or options is None:
        violations = [option_violation(problem, "match.") for problem in wrong]
        raise Denied("BAD_OPTION", "; ".join(map(str, wrong)), violations=violations)
    return options


def _plan(seat: matches_pb2.Seat, number: int) -> SeatPlan:
    check_text(f"match.seats[{number}].invited", seat.invited, _REQUEST_CHARACTERS)
    try:
        fill = Fill(seat.fill or Fill.OPEN)
    except ValueError:
        raise bad_field(f"match.seats[{number}].fill", "is none that this version knows") from None
    if fill is Fill.INVITED and not seat.invited:
        raise bad_field(f"match.seats[{number}].invited", "names the account that the seat is kept for")
    if fill is Fill.HOUSE and seat.invited and seat.invited not in BOTS.targets():
        there_is = ", ".join(BOTS.targets())
        raise bad_field(f"match.seats[{number}].invited", f"no bot of the house has that name; there is: {there_is}")
    return SeatPlan(fill, seat.invited if fill is not Fill.OPEN else "")


def _clock(given: common_pb2.ClockRules) -> ClockTerms:
    most = {"decision_ms": _DAY_MS, "bank_ms": _MONTH_MS, "increment_ms": 3_600_000, "disconnect_ms": _DAY_MS}
    for field, limit in most.items():
        if getattr(given, field) > limit:
            raise bad_field(f"match.clock.{field}", f"{limit} at most")
    try:
        outcome = Overtime(given.outcome or Overtime.DEFAULT_ACT)
    except ValueError:
        raise bad_field("match.clock.outcome", "is none that this version knows") from None
    return ClockTerms(given.decision_ms, given.bank_ms, given.increment_ms, given.disconnect_ms, outcome)


def _name_for(caller: Caller, request_id: str) -> str:
    if not request_id:
        return secrets.token_hex(8)
    return hashlib.sha256(f"{caller.identity} {request_id}".encode()).hexdigest()[:16]
