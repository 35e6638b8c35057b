"""Playing a planning card for a die."""

from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.frames import Flow, Frame, step


def playable(g: ArrakisState, seat: int) -> tuple[str, ...]:
    """The cards of a seat's hand that it may play for a die."""
    cards = g.content.planning_card
    return tuple(dict.fromkeys([card for card in g.hand(seat) if cards[card].timing == "action"]))


class PlayPlanningCard(Frame):
    """A planning card is played: its effect, then it goes to the discards of its deck."""

    seat: int
    card: str

    @step("WFA-A.3", "WFA-A.33")
    def discard(f, g: ArrakisState) -> Flow:
        g.discard(f.seat, f.card)


FRAMES = (PlayPlanningCard,)
