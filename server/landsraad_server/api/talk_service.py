"""Talk service: what seats say to each other, and spectators among themselves."""

from __future__ import annotations

import re

from landsraad.v1 import talk_service_pb2 as api
from landsraad_server.accounts.authentication import Authenticator, match_id
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.session_streams import OpenStreams
from landsraad_server.api.visibility import check_visible
from landsraad_server.matches.credentials import SEAT_PREFIX, SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.requests import MatchCall
from landsraad_server.matches.talk_channels import (
    SPECTATORS,
    TABLE,
    check_seat_channel,
    checked_text,
    has_account_in,
    no_such_channel,
    open_channels,
    seats_on,
    talk_off,
)
from landsraad_server.refusals import SOON_MS, Denied, bad_field
from landsraad_server.store.account_store import TOKEN_PREFIX
from landsraad_server.store.talk_store import MOST_A_MINUTE, NotSaid, Said
from landsraad_server.store.token_buckets import TokenBucket
from landsraad_server.streams.talk_session import TalkSession

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Talk"]

#: Places of a cursor: more than any match has channels for one seat.
_MOST_PLACES = 256
_REQUEST_ID = re.compile(r"[!-~]{1,64}", re.ASCII)
#: Attempts to say something in private while the match moves on.
_ATTEMPTS = 10
#: A minute of a spectator's talk, refilled by one a second.
_SPECTATOR = TokenBucket(60, 1)


