"""The client of the service, for programs without an event loop. See `AsyncClient`: this is the same, and waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from landsraad.async_client import SERVER, AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.errors import RefusedByService
from landsraad.models import Clock, ClockRules, GameInfo, MatchInfo, Result, State, Ticket
from landsraad.portal import Portal
from landsraad.replays import Replay
from landsraad.seat_log import SeatDecision, Update
from landsraad.transport import Tls, Transport
from landsraad_engine.kernel.execution import AUTO
from landsraad_engine.kernel.grammar import Act, Options


class Seat:
    """A seat that a client plays.

    ::

        for turn in seat:
            seat.answer(turn.sample(rng))
    """

    def __init__(self, portal: Portal, seat: AsyncSeat) -> None:
        self._portal = portal
        self._seat = seat

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[SeatDecision]:
        while (turn := self.turn()) is not None:
            yield turn

    @property
    def ticket(self) -> Ticket:
        """What lets a client come back to the seat."""
        return self._seat.ticket

    @property
    def number(self) -> int:
        """The seat's number, from 0."""
        return self._seat.number

    @property
    def match(self) -> MatchInfo | None:
        """The match as it was last heard of."""
        return self._seat.match

    @property
    def result(self) -> Result | None:
        """How the match ended, once it has."""
        return self._seat.result

    @property
    def view(self) -> Any:
        """What the seat knows now; a later one does not change it. Nothing, before the first `turn()`."""
        return self._seat.view

    @property
    def clock(self) -> Clock | None:
        """The seat's clock as it was last told."""
        return self._seat.clock

    @property
    def plays(self) -> Options:
        """The out-of-turn plays that are open now."""
        return self._seat.plays

    def turn(self, within: float | None = None) -> SeatDecision | None:
        """Wait until the seat is asked; None when the match is over. TimeoutError if that takes more seconds."""
        return self._portal.run(self._seat.turn(within))

    def updates(self) -> Iterator[Update]:
        """Everything that happens, as it happens, up to the end of the match."""
        return self._portal.iterate(self._seat.updates())

    def answer(self, act: Act, turn: SeatDecision | None = None) -> None:
        """Answer a question (the one that `turn` gave last), exactly once; see `AsyncSeat.answer`."""
        self._portal.run(self._seat.answer(act, turn))

    def play(self, act: Act) -> None:
        """Make an out-of-turn play."""
        self._portal.run(self._seat.play(act))

    def orders(self, *orders: str) -> None:
        """Standing orders in place of those before: names of windows to pass on, "auto", "ask:" and a play."""
        self._portal.run(self._seat.orders(*orders))

    def explain(self, act: Act) -> RefusedByService | None:
        """Why the service would not take an act now; None if it would. It costs nothing and changes nothing."""
        return self._portal.run(self._seat.explain(act))

    def resign(self) -> None:
        """Give the seat up for good."""
        self._portal.run(self._seat.resign())

    def leave(self) -> None:
        """Give the seat back before the match has begun."""
        self._portal.run(self._seat.leave())

    def close(self) -> None:
        """Play on this stream no longer. The seat stays taken: `client.seat(ticket)` comes back to it."""
        self._portal.run(self._seat.close())


class Client:
    """A client of one service; its arguments are those of `AsyncClient`.

    ::

        with Client("localhost:7447") as client:
            match = client.create_match("dune", seats=["open", "house"])
            seat = client.join(match.name)
            for turn in seat:
                seat.answer(turn.sample(rng))
            print(seat.result)
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
        self._portal = Portal()

        async def made() -> AsyncClient:  # on the loop: gRPC binds a channel to the loop that makes it
            return AsyncClient(
                server,
                token=token,
                tls=tls,
                plaintext=plaintext,
                patience=patience,
                ping_every=ping_every,
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
        """The token of the account; keep it to come back to what it has."""
        return self._client.token

    @property
    def account(self) -> str:
        """The id of the account that an open service has made for this client, by which others invite it."""
        return self._client.account

    def close(self) -> None:
        """End all streams. Seats stay taken, and their clocks go on."""
        if not self._portal.closed:
            self._portal.run(self._client.close())
            self._portal.close()

    def reconnect(self) -> None:
        """Open all streams anew, as after a lost connection; each seat goes on where it was."""
        self._portal.run(self._client.reconnect())

    def games(self) -> list[GameInfo]:
        """The games that can be played, without their rules."""
        return self._portal.run(self._client.games())

    def game(self, game: str) -> GameInfo:
        """One game, with what its rulebook says."""
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
        """Make a match. ``seats``: how many, all of them open; or for each one "open", "house", or whom to invite."""
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
        """One match as it stands now."""
        return self._portal.run(self._client.match(match))

    def matches(
        self, *, state: State | None = None, game: str = "", mine: bool = False, most: int = 50
    ) -> list[MatchInfo]:
        """Matches, newest first, at most so many. What is over leaves the list a minute later; its name finds it."""
        return self._portal.run(self._client.matches(state=state, game=game, mine=mine, most=most))

    def join(
        self,
        match: str,
        seat: int | None = None,
        *,
        player: str = "",
        orders: Iterable[str] = (AUTO,),
        entropy: bytes | None = None,
    ) -> Seat:
        """Take a seat; the first free one, if none is named. See `AsyncClient.join`."""
        joined = self._client.join(match, seat, player=player, orders=orders, entropy=entropy)
        return Seat(self._portal, self._portal.run(joined))

    def seat(self, ticket: Ticket, *, hint: str = "") -> Seat:
        """Come back to a seat that was taken before. ``hint``: the worker at which its match's players meet."""
        return Seat(self._portal, self._client.seat(ticket, hint=hint))

    def start(self, match: str) -> MatchInfo:
        """Begin a match that one has made; bots of the house take the seats that are free."""
        return self._portal.run(self._client.start(match))

    def abort(self, match: str, reason: str = "") -> MatchInfo:
        """End a match that one has made, for everybody."""
        return self._portal.run(self._client.abort(match, reason))

    def watch(self, match: str) -> Iterator[Update]:
        """What everybody may see of a match, from its beginning to its end."""
        return self._portal.iterate(self._client.watch(match))

    def replay(self, match: str, seat: int | None = None) -> Replay:
        """The log of a match: the spectators', or a seat's (of others only after the end)."""
        return self._portal.run(self._client.replay(match, seat))

    def certificate(self, match: str) -> dict[str, Any]:
        """All that it takes to check a finished match, for `landsraad_engine.play.match.verify`."""
        return self._portal.run(self._client.certificate(match))
