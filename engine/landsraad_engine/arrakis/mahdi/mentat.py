"""The Mentat action of the automaton: planning cards are drawn and played at once."""

from landsraad_engine.arrakis.announcements import CardTakesEffect
from landsraad_engine.arrakis.mahdi.card_texts import text, text_of
from landsraad_engine.arrakis.mahdi.card_zones import PLAYED
from landsraad_engine.arrakis.mahdi.reinforcements_deck import (
    DECKS,
    add_card,
    first_deck,
    note_discard,
    other_deck,
    refill,
)
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import DECK, DISCARD, deck_of
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step


class DrawAndPlay(Frame):
    """So many planning cards are drawn and played, one after the other: from one deck, or from the two in turns."""

    count: int = 2
    deck: str = ""
    #: the deck whose turn it is
    turn: str = ""

    @step("WFA-Y.92", "WFA-Y.91", "WFA-Y.93", "WFA-Y.101")
    def draw(f, g: ArrakisState) -> Flow:
        if not f.count:
            return END
        deck = f.deck or f.turn or first_deck(g)
        f.count, f.turn = f.count - 1, other_deck(deck)
        if not refill(g, deck):
            return goto("draw")
        return Call(PlayDrawnCard(card=g.draw(DECK[deck], PLAYED[deck])), "draw")


class PlayDrawnCard(Frame):
    """A planning card of the automaton is carried out, and discarded; if it has no effect, it is kept."""

    card: str
    #: which of its texts, and which part of that
    text: int = -1
    part: int = 0
    effective: bool = False

    @step("WFA-Y.94")
    def lie_open(f, g: ArrakisState) -> Flow:
        g.set_mark("here", None)
        f.text = text_of(g, f.card)
        return None

    @step("WFA-Y.104", "WFA-Y.97", "WFA-Y.98", "WFA-Y.99")
    def carry_out(f, g: ArrakisState) -> Flow:
        """Parts go in the order of the text, each if it would change something by now."""
        held = text(f.card, f.text)
        while f.part < len(held.parts):
            part = held.parts[f.part]
            f.part += 1
            if not part.possible(g):
                continue
            if not f.effective:
                f.effective = True
                g.announce(CardTakesEffect(f.card), rule=held.rule)
            if frame := part.carry_out(g):
                return Call(frame, "carry_out")
        return None

    @step("WFA-Y.94", "WFA-Y.103")
    def put_away(f, g: ArrakisState) -> Flow:
        g.set_mark("here", None)
        deck = deck_of(g.content, f.card)
        if f.card not in g.table.get(PLAYED[deck], ()):
            return END  # it has gone elsewhere by its own text
        if f.effective:
            g.move(PLAYED[deck], DISCARD[deck], f.card)
            note_discard(g, f.card)
        else:
            add_card(g, PLAYED[deck], f.card)
        return None


@rule("WFA-Y.96", "WFA-Y.104")
def can_draw(g: ArrakisState, deck: str = "") -> bool:
    """Return whether a card can be drawn from a deck ("": from either), made anew of its discards if need be."""
    return any(g.table.get(DECK[each]) or g.table.get(DISCARD[each]) for each in DECKS if deck in ("", each))


FRAMES = (DrawAndPlay, PlayDrawnCard)
