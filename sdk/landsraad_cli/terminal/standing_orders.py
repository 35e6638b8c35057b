"""Standing orders in words."""

from __future__ import annotations

from collections.abc import Sequence

from landsraad.wording import wording_of
from landsraad_cli.terminal.names import humanised


def orders_for(game: str, known: Sequence[str], side: str | None) -> tuple[str, ...]:
    """Return the standing orders that serve a side, in the order of the game; all of them if it is unknown."""
    sides = wording_of(game).order_sides
    return tuple(order for order in known if side is None or sides.get(order, side) == side)


def in_words(game: str, order: str) -> str:
    """Return a standing order in words."""
    kind, asks, play = order.partition(":")
    plain = f"ask me when I may play: {humanised(play)}" if asks else f"pass for me at: {humanised(kind)}"
    return wording_of(game).orders.get(order, plain)


def changed(known: Sequence[str], current: Sequence[str], said: Sequence[str]) -> tuple[str, ...] | None:
    """Return the orders after a command: numbers turn orders on or off, "clear" turns all off.

    Returns:
        The orders in the order of the game; None if the command means nothing.
    """
    if list(said) == ["clear"]:
        return ()
    if not said or not all(word.isdigit() and 1 <= int(word) <= len(known) for word in said):
        return None
    turned = {known[int(word) - 1] for word in said}
    return tuple(order for order in known if (order in current) is not (order in turned))
