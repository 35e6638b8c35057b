"""Hajr: one manoeuvre more."""

from landsraad_engine.dune.acts import PlayCard, card_choice
from landsraad_engine.dune.hooks import Instead, Query
from landsraad_engine.dune.manoeuvre import ManoeuvrePhase
from landsraad_engine.dune.pieces import HAJR
from landsraad_engine.dune.shipment import ShipmentPhase
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Act, Choice
from landsraad_engine.kernel.overrides import Source

source = Source(HAJR)


@source.modifies(Query.MOVEMENT_PLAYS)
@rule("DUNE-T.34")
def playable(g: DuneState, plays: tuple[Choice, ...], faction: str) -> tuple[Choice, ...]:
    """At any point of the own movement turn."""
    return (*plays, card_choice(HAJR)) if HAJR in g.hand(faction) else plays


@source.instead_of(Instead.MOVEMENT_PLAY)
def play(g: DuneState, faction: str, act: Act) -> Frame | None:
    return Hajr(faction=faction) if isinstance(act, PlayCard) and act.card == HAJR else None


class Hajr(Frame):
    """The card is discarded; another manoeuvre, of the same group or any other, follows the usual rules."""

    faction: str

    @step("DUNE-T.13")
    def discard(f, g: DuneState) -> Flow:
        g.discard(f.faction, HAJR)
        return None

    @step("DUNE-T.34", "DUNE-T.35", "DUNE-R.119")
    def manoeuvre(f, g: DuneState) -> Flow:
        more = any(isinstance(frame, ShipmentPhase | ManoeuvrePhase) for frame in g.stack)
        return ManoeuvrePhase(faction=f.faction, last=not more)


FRAMES = (Hajr,)
