"""The treachery cards: the worth of a card for a hand, and the odds of unseen ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from landsraad_engine.dune.pieces import (
    BENE_GESSERIT,
    CATEGORY,
    CHEAP_HERO,
    GHOLA,
    HAJR,
    KARAMA,
    TREACHERY,
    WEATHER_CONTROL,
)
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.zones import HIDDEN

#: The price in spice that a first card of each kind is worth; a second of the same kind is worth half.
_PRICE: Final[Mapping[str, float]] = {
    "weapon_poison": 5.0,
    "weapon_projectile": 5.0,
    "weapon_special": 2.0,
    "defense_poison": 5.0,
    "defense_projectile": 5.0,
    "leader": 3.0,
    "special": 2.0,
    "worthless": 0.0,
}
_SPECIAL_PRICE: Final[Mapping[str, float]] = {KARAMA: 4.0, GHOLA: 4.0, WEATHER_CONTROL: 3.0, HAJR: 3.0, CHEAP_HERO: 4.0}
#: The price of a card that nobody sees: about the mean of the deck for an empty hand, less for each card held.
_UNSEEN_PRICE: Final = (4.5, 4.0, 3.0, 2.0, 2.0, 1.5, 1.5, 1.0)
#: A card of which nothing is known.
_NEW: Final = "special"

#: The kinds of weapons and defenses that decide battles.
POISON, PROJECTILE, SPECIAL, NOTHING = "poison", "projectile", "special", ""


class Arms(NamedTuple):
    """The chances that a faction plays a weapon or a defense of a kind, "" for none."""

    weapon: Mapping[str, float]
    defense: Mapping[str, float]


def kind_of(card: str | None) -> str:
    """Return the kind of a weapon or defense: poison, projectile or special; "" for other cards."""
    return NOTHING if card is None else CATEGORY.get(card, _NEW).partition("_")[2]


def price(card: str, hand: Iterable[str], faction: str) -> float:
    """Return the price in spice that a card is worth to a faction with this hand."""
    hand = tuple(hand)
    if card == HIDDEN:
        return _UNSEEN_PRICE[min(len(hand), len(_UNSEEN_PRICE) - 1)]
    category = CATEGORY.get(card, _NEW)
    value = _SPECIAL_PRICE.get(card, _PRICE.get(category, 2.0))
    if category == "worthless" and faction == BENE_GESSERIT:
        value = 2.5  # it serves as a Karama
    same: int = sum(CATEGORY.get(other) == category for other in hand)
    return value / (1 + same)


def keeping(card: str, hand: Iterable[str], faction: str) -> float:
    """Return the worth of a card that is in the hand already, in spice."""
    others = list(hand)
    if card in others:
        others.remove(card)
    return price(card, others, faction) * 0.6


def arms_of(view: DuneSeatView, faction: str) -> Arms:
    """Return the chances of what a faction plays, from the cards that are known of its hand and the unseen rest."""
    known = [card for card in view.hand(faction) if card != HIDDEN]
    unseen = len(view.hand(faction)) - len(known)
    share = _unseen_share(view)
    return Arms(
        _played(known, unseen, share, "weapon", (POISON, PROJECTILE, SPECIAL)),
        _played(known, unseen, share, "defense", (POISON, PROJECTILE)),
    )


def _played(
    known: Iterable[str], unseen: int, share: Mapping[str, float], place: str, kinds: Iterable[str]
) -> dict[str, float]:
    """Return the chances of each kind in one place of a plan: held kinds are played equally, and nearly always."""
    has = {}
    for kind in kinds:
        sure = any(CATEGORY.get(card) == f"{place}_{kind}" for card in known)
        has[kind] = 1.0 if sure else 1 - (1 - share.get(f"{place}_{kind}", 0.0)) ** unseen
    if SPECIAL in has:
        has[SPECIAL] *= 0.5  # a lasgun is often held back for fear of a shield
    total = sum(has.values())
    plays = 1.0
    for chance in has.values():
        plays *= 1 - chance
    plays = 0.9 * (1 - plays)
    found = {kind: plays * chance / total if total else 0.0 for kind, chance in has.items()}
    found[NOTHING] = 1 - plays
    return found


def _unseen_share(view: DuneSeatView) -> Mapping[str, float]:
    """Return the share of each category among the cards that this seat does not see."""
    shares: Mapping[str, float] | None = view.memo.get("unseen cards")
    if shares is None:
        left = Counter(TREACHERY)
        seen: list[str] = [*view.table.get("treachery_discard", ()), *view.table.get("infamy", ())]
        for faction in view.factions():
            seen += [card for card in view.hand(faction) if card != HIDDEN]
        left.subtract(seen)
        counts: Counter[str] = Counter()
        for card, number in left.items():
            counts[CATEGORY[card]] += max(number, 0)
        total = max(1, sum(counts.values()))
        shares = view.memo["unseen cards"] = {category: number / total for category, number in counts.items()}
    return shares
