"""Replays: the logs of matches, and certificates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from itertools import islice, takewhile
from typing import NamedTuple

from landsraad.v1 import matches_pb2, replays_pb2, table_pb2
from landsraad.v1 import replays_service_pb2 as api
from landsraad.wire.certificates import certificate_message
from landsraad.wire.entries import write_entries
from landsraad.wire.tables import layout_message
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.snapshots import tuples
from landsraad_engine.play.match import Input
from landsraad_server.accounts.authentication import Authenticator, match_id
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.match_list import check_game, made_up, page_size, visible
from landsraad_server.api.visibility import must_see, whose_list
from landsraad_server.matches import match_messages
from landsraad_server.matches.builds import other_build
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import MatchStage, Waypoint
from landsraad_server.matches.running_match import RunningMatch
from landsraad_server.refusals import Denied, bad_field, is_gone

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Replays"]

_PAGE, _MOST = 1000, 5000
#: A name in the index of the archive.
_PAGE_TOKEN = re.compile(r"[0-9]{14}-[0-9A-Za-z]{1,32}\.index")


class ReplaysService:
    """See the protocol."""

    def __init__(self, hall: MatchHosts, accounts: Authenticator) -> None:
        self._hall = hall
        self._accounts = accounts

    async def get_replay(self, request: api.GetReplayRequest, call: RpcCall) -> replays_pb2.Replay:
        match = _match_of(request.name)
        seat = request.seat if request.HasField("seat") else None
        with _a_replay():
            found = await self._readable(match, seat, call)
        if request.page_size < 0:
            raise bad_field("page_size", "not below 0")
        first = getattr(request, "from") or 1
        log = len(found.match.seats) if seat is None else seat
        history = await self._hall.history(match, log, first, found.waypoints)
        entries = history.after(first - 1)
        if seat is None and found.until is not None:
            until = found.until
            entries = takewhile(lambda entry: entry[0] <= until, entries)
        size = min(request.page_size or _PAGE, _MOST)
        bodies = [body for _, body in islice(entries, size)]
        replay = replays_pb2.Replay(
            name=request.name,
            match=found.match,
            seat=seat,
            epoch=found.epoch,
            next_from=first + size if len(bodies) == size and next(iter(entries), None) else 0,
        )
        if first == 1 and found.layout is not None:
            replay.layout.CopyFrom(found.layout)
        if bodies:
            replay.entries.MergeFromString(write_entries(first, bodies))
        return replay

    async def list_replays(self, request: api.ListReplaysRequest, call: RpcCall) -> api.ListReplaysResponse:
        """Those that are still in the store do not stand in this list yet: they get there within a minute."""
        size = page_size(request.page_size)
        if request.page_token and not _PAGE_TOKEN.fullmatch(request.page_token):
            made_up()
        check_game(request.game)
        identity = await whose_list(self._accounts, call.bearer, mine=request.mine)
        page = await self._hall.archive.page(size, request.page_token)
        answer = api.ListReplaysResponse()
        for _, blob in page:
            summary = match_messages.read_summary(blob)
            message = matches_pb2.Match.FromString(summary.message)
            if visible(summary, message, identity, mine=request.mine) and request.game in ("", message.game):
                name = f"replays/{message.name.removeprefix('matches/')}"
                answer.replays.add(name=name, match=message)
        if len(page) == size:
            answer.next_page_token = page[-1][0]
        return answer

    async def get_certificate(self, request: api.GetCertificateRequest, call: RpcCall) -> replays_pb2.Certificate:
        match = _match_of(request.name)
        with _a_replay():
            await must_see(self._hall, self._accounts, match, call.bearer)
            position, live = await self._hall.read(match, _played)
        history = await self._hall.history(match, 0, 0, [])
        finished = copy(live)
        inputs = (given for record in history.records for given in record.inputs)
        finished.journal = [
            Input(seat, kind, tuples(list(act))) for seat, kind, act in inputs
        ]  # as played, not as stored
        try:
            certificate = finished.certificate()
        except BadOption:  # a content file that is not offered here
            raise other_build() from None
        certificate["engine"], certificate["content"] = position.terms.build, position.terms.content
        message = certificate_message(certificate, live.codec)
        message.name = request.name
        if position.standing.result is not None:
            message.result.CopyFrom(match_messages.result_message(position.standing.result))
        return message

    async def _readable(self, match: str, seat: int | None, call: RpcCall) -> _Readable:
        """The match, if its log may be read: one's own during play, all after the end."""

        def is_over(position: HostedMatch) -> bool:
            if seat is not None:
                position.check_seat(seat)
            return position.over

        if seat is None or await self._hall.read(match, is_over):
            await must_see(self._hall, self._accounts, match, call.bearer)
            claim = None
        else:
            claim = await self._accounts.seat(f"matches/{match}", seat, call.bearer)
        host = self._hall.host(match)

        def look(position: HostedMatch) -> _Readable:
            if position.stage is MatchStage.OPEN:
                raise Denied("WRONG_STATE", "the match has not begun yet")
            if claim is not None and seat is not None:
                claim.check(position, seat)
            return _as_it_stands(position, host.head.epoch, self._hall.now())

        return await self._hall.read(match, look)


class _Readable(NamedTuple):
    """What is told of a match beside its log, all as of one moment, before the log is read: what comes of its end
    meanwhile may be taken back if that cannot be committed.
    """

    match: matches_pb2.Match
    epoch: int
    #: spectators may read what was told by then; None: all
    until: int | None
    waypoints: list[Waypoint]
    layout: table_pb2.Layout | None


def _as_it_stands(position: HostedMatch, epoch: int, now: int) -> _Readable:
    delay = position.terms.watch_delay_ms
    return _Readable(
        match_messages.match_message(position),
        epoch,
        now - delay if delay and not position.over else None,
        position.waypoints,
        None if position.live is None else layout_message(position.live.g.setting.layout),
    )


def _played(position: HostedMatch) -> tuple[HostedMatch, RunningMatch]:
    """A match that does not change any more, and its game."""
    if position.over and position.live is None and not position.ours:
        raise other_build()
    if not position.over or position.live is None:
        raise Denied("WRONG_STATE", "a match has its certificate when it has been played and has ended")
    return position, position.live


@contextmanager
def _a_replay() -> Iterator[None]:
    """A match that is asked for by the name of its replay is missed by that name, too."""
    try:
        yield
    except Denied as denied:
        if not is_gone(denied):
            raise
        raise Denied("NO_SUCH_REPLAY", "there is no such replay") from None


def _match_of(name: str) -> str:
    """The match of a replay's name."""
    prefix, _, match = name.partition("/")
    if prefix != "replays":
        raise bad_field("name", "is of the form replays/{match}")
    try:
        return match_id(f"matches/{match}")
    except Denied:
        raise bad_field("name", "is of the form replays/{match}") from None
