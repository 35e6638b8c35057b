"""8: Control Round."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class ControlRound(Frame):
    """8: Control Round."""

    @step("DUNE-8.1")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (ControlRound,)
