"""4: Revival Round."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class RevivalRound(Frame):
    """4: Revival Round."""

    @step("DUNE-4.1")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (RevivalRound,)
