"""The planning cards of the Possible Futures, as the automaton plays them."""

from typing import Final

from landsraad_engine.arrakis.cards.lasting import discardable_row
from landsraad_engine.arrakis.cards.places import legion_of, settlements
from landsraad_engine.arrakis.hands import LoseCards
from landsraad_engine.arrakis.mahdi.card_parts import bring, draw, draw_and_play, enters, in_play, not_entered, when
from landsraad_engine.arrakis.mahdi.card_targets import ReturnPrescience
from landsraad_engine.arrakis.mahdi.card_texts import card
from landsraad_engine.arrakis.mahdi.cards_corrino_ally import humans_discard, humans_hold_cards
from landsraad_engine.arrakis.sides import ATREIDES
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Frame, rule

NEFUD: Final = "iakin_nefud"
LADY_FENRING: Final = "lady_fenring"
GUARD_CAPTAIN: Final = "guard_captain"
TRAINED: Final = "trained_in_the_bene_gesserit_ways"


@rule("WFA-Y.173")
def return_or_rob(g: ArrakisState) -> Frame:
    """A revealed prescience card goes back; if none can, the humans lose a card at random."""
    return ReturnPrescience() if discardable_row(g) else LoseCards(seats=g.seats_of(ATREIDES), count=1)


def can_return_or_rob(g: ArrakisState) -> bool:
    """Return whether a prescience card can go back, or the humans hold a card."""
    return bool(discardable_row(g)) or humans_hold_cards(g)


card("twisted_mentat", "WFA-Y.173", when(can_return_or_rob, return_or_rob), draw(1))

card(GUARD_CAPTAIN, "WFA-Y.173", enters(NEFUD), bring(settlements, (0, 1, 0), named=(NEFUD,)), when=not_entered(NEFUD))
card(GUARD_CAPTAIN, "WFA-Y.173", bring(legion_of(NEFUD), (0, 2, 0)))

card(TRAINED, "WFA-Y.173", enters(LADY_FENRING), draw_and_play(), when=not_entered(LADY_FENRING))
card(TRAINED, "WFA-Y.173", when(humans_hold_cards, humans_discard(1)), draw(2), when=in_play(LADY_FENRING))
