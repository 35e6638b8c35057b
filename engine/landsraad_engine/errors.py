"""The exceptions that the engine raises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class EngineError(Exception):
    """Base class of all exceptions of this library. They can be pickled, whatever their constructors take."""

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_error(self)


def reduce_error(error: Exception) -> tuple[Any, ...]:
    """Return the pickled form of an exception: its attributes, instead of a call of its constructor.

    The default form calls the constructor with `args`, which are seldom the arguments of a constructor of our own. An
    exception that cannot be read back breaks the process pool in which it is raised.
    """
    return _restored, (type(error), error.args), vars(error)


def _restored(kind: type[Exception], args: tuple[Any, ...]) -> Exception:
    return kind.__new__(kind, *args)


class LawBroken(EngineError):
    """Rules code violated a kernel invariant: a bug, never the fault of a player."""


class BadOption(EngineError):
    """A match was requested with options or a number of seats that the game does not allow."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class NoWorld(EngineError):
    """Sampling found no world for a view: it is not a view of this game, or few worlds lead to it."""


class BadContent(EngineError):
    """A content file (board, decks, values) is invalid."""


class BadJournal(EngineError):
    """A journal contains something that is not an input, or an input that is illegal at its position."""


class Explanation(Protocol):
    """The common part of a refusal by the engine and one by a service, as `Decision.explain` returns it."""

    @property
    def reason(self) -> str:
        """The reason as a word, such as "against_rules"."""

    @property
    def message(self) -> str:
        """The explanation in English."""

    @property
    def rule(self) -> str:
        """The id of the rule that forbids the act; empty if no single rule does."""

    @property
    def field(self) -> str:
        """The field of the act that is wrong, or several, separated by ", "."""

    @property
    def fields(self) -> Mapping[str, str]:
        """All wrong fields, each with an explanation."""

    @property
    def nearest(self) -> tuple[Any, ...]:
        """Legal acts that are close to the refused one."""


def describe_refusal(refused: Explanation, place: str = "") -> str:
    """Return a refusal in one line: reason, rule, place, message and the nearest legal acts."""
    rule = f" [{refused.rule}]" if refused.rule else ""
    near = f" Legal would be: {', '.join(map(repr, refused.nearest))}." if refused.nearest else ""
    return f"{refused.reason}{rule}{place}: {refused.message}.{near}"


def describe_place(match: str, seat: int | None, why: str) -> str:
    """Return the place of a refused act, for `describe_refusal`."""
    if seat is None:
        return ""
    return f" in {match}, seat {seat}" + (f", asked by {why}" if why else "")


class Refused(EngineError):
    """An act was refused; the state is unchanged.

    A refusal reveals nothing: it is made of the sending seat's own options, public facts and the rulebook.

    Attributes:
        reason: One of ``REASONS``.
        rule: The id of the statement that the act breaks.
        field: The field or fields of the act that are wrong.
        nearest: Legal acts close to the refused one.
        decision: The number of the seat's current decision, for ``stale``.
        match: The name of the match, if `locate` has set it.
        seat: The seat that has sent the act, likewise.
        why: The rule that asked for an act, likewise.

    """

    #: A closed list, the same on the wire.
    REASONS = (
        "malformed",  # not an act of this game, or a field of the wrong type
        "not_asked",  # this seat has nothing to decide now
        "stale",  # the decision named is no longer the open one
        "against_rules",  # well-formed, but not among the legal acts
        "not_now",  # an out-of-turn play that is closed at this step
        "over",  # the match has ended
    )

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        rule: str = "",
        field: str = "",
        nearest: tuple[Any, ...] = (),
        decision: int = 0,
    ) -> None:
        if reason not in self.REASONS:
            raise LawBroken(f"unknown refusal reason {reason!r}")
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.rule = rule
        self.field = field
        self.nearest = nearest
        self.decision = decision
        self.match = ""
        self.seat: int | None = None
        self.why = ""

    def __str__(self) -> str:
        return (
            self.message
            if self.seat is None
            else describe_refusal(self, describe_place(self.match, self.seat, self.why))
        )

    @property
    def fields(self) -> Mapping[str, str]:
        """All wrong fields, each with an explanation."""
        return {self.field: self.message} if self.field else {}

    def locate(self, match: str, seat: int, why: str) -> None:
        """Add the match, the seat and the rule of its question, which the message then names."""
        self.match, self.seat, self.why = match, seat, why


class BotFailed(EngineError):
    """A bot has raised an exception of its own, which is the cause of this one.

    Attributes:
        match: The name of the match.
        seat: The seat of the bot.
        why: The rule of the question that was open; empty if there was none.
        hook: The method of the bot.

    """

    def __init__(self, match: str, seat: int, why: str, hook: str, error: Exception) -> None:
        super().__init__(f"{hook} has failed{describe_place(match, seat, why)}: {type(error).__name__}: {error}")
        self.match = match
        self.seat = seat
        self.why = why
        self.hook = hook
