"""Setting up the game."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class Setup(Frame):
    """Setting up the game."""

    @step("DUNE-S.10")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (Setup,)
