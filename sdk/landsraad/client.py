"""The client of the service for programs without asyncio. `landsraad.AsyncClient` is the same client for asyncio."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from landsraad.async_client import SERVER, AsyncClient
from landsraad.models import AccountInfo, ClockRules, GameInfo, MatchInfo, MatchList, State, Ticket
from landsraad.portal import Portal
from landsraad.replays import Replay
from landsraad.seat import Seat
from landsraad.seat_log import Update
from landsraad.transport import Tls, Transport
from landsraad_engine.kernel.execution import AUTO
from landsraad_engine.play.messages import TalkMessage


class Client:
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

            from landsraad import Client

            rng = Random(1)
            with Client("localhost:7447") as client:
                match = client.create_match("arrakis", ["open", "house"], {"round_limit": 1})
                seat = client.join(match.name)
                for decision in seat:
                    seat.answer(decision.sample(rng), decision)
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
        self._portal = Portal()
        self._account = ""

        async def made() -> AsyncClient:  # on the loop: gRPC binds a channel to the loop that makes it
            return AsyncClient(
                server,
                token=token,
                tls=tls,
                plaintext=plaintext,
                retry_timeout=retry_timeout,
                ping_interval=ping_interval,
                transport=transport,
            )

        try:
            self._client = self._portal.run(made())
        except BaseException:
            self._portal.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def server(self) -> str:
        """The address of the service."""
        return self._client.server

    @property
    def token(self) -> str:
        """The token of the account: the one that was given, or the one that an open service has issued to this client.

        Keep an issued token: it is the only way back to the account.
        """
        return self._client.token

    @property
    def account(self) -> str:
        """The id of your account, by which others can invite you. It is never empty.

        With asyncio, call `whoami` once before you read it. Guests know their id after their first match as well.

        Raises:
            LandsraadError: The id is not known yet.
            NotAllowed: The token is not valid, or the service has no guests and needs one.
            ConnectionLost: The service cannot be reached.
        """
        if not self._account:
            self._account = self.whoami().id
        return self._account

    def whoami(self) -> AccountInfo:
        """Fetch your account. Without a token, a service with open accounts makes a guest account for you.

        Returns:
            The account: its id, by which others can invite you, its name, and the rights of your token.

        Raises:
            NotAllowed: The token is not valid, or the service has no guests and needs one.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                me = client.whoami()
                print(me.id, me.name or "guest", me.roles)
                match = client.create_match("arrakis", ["open", me.id])
        """
        return self._portal.run(self._client.whoami())

    def close(self) -> None:
        """Close all connections. Seats stay taken, and their clocks go on running."""
        if not self._portal.closed:
            self._portal.run(self._client.close())
            self._portal.close()

    def reconnect(self) -> None:
        """Close all streams and open new ones. Each seat continues where it was."""
        self._portal.run(self._client.reconnect())

    def games(self) -> list[GameInfo]:
        """Fetch the games that can be played, without their rules.

        Returns:
            The games. `GameInfo.rules` and `GameInfo.content_digest` are empty; `game()` fills them.

        Raises:
            ConnectionLost: The service cannot be reached.
        """
        return self._portal.run(self._client.games())

    def game(self, game: str) -> GameInfo:
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

                info = client.game("dune")
                print(info.rules["DUNE-3.12"].text)
        """
        return self._portal.run(self._client.game(game))

    def create_match(
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

                match = client.create_match("arrakis", ["open", "house"], {"round_limit": 1})
                assert [seat.fill for seat in match.seats] == ["open", "house_bot"]
        """
        return self._portal.run(
            self._client.create_match(
                game,
                seats,
                options,
                clock=clock,
                title=title,
                watch_delay=watch_delay,
                unlisted=unlisted,
                illegal_acts_limit=illegal_acts_limit,
            )
        )

    def match(self, match: str) -> MatchInfo:
        """Fetch one match.

        Args:
            match: The name of the match, such as "matches/7f3a".

        Returns:
            The match as it is now.

        Raises:
            NotFound: There is no such match.
            ConnectionLost: The service cannot be reached.
        """
        return self._portal.run(self._client.match(match))

    def matches(self, *, state: State | None = None, game: str = "", mine: bool = False, limit: int = 50) -> MatchList:
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

                for match in client.matches(state="open", limit=10):
                    print(match.name, match.game)
        """
        return self._portal.run(self._client.matches(state=state, game=game, mine=mine, limit=limit))

    def join(
        self,
        match: str,
        seat: int | None = None,
        *,
        player: str = "",
        orders: Iterable[str] = (AUTO,),
        entropy: bytes | None = None,
    ) -> Seat:
        """Take a seat.

        Args:
            match: The name of the match.
            seat: The number of the seat, from 0; by default, the first free one.
            player: A name to show to the others.
            orders: Standing orders of the seat, see `Seat.orders`. By default, the seat is not asked where it
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

                match = client.create_match("arrakis", 2, {"round_limit": 1})
                seat = client.join(match.name, 1, player="me")
                assert seat.number == 1
        """
        joined = self._client.join(match, seat, player=player, orders=orders, entropy=entropy)
        return Seat(self._portal, self._portal.run(joined))

    def seat(self, ticket: Ticket, *, hint: str = "") -> Seat:
        """Come back to a seat that was taken before.

        Args:
            ticket: The `ticket` of the seat.
            hint: The address of a worker at which the other players of the match are connected.

        Returns:
            The seat. It connects when it is first used.

        Example:
            ::

                ticket = seat.ticket
                seat.close()
                again = client.seat(ticket)
                assert again.next_decision().seat == ticket.seat
        """
        return Seat(self._portal, self._client.seat(ticket, hint=hint))

    def start(self, match: str) -> MatchInfo:
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
        return self._portal.run(self._client.start(match))

    def abort(self, match: str, reason: str = "") -> MatchInfo:
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
        return self._portal.run(self._client.abort(match, reason))

    def watch(self, match: str) -> Iterator[Update]:
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

                for update in client.watch(match.name):
                    print(len(update.entries), "new entries,", update.match.state)
                    break
        """
        return self._portal.iterate(self._client.watch(match))

    def messages(self, match: str) -> Iterator[TalkMessage]:
        """Follow what is said at the table of a match, as a spectator: after the delay of the match.

        Args:
            match: The name of the match.

        Yields:
            Each message once, until the match has left the service. With an account that has no seat in the match, the
            messages of other spectators are among them.

        Raises:
            NotFound: There is no such match.
            ConnectionLost: The service cannot be reached.
        """
        return self._portal.iterate(self._client.messages(match))

    def say(self, match: str, text: str) -> None:
        """Say something to the other spectators of a match in which you have no seat. Players do not hear it.

        Args:
            match: The name of the match.
            text: 1 to 500 characters in one line.

        Raises:
            NotFound: There is no such match.
            NotAllowed: You have no account, or a seat in this match: then use `Seat.say`.
            WrongState: The match is played without talk.
            BadRequest: The text is empty, too long, or has control characters.
            LimitReached: You have sent too many messages.
            ConnectionLost: The service cannot be reached.
        """
        self._portal.run(self._client.say(match, text))

    def replay(self, match: str, seat: int | None = None) -> Replay:
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

                replay = client.replay(match.name)
                print(len(replay.entries), replay.view().table)
        """
        return self._portal.run(self._client.replay(match, seat))

    def certificate(self, match: str) -> dict[str, Any]:
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

                for decision in seat:
                    seat.answer(decision.sample(rng), decision)
                certificate = client.certificate(match.name)
                assert verify(games.load(match.game), certificate) == []
        """
        return self._portal.run(self._client.certificate(match))
