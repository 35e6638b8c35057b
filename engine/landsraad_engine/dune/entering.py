"""Entering territories: the rules that shipments, manoeuvres and worm rides have in common.

Parts of territories that the storm separates count as territories of their own; a part is named by its first cell.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from landsraad_engine.dune.board import (
    CELLS,
    POLAR_SINK,
    STRONGHOLDS,
    Cell,
    Part,
    Territory,
    cells_of,
    name_of,
    part_of,
    territory_of,
    under_storm,
)
from landsraad_engine.dune.hooks import Permit, Timing
from landsraad_engine.dune.promises import barred_territories, kept
from landsraad_engine.dune.words import Counts, DuneState
from landsraad_engine.dune.zones import BOARD, TROOPS
from landsraad_engine.kernel.frames import Flow, Frame, rule
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.memo import MemoKind

#: What becomes of a shipment or manoeuvre that has been declared, if it does not simply take place.
DECLARATION: Final = "declaration"
VOID: Final = "void"
STOPPED: Final = "stopped"

REFUSED: Final = "refused"

_CLOSED: Final = MemoKind("closed parts")
_FULL: Final = MemoKind("full strongholds")
_STACKS: Final = MemoKind("stacks")

#: Parts that are closed, and territories that promises bar.
Bars: TypeAlias = tuple[frozenset[Cell], tuple[Territory, ...]]
#: Tokens that stand together in one part: the cells with the tokens in each.
Stack: TypeAlias = tuple[tuple[Cell, Counts], ...]


def part_key(g: DuneState, cell: Cell) -> Cell:
    """The name of the part in which a cell lies."""
    return part_of(cell, g.storm)[0]


@rule("DUNE-5.8", "DUNE-5.9", "DUNE-5.18", "DUNE-5.19", "DUNE-5.25", "DUNE-R.70", "DUNE-FRE.9", "DUNE-FRE.10")
def closed(g: DuneState, faction: str) -> frozenset[Cell]:
    """The parts that a faction's tokens can neither enter nor cross: full strongholds, and where an ally stands."""
    memo = g.topics[BOARD]
    known: frozenset[Cell] | None = memo.get((_CLOSED, faction))
    if known is None:
        known = memo[_CLOSED, faction] = _closed(g, faction)
    return known


def _closed(g: DuneState, faction: str) -> frozenset[Cell]:
    shut = [cell for cell, present in _full(g) if len(present) - (faction in present) >= 2]
    for ally in g.allies(faction):
        for cell, (tokens, elites, _) in g.on_board(ally):
            if (tokens or elites) and cell != POLAR_SINK:
                part = part_of(cell, g.storm)
                if not g.allowed(Permit.JOIN_ALLY, faction, ally, part):
                    shut.append(part[0])
    return frozenset(shut)


def _full(g: DuneState) -> list[tuple[Cell, tuple[str, ...]]]:
    """The strongholds, by their first cells, in which two stand or more, and who does."""
    memo = g.topics[BOARD]
    known: list[tuple[Cell, tuple[str, ...]]] | None = memo.get(_FULL)
    if known is None:
        present = ((cells_of[stronghold][0], g.present(cells_of[stronghold])) for stronghold in STRONGHOLDS)
        known = memo[_FULL] = [(cell, factions) for cell, factions in present if len(factions) >= 2]
    return known


def bars(g: DuneState, faction: str, shut: frozenset[Cell]) -> Bars:
    """Return where a faction's tokens may not end: closed parts, those an ally does not open, what promises bar."""
    return shut.union(g.table.get(REFUSED, ())), barred_territories(g, faction)


@lru_cache(maxsize=1 << 12)
def open_cells(cells: tuple[Cell, ...], storm: int, barred: Bars) -> tuple[Cell, ...]:
    """Those of the cells that are not barred."""
    parts, territories = barred
    shut = {cell for part in parts for cell in part_of(part, storm)}
    shut.update(cell for territory in territories for cell in cells_of[territory])
    return cells if shut.isdisjoint(cells) else tuple([cell for cell in cells if cell not in shut])


@lru_cache(maxsize=1 << 10)
@rule("DUNE-5.6", "DUNE-FRE.6")
def clear_of_storm(storm: int) -> tuple[Cell, ...]:
    """The cells that do not lie under the storm."""
    return tuple(cell for cell in CELLS if not under_storm(cell, storm))


