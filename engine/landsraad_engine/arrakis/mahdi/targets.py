"""The Tactical cards: the Harvesting Sector and the Target Sietch of a round."""

from landsraad_engine.arrakis.mahdi.zones import (
    HARVESTING_CARD,
    MOVED_SIETCHES,
    TACTICAL_DECK,
    TACTICAL_DISCARD,
    TARGET_CARD,
)
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.arrakis.zones import SIETCH
from landsraad_engine.kernel.frames import rule

# ---- The cards that lie open ----


def harvesting_card(g: Words) -> str:
    """Return the card whose Sector is the Harvesting Sector of the round."""
    card: str = g.table[HARVESTING_CARD][-1]
    return card


@rule("WFA-Y.16")
def target_card(g: Words) -> str:
    """Return the card whose Sietch is the Target: the second one, or the first if it serves as both."""
    card: str = g.table.get(TARGET_CARD, ())[-1] if g.table.get(TARGET_CARD) else harvesting_card(g)
    return card


@rule("WFA-Y.17")
def sietch_of(g: Words, card: str) -> AreaId:
    """Return the area of a card's Sietch, which Kitab al-Ibar may have moved."""
    moved: dict[str, AreaId] = dict(g.table.get(MOVED_SIETCHES, ()))
    return moved.get(card, g.content.tactical_card[card].sietch)


def stands(g: Words, card: str) -> bool:
    """Return whether a card's Sietch stands."""
    return SIETCH[sietch_of(g, card)] in g.table


@rule("WFA-Y.13")
def target_area(g: Words) -> AreaId:
    """Return the area of the Target Sietch."""
    return sietch_of(g, target_card(g))


@rule("WFA-Y.4", "WFA-Y.12")
def sectors_named(sector: str) -> tuple[str, ...]:
    """Return the Sectors of the board that a Sector of the cards means."""
    central = ("central_north_east", "central_south_east", "central_south_west", "central_north_west")
    return central if sector == "central" else (sector,)


# ---- Drawing them ----


@rule("WFA-Y.12", "WFA-Y.13")
def draw_tactical_cards(g: ArrakisState) -> None:
    """Lay the two cards of a round open."""
    g.draw(TACTICAL_DECK, HARVESTING_CARD)
    draw_target(g)


@rule("WFA-Y.14", "WFA-Y.16")
def draw_target(g: ArrakisState) -> None:
    """Draw cards until one fits; if the deck has none that does, one of all whose Sietch stands."""
    cards = g.content.tactical_card
    harvesting = harvesting_card(g)
    while g.table.get(TACTICAL_DECK):
        card = g.draw(TACTICAL_DECK, TARGET_CARD)
        if cards[card].sector != cards[harvesting].sector and stands(g, card):
            return
        g.move(TARGET_CARD, TACTICAL_DISCARD, card)
    left = [card for card in cards if stands(g, card)]
    card = left[g.roll("tactical", len(left))]
    if card != harvesting:
        g.move(TACTICAL_DISCARD, TARGET_CARD, card)


@rule("WFA-Y.15")
def replace_target(g: ArrakisState) -> None:
    """Draw another Target if its Sietch has fallen."""
    if stands(g, target_card(g)):
        return
    if g.table.get(TARGET_CARD):
        g.move(TARGET_CARD, TACTICAL_DISCARD, g.table[TARGET_CARD][-1])
    draw_target(g)


@rule("WFA-Y.153")
def shuffle_tactical_cards(g: ArrakisState) -> None:
    """Make one deck of all cards again."""
    for place in (HARVESTING_CARD, TARGET_CARD, TACTICAL_DISCARD):
        g.gather(place, TACTICAL_DECK)
    g.shuffle(TACTICAL_DECK)


@rule("WFA-Y.17")
def follow_sietch(g: ArrakisState, source: AreaId, target: AreaId) -> None:
    """Note that the Sietch of a card has been moved."""
    card = next((card for card in g.content.tactical_card if sietch_of(g, card) == source), "")
    if card:
        moved = {**dict(g.table.get(MOVED_SIETCHES, ())), card: target}
        g.set_mark(MOVED_SIETCHES, tuple(sorted(moved.items())))
