"""Matches service: create, list, join, start and end matches."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

from landsraad import games
from landsraad.bots import BOTS, bot_class, has_options, is_installed
from landsraad.errors import UnknownBot
from landsraad.v1 import common_pb2, matches_pb2
from landsraad.v1 import matches_service_pb2 as api
from landsraad.wire.catalog import read_options
from landsraad.wire.seat_semantics import check_orders
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.build import engine_build
from landsraad_server.accounts.authentication import Authenticator, Caller, match_id
from landsraad_server.accounts.rate_limiter import CallKind, RateLimiter
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.catalog_service import check_options, game_named
from landsraad_server.api.match_list import list_matches
from landsraad_server.api.merged_lists import asks_all, matches_of_all
from landsraad_server.api.visibility import listing_identity
from landsraad_server.cells.membership import CellMembership
from landsraad_server.config import Config
from landsraad_server.matches import match_changes, match_messages
from landsraad_server.matches.credentials import SeatSecret, invalid_credential
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import ClockTerms, Fill, Overtime, Presence, SeatPlan, Terms, new_secret
from landsraad_server.refusals import SOON_MS, Denied, bad_field, check_text, option_violation
from landsraad_server.store.account_store import TOKEN_PREFIX

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Matches"]

_NO_HOUSE = "this service has no house bots"

_NAME_CHARACTERS = 40
_REQUEST_CHARACTERS = 64
_DAY_MS, _MONTH_MS = 86_400_000, 30 * 86_400_000


class MatchesService:
    """Implementation of the Matches service."""

    def __init__(
        self,
        hosts: MatchHosts,
        authenticator: Authenticator,
        rate_limiter: RateLimiter,
        config: Config,
        membership: CellMembership | None = None,
    ) -> None:
        self._hosts = hosts
        self._authenticator = authenticator
        self._rate_limiter = rate_limiter
        self._most_matches = config.matches_per_account
        self._house = config.house
        self._most_seconds = config.house_decision_seconds
        self._makes = config.new_matches
        self._games = games.known()
        self._membership = membership

    async def create_match(self, request: api.CreateMatchRequest, call: RpcCall) -> matches_pb2.Match:
        """Create a match. Its id derives from account and request id, so that a repeated request finds the same
        match.
        """
        caller = await self._authenticator.authenticate(call.bearer)
        check_text("request_id", request.request_id, _REQUEST_CHARACTERS)
        given = _given_match(request)
        game = game_named(given.game, self._games)
        terms = _terms(given, game, caller, self._hosts.now(), self._most_seconds)
        if terms.clock is not None and terms.clock.outcome is Overtime.HOUSE_BOT and not self._house:
            raise bad_field("match.clock.outcome", _NO_HOUSE)
        match = _name_for(caller, request.request_id, "" if self._membership is None else self._membership.cells.own)
        hosted = HostedMatch(match, terms)
        for number, plan in enumerate(terms.seats):
            if plan.fill is Fill.HOUSE:
                if not self._house:
                    raise bad_field(f"match.seats[{number}].fill", _NO_HOUSE)
                hosted.assign_seat(number, SeatPlan(Fill.HOUSE, plan.invited, "", match_changes.HOUSE))
                hosted.changes.seat(number).presence = Presence.AWAY
            if plan.fill is Fill.INVITED:
                plan.invited = await self._invited(f"match.seats[{number}].invited", plan.invited)
        if request.validate_only:
            return match_messages.match_message(hosted)
        if not self._makes:
            raise Denied(
                "DRAINING", "this worker creates no new matches: send the same request to another", retry_ms=SOON_MS
            )
        if self._membership is not None:
            await self._membership.check_placement(caller.identity, request.request_id, call.cell)
        # a new match of that id would replace the archived one
        if request.request_id and await self._hosts.archive.contains(match):
            return await self._hosts.read(match, match_messages.match_message)
        await self._charge_match(match, caller, call)

        def begin_if_full(found: HostedMatch, now: int) -> matches_pb2.Match:
            if found is hosted and all(plan.taken for plan in hosted.terms.seats):
                match_changes.begin(found, now)
            return match_messages.match_message(found)

        return await self._hosts.create(hosted, begin_if_full)

    async def get_match(self, request: api.GetMatchRequest, call: RpcCall) -> matches_pb2.Match:
        return await self._hosts.read(match_id(request.name, "name"), match_messages.match_message)

    async def list_matches(self, request: api.ListMatchesRequest, call: RpcCall) -> bytes:
        identity = await listing_identity(self._authenticator, call.bearer, mine=request.mine)
        listed = await list_matches(self._hosts, request, identity)
        if self._membership is not None and asks_all(self._membership, call):
            return (await matches_of_all(self._membership, request, listed, call)).SerializeToString()
        return listed

    async def join_match(self, request: api.JoinMatchRequest, call: RpcCall) -> api.JoinMatchResponse:
        """Take a seat, and return its credential."""
        match = match_id(request.name, "name")
        caller = await self._authenticator.authenticate(call.bearer)
        check_text("player", request.player, _NAME_CHARACTERS)
        check_text("request_id", request.request_id, _REQUEST_CHARACTERS)
        if len(request.entropy) > 64:
            raise bad_field("entropy", "cannot exceed 64 bytes")
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
        seat = await self._hosts.change(match, partial(match_changes.join, wanted=wanted, plan=plan))
        if call.bearer.startswith(TOKEN_PREFIX) and not await self._authenticator.is_valid(call.bearer):
            # An operator may have revoked the account and listed its seats before this one was taken.
            await self._hosts.change(match, partial(match_changes.revoke_seat, number=seat))
            raise invalid_credential()
        message, build, ours = await self._hosts.read(match, _joined_view)
        hint = self._hosts.presence.preferred_address(match, build, ours=ours)
        return api.JoinMatchResponse(
            match=message, seat=seat, credential=secret.credential(match, seat), address_hint=hint
        )

    async def leave_match(self, request: api.LeaveMatchRequest, call: RpcCall) -> matches_pb2.Match:
        match = match_id(request.name, "name")
        proof = await self._authenticator.prove_seat(request.name, request.seat, call.bearer)
        return await self._changed(match, partial(match_changes.leave, number=request.seat, proof=proof))

    async def start_match(self, request: api.StartMatchRequest, call: RpcCall) -> matches_pb2.Match:
        caller = await self._authenticator.authenticate(call.bearer)
        run = partial(match_changes.start, account=caller.identity, house=self._house)
        return await self._changed(match_id(request.name, "name"), run)

    async def resign(self, request: api.ResignRequest, call: RpcCall) -> matches_pb2.Match:
        match = match_id(request.name, "name")
        proof = await self._authenticator.prove_seat(request.name, request.seat, call.bearer)
        return await self._changed(match, partial(match_changes.resign, number=request.seat, proof=proof))

    async def abort_match(self, request: api.AbortMatchRequest, call: RpcCall) -> matches_pb2.Match:
        caller = await self._authenticator.authenticate(call.bearer)
        check_text("reason", request.reason, 200)
        run = partial(match_changes.abort, account=caller.identity, reason=request.reason)
        return await self._changed(match_id(request.name, "name"), run)

    async def _changed(self, match: str, run: Callable[[HostedMatch, int], None]) -> matches_pb2.Match:
        await self._hosts.change(match, run)
        return await self._hosts.read(match, match_messages.match_message)

    async def _charge_match(self, match: str, caller: Caller, call: RpcCall) -> None:
        """Charge a new match to the rate limits and the quota; Denied if either is exhausted."""
        await self._rate_limiter.charge_address(CallKind.MATCH, call.address)
        await self._rate_limiter.charge_account(CallKind.MATCH, caller.identity)
        if not await self._hosts.store.quotas.reserve(caller.identity, match, self._most_matches, self._hosts.now()):
            raise Denied("QUOTA", f"you have {self._most_matches} matches already; end or abort some of them")

    async def _invited(self, field: str, id_or_name: str) -> str:
        """Return the account that a seat is kept for; Denied if there is none: nobody could ever take the seat."""
        found = await self._authenticator.find_accounts(id_or_name)
        if not found:
            problem = "there is no account of this id or name"
            raise Denied("NO_SUCH_ACCOUNT", f"{field}: {problem}", violations=((field, problem),))
        if len(found) > 1:
            raise bad_field(field, "several accounts have this name: give the id, which Accounts.WhoAmI returns")
        return found[0]


def _given_match(request: api.CreateMatchRequest) -> matches_pb2.Match:
    """Return the terms of a requested match; Denied if there are none, or no game."""
    if not request.HasField("match"):
        raise bad_field("match", "has to hold the terms of the match")
    if not request.match.game:
        raise bad_field("match.game", "has to name the game, as games/{game}")
    return request.match


def _joined_view(hosted: HostedMatch) -> tuple[matches_pb2.Match, str, bool]:
    """Return the match, the build that plays it, and whether that is this build with the same content files."""
    return match_messages.match_message(hosted), hosted.terms.build, hosted.ours


def _terms(given: matches_pb2.Match, game: Game, caller: Caller, now: int, most_seconds: float) -> Terms:
    """Check a requested match and return its terms; `most_seconds` is the limit of a house bot's decisions."""
    check_options("match.options", given.options)
    # Seats beyond the maximum are not even looked at; `_options` refuses their number.
    looked_at = islice(given.seats, max(game.seats))
    seats = [_plan(seat, number, game, most_seconds) for number, seat in enumerate(looked_at)]
    options = _options(given, game, len(given.seats))
    check_text("match.title", given.title, 80)
    if given.watch_delay_ms > 3_600_000:
        raise bad_field("match.watch_delay_ms", "cannot exceed 3600000")
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
    """Return the options with defaults filled in; Denied with every violation, not just the first."""
    chosen = dict(sorted(read_options(given.options).items()))
    problems: list[BadOption] = []
    options: dict[str, Any] | None = None
    while options is None:
        try:
            options = game.parse_options(chosen, seats)
        except BadOption as problem:
            problems.append(problem)
            if chosen.pop(problem.field, None) is None:  # the number of seats, or a combination of options
                break
    if problems or options is None:
        violations = [option_violation(problem, "match.") for problem in problems]
        raise Denied("BAD_OPTION", "; ".join(map(str, problems)), violations=violations)
    return options


