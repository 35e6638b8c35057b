"""Bots that explain themselves: what they have considered, and how they judge it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from landsraad_engine.kernel.grammar import Act
    from landsraad_engine.play.bot import Decision


class AdvisedAct(Protocol):
    """An act that a bot has considered."""

    @property
    def act(self) -> Act:
        """The act."""

    @property
    def value(self) -> float | None:
        """The share of the win that the bot expects after it; None if it has not judged the act."""

    @property
    def low(self) -> float | None:
        """The lower end of a 95 % interval for the value."""

    @property
    def high(self) -> float | None:
        """The upper end."""

    @property
    def worlds(self) -> int:
        """The number of sampled worlds in which the act was tried."""

    @property
    def rule(self) -> str:
        """The rule under which it is legal."""


class Advice(Protocol):
    """All that a bot has considered at a decision."""

    @property
    def candidates(self) -> Sequence[AdvisedAct]:
        """The acts, the best first."""

    @property
    def chosen(self) -> Act:
        """The act that the bot would choose."""

    @property
    def note(self) -> str:
        """The reason why nothing was searched; empty if it was."""


@runtime_checkable
class AdvisingBot(Protocol):
    """A bot that can tell what it has considered. `searcher` is one."""

    @property
    def last_report(self) -> Advice | None:
        """The advice of its last decision."""

    def consider(self, view: Any, ask: Decision) -> Advice:
        """Consider a decision.

        Args:
            view: The view of the seat.
            ask: The decision.

        Returns:
            The advice.
        """


def advice_facts(advice: Advice) -> dict[str, Any]:
    """Return advice as plain data, as `landsraad replay --json` prints it.

    Args:
        advice: The advice.

    Returns:
        The chosen act, the note, and a row for each candidate.
    """
    return {
        "chosen": repr(advice.chosen),
        "note": advice.note,
        "candidates": [
            {
                "act": repr(each.act),
                "value": _rounded(each.value),
                "low": _rounded(each.low),
                "high": _rounded(each.high),
                "worlds": each.worlds,
                "rule": each.rule,
            }
            for each in advice.candidates
        ],
    }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)
