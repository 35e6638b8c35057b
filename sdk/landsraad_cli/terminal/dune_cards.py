"""Treachery cards of classic Dune in our own short words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from landsraad_engine.dune.pieces import CATEGORY

_CATEGORIES: Final[Mapping[str, str]] = {
    "weapon_poison": "poison weapon: kills the opposing leader, unless a Snooper is played",
    "weapon_projectile": "projectile weapon: kills the opposing leader, unless a Shield is played",
    "weapon_special": "weapon: kills the opposing leader, whatever the defense; with a Shield, all there is destroyed",
    "defense_projectile": "defense against projectile weapons",
    "defense_poison": "defense against poison weapons",
    "worthless": "worthless: no effect; played in a plan to get rid of it (for the Bene Gesserit it serves as Karama)",
    "special": "special card",
    "leader": "fights as a leader of strength 0, or beside no leader at all",
}
_CARDS: Final[Mapping[str, str]] = {
    "family_atomics": "destroys the Shield Wall, for those on it or next to it: the storm then reaches behind it",
    "hajr": "a second manoeuvre in your movement turn",
    "karama": "cancels an ability as it is used, pays for a card, halves a fee, or has your faction's effect",
    "tleilaxu_ghola": "brings back up to five tokens, or one leader, from the Tanks at no cost",
    "truthtrance": "asks another player a yes-or-no question, which must be answered truly",
    "weather_control": "you say how far the storm moves, 0 to 10 sectors",
}


def card_text(card: str) -> str:
    """Return what a treachery card does; empty for what is none."""
    return _CARDS.get(card) or _CATEGORIES.get(CATEGORY.get(card, ""), "")
