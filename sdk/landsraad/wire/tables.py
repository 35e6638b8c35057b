"""Layouts on the wire: the places of a table, and the seats that see them."""

from __future__ import annotations

from landsraad.v1 import table_pb2
from landsraad_engine.kernel.zones import Content, Layout, Sight, Zone

_CONTENTS = {content: table_pb2.Content.Value(f"CONTENT_{content.name}") for content in Content}
_SIGHTS = {sight: table_pb2.Sight.Value(f"SIGHT_{sight.name}") for sight in Sight}
_CONTENT_OF = {number: content for content, number in _CONTENTS.items()}
_SIGHT_OF = {number: sight for sight, number in _SIGHTS.items()}


def layout_message(layout: Layout) -> table_pb2.Layout:
    """Write a layout."""
    return table_pb2.Layout(zones=map(_zone_message, layout.zones))


def _zone_message(zone: Zone) -> table_pb2.Zone:
    return table_pb2.Zone(
        name=zone.name,
        content=_CONTENTS[zone.content],
        sight=_SIGHTS[zone.sight],
        places=[table_pb2.Place(key=key, owners=owners) for key, owners in zone.places.items()],
        back=zone.back,
        units=zone.units,
        unlimited=zone.unlimited,
    )


def read_layout(parsed: table_pb2.Layout) -> Layout:
    """Read a layout: the part of a game that a fold needs."""
    return Layout(tuple([_read_zone(zone) for zone in parsed.zones]))


def _read_zone(parsed: table_pb2.Zone) -> Zone:
    return Zone(
        parsed.name,
        _CONTENT_OF[parsed.content],
        _SIGHT_OF[parsed.sight],
        {place.key: tuple(place.owners) for place in parsed.places},
        parsed.back,
        tuple(parsed.units),
        unlimited=parsed.unlimited,
    )
