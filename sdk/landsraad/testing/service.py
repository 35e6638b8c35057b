"""The service in the process: one method for each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.message import Message

from landsraad import games
from landsraad._version import __version__
from landsraad.testing.faults import Faults
from landsraad.testing.local_match import LocalMatch
from landsraad.testing.streams import LocalTransport
from landsraad.transport import CallRefused
from landsraad.v1 import (
    accounts_service_pb2,
    catalog_pb2,
    catalog_service_pb2,
    common_pb2,
    log_pb2,
    matches_service_pb2,
    play_pb2,
    play_service_pb2,
    replays_pb2,
    replays_service_pb2,
    talk_service_pb2,
)
from landsraad.wire.catalog import game_message, read_options, summary_message
from landsraad.wire.certificates import certificate_message
from landsraad.wire.entries import write_entries
from landsraad.wire.refusals import refusal, refused
from landsraad.wire.tables import layout_message
from landsraad_engine.errors import BadOption, Refused
from landsraad_engine.play.bot import Bot, RandomBot


class LocalService:
    """A service in this process.

    Args:
        house: Makes a bot for a seat of the house, from the id of the game. By default, bots play at random.
        faults: Faults to inject.
    """

    def __init__(
        self, *, house: Callable[[str], Bot] = lambda _game: RandomBot(), faults: Faults | None = None
    ) -> None:
        self.faults = faults or Faults()
        self.matches: dict[str, LocalMatch] = {}
        self.seats_per_stream = 64
        #: the only account, a guest, and its token
        self.account = accounts_service_pb2.Account(account_id="you", guest=True)
        self.token = "made for you"  # noqa: S105 - of nothing outside this process
        self._house = house
        self._requests: dict[str, str] = {}

    def transport(self) -> LocalTransport:
        """Return a transport, for `AsyncClient(transport=...)`."""
        return LocalTransport(self)

    def answer(self, method: str, request: Any, token: str) -> Message:
        """Answer a call, such as "Matches/JoinMatch"."""
        handler: Callable[[Any, str], Message] = getattr(self, f"_{method.partition('/')[2]}")
        return handler(request, token)

    def hosted(self, name: str) -> LocalMatch:
        """Return a match by its name, or by the name of its replay.

        Raises:
            CallRefused: There is no such match.
        """
        key = "matches/" + name.partition("/")[2]
        if key not in self.matches:
            raise CallRefused(refusal("NO_SUCH_MATCH", f"there is no match {name!r}"))
        return self.matches[key]

    def seat(self, name: str, seat: int, credential: str) -> LocalMatch:
        """Return a match after checking the credential of a seat.

        Raises:
            CallRefused: There is no such match or seat, or the credential is not that of the seat.
        """
        hosted = self.hosted(name)
        if not 0 <= seat < len(hosted.local_seats):
            raise CallRefused(refusal("NO_SUCH_SEAT", f"there is no seat {seat}"))
        if not credential:
            raise CallRefused(refusal("NO_CREDENTIAL", "this needs the seat's credential"))
        if credential not in [local_seat.credential for local_seat in hosted.local_seats]:
            raise CallRefused(refusal("NO_CREDENTIAL", "this credential is not known"))
        if credential != hosted.local_seats[seat].credential:
            raise CallRefused(refusal("NOT_YOURS", "this credential is for another seat"))
        return hosted

    # -------------------------------------------------------------------------------------------------------- accounts

    def _CreateGuest(self, request: Any, token: str) -> Message:  # noqa: N802 - named as in the protocol, like the others
        return accounts_service_pb2.CreateGuestResponse(account=self.account, token=self.token)

    def _WhoAmI(self, request: Any, token: str) -> Message:  # noqa: N802
        if not token:
            raise CallRefused(refusal("NO_CREDENTIAL", "this needs the token of an account"))
        return accounts_service_pb2.WhoAmIResponse(account=self.account, roles=[accounts_service_pb2.ROLE_PLAYER])

    # --------------------------------------------------------------------------------------------------------- catalog

    def _ListGames(self, request: Any, token: str) -> Message:  # noqa: N802
        return catalog_service_pb2.ListGamesResponse(
            games=[summary_message(games.load(name)) for name in games.known()],
            limits=catalog_pb2.Limits(seats_per_stream=self.seats_per_stream),
            version=__version__,
        )

    def _GetGame(self, request: catalog_service_pb2.GetGameRequest, token: str) -> Message:  # noqa: N802
        return game_message(self._game(request.name), request.seats, read_options(request.options))

    def _game(self, name: str) -> Any:
        try:
            return games.load(name.removeprefix("games/"))
        except KeyError:
            raise CallRefused(refusal("NO_SUCH_GAME", f"there is no game {name!r}")) from None

    # --------------------------------------------------------------------------------------------------------- matches

    def _CreateMatch(self, request: matches_service_pb2.CreateMatchRequest, token: str) -> Message:  # noqa: N802
        if request.request_id in self._requests:
            return self.matches[self._requests[request.request_id]].info
        try:
            hosted = LocalMatch(self._game(request.match.game), request.match, self.faults, self._house)
        except BadOption as error:
            violations = [(f"match.options.{error.field}", error.problem)]
            raise CallRefused(refusal("BAD_OPTION", str(error), violations=violations)) from None
        if not request.validate_only:
            self.matches[hosted.info.name] = hosted
            self._requests[request.request_id] = hosted.info.name
        return hosted.info

    def _GetMatch(self, request: matches_service_pb2.GetMatchRequest, token: str) -> Message:  # noqa: N802
        return self.hosted(request.name).info

    def _ListMatches(self, request: matches_service_pb2.ListMatchesRequest, token: str) -> Message:  # noqa: N802
        found = [
            hosted.info
            for hosted in reversed(self.matches.values())
            if request.state in (0, hosted.info.state) and request.game in ("", hosted.info.game)
        ]
        start = int(request.page_token or 0)
        end = start + (request.page_size or 50)
        next_page = str(end) if end < len(found) else ""
        return matches_service_pb2.ListMatchesResponse(matches=found[start:end], next_page_token=next_page)

    def _JoinMatch(self, request: matches_service_pb2.JoinMatchRequest, token: str) -> Message:  # noqa: N802
        hosted = self.hosted(request.name)
        wanted = request.seat if request.HasField("seat") else None
        seat = hosted.join(wanted, request.player, request.standing_orders, request.entropy)
        return matches_service_pb2.JoinMatchResponse(
            match=hosted.info, seat=seat, credential=hosted.local_seats[seat].credential
        )

    def _LeaveMatch(self, request: matches_service_pb2.LeaveMatchRequest, token: str) -> Message:  # noqa: N802
        hosted = self.seat(request.name, request.seat, token)
        hosted.leave(request.seat)
        return hosted.info

    def _StartMatch(self, request: matches_service_pb2.StartMatchRequest, token: str) -> Message:  # noqa: N802
        hosted = self.hosted(request.name)
        hosted.begin()
        return hosted.info

    def _Resign(self, request: matches_service_pb2.ResignRequest, token: str) -> Message:  # noqa: N802
        hosted = self.seat(request.name, request.seat, token)
        hosted.resign(request.seat)
        return hosted.info

    def _AbortMatch(self, request: matches_service_pb2.AbortMatchRequest, token: str) -> Message:  # noqa: N802
        hosted = self.hosted(request.name)
        hosted.abort(request.reason)
        return hosted.info

    # ------------------------------------------------------------------------------------------------------------ play

    def _Submit(self, request: play_service_pb2.SubmitRequest, token: str) -> Message:  # noqa: N802
        hosted = self.seat(request.match, request.seat, token)
        ack = hosted.submit(request.seat, request)
        hosted.publish()
        entries = _entries_message(hosted, request.seat, ack.entry, ack.entries) if ack.entry else None
        return play_service_pb2.SubmitResponse(ack=ack.message(), entries=entries)

    def _SetStandingOrders(self, request: play_service_pb2.SetStandingOrdersRequest, token: str) -> Message:  # noqa: N802
        hosted = self.seat(request.match, request.seat, token)
        ack = hosted.submit(request.seat, request)
        hosted.publish()
        return play_service_pb2.SetStandingOrdersResponse(ack=ack.message())

    def _GetObservation(self, request: play_service_pb2.GetObservationRequest, token: str) -> Message:  # noqa: N802
        seen: log_pb2.Observation = self.seat(request.match, request.seat, token).observation(request.seat)
        return seen

    def _GetDecision(self, request: play_service_pb2.GetDecisionRequest, token: str) -> Message:  # noqa: N802
        hosted = self.seat(request.match, request.seat, token)
        decision = play_pb2.Decision(state=hosted.info.state, result=hosted.info.result)
        if hosted.match is not None:
            seen = hosted.observation(request.seat)
            decision.decision_id = seen.question.decision_id
            decision.question.CopyFrom(seen.question)
            decision.plays.CopyFrom(hosted.plays(request.seat))
            decision.last_seq = seen.last_seq
        return decision

    def _Explain(self, request: play_service_pb2.ExplainRequest, token: str) -> Message:  # noqa: N802
        hosted = self.seat(request.match, request.seat, token)
        match = hosted.live()
        try:
            match.try_out(request.seat, hosted.codec.read_act(request.act))
        except Refused as error:
            return play_service_pb2.ExplainResponse(refusal=refused(error, hosted.codec))
        return play_service_pb2.ExplainResponse(legal=True)

    # ------------------------------------------------------------------------------------------------------------ talk

    def _Send(self, request: talk_service_pb2.SendRequest, token: str) -> Message:  # noqa: N802
        if not request.HasField("seat"):
            return self.hosted(request.match).talk.send(request)
        return self.seat(request.match, request.seat, token).talk.send(request)

    def _Mute(self, request: talk_service_pb2.MuteRequest, token: str) -> Message:  # noqa: N802
        self.seat(request.match, request.seat, token).talk.mute(request)
        return talk_service_pb2.MuteResponse()

    # --------------------------------------------------------------------------------------------------------- replays

    def _GetReplay(self, request: replays_service_pb2.GetReplayRequest, token: str) -> Message:  # noqa: N802
        hosted = self.hosted(request.name)
        seat = request.seat if request.HasField("seat") else None
        if hosted.info.state != common_pb2.MATCH_STATE_OVER and seat is not None:
            self.seat(request.name, seat, token)
        hosted.expect(common_pb2.MATCH_STATE_LIVE, common_pb2.MATCH_STATE_OVER)
        assert hosted.match is not None
        first, limit = getattr(request, "from") or 1, request.page_size or 1000
        next_page = first + limit if first + limit <= len(hosted.match.log(seat)) else 0
        return replays_pb2.Replay(
            name=request.name,
            match=hosted.info,
            seat=seat,
            epoch=1,
            layout=layout_message(hosted.match.g.setting.layout) if first == 1 else None,
            entries=_entries_message(hosted, seat, first, limit),
            next_from=next_page,
        )

    def _ListReplays(self, request: replays_service_pb2.ListReplaysRequest, token: str) -> Message:  # noqa: N802
        over = [one for one in self.matches.values() if one.info.state == common_pb2.MATCH_STATE_OVER]
        replays = [replays_pb2.Replay(name=one.info.name.replace("matches", "replays"), match=one.info) for one in over]
        return replays_service_pb2.ListReplaysResponse(replays=replays)

    def _GetCertificate(self, request: replays_service_pb2.GetCertificateRequest, token: str) -> Message:  # noqa: N802
        hosted = self.hosted(request.name)
        hosted.expect(common_pb2.MATCH_STATE_OVER)
        assert hosted.match is not None
        return certificate_message(hosted.match.certificate(), hosted.codec)


def _entries_message(hosted: LocalMatch, seat: int | None, first: int, limit: int) -> log_pb2.Entries:
    elements = hosted.entries(seat, first, limit)
    return log_pb2.Entries.FromString(write_entries(first, elements)) if elements else log_pb2.Entries()
