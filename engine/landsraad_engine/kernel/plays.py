"""Out-of-turn plays: one manifest for each game, ``Game.out_of_turn``, lists the kinds that there are.

A module of the rules defines the plays that it brings as a tuple ``PLAYS``, and the module ``game`` of its game joins
these tuples. Plays are open while any question is that is not closed: the frame of a play runs on top, then the
question below is put again (``execution.play``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from .frames import Frame
from .grammar import Act, Choice


@dataclass(frozen=True, slots=True)
class Play:
    """One kind of out-of-turn play: its act, the choices open to a player, and the frame that carries it out.

    Players are named as the rules of the game name them (``Game.player``): a faction, or a seat.
    """

    act: type[Act]
    #: (g, player) -> the acts open to the player now; they follow from what the player knows
    choices: Callable[[Any, Any], Iterable[Choice]]
    #: (player, act) -> the frame that carries the act out
    frame: Callable[[Any, Any], Frame]
    #: the standing order "ask:<kind>" has it offered at set moments; empty: it never is
    kind: str = ""


def open_plays(plays: Iterable[Play], g: Any, player: Any) -> tuple[Choice, ...]:
    """Return the choices of these plays that are open to a player now, in the order of the manifest."""
    return tuple([choice for play in plays for choice in play.choices(g, player)])


def frame_of(plays: Iterable[Play], player: Any, act: Act) -> Frame:
    """Return the frame that carries a player's act out."""
    return next(play.frame(player, act) for play in plays if play.act is type(act))
