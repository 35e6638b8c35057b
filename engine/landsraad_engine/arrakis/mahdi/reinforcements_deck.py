"""The Reinforcements deck: planning cards face down, known to nobody, that the automaton discards for combat dice."""

from landsraad_engine.arrakis.mahdi.zones import LAST_DISCARDED, REINFORCEMENTS, REINFORCEMENTS_ORDER
from landsraad_engine.arrakis.sides import HARKONNEN, POWERS
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.arrakis.zones import DECK, DISCARD, deck_of
from landsraad_engine.kernel.frames import rule

DECKS = POWERS[HARKONNEN]


def other_deck(deck: str) -> str:
    """Return the other Harkonnen deck."""
    return DECKS[1 - DECKS.index(deck)]


@rule("WFA-Y.91", "WFA-Y.93")
def first_deck(g: Words) -> str:
    """Return the deck that is drawn from first: not that of the card discarded last."""
    last: str | None = g.table.get(LAST_DISCARDED)
    return other_deck(last) if last else "house_harkonnen"


@rule("WFA-Y.91")
def note_discard(g: ArrakisState, card: str) -> None:
    """Note which deck the card on top of the discards is from."""
    g.set_mark(LAST_DISCARDED, deck_of(g.content, card))


@rule("WFA-Y.95", "WFA-Y.96")
def refill(g: ArrakisState, deck: str) -> bool:
    """Make a deck that is empty anew of its discards; return whether it has cards then."""
    if not g.table.get(DECK[deck]) and g.table.get(DISCARD[deck]):
        g.gather(DISCARD[deck], DECK[deck])
        g.shuffle(DECK[deck])
    return bool(g.table.get(DECK[deck]))


def number(g: Words) -> int:
    """Return how many cards the Reinforcements deck has."""
    return len(g.table.get(REINFORCEMENTS_ORDER, ()))


@rule("WFA-Y.18", "WFA-Y.19")
def add_from_deck(g: ArrakisState, deck: str) -> bool:
    """Put the top card of a deck on top, unseen; return whether there was one."""
    if not refill(g, deck):
        return False
    g.draw(DECK[deck], REINFORCEMENTS[deck])
    g.set_mark(REINFORCEMENTS_ORDER, (*g.table.get(REINFORCEMENTS_ORDER, ()), deck))
    return True


@rule("WFA-Y.91", "WFA-Y.100")
def add_in_turns(g: ArrakisState, cards: int) -> int:
    """Put so many cards on top, from the two decks in turns; return how many there were."""
    deck = first_deck(g)
    added = 0
    for _ in range(cards):
        added += add_from_deck(g, deck)
        deck = other_deck(deck)
    return added


@rule("WFA-Y.103")
def add_card(g: ArrakisState, source: str, card: str) -> None:
    """Put a card that lies open on top."""
    deck = deck_of(g.content, card)
    g.move(source, REINFORCEMENTS[deck], card)
    g.set_mark(REINFORCEMENTS_ORDER, (*g.table.get(REINFORCEMENTS_ORDER, ()), deck))


@rule("WFA-Y.108", "WFA-Y.166")
def discard_top(g: ArrakisState) -> str:
    """Discard the top card; return it, or "" if there is none."""
    order: tuple[str, ...] = g.table.get(REINFORCEMENTS_ORDER, ())
    if not order:
        return ""
    *rest, deck = order
    card = g.draw(REINFORCEMENTS[deck], DISCARD[deck])
    g.set_mark(REINFORCEMENTS_ORDER, tuple(rest) or None)
    note_discard(g, card)
    return card
