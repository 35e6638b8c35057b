"""Treachery cards of classic Dune in our own short words."""

from __future__ import annotations

from landsraad.wording import wording_of
from landsraad_engine.dune.pieces import CATEGORY


def card_text(card: str) -> str:
    """Return what a treachery card does; empty for what is none."""
    words = wording_of("dune")
    return words.cards.get(card) or words.categories.get(CATEGORY.get(card, ""), "")
