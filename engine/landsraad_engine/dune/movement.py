"""5: Movement Round."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class MovementRound(Frame):
    """5: Movement Round."""

    @step("DUNE-5.1")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (MovementRound,)
