"""Zones: the declaration of all places of a game, with the kind of their content and their visibility.

A game declares every place once. A place belongs to a zone, which sets the kind of content and the sight rule, and is
owned by certain sides. For every event and every view, the visible part follows from these declarations alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any

from landsraad_engine.errors import LawBroken

#: Stands in views and events for a face or value that is hidden from the seat.
HIDDEN = "?"


class Content(Enum):
    """The kind of content of a zone's places, and its representation in the table."""

    PILE = "pile"  #: tuple of faces, ordered, top last
    HAND = "hand"  #: sorted tuple of faces, unordered
    STACK = "stack"  #: tuple of counts, one for each kind of unit
    PURSE = "purse"  #: int
    MARK = "mark"  #: one small plain value


class Sight(Enum):
    """The visibility of a place's content for its owners and for all other seats."""

    OPEN = "open"  #: visible to all seats
    OWNER = "owner"  #: owners see the faces, others the number of backs
    SCREEN = "screen"  #: owners see the content, others nothing
    BACKS = "backs"  #: all seats see the number of backs, none the faces
    SEALED = "sealed"  #: the owner sees the mark, others that it exists
    QUIET = "quiet"  #: the owner sees the mark, others nothing, not even that it exists


#: Contents made of individual pieces; the others are counts or a single value.
PIECES = (Content.PILE, Content.HAND)

#: Sight rules that hide even the existence of content from other seats.
UNSEEN = (Sight.SCREEN, Sight.QUIET)

#: The sight rules that each kind of content supports; the verbs and the fold handle these and no others. The number of
#: pieces is always public, or events could not say which of them moved.
_SIGHTS = {
    Content.PILE: frozenset({Sight.OPEN, Sight.OWNER, Sight.BACKS}),
    Content.HAND: frozenset({Sight.OPEN, Sight.OWNER, Sight.BACKS}),
    Content.STACK: frozenset({Sight.OPEN}),
    Content.PURSE: frozenset({Sight.OPEN, Sight.SCREEN}),
    Content.MARK: frozenset(Sight),
}

#: Prefixes of the table keys that are internal to the engine: seen-masks, counters of chance streams, the epoch.
ENGINE_KEYS = ("*", "chance/", "epoch")


@dataclass(frozen=True, slots=True)
class Zone:
    """A group of places with the same kind of content and the same sight rule."""

    name: str
    content: Content
    sight: Sight
    #: place key -> sides that own it (empty without an owner)
    places: Mapping[str, tuple[str, ...]]
    #: name of the back that hidden pieces show; pieces with the same back look alike
    back: str = ""
    #: kinds of unit in a stack, in the order of the counts
    units: tuple[str, ...] = ()
    #: a purse that represents an unlimited supply may go below zero
    unlimited: bool = False
    #: cache topics: values derived from the zones of one topic stay cached until one is written (``State.topics``)
    topics: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Place:
    """One declared place."""

    key: str
    zone: Zone
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """All places of a game. A write to an undeclared key is an error in the rules code."""

    zones: tuple[Zone, ...]
    places: dict[str, Place] = field(init=False)
    #: keys visible to all seats, keys visible to none, places visible to their owners
    _by_sight: tuple[tuple[str, ...], tuple[str, ...], tuple[Place, ...]] = field(init=False)

    def __post_init__(self) -> None:
        places: dict[str, Place] = {}
        for zone in self.zones:
            if zone.sight not in _SIGHTS[zone.content]:
                raise LawBroken(f"{zone.name}: a {zone.content.value} cannot have the sight {zone.sight.value}")
            if zone.content in PIECES and zone.sight is not Sight.OPEN and not zone.back:
                raise LawBroken(f"{zone.name}: hidden pieces need a back")
            hidden_mark = zone.content is Content.MARK and zone.sight is not Sight.OPEN
            if zone.topics and (zone.content is Content.PURSE or hidden_mark):
                raise LawBroken(f"{zone.name}: purses and hidden marks cannot have topics")
            for key, owners in zone.places.items():
                if key in places:
                    raise LawBroken(f"place {key!r} is declared twice")
                if key.startswith(ENGINE_KEYS):
                    raise LawBroken(f"the key of place {key!r} is reserved for the engine")
                places[key] = Place(key, zone, tuple(owners))
        object.__setattr__(self, "places", places)
        open_ = tuple(key for key, place in places.items() if place.zone.sight is Sight.OPEN)
        backs = tuple(key for key, place in places.items() if place.zone.sight is Sight.BACKS)
        owned = tuple(p for p in places.values() if p.zone.sight not in (Sight.OPEN, Sight.BACKS))
        object.__setattr__(self, "_by_sight", (open_, backs, owned))

    def empty(self, key: str) -> Any:
        """Return the value of an empty place. The table does not store empty places."""
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
        """Return for each place the bit mask of the seats that see its faces; ``sides`` maps a side to its seats."""
        _, _, owned = self._by_sight
        eyes = _static_eyes(self, everybody).copy()
        for place in owned:
            mask = 0
            for owner in place.owners:
                mask |= sides.get(owner, 0)
            eyes[place.key] = mask
        return eyes


@lru_cache(maxsize=256)
def _static_eyes(layout: Layout, everybody: int) -> dict[str, int]:
    """Return the masks of the places whose visibility does not depend on owners: all seats, or none."""
    open_, backs, _ = layout._by_sight
    return dict.fromkeys(open_, everybody) | dict.fromkeys(backs, 0)
