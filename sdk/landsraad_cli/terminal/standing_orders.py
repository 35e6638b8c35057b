"""Standing orders in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from landsraad_cli.terminal.names import humanised

#: The words for orders, by their ids.
WORDS: Final = {
    "auto": "pass for me wherever passing is all I can do",
    "karama": "pass for me wherever a Karama could answer",
    "charity": "do not claim CHOAM charity",
    "traitor": "call no traitors",
    "movement_turn": "end my movement turns without asking for more cards",
    "control_shipping": "let all shipments pass, as the Guild",
    "thumper": "call no worm with a Karama, as the Fremen",
    "family_atomics": "do not play the Family Atomics",
    "weather_control": "do not play Weather Control",
    "free_actions": "make no free actions at the moments set for them",
    "ask:deals": "ask me when I may propose a deal",
    "ask:offers": "ask me when I may accept a deal",
    "ask:withdrawal": "ask me when I may withdraw from a deal",
    "ask:gifts": "ask me when I may give spice to an ally",
    "ask:truthtrance": "ask me when I may play Truthtrance",
    "ask:leaderless": "ask me when I may offer a battle without leaders",
    "ask:combat_medics": "ask me when a Karama may bring back my dead",
    "ask:opportunistic": "ask me when a Karama may take another player's cards",
    "ask:ghola": "ask me when I may play the Tleilaxu Ghola",
    "ask:infinity": "ask me when I may end an auction in my favour",
}


def in_words(order: str) -> str:
    """Return a standing order in words."""
    kind, asks, play = order.partition(":")
    plain = f"ask me when I may play: {humanised(play)}" if asks else f"pass for me at: {humanised(kind)}"
    return WORDS.get(order, plain)


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
