"""The planning cards that the preview of 2022 has otherwise; its Bene Gesserit cards stand in bene_gesserit.py."""

from landsraad_engine.arrakis.acts import Done, FetchCard
from landsraad_engine.arrakis.cards.deck import Deck
from landsraad_engine.arrakis.cards.deeds import bring, draw, enters, in_play, play_one
from landsraad_engine.arrakis.cards.house_atreides import lower_imperium
from landsraad_engine.arrakis.cards.places import legion_of
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import DECK, DISCARD, hand
from landsraad_engine.asks import Ask
from landsraad_engine.frames import END, Flow, Frame, step
from landsraad_engine.grammar import Choice, OneOf

deck = Deck("cards of 2022")

deck.card("hawats_scheming", "WFA-C.17", draw(2), when=in_play("thufir_hawat"))
deck.card("hawats_scheming", "WFA-C.17", enters("thufir_hawat"))

# Rabban stays, as the content has it: only the statement is another one.
deck.card("beloved_feyd_rautha", "WFA-C.12", bring(legion_of("feyd_rautha"), elite=2), when=in_play("feyd_rautha"))
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
        """What the deck holds is not known: a search may find nothing."""
        piles = {
            "discards": BENE_GESSERIT in g.table.get(DISCARD[CORRINO], ()),
            "deck": bool(g.table.get(DECK[CORRINO])),
        }
        open_ = tuple(pile for pile, there in piles.items() if there)
        if not open_:
            return END
        return Ask.any_of((f.seat,), Choice(FetchCard, pile=OneOf(open_)), Choice(Done), why="WFA-C.33", default=Done())

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: FetchCard | Done) -> Flow:
        if isinstance(act, Done):
            return
        pile = DISCARD[CORRINO] if act.pile == "discards" else DECK[CORRINO]
        if BENE_GESSERIT in g.table[pile]:
            if act.pile == "deck":
                g.reveal(pile, BENE_GESSERIT)
            g.move(pile, hand(CORRINO, f.seat), BENE_GESSERIT)
        if act.pile == "deck":
            g.shuffle(pile)


deck.card("breeding_program", "WFA-C.33", fetch_card, play_one)

FRAMES = (FetchBeneGesserit,)