def _plan(seat: matches_pb2.Seat, number: int, game: Game, most_seconds: float) -> SeatPlan:
    check_text(f"match.seats[{number}].invited", seat.invited, _REQUEST_CHARACTERS)
    check_text(f"match.seats[{number}].house_bot", seat.house_bot, _REQUEST_CHARACTERS)
    try:
        fill = Fill(seat.fill or Fill.OPEN)
    except ValueError:
        raise bad_field(f"match.seats[{number}].fill", "is unknown to this version") from None
    if fill is Fill.INVITED and not seat.invited:
        raise bad_field(f"match.seats[{number}].invited", "has to name the account that the seat is kept for")
    if fill is Fill.HOUSE and seat.house_bot:
        _check_house_bot(seat.house_bot, game, most_seconds, f"match.seats[{number}].house_bot")
    return SeatPlan(fill, {Fill.INVITED: seat.invited, Fill.HOUSE: seat.house_bot}.get(fill, ""))


def _check_house_bot(name: str, game: Game, most_seconds: float, field: str) -> None:
    """Refuse a bot that is not installed, options that it does not take, and decisions that take too long."""
    if not is_installed(name):
        there_is = ", ".join(BOTS.targets())
        raise bad_field(field, f"there is no house bot of that name; there is: {there_is}")
    if has_options(name):
        try:
            seconds = getattr(bot_class(name, game.id), "cpu_seconds", 0.0)
        except UnknownBot as error:
            raise bad_field(field, str(error)) from None
        if seconds > most_seconds:
            raise bad_field(
                field, f"asks for {seconds:g} CPU seconds a decision; house bots have {most_seconds:g} here"
            )


def _clock(given: common_pb2.ClockRules) -> ClockTerms:
    most = {"decision_ms": _DAY_MS, "bank_ms": _MONTH_MS, "increment_ms": 3_600_000, "disconnect_ms": _DAY_MS}
    for field, limit in most.items():
        if getattr(given, field) > limit:
            raise bad_field(f"match.clock.{field}", f"cannot exceed {limit}")
    try:
        outcome = Overtime(given.outcome or Overtime.DEFAULT_ACT)
    except ValueError:
        raise bad_field("match.clock.outcome", "is unknown to this version") from None
    return ClockTerms(given.decision_ms, given.bank_ms, given.increment_ms, given.disconnect_ms, outcome)


def _name_for(caller: Caller, request_id: str, cell: str) -> str:
    prefix = cell and f"{cell}-"
    if not request_id:
        return prefix + secrets.token_hex(8)
    return prefix + hashlib.sha256(f"{caller.identity} {request_id}".encode()).hexdigest()[:16]
