"""Zones: which places exist, what lies in them, and who may see it.

A game declares every place once. A place belongs to a zone; the zone says what its content is and which sight rule
holds; the place adds the sides that own it. From this alone follows, for every event and every view, what a seat sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any

from landsraad_engine.errors import LawBroken

#: What a seat sees in the place of a face or a value that is hidden from it.
HIDDEN = "?"


class Content(Enum):
    """What lies in the places of a zone, and how it is written in the table."""

    PILE = "pile"  #: tuple of faces, ordered, top last
    HAND = "hand"  #: sorted tuple of faces, unordered
    STACK = "stack"  #: tuple of counts, one for each kind of unit
    PURSE = "purse"  #: int
    MARK = "mark"  #: one small plain value


class Sight(Enum):
    """Who sees the content of a place, and what the others see."""

    OPEN = "open"  #: everybody sees it
    OWNER = "owner"  #: owners see faces, others how many backs
    SCREEN = "screen"  #: owners see it, others nothing at all
    BACKS = "backs"  #: nobody sees faces, everybody how many
    SEALED = "sealed"  #: the owner sees it, others that it is there
    QUIET = "quiet"  #: the owner sees it, others nothing, not even that it is there


#: What pieces lie in; everything else is counted, or one value.
PIECES = (Content.PILE, Content.HAND)

#: Sight rules under which others do not even learn that something is there.
UNSEEN = (Sight.SCREEN, Sight.QUIET)

#: Which sight rules a content may have. Pieces are always at least counted by everybody, or nobody could tell what was
#: moved, and units stand in the open; the verbs and the fold are written for these and no others.
_SIGHTS = {
    Content.PILE: frozenset({Sight.OPEN, Sight.OWNER, Sight.BACKS}),
    Content.HAND: frozenset({Sight.OPEN, Sight.OWNER, Sight.BACKS}),
    Content.STACK: frozenset({Sight.OPEN}),
    Content.PURSE: frozenset({Sight.OPEN, Sight.SCREEN}),
    Content.MARK: frozenset(Sight),
}

#: How the table keys begin that belong to the engine alone: seen-masks and the counters of the chance streams.
ENGINE_KEYS = ("*", "chance/", "epoch")


@dataclass(frozen=True, slots=True)
class Zone:
    """A family of places with one content kind and one sight rule."""

    name: str
    content: Content
    sight: Sight
    #: place key -> sides that own it (empty for places of nobody)
    places: Mapping[str, tuple[str, ...]]
    #: what the back of a hidden piece shows; pieces with the same back are indistinguishable from outside
    back: str = ""
    #: kinds of unit in a stack, in the order of the counts
    units: tuple[str, ...] = ()
    #: a purse that stands for an unlimited supply may run below zero
    unlimited: bool = False
    #: what is worked out from the zones of one topic alone is kept until one of them is written (``State.topics``)
    topics: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Place:
    """One declared place."""

    key: str
    zone: Zone
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """All places of a game. Undeclared keys do not exist: writing to one is a broken law."""

    zones: tuple[Zone, ...]
    places: dict[str, Place] = field(init=False)
    #: keys that everybody sees, keys that nobody sees, places that their owners see
    _by_sight: tuple[tuple[str, ...], tuple[str, ...], tuple[Place, ...]] = field(init=False)

    def __post_init__(self) -> None:
        places: dict[str, Place] = {}
        for zone in self.zones:
            if zone.sight not in _SIGHTS[zone.content]:
                raise LawBroken(f"{zone.name}: a {zone.content.value} cannot lie under {zone.sight.value}")
            if zone.content in PIECES and zone.sight is not Sight.OPEN and not zone.back:
                raise LawBroken(f"{zone.name}: hidden pieces show a back")
            hidden_mark = zone.content is Content.MARK and zone.sight is not Sight.OPEN
            if zone.topics and (zone.content is Content.PURSE or hidden_mark):
                raise LawBroken(f"{zone.name}: purses and hidden marks have no topics")
            for key, owners in zone.places.items():
                if key in places:
                    raise LawBroken(f"place {key!r} is declared twice")
                if key.startswith(ENGINE_KEYS):
                    raise LawBroken(f"place {key!r} has a name of the engine's own")
                places[key] = Place(key, zone, tuple(owners))
        object.__setattr__(self, "places", places)
        open_ = tuple(key for key, place in places.items() if place.zone.sight is Sight.OPEN)
        backs = tuple(key for key, place in places.items() if place.zone.sight is Sight.BACKS)
        owned = tuple(p for p in places.values() if p.zone.sight not in (Sight.OPEN, Sight.BACKS))
        object.__setattr__(self, "_by_sight", (open_, backs, owned))

    def empty(self, key: str) -> Any:
        """The value of a place in which nothing lies (such places are not stored)."""
        zone = self.places[key].zone
        match zone.content:
            case Content.PILE | Content.HAND:
                return ()
            case Content.STACK:
                return (0,) * len(zone.units)
            case Content.PURSE:
                return 0
            case Content.MARK:
                return None

    def eyes(self, sides: Mapping[str, int], everybody: int) -> dict[str, int]:
        """For each place who sees its faces, as a bit mask; ``sides`` maps a side to its seats."""
        _, _, owned = self._by_sight
        eyes = _unowned(self, everybody).copy()
        for place in owned:
            mask = 0
            for owner in place.owners:
                mask |= sides.get(owner, 0)
            eyes[place.key] = mask
        return eyes


@lru_cache(maxsize=256)
def _unowned(layout: Layout, everybody: int) -> dict[str, int]:
    """Who sees the faces in the places of nobody: all seats, or none."""
    open_, backs, _ = layout._by_sight
    return dict.fromkeys(open_, everybody) | dict.fromkeys(backs, 0)
