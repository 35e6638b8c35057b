"""Asks: the questions a match stops at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .grammar import Act, Choice, Options
from .zones import Sight

#: What a seat may answer: choices, or options made before (windows in which most can only pass share theirs).
Answers = Sequence[Choice] | Options


class Ask:
    """A question to one or several seats, with the grammar of answers for each.

    ``one`` goes to a single seat and is answered in the open; ``any_of`` to partners, and the first committed answer
    counts; ``sealed`` and ``quiet`` to several seats at once, whose answers lie hidden until the last one is in: others
    see that a sealed one is there, and nothing of a quiet one. ``default`` is the act that a timeout takes. While a
    ``closed`` ask is open there are no out-of-turn plays. ``window`` names the kind of reaction window, for standing
    orders; only public facts may decide which seats a window asks, so a seat with nothing to play gets it too, with
    pass alone.
    """

    __slots__ = ("closed", "default", "mode", "options", "seats", "secret", "sight", "why", "window")

    def __init__(
        self,
        mode: str,
        options: Mapping[int, Answers],
        *,
        why: str,
        default: Act | Mapping[int, Act] | None,
        sight: Sight = Sight.OPEN,
        closed: bool = False,
        secret: bool = False,
        window: str = "",
    ) -> None:
        self.mode = mode
        self.options = {
            seat: choices if isinstance(choices, Options) else Options(choices) for seat, choices in options.items()
        }
        self.seats = tuple(self.options)
        self.why = why
        self.default = default
        self.sight = sight
        self.closed = closed
        self.secret = secret
        self.window = window

    def __repr__(self) -> str:
        return f"Ask({self.mode}, {self.seats}, {self.why})"

    @classmethod
    def one(cls, seat: int, *choices: Choice, why: str, default: Act | None = None, closed: bool = False) -> Ask:
        """Ask one seat; its answer is handled at once."""
        return cls("one", {seat: choices}, why=why, default=default, closed=closed)

    @classmethod
    def any_of(
        cls, seats: Iterable[int], *choices: Choice, why: str, default: Act | None = None, closed: bool = False
    ) -> Ask:
        """Ask partners who decide together: the first answer committed counts."""
        return cls("any", dict.fromkeys(seats, choices), why=why, default=default, closed=closed)

    @classmethod
    def sealed(
        cls,
        options: Mapping[int, Answers],
        *,
        why: str,
        default: Act | Mapping[int, Act] | None = None,
        closed: bool = False,
        secret: bool = False,
    ) -> Ask:
        """Ask several seats at once; who has answered is public, what is not.

        The answers are opened together when the last one is in, unless they stay ``secret``.
        """
        return cls("all", options, why=why, default=default, sight=Sight.SEALED, closed=closed, secret=secret)

    @classmethod
    def quiet(
        cls,
        options: Mapping[int, Answers],
        *,
        why: str,
        window: str,
        default: Act | Mapping[int, Act] | None = None,
        closed: bool = False,
    ) -> Ask:
        """A reaction window: nobody sees who has answered, or what, until it closes."""
        return cls("all", options, why=why, default=default, sight=Sight.QUIET, closed=closed, window=window)

    def default_for(self, seat: int) -> Act:
        """What a timeout takes: the stated default if it is legal, else the first legal act."""
        default = self.default
        act = default.get(seat) if isinstance(default, Mapping) else default
        options = self.options[seat]
        if act is not None and options.contains(act):
            return act
        return next(options.enumerate())

    def plain(self, seat: int) -> tuple[Any, ...]:
        """What the seat is told of the question: equal for equal questions."""
        return (self.why, self.window, self.options[seat].plain())
