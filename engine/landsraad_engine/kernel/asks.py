"""Asks: the questions a match stops at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from .grammar import Act, Choice, Options
from .zones import Sight

#: What a seat may answer: choices, or options made before (windows in which most can only pass share theirs).
Answers = Sequence[Choice] | Options


class Ask(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A question to one or several seats, with the grammar of answers for each.

    ``one`` goes to a single seat and is answered in the open; ``any_of`` and ``any_with`` to partners, and the first
    committed answer counts; ``sealed`` and ``quiet`` to several seats at once, whose answers lie hidden until the last
    one is in: others see that a sealed one is there, and nothing of a quiet one. ``default`` is the act that a timeout
    takes. While a ``closed`` ask is open there are no out-of-turn plays. ``window`` names the kind of reaction window,
    for standing orders; only public facts may decide which seats a window asks, so a seat with nothing to play gets it
    too, with pass alone.
    """

    mode: str
    options: Mapping[int, Options]
    seats: tuple[int, ...]
    why: str
    default: Act | Mapping[int, Act] | None = None
    sight: Sight = Sight.OPEN
    closed: bool = False
    secret: bool = False
    window: str = ""

    def __repr__(self) -> str:
        return f"Ask({self.mode}, {self.seats}, {self.why})"

    @classmethod
    def one(cls, seat: int, *choices: Choice, why: str, default: Act | None = None, closed: bool = False) -> Ask:
        """Ask one seat; its answer is handled at once."""
        return cls("one", {seat: Options(choices)}, (seat,), why, default, closed=closed)

    @classmethod
    def any_of(
        cls, seats: Iterable[int], *choices: Choice, why: str, default: Act | None = None, closed: bool = False
    ) -> Ask:
        """Ask partners who decide together: the first answer committed counts."""
        return cls.any_with(dict.fromkeys(seats, choices), why=why, default=default, closed=closed)

    @classmethod
    def any_with(
        cls,
        options: Mapping[int, Answers],
        *,
        why: str,
        default: Act | Mapping[int, Act] | None = None,
        closed: bool = False,
    ) -> Ask:
        """The same for partners of whom each has choices of its own."""
        return cls("any", _each(options), tuple(options), why, default, closed=closed)

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
        return cls("all", _each(options), tuple(options), why, default, Sight.SEALED, closed, secret)

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
        return cls("all", _each(options), tuple(options), why, default, Sight.QUIET, closed, window=window)

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


def _each(options: Mapping[int, Answers]) -> dict[int, Options]:
    """The options of each seat, made of its choices if they are not ready."""
    return {seat: answers if isinstance(answers, Options) else Options(answers) for seat, answers in options.items()}
