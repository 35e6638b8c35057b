"""The board of classic Dune: its territories and cells, and what the storm leaves of the ways between them.

Tokens stand in *cells* ("arrakeen:9": a territory in one sector); moving costs one step per territory entered, and the
cells under the storm can be neither entered nor left. The storm thereby cuts some territories into *parts* that count
as separate territories. Everything here is a fact of the printed map, so it is worked out once and kept: per storm
position the parts and the ways between them, per question the answer.

Every tuple of territories or cells is in board order, the order of the content file. Storm 0 means "no storm".
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from landsraad_engine import content
from landsraad_engine.content.layers import Certainty
from landsraad_engine.kernel.frames import rule

Territory: TypeAlias = str
Cell: TypeAlias = str
Sector: TypeAlias = int
Part: TypeAlias = tuple[Cell, ...]
Terrain: TypeAlias = Literal["sand", "rock", "stronghold", "polar_sink"]


class _Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the content file; a misspelt key in it is an error."""


class SpiceBlow(_Facts, frozen=True):
    sector: Sector
    amount: int


@rule("DUNE-0.4", "DUNE-0.6")
class TerritoryFacts(_Facts, frozen=True):
    id: Territory
    name: str
    terrain: Terrain
    sectors: tuple[Sector, ...]  # in the storm's direction, each touching the next
    aliases: tuple[str, ...] = ()
    spice: SpiceBlow | None = None


@rule("DUNE-0.5", "DUNE-0.8", "DUNE-R.79", "DUNE-R.80")
class StormTrack(_Facts, frozen=True):
    sectors: int
    start: Sector
    player_dots: tuple[Sector, ...]


@rule("DUNE-R.81", "DUNE-R.83", "DUNE-R.84")
class SpecialPlaces(_Facts, frozen=True):
    ornithopter_cities: tuple[Territory, ...]
    ornithopter_range: int
    harvester_and_carryall_cities: tuple[Territory, ...]
    smuggler_stronghold: Territory
    shelter_lost_to_family_atomics: frozenset[Territory]
    family_atomics_target: Territory
    fremen_shipment_centre: Territory
    fremen_shipment_range: int
    fremen_start: tuple[Territory, ...]


class Border(_Facts, frozen=True):
    sector: Sector
    between: tuple[tuple[Territory, Territory], ...]


class BordersElsewhere(_Facts, frozen=True):
    polar_sink: tuple[Cell, ...]
    across: tuple[tuple[Cell, Cell], ...]


class BoardFile(_Facts, frozen=True):
    storm: StormTrack
    provenance: dict[str, Certainty]
    special: SpecialPlaces
    territory: tuple[TerritoryFacts, ...]
    border: tuple[Border, ...]
    borders_elsewhere: BordersElsewhere


_FILE: Final = content.load("dune_board", BoardFile)

POLAR_SINK: Final = "polar_sink"
SECTORS: Final = _FILE.storm.sectors
STORM_START: Final = _FILE.storm.start
DOTS: Final = _FILE.storm.player_dots
SPECIAL: Final = _FILE.special
PROVENANCE: Final[Mapping[str, Certainty]] = MappingProxyType(_FILE.provenance)


def cell(territory: Territory, sector: Sector) -> Cell:
    """The cell of `territory` in `sector`."""
    return f"{territory}:{sector}"


def _cells(facts: TerritoryFacts) -> tuple[Cell, ...]:
    return tuple(cell(facts.id, sector) for sector in facts.sectors) or (POLAR_SINK,)


