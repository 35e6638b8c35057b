"""The calls by which a seat talks to other players, and a spectator to other spectators."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from typing import Any, Protocol

from landsraad.account_calls import AccountCalls
from landsraad.backoff import BackoffTimer
from landsraad.cell_transports import CellTransports
from landsraad.models import Ticket
from landsraad.talk_stream import SPECTATORS, TalkStream, channel_of
from landsraad.v1 import talk_service_pb2
from landsraad_engine.play.messages import TalkMessage


class TalkStreams(Protocol):
    """The part of a client that opens streams of talk."""

    def talk_stream(self, match: str, seat: int | None = None, *, token: str = "") -> TalkStream: ...


class SeatTalk:
    """The calls of a seat."""

    _ticket: Ticket
    _client: TalkStreams

    async def _call(self, method: str, request: Any, answer: Any) -> Any:
        raise NotImplementedError

    @property
    def number(self) -> int:
        """The seat's number, from 0."""
        return self._ticket.seat

    async def say(self, text: str, to: int | Sequence[int] | str | None = None) -> None:
        """Say something to other players. It is sent exactly once.

        Args:
            text: 1 to 500 characters in one line.
            to: None for all at the table; the number of another seat, or several, to talk in private where the rules of
                the game allow it now; or the name of a channel.

        Raises:
            WrongState: The match is played without talk, the channel is closed now, or the other seat has muted you.
            NotFound: There is no such channel for you.
            BadRequest: The text is empty, too long, or has control characters.
            LimitReached: You have sent too many messages.
            MatchOver: The match has ended, and its messages are deleted.
            ConnectionLost: The service cannot be reached.
        """
        request = talk_service_pb2.SendRequest(
            match=self._ticket.match,
            seat=self.number,
            channel=channel_of(self.number, to),
            text=text,
            request_id=secrets.token_hex(8),
        )
        await self._call("Talk/Send", request, talk_service_pb2.SendResponse)

    async def messages(self) -> AsyncIterator[TalkMessage]:
        """Follow what is said to this seat: the messages that the service keeps, then new ones as they come.

        Yields:
            Each message once, until the match has left the service. Your own are among them.

        Raises:
            NotAllowed: The credential of the seat was revoked.
            ConnectionLost: The service cannot be reached.
        """
        async for message in self.talk_stream().messages():
            yield message

    def talk_stream(self) -> TalkStream:
        """Return the stream of what is said to this seat, which also tells the open channels.

        Returns:
            The stream. It is opened when it is first read.
        """
        return self._client.talk_stream(self._ticket.match, self.number, token=self._ticket.credential)

    async def mute(self, seat: int, muted: bool = True) -> None:
        """Hear another seat no more, or again.

        Args:
            seat: The number of the other seat.
            muted: False to hear it again from now on.

        Raises:
            NotFound: There is no such seat.
            BadRequest: It is your own seat.
            ConnectionLost: The service cannot be reached.
        """
        request = talk_service_pb2.MuteRequest(match=self._ticket.match, seat=self.number, muted_seat=seat, muted=muted)
        await self._call("Talk/Mute", request, talk_service_pb2.MuteResponse)


class SpectatorTalk:
    """The calls of a spectator."""

    retry_timeout: float
    _cells: CellTransports
    _calls: AccountCalls

    @property
    def token(self) -> str:
        """The token of the account."""
        raise NotImplementedError

    async def whoami(self) -> Any:
        """Fetch your account; see `AsyncClient`."""
        raise NotImplementedError

    async def call(self, method: str, request: Any, answer: Any) -> Any:
        """Call a method of the service; see `AsyncClient`."""
        raise NotImplementedError

    def talk_stream(self, match: str, seat: int | None = None, *, token: str = "") -> TalkStream:
        """Return a stream of what is said in a match, for programs that also want to know the open channels.

        Args:
            match: The name of the match.
            seat: The seat that reads; None for a spectator.
            token: A token or the credential of the seat, to use instead of the client's own token.

        Returns:
            The stream. It is opened when it is first read.
        """
        return TalkStream(
            self._cells,
            match,
            seat,
            BackoffTimer(self.retry_timeout),
            token=lambda: token or self.token,
            check_open=self._calls.check_open,
        )

    async def messages(self, match: str) -> AsyncIterator[TalkMessage]:
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
        async for message in self.talk_stream(match).messages():
            yield message

    async def say(self, match: str, text: str) -> None:
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
        await self.whoami()  # a service with open accounts makes one
        request = talk_service_pb2.SendRequest(
            match=match, channel=SPECTATORS, text=text, request_id=secrets.token_hex(8)
        )
        await self.call("Talk/Send", request, talk_service_pb2.SendResponse)
