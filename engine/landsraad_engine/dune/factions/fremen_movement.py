"""The Fremen in the Movement Round: shipments from the reserves on the planet, and manoeuvres of two territories."""

from functools import lru_cache
from typing import Final

from landsraad_engine.dune.acts import ShipNative
from landsraad_engine.dune.board import FREMEN_SHIPMENT, Cell, cells_of, name_of, reach, territory_of, under_storm
from landsraad_engine.dune.entering import DECLARATION, VOID, bars, closed, open_cells, why_barred
from landsraad_engine.dune.factions.fremen import source
from landsraad_engine.dune.hooks import Instead, Permit, Query, Timing
from landsraad_engine.dune.karama import Ability, Cancellable, stands
from landsraad_engine.dune.pieces import FREMEN
from landsraad_engine.dune.shipment import Shipment, headcount
from landsraad_engine.dune.words import NONE, DuneState
from landsraad_engine.kernel.frames import Flow, Frame, rule
from landsraad_engine.kernel.grammar import Act, Choice, Domain, Linear, OneOf, Range, Term

NATIVE: Final = "native"
_WHY: Final = "DUNE-FRE.19"

#: With a Fremen manoeuvre one goes through this many territories.
_DESERT_CREATURES: Final = 2

_CELLS: Final = tuple(cell for territory in FREMEN_SHIPMENT for cell in cells_of[territory])

#: Half of the tokens die, rounded up: the elites among them are no more than there are elites, no more than the half,
#: and enough if there are too few others.
_HALF: Final = (
    Linear((Term("elites_lost"), Term("elites", -1)), high=0, why="DUNE-FRE.22"),
    Linear((Term("elites_lost", 2), Term("tokens", -1), Term("elites", -1)), high=1, why="DUNE-FRE.22"),
    Linear((Term("elites_lost", 2), Term("tokens"), Term("elites", -1)), low=0, why="DUNE-FRE.22"),
)


# --- Native and Desert Ghosts


@source.forbids(Permit.STANDARD_SHIPMENT)
@rule("DUNE-FRE.18")
def no_standard_shipment(g: DuneState, faction: str) -> bool:
    return faction == FREMEN


@source.forbids(Permit.OFF_PLANET)
@rule("DUNE-BG.5")
def reserves_on_the_planet(g: DuneState, faction: str) -> bool:
    return faction == FREMEN


@lru_cache(maxsize=64)
def _landings(storm: int) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """The landings of a Fremen shipment: clear of the storm, and under it."""
    covered = tuple(cell for cell in _CELLS if under_storm(cell, storm))
    return tuple(cell for cell in _CELLS if cell not in covered), covered


@source.modifies(Query.SHIPMENTS)
@rule("DUNE-FRE.19", "DUNE-FRE.20", "DUNE-FRE.22", "DUNE-R.60")
def native_shipments(g: DuneState, choices: list[Choice], faction: str) -> list[Choice]:
    """Free, near The Great Flat, storm or not; what is said of the elites under the storm is which half dies."""
    tokens, elites, _ = g.reserves(FREMEN)
    if faction != FREMEN or not (tokens or elites):
        return choices
    barred = bars(g, FREMEN, closed(g, FREMEN))
    ordinary, elite, together = headcount(tokens, elites, tokens + elites)
    fields: dict[str, Domain] = {"tokens": ordinary, "elites": elite}
    clear, covered = (open_cells(cells, g.storm, barred) for cells in _landings(g.storm))
    found = [*choices]
    if clear:
        found.append(Choice(ShipNative, *together, why=_WHY, **fields, to=OneOf(clear), elites_lost=OneOf((0,))))
    if covered:
        lost = Range(0, (elites + tokens + 1) // 2 if elites else 0)
        found.append(Choice(ShipNative, *together, *_HALF, why=_WHY, **fields, to=OneOf(covered), elites_lost=lost))
    return found


@source.instead_of(Instead.SHIPMENT)
@rule("DUNE-FRE.22", "DUNE-R.115")
def native_shipment(g: DuneState, faction: str, act: Act) -> Frame | None:
    if not isinstance(act, ShipNative):
        return None
    lost = NONE
    if under_storm(act.to, g.storm):
        lost = ((act.tokens + act.elites + 1) // 2 - act.elites_lost, act.elites_lost, 0)
    return Shipment(faction=FREMEN, kind=NATIVE, counts=(act.tokens, act.elites, 0), to=act.to, lost=lost)


@rule("DUNE-FRE.19", "DUNE-FRE.22")
def explain_native(g: DuneState, seat: int, act: ShipNative) -> tuple[str, str] | None:
    """Return the reason that a Fremen shipment is refused: the storm is no reason."""
    if act.to not in territory_of:
        return None
    if act.to not in _CELLS:
        return "DUNE-FRE.19", f"{name_of[territory_of[act.to]]} is more than two territories away from The Great Flat"
    wrong_half = "DUNE-FRE.22", "half of those who land under the storm are lost, rounded up, whatever they are"
    return why_barred(g, FREMEN, act.to) or (wrong_half if under_storm(act.to, g.storm) else None)


# --- Desert Creatures


@source.modifies(Query.MANOEUVRE_RANGE)
@rule("DUNE-FRE.23")
def two_territories(g: DuneState, steps: int, faction: str) -> int:
    if faction != FREMEN or not stands(g, Ability.DESERT_CREATURES):
        return steps
    return max(steps, _DESERT_CREATURES)


@source.at(Timing.MANOEUVRE_DECLARED)
@rule("DUNE-R.3")
def may_be_cancelled(g: DuneState, faction: str, start: Cell, to: Cell) -> Frame | None:
    """A manoeuvre of two territories uses the ability, unless Ornithopters carry it."""
    if faction != FREMEN or g.has_bonus(FREMEN, "ornithopters"):
        return None
    return None if to in reach(start, 1, g.storm, closed(g, FREMEN)) else DesertCreatures()


class DesertCreatures(Cancellable):
    """Karama may cancel the second territory of a manoeuvre (option gf9); it is declared anew then."""

    ability = Ability.DESERT_CREATURES
    owner = FREMEN

    @rule("DUNE-R.5")
    def cancelled(f, g: DuneState) -> Flow:
        g.set_mark(DECLARATION, VOID)
        return None


EXPLANATIONS = {ShipNative: explain_native}
FRAMES = (DesertCreatures,)
