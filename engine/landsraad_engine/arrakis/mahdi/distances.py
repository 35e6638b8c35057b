"""Distances and neighbours as the automaton counts them: impassable borders do not exist for it."""

from collections.abc import Iterator
from functools import cache

from landsraad_engine.arrakis.board import AreaSet, Board
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.kernel.frames import rule

#: Longer than any way on the board.
FAR = 999


@rule("WFA-Y.169", "WFA-Y.170")
def beside(g: Words, area: AreaId) -> AreaSet:
    """Return the areas adjacent to one."""
    return g.board.adjacent_by_air[area]


@rule("WFA-Y.170")
def flown(g: Words, one: AreaId, other: AreaId) -> int:
    """Return the flown distance of two areas."""
    return _flown(g.board, one, other)


@cache
def _flown(board: Board, one: AreaId, other: AreaId) -> int:
    return board.distance_by_air(one, other)


def standing_sietches(g: Words) -> tuple[AreaId, ...]:
    """Return the areas of the Sietches that stand."""
    return g.board.names(g.survey().sietches)


def to_nearest_sietch(g: Words, area: AreaId) -> int:
    """Return the flown distance to the closest Sietch that stands."""
    return min((flown(g, area, sietch) for sietch in standing_sietches(g)), default=FAR)


@rule("WFA-Y.86")
def nearest_sietches(g: Words, area: AreaId) -> tuple[AreaId, ...]:
    """Return the Sietches that no other is closer than."""
    least = to_nearest_sietch(g, area)
    return tuple(sietch for sietch in standing_sietches(g) if flown(g, area, sietch) == least)


@rule("WFA-Y.74")
def ways_left(g: Words, target: AreaId, free: AreaSet) -> dict[AreaId, int]:
    """Return for each area from which free areas lead to a target how many steps are left, the last one into it."""
    board = g.board
    left = {target: 0}
    edge: AreaSet = board.bit[target]
    seen = edge
    steps = 0
    while edge:
        steps += 1
        ring = board.union(board.adjacent_by_air[area] for area in board.names(edge)) & free & ~seen
        for area in board.names(ring):
            left[area] = steps
        seen |= ring
        edge = ring
    return left


@cache
def sectors_touching(board: Board) -> dict[str, frozenset[str]]:
    """Return for each Sector those that touch it, over impassable borders and round the outer ring as well."""
    touching = {sector: set(near) for sector, near in board.sector_neighbours.items()}
    for here, there in _borders(board):
        touching[here].add(there)
    return {sector: frozenset(near) for sector, near in touching.items()}


def _borders(board: Board) -> Iterator[tuple[str, str]]:
    single = [area for area in board.areas if len(board.sectors_of[area]) == 1]
    for area in single:
        (here,) = board.sectors_of[area]
        for near in board.names(board.adjacent_by_air[area]):
            if len(board.sectors_of[near]) == 1 and board.sectors_of[near] != (here,):
                yield here, board.sectors_of[near][0]


def reached_by_air(g: ArrakisState, area: AreaId) -> AreaSet:
    """Return the areas at most two away by air, without the area itself."""
    return g.board.within_by_air(area, 2) & ~g.board.bit[area]
