"""Asks: the questions a match stops at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from .grammar import Act, Choice, Options
from .zones import Sight

#: The legal answers of one seat: choices, or ready options (the seats of a window that can only pass share one object).
Answers = Sequence[Choice] | Options


class Ask(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A question to one or several seats, with the grammar of answers for each.

    The constructors set the mode:

    * ``one`` asks a single seat, which answers in the open;
    * ``any_of`` and ``any_with`` ask partners, and the first committed answer counts; one who is absent is left out
      while another is there;
    * ``sealed`` and ``quiet`` ask several seats at once and hide the answers until the last one is in. The other seats
      see that a sealed answer exists, and nothing at all of a quiet one.

    Attributes:
        why: The rule that asks.
        default: The act that a timeout takes.
        closed: No out-of-turn plays while this ask is open.
        secret: Sealed answers are not opened when the last one is in.
        window: The kind of reaction window, for standing orders. Only public facts may decide which seats a window
            asks, so a seat with nothing to play is asked too, with pass as its one answer.

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
        """Ask one seat and handle its answer at once."""
        return cls("one", {seat: Options(choices)}, (seat,), why, default, closed=closed)

    @classmethod
    def any_of(
        cls, seats: Iterable[int], *choices: Choice, why: str, default: Act | None = None, closed: bool = False
    ) -> Ask:
        """Ask partners that decide together: the first committed answer counts."""
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
        """Like ``any_of``, with choices of its own for each partner."""
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
        """Ask several seats at once: the set of seats that have answered is public, their answers are hidden.

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
        """Open a reaction window: until it closes, no seat sees that another has answered."""
        return cls("all", _each(options), tuple(options), why, default, Sight.QUIET, closed, window=window)

    def default_for(self, seat: int) -> Act:
        """Return the act that a timeout takes: the stated default if it is legal, else the first legal act."""
        default = self.default
        act = default.get(seat) if isinstance(default, Mapping) else default
        options = self.options[seat]
        if act is not None and options.contains(act):
            return act
        return next(options.enumerate())

    def plain(self, seat: int) -> tuple[Any, ...]:
        """Return the question to a seat as plain data, equal for equal questions."""
        return (self.why, self.window, self.options[seat].plain())


def _each(options: Mapping[int, Answers]) -> dict[int, Options]:
    """Wrap the choices of each seat in ``Options``, where they are not already."""
    return {seat: answers if isinstance(answers, Options) else Options(answers) for seat, answers in options.items()}
