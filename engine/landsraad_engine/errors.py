"""What the engine says when it does not do as asked."""

from __future__ import annotations

from typing import Any


class EngineError(Exception):
    """Base of everything that this library raises on purpose."""


class LawBroken(EngineError):
    """Rules code broke a law of the kernel: our fault, never a player's."""


class BadOption(EngineError):
    """A match was asked for with options or seats that the game does not have."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class NoWorld(EngineError):
    """No world was found that gives a view: it is none of a match of this game, or one that hardly any world gives."""


class BadContent(EngineError):
    """A content file (board, decks, values) says something that cannot be."""


class BadJournal(EngineError):
    """A journal has something in it that is no input, or that cannot be given where it stands."""


class Refused(EngineError):
    """An act was not accepted; the state is unchanged to the byte.

    Everything in here is already known to the seat that sent the act: its own options, public facts and the rulebook.
    """

    #: Closed list, the same on the wire.
    REASONS = (
        "malformed",  # not an act of this game, or a field has the wrong type
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
