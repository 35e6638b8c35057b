"""The Corrino Ally: what Gaius Helen Mohiam brings along."""

from typing import Final

from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.overrides import Source

source = Source("corrino_ally")

GAIUS: Final = "gaius_helen_mohiam"
IRULAN: Final = "princess_irulan"


@source.at(Timing.LEADER_ENTERS)
@rule("WFA-L.9", "WFA-D.14")
def token_of_gaius(g: ArrakisState, leader: str) -> None:
    """Her entry gives the Harkonnen a Bene Gesserit token from the reserve."""
    if leader == GAIUS:
        g.grant_tokens(HARKONNEN, g.content.bene_gesserit.with_gaius)