@rule("DUNE-5.6", "DUNE-5.7")
def landing_cells(g: DuneState, faction: str) -> tuple[Cell, ...]:
    """The cells in which tokens that come from elsewhere than next door may be set down."""
    return open_cells(clear_of_storm(g.storm), g.storm, landing_bars(g, faction))


def landing_bars(g: DuneState, faction: str) -> Bars:
    """Return where the tokens of a faction cannot be set down, the storm aside."""
    return bars(g, faction, closed(g, faction))


@rule("DUNE-R.86")
def stacks(g: DuneState, faction: str) -> list[tuple[Part, Stack]]:
    """A faction's tokens on the board, together where the storm does not part them, in board order."""
    storm = g.storm
    memo = g.topics[TROOPS[faction]]
    known: list[tuple[Part, Stack]] | None = memo.get((_STACKS, storm))
    if known is None:
        found: dict[Part, list[tuple[Cell, Counts]]] = {}
        for cell, counts in g.on_board(faction):
            found.setdefault(part_of(cell, storm), []).append((cell, counts))
        known = memo[_STACKS, storm] = [(part, tuple(held)) for part, held in found.items()]
    return known


# --- declaring, and what may come of it


def entering(g: DuneState, faction: str, cell: Cell) -> Frame | None:
    """An ally who stands there may have to open the territory first."""
    return g.at(Timing.ENTERING, faction, cell)


def refused(g: DuneState, cell: Cell) -> bool:
    """Return whether an ally has not opened the part in which a cell lies; the declaration is void then."""
    if part_key(g, cell) not in g.table.get(REFUSED, ()):
        return False
    g.set_mark(DECLARATION, VOID)
    return True


def void(g: DuneState) -> bool:
    """Return whether what was declared has to be declared anew."""
    return g.table.get(DECLARATION) == VOID


def arrived(g: DuneState, faction: str, cell: Cell, counts: Counts) -> Flow:
    """Tokens have shipped or moved into a territory: promises to do so are kept, and everybody takes note."""
    kept(g, faction, "enter", territory_of[cell])
    return g.at(Timing.TOKENS_ARRIVED, faction, cell, counts)


# --- promises to go somewhere


@rule("DUNE-R.17", "DUNE-T.19")
def narrowed(choices: Sequence[Choice], territories: Sequence[Territory]) -> list[Choice]:
    """Return what is left of some choices if they have to lead into one of these territories."""
    left: list[Choice] = []
    for choice in choices if territories else ():
        domains = dict(zip(choice.names, choice.domains, strict=True))
        to = domains["to"]
        assert isinstance(to, OneOf)
        cells = tuple(cell for cell in to.items if territory_of.get(cell) in territories)
        if cells:
            domains["to"] = OneOf(cells, why="DUNE-R.17")
            left.append(Choice(choice.act, *choice.constraints, why=choice.why, **domains))
    return left


# --- refusals


def explain(g: DuneState, seat: int, act: Any) -> tuple[str, str] | None:
    """Return the reason that a shipment or manoeuvre may not go where it is to."""
    return why_not(g, g.side(seat), act.to) if act.to in territory_of else None


def why_not(g: DuneState, faction: str, cell: Cell) -> tuple[str, str] | None:
    """The rule that keeps a faction's tokens out of a cell, and what it says; None if it is open."""
    if under_storm(cell, g.storm):
        return "DUNE-5.15", f"{name_of[territory_of[cell]]} lies under the storm there"
    return why_barred(g, faction, cell)


def why_barred(g: DuneState, faction: str, cell: Cell) -> tuple[str, str] | None:
    """The rule that keeps a faction's tokens out of a cell, the storm aside."""
    territory = territory_of[cell]
    if g.crowded(territory, faction):
        return "DUNE-5.8", f"two others already stand in {name_of[territory]}"
    if part_key(g, cell) in closed(g, faction):
        return "DUNE-5.9", f"an ally stands in {name_of[territory]}"
    if part_key(g, cell) in g.table.get(REFUSED, ()):
        return "DUNE-BG.14", f"the ally in {name_of[territory]} does not agree to coexist"
    if territory in barred_territories(g, faction):
        return "DUNE-0.21", f"a promise keeps these tokens out of {name_of[territory]}"
    return None
