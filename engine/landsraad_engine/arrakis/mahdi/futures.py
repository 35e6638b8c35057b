"""The Possible Futures against the automaton: their extra cards and units at the start."""

from typing import Final

from landsraad_engine.arrakis.acts import BringForces
from landsraad_engine.arrakis.futures import facts
from landsraad_engine.arrakis.futures.setup import FuturesSetup, ReinforceSettlement
from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.mahdi.combat_power import power_at
from landsraad_engine.arrakis.mahdi.garrisons import available
from landsraad_engine.arrakis.mahdi.overlay import Instead
from landsraad_engine.arrakis.mahdi.priorities import best
from landsraad_engine.arrakis.mahdi.reinforcements_deck import add_from_deck
from landsraad_engine.arrakis.muster import held_settlements
from landsraad_engine.arrakis.sides import FIGURES, HARKONNEN, one
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Flow, rule, step
from landsraad_engine.kernel.overrides import Source

source = Source("possible futures of the automaton")


# ---- Cards ----


def due_cards(g: ArrakisState) -> tuple[facts.MoreCards, ...]:
    """Return the extra cards of this moment: those of the setup have round 0."""
    there = (change for change in facts.changes(g) if isinstance(change, facts.MoreCards))
    return tuple(change for change in there if change.round == g.round)


@source.at(Timing.CARDS_DRAWN)
@rule("WFA-Y.174")
def more_reinforcements(g: ArrakisState) -> None:
    """The extra cards of the first round come to the Reinforcements deck."""
    for change in due_cards(g):
        add_from_deck(g, change.deck)


@step("WFA-Y.174", "WFA-N.7")
def over(f: FuturesSetup, g: ArrakisState) -> Flow:
    """So do those of the setup."""
    for change in due_cards(g):
        add_from_deck(g, change.deck)
    return None


# ---- Units ----


def put_down(f: ReinforceSettlement, g: ArrakisState, seat: int, act: BringForces) -> Flow:
    """Put the unit down."""
    g.recruit(HARKONNEN, act.place, act.units)
    return None


@step("WFA-Y.174", "WFA-N.8")
def settlement(f: ReinforceSettlement, g: ArrakisState) -> Flow:
    """One more unit comes to the settlement with the strongest Legion."""
    areas = g.board.names(held_settlements(g, HARKONNEN))
    open_ = [area for area in areas if g.size(HARKONNEN, area) < g.stacking(HARKONNEN)]
    units = available(g, one(FIGURES, f.kind))  # type: ignore[arg-type]
    first = best(open_, lambda area: power_at(g, HARKONNEN, area))
    if not first or not any(units):
        return None
    return decide(f, g, [BringForces(area, units, ()) for area in first], put_down, "WFA-Y.174")


settlement.answer(put_down)

INSTEAD: Final = (
    Instead(FuturesSetup, "over", over),
    Instead(ReinforceSettlement, "choose", settlement),
)