class TalkService:
    """Implementation of the Talk service."""

    def __init__(self, hosts: MatchHosts, authenticator: Authenticator, streams: OpenStreams) -> None:
        self._hosts = hosts
        self._authenticator = authenticator
        self._streams = streams

    async def send(self, request: api.SendRequest, call: RpcCall) -> api.SendResponse:
        """Say something on a channel."""
        match = match_id(request.match)
        if not request.channel:
            raise bad_field("channel", f"has to name a channel: {TABLE}, {SPECTATORS}, or seats such as 0-2")
        checked_text(request.text)
        if not _REQUEST_ID.fullmatch(request.request_id):
            raise bad_field("request_id", "has to be 1 to 64 printable ASCII characters without spaces")
        try:
            if request.HasField("seat"):
                said = await self._say_from_seat(match, request, call.bearer)
            else:
                said = await self._say_from_outside(match, request, call.bearer)
        except NotSaid as failed:
            raise _refusal_of(failed) from None
        return api.SendResponse(number=said.number, time=said.time)

    async def _say_from_seat(self, match: str, request: api.SendRequest, bearer: str) -> Said:
        seat, channel = request.seat, request.channel
        proof = await self._authenticator.prove_seat(request.match, seat, bearer)
        host = self._hosts.host(match)

        def look(hosted: HostedMatch) -> tuple[bytes, int]:
            proof.check(hosted, seat)
            self._check_stored(match)
            check_seat_channel(hosted, seat, channel)
            return host.head.encode(), len(hosted.seats)

        for _ in range(_ATTEMPTS):
            try:
                head, seats = await self._hosts.read(match, look)
            except Denied as denied:
                earlier = await self._earlier(match, request) if denied.reason == "CHANNEL_CLOSED" else None
                if earlier is None:
                    raise
                return earlier
            body = api.TalkMessage(channel=channel, seat=seat, text=checked_text(request.text)).SerializeToString()
            others = [other for other in seats_on(channel, seats) if other != seat]
            try:
                return await self._hosts.store.talk.say(
                    match,
                    channel,
                    _sender(seat),
                    request.request_id,
                    body,
                    head=b"" if channel == TABLE else head,
                    unless=(others[0], seat) if len(others) == 1 else None,
                )
            except NotSaid as failed:
                if failed.why != "moved":
                    raise
        raise Denied("OVERLOADED", "the match moves on too fast to say this in private", retry_ms=SOON_MS)

    async def _earlier(self, match: str, request: api.SendRequest) -> Said | None:
        """Return the message that this request has sent before the channel closed; None if it has sent none."""
        return await self._hosts.store.talk.answer(match, _sender(request.seat), request.request_id)

    async def _say_from_outside(self, match: str, request: api.SendRequest, bearer: str) -> Said:
        await check_visible(self._hosts, self._authenticator, match, bearer)
        account = (await self._authenticator.authenticate(bearer)).identity

        def look(hosted: HostedMatch) -> None:
            self._check_stored(match)
            if not open_channels(hosted, -1):
                raise talk_off()
            if request.channel != SPECTATORS:
                raise no_such_channel()
            if has_account_in(hosted, account):
                raise Denied("NOT_YOURS", "you have a seat in this match: name it, and speak from there")

        await self._hosts.read(match, look)
        body = api.TalkMessage(channel=SPECTATORS, account=account, text=checked_text(request.text))
        wait = await self._hosts.store.limits.take("talk", account, _SPECTATOR, _SPECTATOR.capacity // MOST_A_MINUTE)
        if wait:
            raise NotSaid("wait", wait)
        store = self._hosts.store.talk
        encoded = body.SerializeToString()
        return await store.say(match, SPECTATORS, f"a{account}", request.request_id, encoded, limited=False)

    async def read(self, request: api.ReadRequest, call: RpcCall) -> None:
        """Stream what the caller may read."""
        match = match_id(request.match)
        if len(request.cursor) > _MOST_PLACES:
            raise bad_field("cursor", f"cannot have more than {_MOST_PLACES} places")
        cursor = {place.channel: place.number for place in request.cursor}
        bearer = call.bearer
        opened_with = bearer if bearer.startswith(TOKEN_PREFIX) else ""
        seat: int | None = None
        proof: SeatProof | None = None
        account = ""
        if request.HasField("seat"):
            seat = request.seat
            proof = await self._authenticator.prove_seat(request.match, seat, bearer)
            owner = await self._authenticator.stream_owner(bearer)
        else:
            await check_visible(self._hosts, self._authenticator, match, bearer)
            if not bearer.startswith(SEAT_PREFIX):
                account = await self._authenticator.identify(bearer) or ""
            owner = account or call.address
        await self._hosts.read(match, lambda _: self._check_stored(match))
        host = self._hosts.host(match)
        session = TalkSession(
            self._hosts, host, cursor, seat=seat, proof=proof, account=account, opened_with=opened_with
        )

        def begin(hosted: HostedMatch) -> None:
            if seat is not None and proof is not None:
                proof.check(hosted, seat)
            session.begin(hosted)

        beginning = MatchCall(read=begin)
        try:
            host.put(beginning)
            await beginning.future
        except BaseException:
            session.end()
            raise
        await self._streams.serve(session, call.context, owner)

    async def mute(self, request: api.MuteRequest, call: RpcCall) -> api.MuteResponse:
        """Mute another seat for this one, or end that."""
        match = match_id(request.match)
        if not request.HasField("muted_seat"):
            raise bad_field("muted_seat", "has to name a seat")
        proof = await self._authenticator.prove_seat(request.match, request.seat, call.bearer)

        def look(hosted: HostedMatch) -> None:
            proof.check(hosted, request.seat)
            self._check_stored(match)
            hosted.check_seat(request.muted_seat)
            if request.muted_seat == request.seat:
                raise bad_field("muted_seat", "has to be another seat than your own")

        await self._hosts.read(match, look)
        muted = request.muted
        if not await self._hosts.store.talk.mute(match, request.seat, request.muted_seat, muted=muted):
            raise _archived()
        return api.MuteResponse()

    def _check_stored(self, match: str) -> None:
        """Refuse a match that has left the store, and its talk with it."""
        if self._hosts.host(match).archived:
            raise _archived()


def _sender(seat: int) -> str:
    return f"s{seat}"


def _archived() -> Denied:
    return Denied("OVER", "the match is over, and what was said in it is deleted")


def _refusal_of(failed: NotSaid) -> Denied:
    match failed.why:
        case "wait":
            text = f"you may send {MOST_A_MINUTE} messages a minute"
            return Denied("RATE_LIMITED", text, retry_ms=failed.wait_ms)
        case "muted":
            return Denied("MUTED", "the other seat does not want to hear you")
        case _:
            return _archived()
