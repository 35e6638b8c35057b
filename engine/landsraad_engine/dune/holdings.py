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


def shown_cards(g: DuneState, faction: str) -> tuple[str, ...]:
    """The cards of a hand that everybody knows."""
    key = HAND[faction]
    masks = g.table.get("*" + key)
    if masks is None:
        return ()
    known = g.eyes[key]
    everybody = g.setting.everybody
    return tuple(card for card, mask in zip(g.hand(faction), masks, strict=True) if mask | known == everybody)


def _unaccounted(g: DuneState, card: str) -> bool:
    """Whether a copy of the card may lie somewhere out of sight."""
    table = g.table
    seen: int = table.get("treachery_discard", ()).count(card) + table.get("infamy", ()).count(card)
    if seen < _COPIES[card]:
        seen += sum(shown_cards(g, faction).count(card) for faction in g.factions())
    return seen < _COPIES[card]


@rule("DUNE-R.11")
def could_hold(g: DuneState, faction: str, *cards: str) -> bool:
    """Whether, from what everybody knows, a hand could hold one of these cards."""
    hand = g.hand(faction)
    if not hand:
        return False
    shown = shown_cards(g, faction)
    if any(card in shown for card in cards):
        return True
    return len(shown) < len(hand) and any(_unaccounted(g, card) for card in cards)
