"""5: Movement Round, Shipment Phase."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from landsraad_engine.dune import promises
from landsraad_engine.dune.acts import PASSING, Pass, Ship
from landsraad_engine.dune.announcements import ShipmentDeclared, ShipmentKind
from landsraad_engine.dune.board import Cell, Part, terrain, territory_of
from landsraad_engine.dune.entering import (
    DECLARATION,
    STOPPED,
    VOID,
    Bars,
    arrived,
    clear_of_storm,
    entering,
    explain,
    landing_bars,
    narrowed,
    open_cells,
    refused,
    void,
)
from landsraad_engine.dune.hooks import Instead, Permit, Query, Timing
from landsraad_engine.dune.karama import UseKarama, karama_stands, karamas
from landsraad_engine.dune.manoeuvre import manoeuvres
from landsraad_engine.dune.spending import Owing
from landsraad_engine.dune.words import BANK, HAND, NONE, Counts, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Act, Choice, Constraint, Domain, Linear, OneOf, Range, Term

#: Kinds of shipment: what differs between them hangs on the named moments.
STANDARD: Final = "standard"
#: Where tokens shipped off the planet go.
TO_RESERVES: Final = "reserves"

_NO_ELITES: Final = OneOf((0,))
_NO_KARAMA: Final = OneOf((None,))


# --- what may be shipped


#: Spice for each token of a standard shipment; the reserves count as a stronghold (DUNE-5.10, DUNE-V.13).
_RATES: Final = {TO_RESERVES: 1} | {
    cell: 1 if terrain[territory] == "stronghold" else 2 for cell, territory in territory_of.items()
}


@rule("DUNE-5.10", "DUNE-V.13", "DUNE-GUI.1", "DUNE-GUI.13", "DUNE-K.3", "DUNE-R.94")
def fee_of(tokens: int, to: str, share: int) -> int:
    """The fee of a shipment: all of it, or one half (share 2), rounded up as a whole."""
    return -(-tokens * _RATES[to] // share)


@rule("DUNE-5.5")
def affordable(g: DuneState, faction: str, share: int, each: int) -> int:
    """Return how many tokens a faction can pay for at this rate."""
    return share * g.spice(faction) // each


@cache
def _clear_by_rate(storm: int) -> tuple[tuple[int, OneOf], ...]:
    """The cells clear of the storm at each rate, cheap ones first."""
    cells = clear_of_storm(storm)
    return tuple((each, OneOf(tuple(cell for cell in cells if _RATES[cell] == each))) for each in (1, 2))


@lru_cache(maxsize=1 << 12)
def landings(storm: int, barred: Bars, leaving: Part = ()) -> tuple[tuple[int, OneOf], ...]:
    """Return where tokens may be shipped at each rate, cheap ones first.

    Those that leave a part of the board may go to the reserves, too, and do not come back to where they were.
    """
    found = []
    for each, clear in _clear_by_rate(storm):
        cells = open_cells(clear.items, storm, barred)
        if leaving:
            back = (TO_RESERVES,) if each == _RATES[TO_RESERVES] else ()
            cells = (*back, *[cell for cell in cells if cell not in leaving])
        if cells:
            found.append((each, clear if cells is clear.items else OneOf(cells)))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def headcount(tokens: int, elites: int, most: int) -> tuple[Domain, Domain, tuple[Constraint, ...]]:
    """Some tokens and elites out of so many, at least one and at most so many together."""
    if not elites:
        return Range(1, min(tokens, most)), _NO_ELITES, ()
    together = Linear((Term("tokens"), Term("elites")), low=1, high=most, why="DUNE-5.5")
    return Range(0, min(tokens, most)), Range(0, min(elites, most)), (together,)


def from_reserves(g: DuneState, faction: str, act: type[Act], share: int, **more: Domain) -> list[Choice]:
    """The choices of a shipment from the reserves to the map for which part of the standard fee is due."""
    tokens, elites, _ = g.reserves(faction)
    choices = []
    for each, cells in landings(g.storm, landing_bars(g, faction)):
        most = min(affordable(g, faction, share, each), tokens + elites)
        if most:
            ordinary, elite, together = headcount(tokens, elites, most)
            fields = {"tokens": ordinary, "elites": elite, "to": cells, **more}
            choices.append(Choice(act, *together, why="DUNE-5.3", **fields))
    return choices


@rule("DUNE-5.3", "DUNE-R.10")
def standard_shipments(g: DuneState, faction: str) -> list[Choice]:
    """The standard shipments that a faction can pay for, at half the fee with a Karama if nothing else halves it."""
    if not g.allowed(Permit.STANDARD_SHIPMENT, faction, default=True):
        return []
    share: int = g.query(Query.SHIPMENT_SHARE, 1, faction)
    choices = from_reserves(g, faction, Ship, share, karama=_NO_KARAMA)
    cards = karamas(g, faction) if share == 1 else ()
    if cards:
        choices += from_reserves(g, faction, Ship, 2, karama=OneOf(cards))
    return choices


def could_ship(g: DuneState, faction: str) -> bool:
    """Return whether, from what everybody sees, the faction may have something to ship."""
    return g.reserves(faction) != NONE or g.allowed(Permit.SHIP_FROM_BOARD, faction)


@rule("DUNE-R.119")
def pledged(g: DuneState, faction: str, choices: Sequence[Choice]) -> list[Choice]:
    """The shipments that the faction's promises leave it no choice but to make (none: it is free).

    A promise to ship or move into a territory can wait for the manoeuvre if that could keep it, and it alone.
    """
    territories = promises.pledged_territories(g, faction)
    if not territories:
        return []
    if len(territories) == 1 and narrowed(manoeuvres(g, faction), territories):
        return []
    return narrowed(choices, territories)


# --- the phase, and one shipment


class ShipmentPhase(Frame):
    """A faction may make one shipment, and play cards before it."""

    faction: str

    @step("DUNE-5.1", "DUNE-5.2", "DUNE-5.4")
    def choose(f, g: DuneState) -> Flow:
        if not could_ship(g, f.faction):
            return goto("over")
        choices = g.query(Query.SHIPMENTS, standard_shipments(g, f.faction), f.faction)
        forced = pledged(g, f.faction, choices)
        plays = g.query(Query.MOVEMENT_PLAYS, (), f.faction)
        return Ask.one(g.seat_of(f.faction), *(forced or (*choices, PASSING)), *plays, why="DUNE-5.2", default=Pass())

    @choose.answer
    def chosen(f, g: DuneState, seat: int, act: Act) -> Flow:
        if isinstance(act, Pass):
            return goto("over")
        play = g.instead(Instead.MOVEMENT_PLAY, f.faction, act)
        if play is not None:
            return Call(play, "choose")
        if isinstance(act, Ship):
            counts = (act.tokens, act.elites, 0)
            share = 2 if act.karama else g.query(Query.SHIPMENT_SHARE, 1, f.faction)
            return Shipment(
                faction=f.faction,
                kind=STANDARD,
                counts=counts,
                to=act.to,
                fee=fee_of(sum(counts), act.to, share),
                karama=act.karama,
            )
        return g.instead(Instead.SHIPMENT, f.faction, act)

    @step("DUNE-5.2")
    def again(f, g: DuneState) -> Flow:
        declare_anew = void(g)
        g.set_mark(DECLARATION, None)
        return goto("choose") if declare_anew else None

    @step("DUNE-5.1")
    def over(f, g: DuneState) -> Flow:
        return g.at(Timing.SHIPPING_ENDS)


class Shipment(Owing):
    """One shipment that has been declared.

    ``counts`` leave the reserves, or the cells in ``groups`` if there are any. A shipment that becomes void is declared
    anew; one that is stopped is over.
    """

    faction: str
    kind: ShipmentKind
    counts: Counts
    to: str
    groups: tuple[tuple[Cell, Counts], ...] = ()
    fee: int = 0
    karama: str | None = None
    #: tokens that die in landing
    lost: Counts = NONE

    def owes(f, faction: str) -> int:
        return f.fee if f.faction == faction else 0

    @step("DUNE-5.4", "DUNE-5.7")
    def declare(f, g: DuneState) -> Flow:
        g.announce(ShipmentDeclared(f.faction, f.kind, f.counts, f.to, f.karama))
        if f.karama:  # declared in the open; it may stay in the hand if the shipment is refused or void
            g.reveal(HAND[f.faction], f.karama)
        return None if f.to == TO_RESERVES else entering(g, f.faction, f.to)

    @step("DUNE-5.9")
    def admitted(f, g: DuneState) -> Flow:
        return END if f.to != TO_RESERVES and refused(g, f.to) else None

    @step("DUNE-K.35")
    def contested(f, g: DuneState) -> Flow:
        return g.at(Timing.SHIPMENT_DECLARED, f.faction, f.kind)

    @step("DUNE-R.8")
    def upheld(f, g: DuneState) -> Flow:
        return goto("look_back") if void(g) else None

    @step("DUNE-K.3")
    def play_karama(f, g: DuneState) -> Flow:
        if f.karama is None:
            return None
        if f.karama not in karamas(g, f.faction):  # stolen, or given up by an answer, since it was declared
            g.set_mark(DECLARATION, VOID)
            return goto("look_back")
        return UseKarama(f.faction, f.karama, "half_fee")

    @step("DUNE-K.29", "DUNE-R.117")
    def karama_works(f, g: DuneState) -> Flow:
        if f.karama and not karama_stands(g):
            g.set_mark(DECLARATION, VOID)
            return goto("look_back")
        return None

    @step("DUNE-K.15")
    def could_be_stopped(f, g: DuneState) -> Flow:
        return g.at(Timing.SHIPMENT_LEAVES, f.faction, f.kind, f.karama)

    @step("DUNE-K.16", "DUNE-K.17", "DUNE-K.18")
    def stopped(f, g: DuneState) -> Flow:
        if g.table.get(DECLARATION) != STOPPED:
            return None
        if f.karama:
            g.move("treachery_discard", HAND[f.faction], f.karama, rule="DUNE-K.18")
        return goto("look_back")

    @step("DUNE-5.5", "DUNE-K.4")
    def pay(f, g: DuneState) -> Flow:
        payee = BANK if f.karama else g.query(Query.SHIPMENT_PAYEE, BANK, f.faction)
        g.pay(f.faction, payee, f.fee)
        f.fee = 0
        return None

    @step("DUNE-5.3", "DUNE-GUI.12", "DUNE-GUI.13")
    def travel(f, g: DuneState) -> Flow:
        if not f.groups:
            g.land(f.faction, f.to, f.counts)
        for cell, counts in f.groups:
            if f.to == TO_RESERVES:
                g.withdraw(f.faction, cell, counts)
            else:
                g.march(f.faction, cell, f.to, counts)
        return g.at(Timing.TOKENS_GONE, *(cell for cell, _ in f.groups)) if f.groups else None

    @step("DUNE-FRE.22", "DUNE-R.60", "DUNE-T.19")
    def land_in_storm(f, g: DuneState) -> Flow:
        if f.lost != NONE:
            g.kill(f.faction, f.to, f.lost)
        if f.lost == f.counts:  # nobody is there, but they have shipped there, as they may have promised
            promises.kept(g, f.faction, "enter", territory_of[f.to])
            return goto("look_back")
        return goto("look_back") if f.to == TO_RESERVES else None

    @step("DUNE-BG.12")
    def arrive(f, g: DuneState) -> Flow:
        tokens, elites, coexisting = (n - lost for n, lost in zip(f.counts, f.lost, strict=True))
        return arrived(g, f.faction, f.to, (tokens + coexisting, elites, 0))

    @step("DUNE-BG.4", "DUNE-BG.5")
    def escort(f, g: DuneState) -> Flow:
        off_planet = not f.groups and g.allowed(Permit.OFF_PLANET, f.faction, default=True)
        return g.at(Timing.SHIPPED_FROM_OFF_PLANET, f.faction, f.to) if off_planet else None

    @step("DUNE-BG.17")
    def look_back(f, g: DuneState) -> Flow:
        """An ally who opened a territory for tokens that have not come is alone there after all."""
        return None if f.to == TO_RESERVES else g.at(Timing.TOKENS_GONE, f.to)


EXPLANATIONS = {Ship: explain}
FRAMES = (ShipmentPhase, Shipment)
