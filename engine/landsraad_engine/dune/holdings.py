"""What everybody can tell about hidden hands: which seats a reaction window has to ask.

A window must not show who holds a card, so it goes to everybody who *could* hold it from what the whole table knows:
hands with unknown cards in them, as long as a copy of the card is still unaccounted for.
"""

from collections import Counter
from typing import Final

from landsraad_engine.dune.pieces import TREACHERY
from landsraad_engine.dune.words import HAND, DuneState
from landsraad_engine.frames import rule

_COPIES: Final = Counter(TREACHERY)
#: where it is written who knows which card of a hand -> the hand
_KNOWN: Final = {f"*{key}": key for key in HAND.values()}
_STAR: Final = {faction: f"*{key}" for faction, key in HAND.items()}


def _shown(g: DuneState, star: str) -> tuple[str, ...]:
    key = _KNOWN[star]
    known = g.eyes[key]
    everybody = g.setting.everybody
    return tuple(card for card, mask in zip(g.table[key], g.table[star], strict=True) if mask | known == everybody)


def shown_cards(g: DuneState, faction: str) -> tuple[str, ...]:
    """The cards of a hand that everybody knows."""
    star = _STAR[faction]
    return _shown(g, star) if star in g.table else ()


def _unaccounted(g: DuneState, card: str) -> bool:
    """Whether a copy of the card may lie somewhere out of sight."""
    table = g.table
    left: int = _COPIES[card] - table.get("treachery_discard", ()).count(card) - table.get("infamy", ()).count(card)
    for star in _KNOWN:
        if left and star in table:
            left -= _shown(g, star).count(card)
    return left > 0


@rule("DUNE-R.11")
def could_hold(g: DuneState, faction: str, *cards: str) -> bool:
    """Whether, from what everybody knows, a hand could hold one of these cards."""
    hand = g.table.get(HAND[faction])
    if not hand:
        return False
    shown = shown_cards(g, faction)
    if len(shown) < len(hand):
        for card in cards:
            if _unaccounted(g, card):
                return True
    return any(card in shown for card in cards)
