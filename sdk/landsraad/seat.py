"""A seat that a client plays, for programs without asyncio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

from landsraad.async_seat import AsyncSeat
from landsraad.errors import RefusedByService
from landsraad.models import Clock, MatchInfo, Result, Ticket
from landsraad.portal import Portal
from landsraad.seat_log import SeatDecision, Update
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.messages import TalkMessage


class Seat:
    """A seat of a match. It connects when it is first used, and reconnects by itself.

    Iterating over a seat yields its decisions, one after the other, until the match is over.

    Example:
        ::

            for decision in seat:
                seat.answer(decision.sample(rng), decision)
            print(seat.result)
    """

    def __init__(self, portal: Portal, seat: AsyncSeat) -> None:
        self._portal = portal
        self._seat = seat

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[SeatDecision]:
        while (decision := self.next_decision()) is not None:
            yield decision

    @property
    def ticket(self) -> Ticket:
        """The seat's ticket. Keep it: `client.seat(ticket)` comes back to the seat, even from another process."""
        return self._seat.ticket

    @property
    def number(self) -> int:
        """The seat's number, from 0."""
        return self._seat.number

    @property
    def match(self) -> MatchInfo | None:
        """The match as last reported by the service."""
        return self._seat.match

    @property
    def result(self) -> Result | None:
        """The result of the match; None until it is over."""
        return self._seat.result

    @property
    def view(self) -> Any:
        """The seat's knowledge of the table, typed by the game. A view never changes; read it again for a newer one.

        It can be read once the first decision or update has come.
        """
        return self._seat.view

    @property
    def clock(self) -> Clock | None:
        """The seat's clock as last reported; None if the match has none."""
        return self._seat.clock

    @property
    def plays(self) -> Options:
        """The out-of-turn plays that are possible now."""
        return self._seat.plays

    @property
    def timeouts(self) -> int:
        """The number of decisions for which the time ran out, so that the service took the default act instead.

        It counts since this client has taken the seat. An answer that another client gave in your place counts as well.
        """
        return self._seat.timeouts

    def next_decision(self, timeout: float | None = None) -> SeatDecision | None:
        """Wait for the seat's next decision.

        Args:
            timeout: Seconds to wait; by default, without limit.

        Returns:
            The decision that is open now; None when the match is over.

        Raises:
            TimeoutError: No decision was put to the seat in time.
            SeatLost: Another client plays the seat now, or its credential was revoked.
            UnknownGame: The game is not installed here.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                decision = seat.next_decision(timeout=30)
                print(decision.why, decision.options.count(limit=100), "legal acts")
        """
        return self._portal.run(self._seat.next_decision(timeout))

    def updates(self) -> Iterator[Update]:
        """Follow the match until it is over.

        Yields:
            An update whenever something has happened: the new entries of the seat's log, its view, and the open
            decision.

        Raises:
            SeatLost: Another client plays the seat now, or its credential was revoked.
            UnknownGame: The game is not installed here.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                for update in seat.updates():
                    if update.decision is not None:
                        seat.answer(update.decision.sample(rng), update.decision)
        """
        return self._portal.iterate(self._seat.updates())

    def answer(self, act: Act, decision: SeatDecision | None = None) -> None:
        """Answer a decision. The answer counts exactly once, even if the connection is lost meanwhile.

        Args:
            act: A legal act.
            decision: The decision to answer; by default, the one that the seat returned last.

        Raises:
            IllegalAct: The act is not legal. The decision stays open; `rule`, `fields` and `nearest` tell more.
            Stale: The match has moved on, and this decision is no longer open.
            MatchOver: The match has ended.
            SeatLost: Another client plays the seat now, or its credential was revoked.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                from landsraad.errors import Stale

                decision = seat.next_decision()
                try:
                    seat.answer(decision.sample(rng), decision)
                except Stale:
                    print("Your time was up, or the match has moved on.")
        """
        self._portal.run(self._seat.answer(act, decision))

    def play(self, act: Act) -> None:
        """Make an out-of-turn play. It counts exactly once.

        Args:
            act: One of `plays`.

        Raises:
            IllegalAct: The play is not legal now.
            Stale: The match has moved on since the play was offered.
            MatchOver: The match has ended.
            SeatLost: Another client plays the seat now, or its credential was revoked.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                seat.next_decision()
                if seat.plays.choices:
                    seat.play(seat.plays.sample(rng))
        """
        self._portal.run(self._seat.play(act))

    def orders(self, *orders: str) -> None:
        """Replace the standing orders of the seat.

        Args:
            *orders: "auto" passes in every reaction window where the seat could only pass; the name of a window passes
                in that window; "ask:" and the name of a play offers that play. `GameInfo.standing_orders` lists them
                all.

        Raises:
            BadRequest: The game does not know one of the orders.
            MatchOver: The match has ended.
            SeatLost: Another client plays the seat now, or its credential was revoked.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                seat.orders("auto")
        """
        self._portal.run(self._seat.orders(*orders))

    def explain(self, act: Act) -> RefusedByService | None:
        """Ask the service whether an act would be legal now. Nothing is done.

        Args:
            act: The act to check.

        Returns:
            The refusal that the act would meet; None if it is legal.

        Raises:
            IllegalAct: The act does not belong to this game.
            ConnectionLost: The service cannot be reached.

        Example:
            ::

                decision = seat.next_decision()
                assert seat.explain(decision.sample(rng)) is None
        """
        return self._portal.run(self._seat.explain(act))

    def say(self, text: str, to: int | Sequence[int] | str | None = None) -> None:
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
        self._portal.run(self._seat.say(text, to))

    def messages(self) -> Iterator[TalkMessage]:
        """Follow what is said to this seat: the messages that the service keeps, then new ones as they come.

        Yields:
            Each message once, until the match has left the service. Your own are among them.

        Raises:
            NotAllowed: The credential of the seat was revoked.
            ConnectionLost: The service cannot be reached.
        """
        return self._portal.iterate(self._seat.messages())

    def mute(self, seat: int, muted: bool = True) -> None:
        """Hear another seat no more, or again.

        Args:
            seat: The number of the other seat.
            muted: False to hear it again from now on.

        Raises:
            NotFound: There is no such seat.
            BadRequest: It is your own seat.
            ConnectionLost: The service cannot be reached.
        """
        self._portal.run(self._seat.mute(seat, muted))

    def resign(self) -> None:
        """Give up the seat for good.

        Raises:
            WrongState: The match has not begun; use `leave`.
            MatchOver: The match has ended.
            ConnectionLost: The service cannot be reached.
        """
        self._portal.run(self._seat.resign())

    def leave(self) -> None:
        """Give the seat back before the match has begun.

        Raises:
            WrongState: The match has begun; use `resign`.
            ConnectionLost: The service cannot be reached.
        """
        self._portal.run(self._seat.leave())

    def close(self) -> None:
        """Stop playing the seat from this client. It stays taken: `client.seat(ticket)` comes back to it."""
        self._portal.run(self._seat.close())
