"""The whole game: setup, then rounds until a side has won."""

from landsraad_engine.arrakis.futures.setup import FuturesSetup
from landsraad_engine.arrakis.round import Round
from landsraad_engine.arrakis.setup import Setup
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Flow, Frame, goto, step


class WholeGame(Frame):
    """Setup, then rounds until a side has won or the last one is over."""

    @step("WFA-S.1")
    def setup(f, g: ArrakisState) -> Flow:
        return Setup()

    @step("WFA-N.7")
    def futures(f, g: ArrakisState) -> Flow:
        return FuturesSetup() if g.futures else None

    @step("WFA-R.1")
    def next_round(f, g: ArrakisState) -> Flow:
        return Round()

    @step("WFA-U.5")
    def round_limit(f, g: ArrakisState) -> Flow:
        if g.round < g.options["round_limit"]:
            return goto("next_round")
        g.finish("round_limit")
        return None


FRAMES = (WholeGame,)
