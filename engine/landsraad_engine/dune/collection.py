"""7: Collection Round."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class CollectionRound(Frame):
    """7: Collection Round."""

    @step("DUNE-7.1")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (CollectionRound,)
