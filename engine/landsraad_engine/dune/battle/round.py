"""6: Battle Round."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class BattleRound(Frame):
    """6: Battle Round."""

    @step("DUNE-6.1")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (BattleRound,)
