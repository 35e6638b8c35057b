"""Partners: which seat of a side decides, and passes on what it cannot do itself."""

from landsraad_engine.arrakis.sides import ATREIDES
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Frame, rule


class Turn(Frame):
    """A side's own turn."""

    side: str
    #: the acting player, once chosen
    seat: int = -1


class Hazards(Frame):
    """A phase in which the Fremen Ally makes all decisions of the Atreides."""


@rule("WFA-G.17", "WFA-G.39", "WFA-G.43", "WFA-G.58", "WFA-G.59", "WFA-G.60", "WFA-G.82")
def deciders(g: ArrakisState, side: str) -> tuple[int, ...]:
    """Return the seats to which a question to a side is put: both partners, unless a rule names one of them."""
    seats = g.deciders(side)
    if len(seats) < 2:
        return seats
    for frame in reversed(g.stack):
        if isinstance(frame, Turn) and frame.side == side and frame.seat >= 0:
            return (frame.seat,)
        if isinstance(frame, Hazards) and g.side(seats[0]) == ATREIDES:
            return g.seats_leading("fremen_ally")
    return seats


@rule("WFA-G.40", "WFA-G.83", "WFA-G.84")
def handed_over(g: ArrakisState, seat: int) -> tuple[str, ...]:
    """Return the results that only the partner's dashboard has: a die used as one of these makes the partner act."""
    boxes = g.content.dashboard
    own = boxes[g.dashboard(seat)].boxes
    others = [other for other in g.dashboards(g.side(seat)) if other != g.dashboard(seat)]
    return tuple(result for other in others for result in boxes[other].boxes if result not in own)


def partner(g: ArrakisState, seat: int) -> int:
    """Return the other seat of a shared faction."""
    return next(other for other in g.seats_of(g.side(seat)) if other != seat)
