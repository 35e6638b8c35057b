"""Atreides: the abilities that the main rules do not know."""

from landsraad_engine.dune.hooks import Query, Timing
from landsraad_engine.dune.karama import Ability, Cancellable
from landsraad_engine.dune.pieces import ATREIDES, KWISATZ_HADERACH
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Flow, Frame, rule
from landsraad_engine.kernel.overrides import Source

source = Source(ATREIDES, ATREIDES)


# --- Bidding Round


class SpyNetwork(Cancellable):
    """Atreides look at the card that has just come up. One Karama, at any card, stops it for the rest of the round."""

    ability = Ability.SPY_NETWORK
    owner = ATREIDES

    @rule("DUNE-ATR.1", "DUNE-ATR.2", "DUNE-R.1", "DUNE-R.6")
    def stands(f, g: DuneState) -> Flow:
        g.look("auction_row", 1 << g.seat_of(ATREIDES), 0)
        return None


@source.at(Timing.CARD_UP_FOR_BID)
def spy_network(g: DuneState, number: int) -> Frame:
    return SpyNetwork()


# --- Revival Round


@source.modifies(Query.DEAD_LEADERS)
@rule("DUNE-ATR.17", "DUNE-ATR.18", "DUNE-R.71", "DUNE-R.72")
def voice_from_the_outer_world(g: DuneState, dead: tuple[str, ...], faction: str) -> tuple[str, ...]:
    """Once dead, the Kwisatz Haderach comes back as leaders do; alive, he has no part in this."""
    gone = faction == ATREIDES and g.table.get("kh/state") == "dead"
    return (*dead, KWISATZ_HADERACH) if gone else dead


# --- Movement Round


class Foresight(Cancellable):
    """Atreides look at the top spice card. They always do: it costs nothing and nobody learns what they saw."""

    ability = Ability.FORESIGHT
    owner = ATREIDES

    @rule("DUNE-ATR.3")
    def stands(f, g: DuneState) -> Flow:
        g.look("spice_deck", 1 << g.seat_of(ATREIDES), -1)
        return None


@source.at(Timing.MOVEMENT_BEGINS)
def foresight(g: DuneState) -> Frame:
    return Foresight()


FRAMES: tuple[type[Frame], ...] = (
    Foresight,
    SpyNetwork,
)
