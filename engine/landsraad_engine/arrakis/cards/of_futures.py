"""The planning cards of the Possible Futures, which take the place of Hawat's Scheming."""

from landsraad_engine.arrakis.acts import ChooseTarget, Done, target_choice
from landsraad_engine.arrakis.cards.corrino_ally import ShuffleBack
from landsraad_engine.arrakis.cards.deck import Deck
from landsraad_engine.arrakis.cards.deeds import bring, draw, enters, in_play, play_one
from landsraad_engine.arrakis.cards.lasting import discardable_row
from landsraad_engine.arrakis.cards.places import settlements
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hands import GiveUpCards, LoseCards, holding
from landsraad_engine.arrakis.sides import HARKONNEN, OPPONENT
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import END, Flow, Frame, step

deck = Deck("possible futures", HARKONNEN)

# ---- 1: Long Live the Duke ----


def shuffle_back_or_rob(g: ArrakisState, seat: int) -> Frame:
    """A revealed prescience card is shuffled back, or the opponent loses a card at random."""
    return ShuffleBackOrRob(seat=seat)


deck.card("twisted_mentat", "WFA-N.69", shuffle_back_or_rob, draw(1))


class ShuffleBackOrRob(Frame):
    """Which of the two is said first."""

    seat: int

    @step("WFA-N.69", "WFA-A.5", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        victims = g.seats_of(OPPONENT[g.side(f.seat)])
        open_ = (*["shuffle"] * bool(discardable_row(g)), *["rob"] * bool(holding(g, victims)))
        return elective((f.seat,), target_choice("choose_deed", open_), why="WFA-N.69") if open_ else END

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, Done):
            return END
        if act.target == "shuffle":
            return ShuffleBack(seat=f.seat)
        return LoseCards(seats=g.seats_of(OPPONENT[g.side(f.seat)]), count=1)


# ---- 2: The Master of Assassins ----

deck.card("guard_captain", "WFA-N.70", bring(join="iakin_nefud", elite=2), when=in_play("iakin_nefud"))
deck.card("guard_captain", "WFA-N.70", enters("iakin_nefud"), bring(settlements, elite=1, named=("iakin_nefud",)))

# ---- 4: The Baron Is Dead ----


def opponent_gives_one_up(g: ArrakisState, seat: int) -> Frame:
    return GiveUpCards(seats=g.seats_of(OPPONENT[g.side(seat)]), count=1)


deck.card("trained_in_the_bene_gesserit_ways", "WFA-N.71", opponent_gives_one_up, draw(2), when=in_play("lady_fenring"))
deck.card("trained_in_the_bene_gesserit_ways", "WFA-N.71", enters("lady_fenring"), play_one)

FRAMES = (ShuffleBackOrRob,)
