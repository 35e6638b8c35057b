"""3: Bidding Round."""

from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import END, Flow, Frame, step


class BiddingRound(Frame):
    """3: Bidding Round."""

    @step("DUNE-3.7")
    def begin(f, g: DuneState) -> Flow:
        return END


FRAMES = (BiddingRound,)
