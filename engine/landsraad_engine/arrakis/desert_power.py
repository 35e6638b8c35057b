"""The Desert Power action."""

from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.frames import END, Flow, Frame, step


class DesertPower(Frame):
    """Lay two wormsigns, or move two sandworms, or attack with one."""

    seat: int

    @step("WFA-A.25")
    def choose(f, g: ArrakisState) -> Flow:
        return END


FRAMES = (DesertPower,)
