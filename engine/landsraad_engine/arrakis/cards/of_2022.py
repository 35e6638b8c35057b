"""The planning cards that the preview of 2022 has otherwise; its Bene Gesserit cards stand in bene_gesserit.py."""

from landsraad_engine.arrakis.acts import ChooseTarget, Done, target_choice
from landsraad_engine.arrakis.cards.deck import Deck
from landsraad_engine.arrakis.cards.deeds import bring, draw, enters, in_play, play_one
from landsraad_engine.arrakis.cards.house_atreides import lower_imperium
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import DECK, DISCARD, SEARCHED, hand
from landsraad_engine.kernel.frames import Flow, Frame, step

deck = Deck("cards of 2022")

deck.card("hawats_scheming", "WFA-C.17", draw(2), when=in_play("thufir_hawat"))
deck.card("hawats_scheming", "WFA-C.17", enters("thufir_hawat"))

# Rabban stays, as the content has it: only the statement is another one.
deck.card("beloved_feyd_rautha", "WFA-C.12", bring(join="feyd_rautha", elite=2), when=in_play("feyd_rautha"))
deck.card("beloved_feyd_rautha", "WFA-C.12", enters("feyd_rautha"), play_one)

deck.card("bill_of_particulars", "WFA-C.65", lower_imperium, play_one)

BENE_GESSERIT = "bene_gesserit_corrino"
CORRINO = "corrino_ally"


def fetch_card(g: ArrakisState, seat: int) -> Frame:
    """A Bene Gesserit card comes from the discards or the deck."""
    return FetchBeneGesserit(seat=seat)


class FetchBeneGesserit(Frame):
    """A Bene Gesserit card is taken from the discards, or looked for in the deck, which is shuffled afterwards."""

    seat: int

    @step("WFA-C.33", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        """Always asked: that a search would find nothing, only the owner of the deck can tell from what is in hand."""
        piles = {"discards": DISCARD[CORRINO], "deck": DECK[CORRINO]}
        open_ = tuple(pile for pile, key in piles.items() if BENE_GESSERIT in g.table.get(key, ()))
        fetch = (target_choice("fetch_card", open_),) if open_ else ()
        return elective((f.seat,), *fetch, why="WFA-C.33")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, Done):
            return None
        if act.target == "discards":
            g.move(DISCARD[CORRINO], hand(CORRINO, f.seat), BENE_GESSERIT)
        else:
            _search(g, f.seat)
        return None


def _search(g: ArrakisState, seat: int) -> None:
    """Look through the deck and show the card that was looked for; where in the deck it was, nobody else learns."""
    cards = SEARCHED[seat]
    while g.table.get(DECK[CORRINO]):
        g.draw(DECK[CORRINO], cards)
    g.move(cards, hand(CORRINO, seat), BENE_GESSERIT)
    g.reveal(hand(CORRINO, seat), BENE_GESSERIT)
    g.gather(cards, DECK[CORRINO])
    g.shuffle(DECK[CORRINO])


deck.card("breeding_program", "WFA-C.33", fetch_card, play_one)

FRAMES = (FetchBeneGesserit,)
