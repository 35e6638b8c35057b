"""Settlements fall, and what that brings the other side."""

from landsraad_engine.arrakis.chronicle import count
from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.tracks import AdvanceAllMarkers, GainSupremacy
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import SIETCH, VILLAGE
from landsraad_engine.kernel.frames import END, Flow, Frame, step


class DestroySettlement(Frame):
    """A victorious legion has entered an area: an enemy settlement there is destroyed."""

    side: str  #: of the settlement
    area: AreaId
    rank: int = 0

    @step("WFA-B.46", "WFA-B.51")
    def remove(f, g: ArrakisState) -> Flow:
        f.rank = g.rank(f.side, f.area)
        if not f.rank:
            return END
        if f.side == ATREIDES:
            g.draw(SIETCH[f.area], "sietches_fallen")
            count(g, "sietch_destroyed")
        else:
            g.set_mark(VILLAGE[f.area], None)
            count(g, "settlement_destroyed")
        return None

    @step("WFA-B.49", "WFA-B.50")
    def gain(f, g: ArrakisState) -> Flow:
        return GainSupremacy(points=f.rank) if f.side == ATREIDES else AdvanceAllMarkers(steps=f.rank)

    @step("WFA-Q.1")
    def fallen(f, g: ArrakisState) -> Flow:
        return g.at(Timing.VILLAGE_DESTROYED, f.area) if f.side == HARKONNEN else None


FRAMES = (DestroySettlement,)