TERRITORIES: Final = tuple(facts.id for facts in _FILE.territory)
name_of: Final[Mapping[Territory, str]] = MappingProxyType({facts.id: facts.name for facts in _FILE.territory})
terrain: Final[Mapping[Territory, Terrain]] = MappingProxyType({facts.id: facts.terrain for facts in _FILE.territory})
STRONGHOLDS: Final = tuple(territory for territory in TERRITORIES if terrain[territory] == "stronghold")
cells_of: Final[Mapping[Territory, tuple[Cell, ...]]] = MappingProxyType(
    {facts.id: _cells(facts) for facts in _FILE.territory}
)
territory_of: Final[Mapping[Cell, Territory]] = MappingProxyType(
    {at: territory for territory, cells in cells_of.items() for at in cells}
)
CELLS: Final = tuple(territory_of)
sector_of: Final[Mapping[Cell, Sector]] = MappingProxyType(
    {POLAR_SINK: 0} | {cell(facts.id, sector): sector for facts in _FILE.territory for sector in facts.sectors}
)
SPICE: Final[Mapping[Territory, tuple[Cell, int]]] = MappingProxyType(
    {
        facts.id: (cell(facts.id, facts.spice.sector), facts.spice.amount)
        for facts in _FILE.territory
        if facts.spice is not None
    }
)


def _borders() -> Iterable[tuple[Cell, Cell]]:
    """Every pair of cells that touch, once."""
    for cells in cells_of.values():
        yield from pairwise(cells)
    for border in _FILE.border:
        for one, other in border.between:
            yield cell(one, border.sector), cell(other, border.sector)
    for at in _FILE.borders_elsewhere.polar_sink:
        yield at, POLAR_SINK
    yield from _FILE.borders_elsewhere.across


def _neighbouring_cells() -> Mapping[Cell, tuple[Cell, ...]]:
    touching: dict[Cell, set[Cell]] = {at: set() for at in CELLS}
    for one, other in _borders():
        touching[one].add(other)
        touching[other].add(one)
    return MappingProxyType({at: tuple(sorted(near, key=CELLS.index)) for at, near in touching.items()})


def _neighbouring_territories() -> Mapping[Territory, tuple[Territory, ...]]:
    touching = {
        territory: {territory_of[near] for at in cells for near in cell_neighbours[at]} - {territory}
        for territory, cells in cells_of.items()
    }
    return MappingProxyType({at: tuple(sorted(near, key=TERRITORIES.index)) for at, near in touching.items()})


cell_neighbours: Final = _neighbouring_cells()
neighbours: Final = _neighbouring_territories()


# ---- What the storm leaves ----


class _Ways(NamedTuple):
    """The board under one storm position. Parts are numbered in board order."""

    parts: tuple[Part, ...]
    part_of: Mapping[Cell, int]
    part_at: Mapping[Cell, Part]
    parts_of: Mapping[Territory, tuple[int, ...]]
    exits: tuple[tuple[int, ...], ...]  # per part, the parts of other territories one step away


@cache
def _ways(storm: Sector) -> _Ways:
    parts = tuple(part for territory in TERRITORIES for part in _cut(cells_of[territory], storm))
    part_of = {at: number for number, part in enumerate(parts) for at in part}
    exits = tuple(
        tuple(
            sorted(
                {
                    part_of[near]
                    for at in part
                    for near in cell_neighbours[at]
                    if not (under_storm(at, storm) or under_storm(near, storm)) and part_of[near] != number
                }
            )
        )
        for number, part in enumerate(parts)
    )
    parts_of = {territory: tuple(dict.fromkeys(part_of[at] for at in cells)) for territory, cells in cells_of.items()}
    return _Ways(parts, part_of, {at: part for part in parts for at in part}, parts_of, exits)


def _cut(cells: tuple[Cell, ...], storm: Sector) -> Iterable[Part]:
    """The parts of one territory. Its cells form a chain, so the storm's cell is what lies between two parts."""
    hit = next((place for place, at in enumerate(cells) if under_storm(at, storm)), len(cells))
    yield from (part for part in (cells[:hit], cells[hit : hit + 1], cells[hit + 1 :]) if part)


@rule("DUNE-0.7")
def under_storm(at: Cell, storm: Sector) -> bool:
    """Does this cell lie in the storm's sector? (The Polar Sink never does.)"""
    return sector_of[at] == storm != 0


@rule("DUNE-1.19")
def parts(territory: Territory, storm: Sector) -> tuple[Part, ...]:
    """The parts that count as separate territories under this storm.

    The territory's cell in the storm's sector, if it has one, is a part of its own, for nothing gets out of it.
    """
    ways = _ways(storm)
    return tuple(ways.parts[number] for number in ways.parts_of[territory])


