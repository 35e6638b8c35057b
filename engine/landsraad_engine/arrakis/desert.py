"""Phase 3, Desert Hazards: wormsigns, sandworms, Coriolis Storms."""

from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.frames import END, Flow, Frame, step


class DesertHazards(Frame):
    """Phase 3 of the round."""

    @step("WFA-H.1")
    def begin(f, g: ArrakisState) -> Flow:
        return END


FRAMES = (DesertHazards,)
