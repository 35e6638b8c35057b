"""Demands of prescience cards that must be so, or must have happened. All of it is plain for everybody to see."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.chronicle import happened, victories
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.terms import MARKERS, SPANS, UNITS, AreaId
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.arrakis.zones import WORM
from landsraad_engine.kernel.frames import rule

Condition: TypeAlias = Callable[[Any, ArrakisState], bool]


@rule("WFA-Q.10")
def holds(row: rows.Operation, g: ArrakisState) -> bool:
    """Return whether a condition is met."""
    return CONDITIONS[type(row)](row, g)


# ---- Where something is ----


def areas_like(row: rows.UnitsInAreasRow | rows.LeaderInRow, g: Words) -> AreaSet:
    """The areas of a row's kind: its terrain, with or without a settlement, in its sectors, near what it names."""
    board, survey = g.board, g.survey()
    areas = board.union(board.of_terrain[terrain] for terrain in row.terrain) if row.terrain else board.everywhere
    if row.settlement != "any":
        settled = survey.villages | survey.sietches
        areas &= settled if row.settlement == "with" else ~settled
    if isinstance(row, rows.UnitsInAreasRow) and row.near:
        areas &= board.union(board.within(area, row.distance) for area in row.near)
    return areas & in_sectors(row.sectors, g)


def in_sectors(sectors: rows.Sectors, g: Words) -> AreaSet:
    """The areas of the outer or the central sectors, or all."""
    return g.board.everywhere if sectors == "any" else g.board.ring[sectors]


@rule("WFA-Q.12", "WFA-S.21")
def units_in_areas(row: rows.UnitsInAreasRow, g: ArrakisState) -> bool:
    kind = None if row.unit == "any" else UNITS.index(row.unit)
    held = g.board.names(areas_like(row, g) & g.survey().legions(row.side))
    manned = [area for area in held if _units(g, row.side, area, kind) >= row.units]
    return len(manned) >= row.areas


def _units(g: ArrakisState, side: str, area: AreaId, kind: int | None) -> int:
    return g.size(side, area) if kind is None else g.figures(side, area)[kind]


@rule("WFA-L.25")
def leader_in(row: rows.LeaderInRow, g: ArrakisState) -> bool:
    area = g.standing_at(row.leader)
    return bool(area and g.board.bit[area] & areas_like(row, g))


@rule("WFA-L.25")
def leaders_together(row: rows.LeadersTogetherRow, g: ArrakisState) -> bool:
    area = g.standing_at(row.leader)
    if not area:
        return False
    here = g.board.bit[area]
    near = here if row.within == "area" else g.board.same_sectors(here)
    others = [g.standing_at(other) for other in row.others]
    return any(g.board.bit[other] & near for other in others if other)


@rule("WFA-Q.12")
def settlements_held(row: rows.SettlementsHeldRow, g: ArrakisState) -> bool:
    standing = g.survey().settlements(row.side)
    if row.areas:
        standing &= g.board.set_of(row.areas)
    return standing.bit_count() >= row.at_least


@rule("WFA-L.33", "WFA-Q.12")
def worms_on_board(row: rows.WormsOnBoardRow, g: ArrakisState) -> bool:
    return sum(sum(g.get(WORM[area])) for area in g.board.names(g.survey().worms)) >= row.at_least


# ---- How far the markers are, and what has happened ----


@rule("WFA-Q.12")
def marker_at_least(row: rows.MarkerAtLeastRow, g: ArrakisState) -> bool:
    markers = MARKERS if row.marker == "any" else (row.marker,)
    return any(g.marker(marker) >= row.step for marker in markers)


@rule("WFA-Q.12")
def it_happened(row: rows.HappenedRow, g: ArrakisState) -> bool:
    times = happened(g, row.event)[SPANS.index(row.since)]
    return row.at_least <= times <= row.at_most


@rule("WFA-B.40", "WFA-B.41")
def battle_won(row: rows.BattleWonRow, g: ArrakisState) -> bool:
    return any(
        row.role in (role, "either") and (not row.against or not set(row.against).isdisjoint(beaten))
        for role, beaten in victories(g, row.since)
    )


@rule("WFA-M.12", "WFA-Q.12")
def sandrode(row: rows.SandrodeRow, g: ArrakisState) -> bool:
    ridden: int = g.table.get("ridden", 0)
    return ridden >= row.areas


CONDITIONS: Final[Mapping[type[rows.Operation], Condition]] = {
    rows.UnitsInAreasRow: units_in_areas,
    rows.LeaderInRow: leader_in,
    rows.LeadersTogetherRow: leaders_together,
    rows.SettlementsHeldRow: settlements_held,
    rows.MarkerAtLeastRow: marker_at_least,
    rows.WormsOnBoardRow: worms_on_board,
    rows.HappenedRow: it_happened,
    rows.BattleWonRow: battle_won,
    rows.SandrodeRow: sandrode,
}
