"""Replays service: logs of matches, and certificates of finished ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice, takewhile
from typing import NamedTuple

from landsraad.v1 import matches_pb2, replays_pb2, table_pb2
from landsraad.v1 import replays_service_pb2 as api
from landsraad.wire.certificates import certificate_message
from landsraad.wire.entries import write_entries
from landsraad.wire.match_names import MATCH_ID
from landsraad.wire.tables import layout_message
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.snapshots import tuples
from landsraad_engine.play.match import certificate_of
from landsraad_engine.play.match_core import Input
from landsraad_server.accounts.authentication import Authenticator, match_id
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.match_list import check_game, page_size, reject_page_token, visible
from landsraad_server.api.merged_lists import asks_all, replays_of_all
from landsraad_server.api.visibility import check_visible, listing_identity
from landsraad_server.cells.membership import CellMembership
from landsraad_server.matches import match_messages
from landsraad_server.matches.builds import other_build
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import MatchStage, Waypoint
from landsraad_server.matches.running_match import RunningMatch
from landsraad_server.refusals import Denied, bad_field, is_gone

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Replays"]

_PAGE, _MOST = 1000, 5000
#: A file name in the archive's index.
_PAGE_TOKEN = re.compile(rf"[0-9]{{14}}-{MATCH_ID}\.index")


class ReplaysService:
    """Implementation of the Replays service."""

    def __init__(
        self, hosts: MatchHosts, authenticator: Authenticator, membership: CellMembership | None = None
    ) -> None:
        self._hosts = hosts
        self._authenticator = authenticator
        self._membership = membership

    async def get_replay(self, request: api.GetReplayRequest, call: RpcCall) -> replays_pb2.Replay:
        """Return a page of a match's log, as one seat or as spectators saw it."""
        match = _match_of(request.name)
        seat = request.seat if request.HasField("seat") else None
        first = getattr(request, "from") or 1
        with _as_replay_error():
            found = await self._view(match, seat, call, layout=first == 1)
        if request.page_size < 0:
            raise bad_field("page_size", "cannot be negative")
        log = len(found.match.seats) if seat is None else seat
        size = min(request.page_size or _PAGE, _MOST)
        # One entry more than the page tells whether there is a next page.
        history = await self._hosts.history(match, log, first, found.waypoints, last=first + size)
        entries = history.after(first - 1)
        if seat is None and found.until is not None:
            until = found.until
            entries = takewhile(lambda entry: entry[0] <= until, entries)
        bodies = [body for _, body in islice(entries, size)]
        replay = replays_pb2.Replay(
            name=request.name,
            match=found.match,
            seat=seat,
            epoch=found.epoch,
            next_from=first + size if len(bodies) == size and next(iter(entries), None) else 0,
        )
        if found.layout is not None:
            replay.layout.CopyFrom(found.layout)
        if bodies:
            replay.entries.MergeFromString(write_entries(first, bodies))
        return replay

    async def list_replays(self, request: api.ListReplaysRequest, call: RpcCall) -> api.ListReplaysResponse:
        """List archived matches; a match is archived within a minute of its end."""
        size = page_size(request.page_size)
        if request.page_token and not _PAGE_TOKEN.fullmatch(request.page_token):
            reject_page_token()
        check_game(request.game)
        identity = await listing_identity(self._authenticator, call.bearer, mine=request.mine)
        page = await self._hosts.archive.page(size, request.page_token)
        answer = api.ListReplaysResponse()
        for _, blob in page:
            summary = match_messages.read_summary(blob)
            message = matches_pb2.Match.FromString(summary.message)
            if visible(summary, message, identity, mine=request.mine) and request.game in ("", message.game):
                name = f"replays/{message.name.removeprefix('matches/')}"
                answer.replays.add(name=name, match=message)
        if len(page) == size:
            answer.next_page_token = page[-1][0]
        if self._membership is not None and asks_all(self._membership, call):
            return await replays_of_all(self._membership, request, answer, call)
        return answer

    async def get_certificate(self, request: api.GetCertificateRequest, call: RpcCall) -> replays_pb2.Certificate:
        """Return the certificate by which a finished match can be replayed and checked."""
        match = _match_of(request.name)
        with _as_replay_error():
            await check_visible(self._hosts, self._authenticator, match, call.bearer)
            hosted, live = await self._hosts.read(match, _played)
        records = await self._hosts.records(match)
        inputs = (given for _, record in records for given in record.inputs)
        journal = [Input(seat, kind, tuples(list(act))) for seat, kind, act in inputs]  # as played, not as stored
        try:
            certificate = certificate_of(
                live.g,
                name=match,
                secret=hosted.terms.secret,
                entropy=[plan.entropy for plan in hosted.terms.seats],
                journal=journal,
            )
        except BadOption:  # a content file that is not offered here
            raise other_build() from None
        certificate["engine"], certificate["content"] = hosted.terms.build, hosted.terms.content
        message = certificate_message(certificate, live.codec)
        message.name = request.name
        if hosted.status.result is not None:
            message.result.CopyFrom(match_messages.result_message(hosted.status.result))
        return message

    async def _view(self, match: str, seat: int | None, call: RpcCall, *, layout: bool) -> _ReplayView:
        """Return the match if the caller may read this log: their own during play, every log after the end."""

        def is_over(hosted: HostedMatch) -> bool:
            if seat is not None:
                hosted.check_seat(seat)
            return hosted.over

        if seat is None or await self._hosts.read(match, is_over):
            await check_visible(self._hosts, self._authenticator, match, call.bearer)
            proof = None
        else:
            proof = await self._authenticator.prove_seat(f"matches/{match}", seat, call.bearer)
        host = self._hosts.host(match)

        def look(hosted: HostedMatch) -> _ReplayView:
            if hosted.stage is MatchStage.OPEN:
                raise Denied("WRONG_STATE", "the match has not begun yet")
            if proof is not None and seat is not None:
                proof.check(hosted, seat)
            return _replay_view(hosted, host.head.epoch, self._hosts.now(), layout=layout)

        return await self._hosts.read(match, look)


