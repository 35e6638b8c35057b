"""Messages between the players of a match. They come from outside the rules, which ignore them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TalkMessage:
    """A message that somebody has sent.

    Example:
        ::

            for message in seat.messages():
                print(message.seat, message.channel, message.text)
    """

    #: "table", the seats of a private channel such as "0-2", or "spectators"
    channel: str
    #: the number on its channel, from 1
    number: int
    #: the seat that has sent it; None for a spectator
    seat: int | None
    #: the text as it was typed: show it as text, and never run or interpret it
    text: str
    #: the time at which it was sent, in seconds since 1970
    at: float
    #: the id of the account that has sent it, if that is a spectator
    account: str = ""
