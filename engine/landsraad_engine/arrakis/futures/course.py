"""Changes of the Possible Futures after setup."""

from typing import Final

from landsraad_engine.arrakis.futures import facts
from landsraad_engine.arrakis.futures.setup import draw_one_more
from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.leaders.corrino_ally import GAIUS, IRULAN
from landsraad_engine.arrakis.leaders.entering import EnterPlay
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Frame, rule
from landsraad_engine.kernel.overrides import Source

source = Source("possible futures")

#: The Future in which the princess steps in.
PRINCESS: Final = 7


@source.at(Timing.CARDS_DRAWN)
@rule("WFA-N.15", "WFA-N.21")
def more_cards(g: ArrakisState) -> None:
    """The Harkonnen draw one card more in the first round."""
    for change in facts.changes(g):
        if isinstance(change, facts.MoreCards) and change.round == g.round:
            draw_one_more(g, change)


@source.at(Timing.SUPREMACY_STEP)
@rule("WFA-N.16", "WFA-N.22", "WFA-N.32", "WFA-N.43", "WFA-N.46")
def truthsayer_enters(g: ArrakisState, step: int) -> Frame | None:
    """Gaius Helen Mohiam enters, or Princess Irulan in her stead."""
    if not any(isinstance(change, facts.LateTruthsayer) and change.step == step for change in facts.changes(g)):
        return None
    return EnterPlay(leader=IRULAN if PRINCESS in g.futures else GAIUS)