def part_of(at: Cell, storm: Sector) -> Part:
    """The part of its territory in which a cell lies."""
    return _ways(storm).part_at[at]


def same_part(one: Cell, other: Cell, storm: Sector) -> bool:
    """Do two cells count as one territory under this storm?"""
    numbers = _ways(storm).part_of
    return numbers[one] == numbers[other]


# ---- Moving ----


@rule("DUNE-5.14", "DUNE-5.15", "DUNE-R.85")
def reach(
    start: Cell, steps: int, storm: Sector, blocked: frozenset[Territory | Cell] = frozenset()
) -> tuple[Cell, ...]:
    """The cells to which tokens in `start` can move through at most `steps` territories.

    `blocked` names what may be neither entered nor crossed: a territory with all its parts, or, by any one of its
    cells, the part in which that cell lies. Blocking where the tokens already stand has no effect. The cells of that
    part, `start` included, belong to the answer: whether re-placing tokens there is a move is for the caller to say.
    """
    return _reach(start, steps, storm, blocked)


@lru_cache(maxsize=1 << 14)
def _reach(start: Cell, steps: int, storm: Sector, blocked: frozenset[Territory | Cell]) -> tuple[Cell, ...]:
    ways = _ways(storm)
    closed = {number for name in blocked for number in ways.parts_of.get(name) or (ways.part_of[name],)}
    here = ways.part_of[start]
    reached = {here}
    edge = {here}
    for _ in range(steps):
        edge = {number for part in edge for number in ways.exits[part]} - closed - reached
        reached |= edge
    return tuple([at for number in sorted(reached) for at in ways.parts[number]])


@cache
def _distances(territory: Territory) -> Mapping[Territory, int]:
    distances = {territory: 0}
    queue = [territory]
    for at in queue:  # the list grows while it is walked: breadth first
        for near in neighbours[at]:
            if near not in distances:
                distances[near] = distances[at] + 1
                queue.append(near)
    return distances


def distance(one: Territory, other: Territory) -> int:
    """Return how many steps lie between two territories on a board without storm."""
    return _distances(one)[other]


@cache
def within(territory: Territory, steps: int) -> tuple[Territory, ...]:
    """The territories at most so many steps away, storm or not, itself included."""
    distances = _distances(territory)
    return tuple(other for other in TERRITORIES if distances[other] <= steps)


FAMILY_ATOMICS_FROM: Final = within(SPECIAL.family_atomics_target, 1)
FREMEN_SHIPMENT: Final = within(SPECIAL.fremen_shipment_centre, SPECIAL.fremen_shipment_range)


# ---- The storm's own way ----


def sector_after(start: Sector, steps: int) -> Sector:
    """The sector so many steps on from `start`, counter-clockwise."""
    return (start + steps - 1) % SECTORS + 1


@rule("DUNE-R.62")
def sectors_passed(start: Sector, steps: int) -> tuple[Sector, ...]:
    """The sectors that a storm moving from `start` enters, in order; the last is where it stops.

    Where it started is spared unless the storm goes all the way round.
    """
    return tuple(sector_after(start, step) for step in range(1, steps + 1))


@rule("DUNE-1.13", "DUNE-R.80")
@cache
def dot_order(storm: Sector) -> tuple[int, ...]:
    """The player dots from the First Player's on, counter-clockwise.

    The First Player's is the dot that the storm would reach next; one in the storm's own sector has been passed.
    """
    return tuple(sorted(range(len(DOTS)), key=lambda dot: (DOTS[dot] - storm - 1) % SECTORS))


@rule("DUNE-1.10", "DUNE-T.42")
def storm_protected(territory: Territory, atomics_used: bool) -> bool:
    """Are tokens in this territory safe when the storm passes over them?"""
    if territory in SPECIAL.shelter_lost_to_family_atomics:
        return not atomics_used
    return terrain[territory] != "sand"
