"""House Harkonnen: the plots against Thufir Hawat."""

from collections.abc import Iterator
from typing import Final

from landsraad_engine.arrakis.acts import PlotAgainstHawat
from landsraad_engine.arrakis.free_actions import may_act_freely
from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.leaders.entering import LeaveGame
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, Range
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.plays import Play

source = Source("house_harkonnen")

HAWAT: Final = "thufir_hawat"
SCHEMING: Final = "hawats_scheming"
#: So many copies of the card at least are needed against him.
ENOUGH: Final = 2


def are_plots(g: ArrakisState) -> bool:
    """Return whether the cards are for plotting only, as they are since 2022."""
    return g.content.planning_card[SCHEMING].timing == "free_action"


@source.forbids(Permit.DISCARD)
@rule("WFA-C.16", "WFA-L.27")
def held_back(g: ArrakisState, card: str) -> bool:
    """They are not discarded in the usual ways, and once Hawat is gone not at all."""
    return card == SCHEMING and are_plots(g)


@rule("WFA-L.26", "WFA-L.27", "WFA-L.35")
def plots(g: ArrakisState, seat: int) -> Iterator[Choice]:
    """Discarding two or three of the cards, if Hawat is in play."""
    if g.side(seat) != HARKONNEN or not may_act_freely(g, seat, "plot"):
        return
    held = g.hand(seat).count(SCHEMING)
    if held >= ENOUGH and are_plots(g) and g.in_play(HAWAT):
        yield Choice(PlotAgainstHawat, cards=Range(ENOUGH, held), why="WFA-L.26")


class RemoveHawat(Frame):
    """Thufir Hawat leaves the game, wherever he is."""

    seat: int
    cards: int

    @step("WFA-L.26", "WFA-C.16")
    def discard(f, g: ArrakisState) -> Flow:
        for _ in range(f.cards):
            g.discard(f.seat, SCHEMING)
        return LeaveGame(leader=HAWAT)


PLAYS: Final = (Play(PlotAgainstHawat, plots, lambda seat, act: RemoveHawat(seat=seat, cards=act.cards)),)

FRAMES = (RemoveHawat,)
