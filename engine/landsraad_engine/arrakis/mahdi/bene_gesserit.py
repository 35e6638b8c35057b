"""Bene Gesserit tokens that the Harkonnen would gain: a locked die, or a Supremacy point, instead."""

from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.leaders.corrino_ally import GAIUS
from landsraad_engine.arrakis.sides import DASHBOARD, DICE, DIE, HARKONNEN, LOCKED, POOL, one
from landsraad_engine.arrakis.tracks import GainSupremacy
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import box
from landsraad_engine.kernel.frames import Frame, rule
from landsraad_engine.kernel.overrides import Source

source = Source("bene_gesserit of the automaton")


@rule("WFA-Y.43")
def gain_token(g: ArrakisState) -> Frame | None:
    """Let a locked die join the unused ones of this round; without one Supremacy advances."""
    dashboard = DASHBOARD[HARKONNEN]
    if not sum(g.get(box(dashboard, LOCKED))):
        return GainSupremacy(points=1)
    g.shift(box(dashboard, LOCKED), box(dashboard, POOL), one(DICE, DIE))
    return None


@source.at(Timing.LEADER_ENTERS)
@rule("WFA-Y.43")
def with_gaius(g: ArrakisState, leader: str) -> Frame | None:
    """Gaius Helen Mohiam brings what stands in for her token."""
    return gain_token(g) if leader == GAIUS and g.content.bene_gesserit.with_gaius else None
