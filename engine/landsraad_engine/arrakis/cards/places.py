"""Places that the texts of planning cards speak of, as sets of areas for one side."""

from collections.abc import Callable
from typing import TypeAlias

from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.terms import AreaId, Terrain
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import rule

Where: TypeAlias = Callable[[ArrakisState, str], AreaSet]


@rule("WFA-C.83")
def named(*areas: AreaId) -> Where:
    """Those of these areas that are free for the side, whatever has become of their settlements."""
    return lambda g, side: g.board.set_of(areas) & ~g.survey().barred(side)


@rule("WFA-C.83")
def settlements(g: ArrakisState, side: str) -> AreaSet:
    """Own settlements that stand."""
    return g.survey().settlements(side)


@rule("WFA-S.9", "WFA-S.11")
def free(*terrains: Terrain) -> Where:
    """Areas of such terrain that are free for the side."""
    return lambda g, side: g.board.union(g.board.of_terrain[each] for each in terrains) & ~g.survey().barred(side)


@rule("WFA-S.10")
def empty_deserts(g: ArrakisState, side: str) -> AreaSet:
    return g.board.desert & ~g.survey().taken()


def legions(g: ArrakisState, side: str) -> AreaSet:
    """Areas with an own legion."""
    return g.survey().legions(side)


def legions_with(kind: int) -> Where:
    """Areas with an own legion that has a unit of a kind."""
    return lambda g, side: g.board.set_of(area for area, legion in g.areas_of(side) if legion.units[kind])


def in_deserts(g: ArrakisState, side: str) -> AreaSet:
    """Deserts with an own legion."""
    return g.board.desert & g.survey().legions(side)


def in_settlements(g: ArrakisState, side: str) -> AreaSet:
    """Own settlements with a legion."""
    return settlements(g, side) & g.survey().legions(side)


def legion_of(leader: str) -> Where:
    """Return where a named leader stands."""
    return lambda g, _: g.board.bit.get(g.standing_at(leader), 0)


@rule("WFA-C.88", "WFA-C.90")
def here(otherwise: Where) -> Where:
    """The area of the part before, if its legion is there still; if that part was left undone, any it could be."""

    def where(g: ArrakisState, side: str) -> AreaSet:
        area = g.table.get("here")
        if not area:
            return otherwise(g, side)
        return g.board.bit[area] & g.survey().legions(side)

    return where


def enemies_beside(own: Where) -> Where:
    """Areas next to these."""
    return lambda g, side: g.board.around(own(g, side))
