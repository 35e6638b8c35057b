"""Version 1.1: what it has otherwise than the corrected Exclusive Edition."""

from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.editions import EditionRules
from landsraad_engine.arrakis.hooks import Query
from landsraad_engine.arrakis.teams import passing_cards
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.overrides import Source

source = Source("v1_1")


@source.modifies(Query.WILD_MAKER_AREAS)
@rule("WFA-L.31")
def any_desert(g: ArrakisState, empty: AreaSet) -> AreaSet:
    """Also one that holds Harkonnen, vehicles or tokens; not one where a sandworm may not be."""
    survey = g.survey()
    return g.board.desert & ~(survey.worms | survey.atreides | survey.sietches)


EDITION = EditionRules((source, passing_cards))
