"""Phase 4, Spice Harvesting."""

from landsraad_engine.arrakis.vehicles import take_off
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.frames import Flow, Frame, step


class SpiceHarvesting(Frame):
    """Phase 4 of the round."""

    @step("WFA-P.1")
    def collect(f, g: ArrakisState) -> Flow:
        for area in g.board.names(g.survey().harvesters):
            take_off(g, area)


FRAMES = (SpiceHarvesting,)
