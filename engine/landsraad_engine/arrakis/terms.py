"""The terms of War for Arrakis that content files and rules share, as types: a misspelt one is a type error."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

from landsraad_engine.content.checking import named

AreaId: TypeAlias = str
EditionId: TypeAlias = Literal["exclusive", "v1_1", "preview_2022"]

Faction: TypeAlias = Literal["harkonnen", "atreides"]
#: The halves of a faction, which three or four players share; also the four decks of planning cards.
SubFaction: TypeAlias = Literal["house_harkonnen", "corrino_ally", "house_atreides", "fremen_ally"]
Terrain: TypeAlias = Literal["mountain", "plateau", "minor_erg", "desert", "deep_desert"]
#: "special" are the Special Elite: Sardaukar for the Harkonnen, Fedaykin for the Atreides.
Unit: TypeAlias = Literal["regular", "elite", "special"]
Vehicle: TypeAlias = Literal["harvester", "ornithopter", "carryall"]
ActionResult: TypeAlias = Literal["leadership", "strategy", "deployment", "mentat", "house"]
CombatResult: TypeAlias = Literal["hit", "shield", "special"]
Marker: TypeAlias = Literal["kwisatz_haderach", "sand_dwellers", "jihad"]
Power: TypeAlias = Literal["choam", "spacing_guild", "landsraad"]
Ring: TypeAlias = Literal["outer", "central"]
#: What is counted for cards that ask how often it has happened, and since when they may.
CountedEvent: TypeAlias = Literal[
    "token_revealed", "harvester_removed", "station_taken", "sietch_destroyed", "settlement_destroyed"
]
Since: TypeAlias = Literal["turn", "round", "game"]

FACTIONS: Final[tuple[Faction, ...]] = get_args(Faction)
EDITIONS: Final[tuple[EditionId, ...]] = get_args(EditionId)
TERRAINS: Final[tuple[Terrain, ...]] = get_args(Terrain)
UNITS: Final[tuple[Unit, ...]] = get_args(Unit)
MARKERS: Final[tuple[Marker, ...]] = get_args(Marker)
EVENTS: Final[tuple[CountedEvent, ...]] = get_args(CountedEvent)
SPANS: Final[tuple[Since, ...]] = get_args(Since)

SIDE_OF: Final[dict[SubFaction, Faction]] = {
    "house_harkonnen": "harkonnen",
    "corrino_ally": "harkonnen",
    "house_atreides": "atreides",
    "fremen_ally": "atreides",
}

#: References to rows of the content files; validation lists the rows there are.
AreaRef: TypeAlias = Annotated[str, named("area")]
SectorRef: TypeAlias = Annotated[str, named("sector")]
ZoneRef: TypeAlias = Annotated[str, named("air_zone")]
CardRef: TypeAlias = Annotated[str, named("planning_card")]
#: One leader card ("alia"), or a persona whose cards follow each other ("paul", "jessica").
LeaderRef: TypeAlias = Annotated[str, named("leader")]
#: The same, or "" for "no matter who".
AnyLeaderRef: TypeAlias = Annotated[str, named("leader or none")]

Few: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=8)]
FigureCount: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=30)]
Steps: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=12)]
