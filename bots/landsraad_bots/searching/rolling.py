"""Playouts: a world is played on by quick policies, each of which sees what its seat sees, to a quiet moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from landsraad_engine.kernel.grammar import Options
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.world import World

#: A playout that asks more questions than this is cut off.
_MOST: Final = 400


class Horizon(Protocol):
    """The end of playouts from one decision."""

    def reached(self, view: Any, options: Options) -> bool:
        """Return True if the playout stops before this decision of some seat."""


def roll(world: World, policy_of: Callable[[int], Bot], horizon: Horizon) -> None:
    """Play a world on until the horizon or the end of the match.

    Args:
        world: The world, which is changed.
        policy_of: Returns the player of a seat, the same one throughout the playout.
        horizon: The end of the playout.
    """
    for _ in range(_MOST):
        if not world.asked:
            return
        seat = world.asked[0]
        options = world.legal(seat)
        assert options is not None
        act = options.only()
        if act is None:
            view = world.view(seat)
            if horizon.reached(view, options):
                return
            act = policy_of(seat).decide(view, Decision(seat, options, world.why(seat)))
        world.apply(act, seat)


class EndOfTurn:
    """The end of the turn of classic Dune in which the decision is made."""

    def __init__(self, view: Any) -> None:
        self._turn = view.turn

    def reached(self, view: Any, options: Options) -> bool:
        """Return True in a later turn."""
        return bool(view.turn > self._turn)


class NextActions:
    """The third next question for an action in War for Arrakis, or the next round."""

    def __init__(self, view: Any, actions: int = 3) -> None:
        self._round = view.round
        self._left = actions

    def reached(self, view: Any, options: Options) -> bool:
        """Return True at that question."""
        if any(choice.act.__name__ == "TakeAction" for choice in options.choices):
            self._left -= 1
        return self._left < 0 or bool(view.round > self._round)
