"""Spice that a faction has publicly committed and not paid yet: it cannot be given away meanwhile."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Frame, rule


class Owing(Frame):
    """A procedure in the course of which a faction pays from its purse."""

    def owes(f, faction: str) -> int:
        """Return what the faction has still to pay in this procedure."""
        raise NotImplementedError

    def vowed(f, faction: str) -> int:
        """Return what the faction had promised to bid beyond, and has by a bid that still stands (-1: nothing)."""
        return -1

    def to_beat(f) -> int:
        """The bid that a further one has to exceed."""
        return 0

    def covered(f) -> bool:
        """Return whether everybody knows that the purse holds as much."""
        return True


@rule("DUNE-3.12", "DUNE-5.5")
def committed(g: DuneState, faction: str) -> int:
    """Return what a faction has to keep for payments under way: while it leads an auction, its bid."""
    return sum(frame.owes(faction) for frame in g.stack if isinstance(frame, Owing))


@rule("DUNE-T.23")
def vow_under_way(g: DuneState, faction: str) -> int:
    """The highest amount beyond which a faction has promised to bid and now leads an auction (-1: none)."""
    return max((frame.vowed(faction) for frame in g.stack if isinstance(frame, Owing)), default=-1)


def bid_to_beat(g: DuneState) -> int:
    """The highest bid on the card for which bids are made now (0: none)."""
    return max((frame.to_beat() for frame in g.stack if isinstance(frame, Owing)), default=0)


def known_to_hold(g: DuneState, faction: str) -> int:
    """Return what a faction's purse holds at least, as everybody can tell from payments under way."""
    return sum(frame.owes(faction) for frame in g.stack if isinstance(frame, Owing) and frame.covered())


@rule("DUNE-3.12")
def spare(g: DuneState, faction: str) -> int:
    """The spice that a faction may give away now."""
    return max(0, g.spice(faction) - committed(g, faction))
