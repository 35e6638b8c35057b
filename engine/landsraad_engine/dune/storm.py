"""1: Storm Round."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class StormRound(Frame):
    """1: Storm Round."""

    @step("DUNE-1.18")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (StormRound,)
