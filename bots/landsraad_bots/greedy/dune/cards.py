"""The worth of treachery cards, given the hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from landsraad_engine.dune.pieces import CATEGORY, CHEAP_HERO, KARAMA, LASGUN
from landsraad_engine.kernel.zones import HIDDEN

_WORTH: Final = {"weapon": 5.0, "defense": 5.0, "special": 2.5, "leader": 3.0, "worthless": 0.0}
#: A card that is not known, or of a kind that is not: likely to be good for something.
_UNKNOWN: Final = "special"


def kind(card: str) -> str:
    """Return the first word of a card's category: weapon, defense, special, leader or worthless."""
    word = str(CATEGORY.get(card, _UNKNOWN)).partition("_")[0]
    return word if word in _WORTH else _UNKNOWN


def card_worth(card: str, hand: Iterable[str]) -> float:
    """Return the worth of another card for a hand: duplicates are worth less."""
    if card == HIDDEN:
        return unseen_worth(hand)
    value = 4.0 if card == KARAMA else 2.0 if card == LASGUN else _WORTH[kind(card)]
    same: int = sum(other != HIDDEN and CATEGORY.get(other) == CATEGORY.get(card) for other in hand)
    return value / (1 + same)


def unseen_worth(hand: Iterable[str]) -> float:
    """Return the worth of an unknown card, which falls with the size of the hand."""
    return (4.5, 3.5, 2.5, 1.5)[min(len(tuple(hand)), 3)]


def keep_worth(card: str) -> float:
    """Return the worth of a card that stays in the hand."""
    return 2.5 if card == CHEAP_HERO else _WORTH[kind(card)] - 0.1
