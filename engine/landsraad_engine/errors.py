"""The exceptions that the engine raises."""

from __future__ import annotations

from typing import Any


class EngineError(Exception):
    """Base class of all exceptions of this library."""


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


class Refused(EngineError):
    """An act was refused; the state is unchanged.

    A refusal reveals nothing: it is made of the sending seat's own options, public facts and the rulebook.

    Attributes:
        reason: One of ``REASONS``.
        rule: The id of the statement that the act breaks.
        field: The field or fields of the act that are wrong.
        nearest: Legal acts close to the refused one.
        decision: The number of the seat's current decision, for ``stale``.

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
