"""Special actions of named leaders: rows over the operations, carried out in order."""

from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.frames import END, Flow, Frame, step


class SpecialAction(Frame):
    """The special action of a leader, for a die that shows ``die``."""

    seat: int
    leader: str
    die: str

    @step("WFA-A.30")
    def carry_out(f, g: ArrakisState) -> Flow:
        return END


FRAMES = (SpecialAction,)
