"""Common knowledge of hidden hands: it decides which seats a reaction window asks.

A window must not show who holds a card, so it goes to everybody who *could* hold it from what the whole table knows:
hands with unknown cards in them, as long as a copy of the card is still unaccounted for.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Final, NamedTuple

from landsraad_engine.dune.pieces import TREACHERY
from landsraad_engine.dune.words import HAND, DuneState
from landsraad_engine.dune.zones import CARDS
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.memo import MemoKind
from landsraad_engine.kernel.zones import HIDDEN

_COPIES: Final = Counter(TREACHERY)
_SHOWN: Final = MemoKind("shown")
_FACE_UP: Final = ("treachery_discard", "infamy")


class _Shown(NamedTuple):
    """Common knowledge of the treachery cards."""

    hands: Mapping[str, tuple[str, ...]]  #: the cards of each hand that everybody knows, if there are any
    hidden: Mapping[str, int]  #: how many copies of each card lie where not everybody sees them


def _shown(g: DuneState) -> _Shown:
    memo = g.topics[CARDS]
    known: _Shown | None = memo.get(_SHOWN)
    if known is None:
        hands = {}
        for faction, key in HAND.items():
            cards = [card for card in g.known_to_all(key) if card != HIDDEN]
            if cards:
                hands[faction] = tuple(cards)
        hidden = dict(_COPIES)
        for card in chain(*(g.table.get(key, ()) for key in _FACE_UP), *hands.values()):
            hidden[card] -= 1
        known = memo[_SHOWN] = _Shown(hands, hidden)
    return known


@rule("DUNE-R.11")
def could_hold(g: DuneState, faction: str, *cards: str) -> bool:
    """Return whether, from what everybody knows, a hand could hold one of these cards."""
    hand = g.table.get(HAND[faction])
    if not hand:
        return False
    shown, hidden = _shown(g)
    known = shown.get(faction, ())
    if len(known) < len(hand):
        return any(card in known or hidden[card] > 0 for card in cards)
    return any(card in known for card in cards)
