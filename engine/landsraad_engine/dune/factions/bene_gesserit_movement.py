"""The Bene Gesserit in the Movement Round: advisors who follow the shipments of others, and coexistence."""

from typing import Final

from landsraad_engine.dune import coexistence
from landsraad_engine.dune.acts import PASSING, Pass, SendAdvisor
from landsraad_engine.dune.board import POLAR_SINK, Cell, Part, part_of, territory_of
from landsraad_engine.dune.entering import arrived
from landsraad_engine.dune.factions.bene_gesserit import source
from landsraad_engine.dune.hooks import Permit, Query, Timing
from landsraad_engine.dune.karama import Ability, Cancellable
from landsraad_engine.dune.pieces import BENE_GESSERIT
from landsraad_engine.dune.promises import barred_territories
from landsraad_engine.dune.words import AT, Counts, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Act, Choice, OneOf
from landsraad_engine.kernel.overrides import OverrideOrder

#: The token that an advisor is: a spiritual one stands like any other, a combat advisor coexists.
_SPIRITUAL: Final = (1, 0, 0)
_COMBAT: Final = (0, 0, 1)


# --- coexistence, at every moment at which it may change


@source.at(Timing.MOVEMENT_BEGINS)
def movement_begins(g: DuneState) -> Frame:
    return coexistence.CoexistenceDeclared(sister=BENE_GESSERIT)


@source.at(Timing.TOKENS_ARRIVED)
def tokens_meet(g: DuneState, faction: str, cell: Cell, counts: Counts) -> Frame | None:
    return coexistence.on_arrival(g, BENE_GESSERIT, faction, cell, counts)


@source.at(Timing.TOKENS_GONE)
def left_alone(g: DuneState, *cells: Cell) -> None:
    coexistence.settle(g, BENE_GESSERIT, {part_of(cell, g.storm): None for cell in cells})


@source.at(Timing.STORM_MOVED)
def storm_moved(g: DuneState) -> None:
    coexistence.settle(g, BENE_GESSERIT, coexistence.sister_parts(g, BENE_GESSERIT))


@source.at(Timing.ALLIANCE_FORMED)
@rule("DUNE-R.113")
def allied(g: DuneState, *members: str) -> None:
    coexistence.settle(g, BENE_GESSERIT, coexistence.sister_parts(g, BENE_GESSERIT))


@source.at(Timing.TURN_ENDS)
def turn_ends(g: DuneState) -> None:
    coexistence.lapse(g, BENE_GESSERIT)


@source.permits(Permit.JOIN_ALLY)
def joins_ally(g: DuneState, faction: str, ally: str, part: Part) -> bool:
    return coexistence.may_join(g, BENE_GESSERIT, faction, ally, part)


@source.modifies(Query.GUARDED_PARTS)
def guards(g: DuneState, parts: tuple[Cell, ...], faction: str) -> tuple[Cell, ...]:
    return (*parts, *coexistence.guarded_parts(g, BENE_GESSERIT, faction))


@source.at(Timing.ENTERING)
def ally_enters(g: DuneState, faction: str, cell: Cell) -> Frame | None:
    return coexistence.asks_consent(g, BENE_GESSERIT, faction, cell)


# --- Spiritual and Combat Advisors


@source.at(Timing.SHIPPED_FROM_OFF_PLANET, order=OverrideOrder.LAST)
def may_advise(g: DuneState, shipper: str, cell: Cell) -> Frame | None:
    if shipper == BENE_GESSERIT or not g.reserves(BENE_GESSERIT)[0] or not advisor_cells(g, cell):
        return None
    return Advisor(shipped_to=cell)


@source.permits(Permit.ARRIVE_LATE)
@rule("DUNE-BG.4")
def may_follow_others(g: DuneState, faction: str) -> bool:
    """An advisor may still go with a shipment of others."""
    return faction == BENE_GESSERIT and g.reserves(BENE_GESSERIT)[0] > 0


@rule("DUNE-BG.4", "DUNE-BG.6", "DUNE-R.69")
def advisor_cells(g: DuneState, shipped_to: Cell) -> tuple[Cell, ...]:
    """The cells open to an advisor; coexistence that was refused to a territory this turn bars combat advisors."""
    refused = coexistence.refused_this_turn(g, part_of(shipped_to, g.storm))
    cells = (POLAR_SINK,) if refused or shipped_to == POLAR_SINK else (POLAR_SINK, shipped_to)
    promised = barred_territories(g, BENE_GESSERIT)
    return tuple(cell for cell in cells if territory_of[cell] not in promised)


class Advisor(Cancellable):
    """One token from the reserves follows another's shipment: to the Polar Sink, or coexisting to where it landed."""

    shipped_to: Cell
    to: Cell = ""

    owner = BENE_GESSERIT

    @step("DUNE-BG.4", "DUNE-BG.6")
    def choose(f, g: DuneState) -> Flow:
        sending = Choice(SendAdvisor, to=OneOf(advisor_cells(g, f.shipped_to)))
        return Ask.one(g.seat_of(BENE_GESSERIT), PASSING, sending, why="DUNE-BG.4", default=Pass())

    @choose.answer
    def chosen(f, g: DuneState, seat: int, act: Act) -> Flow:
        if not isinstance(act, SendAdvisor):
            return END
        f.to = act.to
        return None

    @rule("DUNE-BG.4", "DUNE-BG.6", "DUNE-BG.7", "DUNE-R.69")
    def stands(f, g: DuneState) -> Flow:
        counts = _SPIRITUAL
        g.land(BENE_GESSERIT, f.to, counts)
        if f.ability is Ability.COMBAT_ADVISORS:
            counts = _COMBAT
            tokens, elites, coexisting = g.troops(BENE_GESSERIT, f.to)
            g.exchange(AT[BENE_GESSERIT][f.to], (tokens - 1, elites, coexisting + 1), rule="DUNE-BG.7")
        return arrived(g, BENE_GESSERIT, f.to, counts)

    @property
    def ability(f) -> Ability:
        return Ability.SPIRITUAL_ADVISORS if f.to == POLAR_SINK else Ability.COMBAT_ADVISORS


FRAMES = (*coexistence.FRAMES, Advisor)
