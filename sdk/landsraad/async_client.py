"""The client of the service, for programs that use asyncio. `landsraad.Client` is the same without."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from google.protobuf.message import Message

from landsraad.async_seat import AsyncSeat
from landsraad.connection import Connection
from landsraad.errors import PASSING, ConnectionLost, error_of
from landsraad.models import ClockRules, GameInfo, MatchInfo, State, Ticket, clock_message, read_game, read_match
from landsraad.replays import Replay
from landsraad.retry import RetryTimer, lively
from landsraad.seat_log import LogEntry, LogGap, SeatLog, Update, installed
from landsraad.transport import (
    REPEATABLE,
    CallFailed,
    CallRefused,
    GrpcTransport,
    Tls,
    Transport,
    check_address,
    is_loopback,
)
from landsraad.v1 import (
    catalog_pb2,
    catalog_service_pb2,
    common_pb2,
    matches_pb2,
    matches_service_pb2,
    play_pb2,
    replays_pb2,
    replays_service_pb2,
    watch_service_pb2,
)
from landsraad.wire.catalog import options_message
from landsraad.wire.certificates import read_certificate
from landsraad.wire.codec import Codec, codec_for
from landsraad.wire.tables import read_layout
from landsraad_engine.kernel.execution import AUTO

Answer = TypeVar("Answer", bound=Message)

SERVER: Final = "localhost:7447"
#: A seat of a new match: whoever comes first, a bot of the house, or the id of an account.
OPEN: Final = "open"
HOUSE: Final = "house"
#: Deadline of one call, in seconds.
_DEADLINE: Final = 10.0


class AsyncClient:
    """A client of one service.

    ::

        async with AsyncClient("localhost:7447") as client:
            match = await client.create_match("dune", seats=["open", "house"])
            seat = await client.join(match.name)
            async for turn in seat:
                await seat.answer(turn.sample(rng))
            print(seat.result)

    ``server`` is "host:port"; other machines are spoken to over TLS (``tls`` says whom to trust), unless ``plaintext``
    allows to send everything unprotected. ``token`` is that of an account; a service with open accounts needs none.
    ``patience``: for how many seconds a lost connection is sought again before `ConnectionLost`; what is no address at
    all is a `BadAddress` at once.
    """

    def __init__(
        self,
        server: str = SERVER,
        *,
        token: str = "",
        tls: Tls | bool | None = None,
        plaintext: bool = False,
        patience: float = 30.0,
        ping_every: float = 15.0,
        transport: Transport | None = None,
    ) -> None:
        if transport is None:
            check_address(server)
        self._server = server
        self.patience = patience
        self._token = token
        self._ping_every = ping_every
        self._transport = transport or GrpcTransport(server, tls=tls, plaintext=plaintext)
        #: how to reach a worker that the service names; None: not at all
        self._reach: Callable[[str], Transport] | None = None
        if transport is None:
            self._reach = partial(GrpcTransport, tls=tls, plaintext=plaintext)
        self._connections: list[Connection] = []
        self._seats_per_stream: int | None = None
        self._first_call = asyncio.Lock()
        self._closed = False

    @property
    def server(self) -> str:
        """The address of the service."""
        return self._server

    @property
    def token(self) -> str:
        """The token of the account; keep it to come back to what it has."""
        return self._token or self._transport.given

    @property
    def account(self) -> str:
        """The id of the account that an open service has made for this client, by which others invite it."""
        return self._transport.account

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End all streams. Seats stay taken, and their clocks go on."""
        self._closed = True
        await asyncio.gather(*(connection.close() for connection in self._connections))
        self._connections.clear()
        await self._transport.close()

    async def reconnect(self) -> None:
        """Open all streams anew, as after a lost connection; each seat goes on where it was."""
        for connection in self._connections:
            connection.restart()

    # --------------------------------------------------------------------------------------------------------- catalog

    async def games(self) -> list[GameInfo]:
        """The games that can be played, without their rules."""
        return [read_game(game) for game in (await self._catalog()).games]

    async def game(self, game: str) -> GameInfo:
        """One game, with what its rulebook says."""
        request = catalog_service_pb2.GetGameRequest(name=f"games/{game}")
        return read_game(await self.call("Catalog/GetGame", request, catalog_pb2.Game))

    # --------------------------------------------------------------------------------------------------------- matches

    async def create_match(
        self,
        game: str,
        seats: int | Sequence[str],
        options: Mapping[str, Any] | None = None,
        *,
        clock: ClockRules | None = None,
        title: str = "",
        watch_delay: float = 0.0,
        unlisted: bool = False,
        illegal_acts_limit: int = 0,
    ) -> MatchInfo:
        """Make a match. ``seats``: how many, all of them open; or for each one "open", "house", or whom to invite."""
        if isinstance(seats, str):  # its letters would be taken for accounts, and the match wait for them
            raise TypeError(f"seats: how many, or a word for each, not {seats!r}")
        fills = [OPEN] * seats if isinstance(seats, int) else seats
        match = matches_pb2.Match(
            game=f"games/{game}",
            options=options_message(options or {}),
            seats=[_seat_message(number, fill) for number, fill in enumerate(fills)],
            clock=clock_message(clock) if clock is not None else None,
            title=title,
            watch_delay_ms=round(watch_delay * 1000),
            unlisted=unlisted,
            illegal_acts_limit=illegal_acts_limit,
        )
        request = matches_service_pb2.CreateMatchRequest(match=match, request_id=secrets.token_hex(16))
        return await self._match("Matches/CreateMatch", request)

    async def match(self, match: str) -> MatchInfo:
        """One match as it stands now."""
        return await self._match("Matches/GetMatch", matches_service_pb2.GetMatchRequest(name=match))

    async def matches(
        self, *, state: State | None = None, game: str = "", mine: bool = False, most: int = 50
    ) -> list[MatchInfo]:
        """Matches, newest first, at most so many. What is over leaves the list a minute later; its name finds it."""
        found: list[MatchInfo] = []
        request = matches_service_pb2.ListMatchesRequest(game=game and f"games/{game}", mine=mine)
        if state is not None:
            request.state = common_pb2.MatchState.Value(f"MATCH_STATE_{state.upper()}")
        while len(found) < most:
            request.page_size = min(200, most - len(found))
            page = await self.call("Matches/ListMatches", request, matches_service_pb2.ListMatchesResponse)
            found += map(read_match, page.matches)
            request.page_token = page.next_page_token
            if not page.next_page_token:
                break
        return found

    async def join(
        self,
        match: str,
        seat: int | None = None,
        *,
        player: str = "",
        orders: Iterable[str] = (AUTO,),
        entropy: bytes | None = None,
    ) -> AsyncSeat:
        """Take a seat; the first free one, if none is named.

        ``orders`` are its standing orders: by default it is not asked where passing is all it can do. ``entropy`` is
        mixed into the chance of the match, so that the service alone does not decide it; by default, random bytes.
        """
        request = matches_service_pb2.JoinMatchRequest(
            name=match,
            seat=seat,
            player=player,
            entropy=secrets.token_bytes(16) if entropy is None else entropy,
            standing_orders=orders,
            request_id=secrets.token_hex(16),
        )
        joined = await self.call("Matches/JoinMatch", request, matches_service_pb2.JoinMatchResponse)
        ticket = Ticket(joined.match.name, joined.seat, joined.credential)
        return AsyncSeat(self, ticket, read_match(joined.match), hint=joined.address_hint)

    def seat(self, ticket: Ticket, *, hint: str = "") -> AsyncSeat:
        """Come back to a seat that was taken before. ``hint``: the worker at which its match's players meet."""
        return AsyncSeat(self, ticket, hint=hint)

    async def start(self, match: str) -> MatchInfo:
        """Begin a match that one has made; bots of the house take the seats that are free."""
        return await self._match("Matches/StartMatch", matches_service_pb2.StartMatchRequest(name=match))

    async def abort(self, match: str, reason: str = "") -> MatchInfo:
        """End a match that one has made, for everybody."""
        return await self._match("Matches/AbortMatch", matches_service_pb2.AbortMatchRequest(name=match, reason=reason))

    # ------------------------------------------------------------------------------------------- watching and replays

    async def watch(self, match: str) -> AsyncIterator[Update]:
        """What everybody may see of a match, from its beginning to its end."""
        following = SeatLog(None)
        patience = RetryTimer(self.patience)
        while True:
            self._check_open()
            cursor = following.cursor or common_pb2.Cursor(**{"from": 1})
            request = watch_service_pb2.WatchMatchRequest(match=match, **{"from": cursor})
            least = None
            try:
                told = self._transport.watch(request, token=self.token)
                async for frame in lively(told, self._ping_every, partial(self._look, match)):
                    patience.worked()
                    over = _hear(following, frame)
                    if following.match is not None and following.number:
                        yield following.update()
                    if over:
                        return
                ended: Exception = CallFailed("the service has ended the stream")
            except (CallFailed, LogGap) as failed:
                ended = failed
            except CallRefused as refused:
                error = error_of(refused.refusal)
                if error.reason not in PASSING:
                    raise error from None
                ended, least = error, error.retry_after
            await patience.wait(ended, least)

    async def _look(self, match: str) -> None:
        """Find out whether there is anybody to be asked about a match; CallFailed if not."""
        request = matches_service_pb2.GetMatchRequest(name=match)
        with suppress(CallRefused):  # an answer is all that is wanted
            await self._transport.call(
                "Matches/GetMatch", request, matches_pb2.Match, token=self.token, deadline=_DEADLINE
            )

    async def replay(self, match: str, seat: int | None = None) -> Replay:
        """The log of a match: the spectators', or a seat's (of others only after the end)."""
        told: list[LogEntry] = []
        request = replays_service_pb2.GetReplayRequest(name=_replay_name(match), seat=seat, **{"from": 1})
        first = part = await self.call("Replays/GetReplay", request, replays_pb2.Replay)
        info = read_match(first.match)
        codec = codec_for(installed(info.game))
        while True:
            entries = codec.read_entries(part.entries)
            told += [LogEntry(number, entry) for number, entry in enumerate(entries, part.entries.first)]
            if not part.next_from:
                break
            request = replays_service_pb2.GetReplayRequest(name=request.name, seat=seat, **{"from": part.next_from})
            part = await self.call("Replays/GetReplay", request, replays_pb2.Replay)
        return Replay(info, seat, told, read_layout(first.layout))

    async def certificate(self, match: str) -> dict[str, Any]:
        """All that it takes to check a finished match, for `landsraad_engine.play.match.verify`."""
        request = replays_service_pb2.GetCertificateRequest(name=_replay_name(match))
        certificate = await self.call("Replays/GetCertificate", request, replays_pb2.Certificate)
        return read_certificate(certificate, codec_for(installed(certificate.game.removeprefix("games/"))))

    # --------------------------------------------------------------------------------------------------------- calling

    async def call(
        self, method: str, request: Message, answer: type[Answer], *, token: str = "", codec: Codec | None = None
    ) -> Answer:
        """One call of the service, in its own messages: for what this class has no method for."""
        if not (token or self.token) and method.startswith("Matches/"):
            async with self._first_call:  # one account, not one for each of several calls at the same time
                return await self._insist(method, request, answer, self.token, codec)
        return await self._insist(method, request, answer, token or self.token, codec)

    async def _insist(
        self, method: str, request: Message, answer: type[Answer], token: str, codec: Codec | None
    ) -> Answer:
        """Make a call, and make it again for as long as that is safe and there is patience left."""
        patience = RetryTimer(self.patience)
        while True:
            self._check_open()
            try:
                return await self._transport.call(method, request, answer, token=token, deadline=_DEADLINE)
            except CallRefused as refused:
                error = error_of(refused.refusal, codec)
                if error.reason not in PASSING or method not in REPEATABLE:
                    raise error from None
                await patience.wait(error, error.retry_after)
            except CallFailed as failed:
                if method not in REPEATABLE:
                    raise ConnectionLost(str(failed)) from None
                await patience.wait(failed)

    def _check_open(self) -> None:
        """Whoever was at something while the client was closed tries it no longer."""
        if self._closed:
            raise ConnectionLost("the client was closed")

    async def connection(self, hint: str = "") -> Connection:
        """A stream with room for one seat more. A new one goes to the worker of the hint, if that can be reached."""
        if self._seats_per_stream is None:
            self._seats_per_stream = (await self._catalog()).limits.seats_per_stream or 1
        self._check_open()
        for connection in self._connections:
            if len(connection) < self._seats_per_stream:
                return connection
        connection = Connection(
            self._transport,
            self.token,
            patience=self.patience,
            ping_every=self._ping_every,
            hinted=self._way(hint),
            dead_end=self._no_more_hints,
        )
        self._connections.append(connection)
        return connection

    def _way(self, hint: str) -> Transport | None:
        """To the worker of a hint. What calls itself this machine is another one, if we came from elsewhere."""
        if self._reach is None or not hint or is_loopback(hint) is not is_loopback(self._server):
            return None
        return self._reach(hint)

    def _no_more_hints(self) -> None:
        """One led nowhere: there is something between the workers and us, and the next one would not, either."""
        self._reach = None

    async def _catalog(self) -> catalog_service_pb2.ListGamesResponse:
        return await self.call(
            "Catalog/ListGames", catalog_service_pb2.ListGamesRequest(), catalog_service_pb2.ListGamesResponse
        )

    async def _match(self, method: str, request: Message) -> MatchInfo:
        return read_match(await self.call(method, request, matches_pb2.Match))


def _seat_message(number: int, fill: str) -> matches_pb2.Seat:
    if fill == OPEN:
        return matches_pb2.Seat(number=number, fill=matches_pb2.SEAT_FILL_OPEN)
    name, _, bot = fill.partition(":")
    if name == HOUSE:
        return matches_pb2.Seat(number=number, fill=matches_pb2.SEAT_FILL_HOUSE_BOT, invited=bot)
    return matches_pb2.Seat(number=number, fill=matches_pb2.SEAT_FILL_INVITED, invited=fill)


def _replay_name(match: str) -> str:
    return f"replays/{match.removeprefix('matches/')}"


def _hear(following: SeatLog, frame: play_pb2.Frame) -> bool:
    """Take a frame of a spectator's stream; True if the match is over and everything was told."""
    for item in frame.items:
        match item.WhichOneof("item"):
            case "match":
                following.hear_match(item.match)
            case "snapshot":
                following.hear_snapshot(item.snapshot.observation)
            case "entries":
                following.hear_entries(item.entries)
            case "presence":
                following.hear_presence(item.presence)
            case "rewound":
                following.hear_rewound(item.rewound)
            case "closed":
                return item.closed.reason == play_pb2.CLOSED_REASON_OVER
    return False
