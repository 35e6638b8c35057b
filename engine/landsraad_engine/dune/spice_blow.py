"""2: Spice Blow Round."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class SpiceBlowRound(Frame):
    """2: Spice Blow Round."""

    @step("DUNE-2.2")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (SpiceBlowRound,)