class _ReplayView(NamedTuple):
    """A match apart from its log, copied out in one read before the log is read.

    Whatever is written to the match meanwhile may be rolled back if it cannot be committed.
    """

    match: matches_pb2.Match
    epoch: int
    #: spectators see entries up to this time; None: all
    until: int | None
    waypoints: list[Waypoint]
    #: only for the first page, since encoding it costs more than a page
    layout: table_pb2.Layout | None


def _replay_view(hosted: HostedMatch, epoch: int, now: int, *, layout: bool) -> _ReplayView:
    delay = hosted.terms.watch_delay_ms
    return _ReplayView(
        match_messages.match_message(hosted),
        epoch,
        now - delay if delay and not hosted.over else None,
        hosted.waypoints,
        layout_message(hosted.running.g.setting.layout) if layout and hosted.running is not None else None,
    )


def _played(hosted: HostedMatch) -> tuple[HostedMatch, RunningMatch]:
    """Return a finished match and its game; Denied if it is not over."""
    if hosted.over and hosted.running is None and not hosted.ours:
        raise other_build()
    if not hosted.over or hosted.running is None:
        raise Denied("WRONG_STATE", "a match has a certificate once it has been played to its end")
    return hosted, hosted.running


@contextmanager
def _as_replay_error() -> Iterator[None]:
    """Convert NO_SUCH_MATCH to NO_SUCH_REPLAY, as the caller asked for a replay by its name."""
    try:
        yield
    except Denied as denied:
        if not is_gone(denied):
            raise
        raise Denied("NO_SUCH_REPLAY", "there is no such replay") from None


def _match_of(name: str) -> str:
    """Return the match id in the name of a replay."""
    prefix, _, match = name.partition("/")
    if prefix != "replays":
        raise bad_field("name", "has to be of the form replays/{match}")
    try:
        return match_id(f"matches/{match}")
    except Denied:
        raise bad_field("name", "has to be of the form replays/{match}") from None
