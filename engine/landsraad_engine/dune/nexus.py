"""2A: Nexus Round."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class NexusRound(Frame):
    """2A: Nexus Round."""

    @step("DUNE-2A.1")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (NexusRound,)
