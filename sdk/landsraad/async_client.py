"""The client of the service for programs that use asyncio. `landsraad.Client` is the same client without asyncio."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Final, Self

from google.protobuf.message import Message

from landsraad.account_calls import AccountCalls, Answer
from landsraad.async_seat import AsyncSeat
from landsraad.backoff import BackoffTimer
from landsraad.cell_transports import CellTransports
from landsraad.errors import LandsraadError
from landsraad.models import (
    OPEN,
    AccountInfo,
    ClockRules,
    GameInfo,
    MatchInfo,
    MatchList,
    State,
    Ticket,
    clock_message,
    read_game,
    read_match,
    seat_message,
)
from landsraad.play_stream import PlayStream
from landsraad.replays import Replay, fetch_replay, replay_name
from landsraad.seat_log import Update, installed_game
from landsraad.spectator_stream import SpectatorStream
from landsraad.talk_calls import SpectatorTalk
from landsraad.transport import (
    GrpcTransport,
    Tls,
    Transport,
    check_address,
)
from landsraad.v1 import (
    catalog_pb2,
    catalog_service_pb2,
    common_pb2,
    matches_pb2,
    matches_service_pb2,
    replays_pb2,
    replays_service_pb2,
)
from landsraad.wire.catalog import options_message
from landsraad.wire.certificates import read_certificate
from landsraad.wire.codec import Codec, codec_for
from landsraad_engine.kernel.execution import AUTO

SERVER: Final = "localhost:7447"


class AsyncClient(SpectatorTalk):
    """A client of one service.

    Args:
        server: The address of the service, as "host:port" or "unix:path".
        token: The token of your account. A service with open accounts needs none.
        tls: True, or a `Tls` that names the certificates to use. By default, addresses of this machine are reached in
            the clear and all others over TLS.
        plaintext: Send everything unprotected, tokens included, even to another machine.
        retry_timeout: Seconds to go on retrying what fails for a reason that passes: a lost connection, a service that
            restarts, a rate limit. Then `ConnectionLost` is raised.
        ping_interval: Seconds of silence after which a stream is checked with a ping.
        transport: Another way to reach the service, such as `LocalService.transport()` in tests.

    Raises:
        BadAddress: `server` cannot be an address.
        BadTls: A certificate, a key or an authority cannot be used.

    Example:
        ::

            from random import Random

            from landsraad import AsyncClient

            rng = Random(1)
            async with AsyncClient("localhost:7447") as client:
                match = await client.create_match("arrakis", ["open", "house"], {"round_limit": 1})
                seat = await client.join(match.name)
                async for decision in seat:
                    await seat.answer(decision.sample(rng), decision)
                print(seat.result)
    """

    def __init__(
        self,
        server: str = SERVER,
        *,
        token: str = "",
        tls: Tls | bool | None = None,
        plaintext: bool = False,
        retry_timeout: float = 30.0,
        ping_interval: float = 15.0,
        transport: Transport | None = None,
    ) -> None:
        if transport is None:
            check_address(server)
        self._server = server
        self.retry_timeout = retry_timeout
        self._ping_interval = ping_interval
        follow = None if transport else partial(_cell_transport, tls=tls, plaintext=plaintext)
        self._cells = CellTransports(transport or GrpcTransport(server, tls=tls, plaintext=plaintext), server, follow)
        self._connections: list[PlayStream] = []
        self._seats_per_stream: int | None = None
        self._calls = AccountCalls(self._cells, token, retry_timeout)

    @property
    def server(self) -> str:
        """The address of the service."""
        return self._server

    @property
    def token(self) -> str:
        """The token of the account: the one that was given, or the one that an open service has issued to this client.

        Keep an issued token: it is the only way back to the account.
        """
        return self._calls.token

    @property
    def account(self) -> str:
        """The id of your account, by which others can invite you. It is never empty.

        With asyncio, call `whoami` once before you read it. Guests know their id after their first match as well.

        Raises:
            LandsraadError: The id is not known yet.
            NotAllowed: The token is not valid, or the service has no guests and needs one.
            ConnectionLost: The service cannot be reached.
        """
        if not self._calls.account:
            raise LandsraadError("the account is not known yet: await whoami() first")
        return self._calls.account

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections. Seats stay taken, and their clocks go on running."""
        self._calls.closed = True
        await asyncio.gather(*(connection.close() for connection in self._connections))
        self._connections.clear()
        await self._cells.close()

    async def reconnect(self) -> None:
        """Close all streams and open new ones. Each seat continues where it was."""
        for connection in self._connections:
            connection.restart()

    async def whoami(self) -> AccountInfo:
        """Fetch your account. Without a token, a service with open accounts makes a guest account for you.

        Returns:
            The account: its id, by which others can invite you, its name, and the rights of your token.

        Raises:
            NotAllowed: The token is not valid, or the service has no guests and needs one.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                me = await client.whoami()
                print(me.id, me.name or "guest", me.roles)
                match = await client.create_match("arrakis", ["open", me.id])
        """
        return await self._calls.whoami()

    # --------------------------------------------------------------------------------------------------------- catalog

    async def games(self) -> list[GameInfo]:
        """Fetch the games that can be played, without their rules.

        Returns:
            The games. `GameInfo.rules` and `GameInfo.content_digest` are empty; `game()` fills them.

        Raises:
            ConnectionLost: The service cannot be reached.
        """
        return [read_game(game) for game in (await self._catalog()).games]

    async def game(self, game: str) -> GameInfo:
        """Fetch one game with its rules.

        Args:
            game: The id of the game, such as "dune".

        Returns:
            The game, with the statements of its rulebook by their ids.

        Raises:
            NotFound: The service does not offer this game.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                info = await client.game("dune")
                print(info.rules["DUNE-3.12"].text)
        """
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
        """Create a match.

        Args:
            game: The id of the game, such as "dune".
            seats: The number of seats, all of them open; or one word for each seat: "open", "house" for a bot of the
                service, "house:NAME" for a certain bot, or the id or name of an account to invite.
            options: Options of the game by their names; `game()` lists them.
            clock: Time limits. Without them, players may think for as long as they like.
            title: A title for lists of matches.
            watch_delay: Seconds by which spectators lag behind.
            unlisted: Leave the match out of lists. It can still be watched by its name.
            illegal_acts_limit: Illegal acts after which a seat loses the match; 0 for no limit.

        Returns:
            The match. It begins when all its seats are taken.

        Raises:
            BadRequest: An option, the clock or the number of seats is wrong; `fields` tells what.
            NotFound: The service does not offer this game, or there is no account that you invite.
            LimitReached: You have too many matches, or create them too quickly.
            TypeError: `seats` is one word instead of a list of words.
            ValueError: A time of the clock is out of range.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                match = await client.create_match("arrakis", ["open", "house"], {"round_limit": 1})
                assert [seat.fill for seat in match.seats] == ["open", "house_bot"]
        """
        if isinstance(seats, str):  # a string is a sequence: its letters would be invited as accounts
            raise TypeError(f"seats is a number or a list with one word for each seat, not {seats!r}")
        fills = [OPEN] * seats if isinstance(seats, int) else seats
        match = matches_pb2.Match(
            game=f"games/{game}",
            options=options_message(options or {}),
            seats=[seat_message(fill) for fill in fills],
            clock=clock_message(clock) if clock is not None else None,
            title=title,
            watch_delay_ms=round(watch_delay * 1000),
            unlisted=unlisted,
            illegal_acts_limit=illegal_acts_limit,
        )
        request = matches_service_pb2.CreateMatchRequest(match=match, request_id=secrets.token_hex(16))
        return await self._match("Matches/CreateMatch", request)

    async def match(self, match: str) -> MatchInfo:
        """Fetch one match.

        Args:
            match: The name of the match, such as "matches/7f3a".

        Returns:
            The match as it is now.

        Raises:
            NotFound: There is no such match.
            ConnectionLost: The service cannot be reached.
        """
        return await self._match("Matches/GetMatch", matches_service_pb2.GetMatchRequest(name=match))

    async def matches(
        self, *, state: State | None = None, game: str = "", mine: bool = False, limit: int = 50
    ) -> MatchList:
        """List matches, newest first.

        A match leaves the list a minute after its end. `match()` finds it by its name even then.

        Args:
            state: Only matches in this state.
            game: Only matches of the game with this id.
            mine: Only matches in which your account has a seat, or which it has created.
            limit: The most matches to return.

        Returns:
            The matches. If a cell of the service does not answer, its matches are missing and `missing_cells` names it.

        Raises:
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                for match in await client.matches(state="open", limit=10):
                    print(match.name, match.game)
        """
        found = MatchList()
        request = matches_service_pb2.ListMatchesRequest(game=game and f"games/{game}", mine=mine)
        if state is not None:
            request.state = common_pb2.MatchState.Value(f"MATCH_STATE_{state.upper()}")
        while len(found) < limit:
            request.page_size = min(200, limit - len(found))
            page = await self.call("Matches/ListMatches", request, matches_service_pb2.ListMatchesResponse)
            found += map(read_match, page.matches)
            found.note_missing(page.unreachable)
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
        """Take a seat.

        Args:
            match: The name of the match.
            seat: The number of the seat, from 0; by default, the first free one.
            player: A name to show to the others.
            orders: Standing orders of the seat, see `AsyncSeat.orders`. By default, the seat is not asked where it
                could only pass.
            entropy: Bytes that are mixed into the chance of the match, so that the service alone cannot decide it. By
                default, random bytes.

        Returns:
            The seat. Keep its `ticket` to come back to it after a crash.

        Raises:
            NotFound: There is no such match or seat.
            WrongState: The match has begun, or the seat is taken.
            NotAllowed: The match is not open to your account.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                match = await client.create_match("arrakis", 2, {"round_limit": 1})
                seat = await client.join(match.name, 1, player="me")
                assert seat.number == 1
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
        """Come back to a seat that was taken before.

        Args:
            ticket: The `ticket` of the seat.
            hint: The address of a worker at which the other players of the match are connected.

        Returns:
            The seat. It connects when it is first used.

        Example:
            ::

                ticket = seat.ticket
                await seat.close()
                again = client.seat(ticket)
                assert (await again.next_decision()).seat == ticket.seat
        """
        return AsyncSeat(self, ticket, hint=hint)

    async def start(self, match: str) -> MatchInfo:
        """Begin a match that you have created, without waiting for more players. Bots of the service take the free
        seats.

        Args:
            match: The name of the match.

        Returns:
            The match, which has begun.

        Raises:
            NotAllowed: You have not created this match, or another player has a say in it.
            WrongState: It has begun already.
            ConnectionLost: The service cannot be reached.
        """
        return await self._match("Matches/StartMatch", matches_service_pb2.StartMatchRequest(name=match))

    async def abort(self, match: str, reason: str = "") -> MatchInfo:
        """End a match that you have created, for all its players.

        Args:
            match: The name of the match.
            reason: A reason to show to the players.

        Returns:
            The match, which is over.

        Raises:
            NotAllowed: You have not created this match, or another player has a say in it.
            WrongState: It is over already.
            ConnectionLost: The service cannot be reached.
        """
        return await self._match("Matches/AbortMatch", matches_service_pb2.AbortMatchRequest(name=match, reason=reason))

    # ------------------------------------------------------------------------------------------- watching and replays

    async def watch(self, match: str) -> AsyncIterator[Update]:
        """Watch a match from its beginning to its end, as a spectator.

        Args:
            match: The name of the match.

        Yields:
            An update whenever something has happened. Only what all players may see is in it, after the delay of the
            match.

        Raises:
            NotFound: There is no such match.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                async for update in client.watch(match.name):
                    print(len(update.entries), "new entries,", update.match.state)
                    break
        """
        async for update in self.spectator_stream(match).updates():
            yield update

    def spectator_stream(self, match: str, *, token: str = "") -> SpectatorStream:
        """Return the stream of a spectator, for programs that read its frames themselves.

        Args:
            match: The name of the match.
            token: A token to use instead of the client's own.

        Returns:
            The stream. It is opened when it is first read.
        """
        return SpectatorStream(
            self._cells,
            match,
            BackoffTimer(self.retry_timeout),
            ping_interval=self._ping_interval,
            token=lambda: token or self.token,
            check_open=self._calls.check_open,
        )

    async def replay(self, match: str, seat: int | None = None) -> Replay:
        """Fetch the log of a match.

        Args:
            match: The name of the match.
            seat: The seat whose log to fetch; by default, the spectators' log. The logs of other players' seats can be
                read once the match is over.

        Returns:
            The log, from which the view at any moment can be rebuilt.

        Raises:
            NotFound: There is no such match.
            NotAllowed: The log is of another player's seat and the match is not over.
            UnknownGame: The game is not installed here.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                replay = await client.replay(match.name)
                print(len(replay.entries), replay.view().table)
        """
        return await fetch_replay(self.call, match, seat)

    async def certificate(self, match: str) -> dict[str, Any]:
        """Fetch the proof of a finished match.

        Args:
            match: The name of the match.

        Returns:
            Everything that it takes to play the match again and compare the result, see
            `landsraad_engine.play.match.verify`.

        Raises:
            NotFound: There is no such match.
            WrongState: The match is not over.
            UnknownGame: The game is not installed here.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                from landsraad import games
                from landsraad_engine.play.match import verify

                async for decision in seat:
                    await seat.answer(decision.sample(rng), decision)
                certificate = await client.certificate(match.name)
                assert verify(games.load(match.game), certificate) == []
        """
        request = replays_service_pb2.GetCertificateRequest(name=replay_name(match))
        certificate = await self.call("Replays/GetCertificate", request, replays_pb2.Certificate)
        return read_certificate(certificate, codec_for(installed_game(certificate.game.removeprefix("games/"))))

    async def call(
        self, method: str, request: Message, answer: type[Answer], *, token: str = "", codec: Codec | None = None
    ) -> Answer:
        """Call a method of the service in its own messages, for what this class has no method for.

        Args:
            method: The service and the method, such as "Matches/GetMatch".
            request: The request message.
            answer: The class of the answer message.
            token: A token to use instead of the client's own.
            codec: The codec of the game, if a refusal may name legal acts.

        Returns:
            The answer message.

        Raises:
            RefusedByService: The service refuses the call.
            ConnectionLost: The service cannot be reached.
        """
        return await self._calls.call(method, request, answer, token=token, codec=codec)

    async def connection(self, match: str, hint: str = "") -> PlayStream:
        """Return a stream with room for one more seat.

        Args:
            match: The name of the seat's match.
            hint: The address of a worker. A new stream goes there, if possible.

        Returns:
            The stream.
        """
        if self._seats_per_stream is None:
            self._seats_per_stream = (await self._catalog()).limits.seats_per_stream or 1
        self._calls.check_open()
        for connection in self._connections:
            if connection.has_room(match, self._seats_per_stream):
                return connection
        connection = PlayStream(
            self._cells,
            match,
            self.token,
            retry_timeout=self.retry_timeout,
            ping_interval=self._ping_interval,
            hinted=self._cells.hinted(hint),
            dead_end=self._cells.ignore_hints,
        )
        self._connections.append(connection)
        return connection

    async def _catalog(self) -> catalog_service_pb2.ListGamesResponse:
        return await self.call(
            "Catalog/ListGames", catalog_service_pb2.ListGamesRequest(), catalog_service_pb2.ListGamesResponse
        )

    async def _match(self, method: str, request: Message) -> MatchInfo:
        return read_match(await self.call(method, request, matches_pb2.Match))


def _cell_transport(address: str, cell: str, *, tls: Tls | bool | None, plaintext: bool) -> Transport:
    """Return a transport to a cell, with the same protection as to the service."""
    return GrpcTransport(address, tls=tls, plaintext=plaintext, cell=cell)
