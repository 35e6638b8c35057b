"""What everybody can tell about hidden hands: which seats a reaction window has to ask.

A window must not show who holds a card, so it goes to everybody who *could* hold it from what the whole table knows:
hands with unknown cards in them, as long as a copy of the card is still unaccounted for.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from landsraad_engine.dune.pieces import TREACHERY
from landsraad_engine.dune.words import HAND, DuneState
from landsraad_engine.dune.zones import CARDS
from landsraad_engine.kernel.frames import rule

_COPIES: Final = Counter(TREACHERY)
#: where it is written who knows which card of a hand
_STAR: Final = {faction: f"*{key}" for faction, key in HAND.items()}
_FACE_UP: Final = ("treachery_discard", "infamy")


class _Shown(NamedTuple):
    """What everybody can tell of the treachery cards."""

    hands: Mapping[str, tuple[str, ...]]  #: the cards of each hand that everybody knows, if there are any
    hidden: Mapping[str, int]  #: how many copies of each card lie where not everybody sees them


def _shown(g: DuneState) -> _Shown:
    known: _Shown | None = g.topics[CARDS].get(_shown)
    if known is None:
        hands = {faction: _known_to_all(g, faction) for faction, star in _STAR.items() if star in g.table}
        hidden = dict(_COPIES)
        for cards in (*(g.table.get(key, ()) for key in _FACE_UP), *hands.values()):
            for card in cards:
                hidden[card] -= 1
        known = g.topics[CARDS][_shown] = _Shown(hands, hidden)
    return known


def _known_to_all(g: DuneState, faction: str) -> tuple[str, ...]:
    key = HAND[faction]
    eyes = g.eyes[key]
    everybody = g.setting.everybody
    pairs = zip(g.table[key], g.table[_STAR[faction]], strict=True)
    return tuple([card for card, mask in pairs if mask | eyes == everybody])


@rule("DUNE-R.11")
def could_hold(g: DuneState, faction: str, *cards: str) -> bool:
    """Whether, from what everybody knows, a hand could hold one of these cards."""
    hand = g.table.get(HAND[faction])
    if not hand:
        return False
    shown, hidden = _shown(g)
    known = shown.get(faction, ())
    if len(known) < len(hand):
        return any(card in known or hidden[card] > 0 for card in cards)
    return any(card in known for card in cards)
