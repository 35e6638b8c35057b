"""Outlines: the shapes of the areas of a board, and places for counters in them.

They are presentation, made by tools/gen_outlines.py. No rule reads them, and they count neither for the content digest
of a match nor for the engine's build: a mended shape must not keep a saved match from being played again.
"""

from functools import cache
from typing import Annotated, Final, TypeAlias

import msgspec

from landsraad_engine import content
from landsraad_engine.content.layers import Certainty
from landsraad_engine.errors import BadContent

#: Unit of all figures: a board's width has so many.
UNITS: Final = 10_000

_Figure: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2 * UNITS)]
#: x to the right and y down, from the top left.
Point: TypeAlias = tuple[_Figure, _Figure]
#: A place for a counter: x, y, and the radius of the free space around it.
Anchor: TypeAlias = tuple[_Figure, _Figure, _Figure]
Points: TypeAlias = Annotated[tuple[Point, ...], msgspec.Meta(min_length=3)]
Line: TypeAlias = Annotated[tuple[Point, ...], msgspec.Meta(min_length=2)]


class _Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; a misspelt key in it is an error."""


class BoardSize(_Facts, frozen=True):
    """The size of a board."""

    width: Annotated[int, msgspec.Meta(ge=UNITS, le=UNITS)]
    height: Annotated[int, msgspec.Meta(ge=1, le=2 * UNITS)]


class AreaOutline(_Facts, frozen=True):
    """The shape of one area. Its border is closed: the last point is joined to the first."""

    outline: Points
    anchors: dict[str, Anchor]


class BoardOutline(_Facts, frozen=True):
    """The shape of one board."""

    provenance: Certainty
    board: BoardSize
    #: places beside or above the areas: player dots, storm marker, air zones
    marks: dict[str, Anchor]
    #: lines between sectors ("sector_1") and borders that nobody can cross ("impassable ne_5 cne_5")
    lines: dict[str, Line]
    area: dict[str, AreaOutline]


@cache
def outline_of(board: str) -> BoardOutline:
    """Return the outline of a board: "dune" or "arrakis".

    Raises:
        BadContent: A point lies off the board, or an area has no place for a counter.
    """
    found = content.load(f"{board}_outline", BoardOutline)
    for name, area in found.area.items():
        if "tokens" not in area.anchors:
            raise BadContent(f"{board}_outline: {name} has no place for tokens")
        for x, y in area.outline:
            if x > found.board.width or y > found.board.height:
                raise BadContent(f"{board}_outline: {name} has a point off the board: {x}, {y}")
    return found
