"""What everybody can tell about hidden hands: which seats a reaction window has to ask.

A window must not show who holds a card, so it goes to everybody who *could* hold it from what the whole table knows:
hands with unknown cards in them, as long as a copy of the card is still unaccounted for.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from landsraad_engine.dune.pieces import TREACHERY
from landsraad_engine.dune.words import HAND, DuneState
from landsraad_engine.frames import rule

_COPIES: Final = Counter(TREACHERY)
#: where it is written who knows which card of a hand
_STAR: Final = {faction: f"*{key}" for faction, key in HAND.items()}
_FACE_UP: Final = ("treachery_discard", "infamy")


def shown_cards(g: DuneState, faction: str) -> tuple[str, ...]:
    """The cards of a hand that everybody knows."""
    masks = g.table.get(_STAR[faction])
    if masks is None:
        return ()
    key = HAND[faction]
    known = g.eyes[key]
    everybody = g.setting.everybody
    return tuple([card for card, mask in zip(g.table[key], masks, strict=True) if mask | known == everybody])


def _out_of_sight(g: DuneState) -> Mapping[str, int]:
    """How many copies of each treachery card lie where not everybody sees them."""
    left: dict[str, int] | None = g.memo.get(_out_of_sight)
    if left is None:
        left = g.memo[_out_of_sight] = dict(_COPIES)
        for shown in (*(g.table.get(key, ()) for key in _FACE_UP), *(shown_cards(g, faction) for faction in _STAR)):
            for card in shown:
                left[card] -= 1
    return left


@rule("DUNE-R.11")
def could_hold(g: DuneState, faction: str, *cards: str) -> bool:
    """Whether, from what everybody knows, a hand could hold one of these cards."""
    hand = g.table.get(HAND[faction])
    if not hand:
        return False
    shown = shown_cards(g, faction)
    unknown = _out_of_sight(g) if len(shown) < len(hand) else {}
    return any(card in shown or unknown.get(card, 0) > 0 for card in cards)
