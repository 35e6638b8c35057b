"""The pieces of classic Dune: factions, leaders, treachery cards. Facts of the components, read once."""

from types import MappingProxyType
from typing import Any, Final

from landsraad_engine import content

_FILE: Final[dict[str, Any]] = content.load("dune_decks", dict[str, Any])

ATREIDES: Final = "atreides"
BENE_GESSERIT: Final = "bene_gesserit"
EMPEROR: Final = "emperor"
FREMEN: Final = "fremen"
GUILD: Final = "guild"
HARKONNEN: Final = "harkonnen"

FACTIONS: Final = tuple(entry["id"] for entry in _FILE["faction"])
#: faction -> its entry in the content file (title, spice, forces, reserves, elites, free_revivals, leaders)
FACTION: Final = MappingProxyType({entry["id"]: MappingProxyType(entry) for entry in _FILE["faction"]})

LEADERS: Final = MappingProxyType({f: tuple(leader["id"] for leader in FACTION[f]["leaders"]) for f in FACTIONS})
STRENGTH: Final = MappingProxyType(
    {leader["id"]: leader["strength"] for f in FACTIONS for leader in FACTION[f]["leaders"]}
)
LEADER_TITLE: Final = MappingProxyType(
    {leader["id"]: leader["title"] for f in FACTIONS for leader in FACTION[f]["leaders"]}
)
#: the faction whose leader this is
LOYAL_TO: Final = MappingProxyType({leader: f for f in FACTIONS for leader in LEADERS[f]})
#: how many of a faction's twenty tokens are elites, and what they are called
ELITES: Final = MappingProxyType({f: FACTION[f].get("elites", {}).get("count", 0) for f in FACTIONS})

CATEGORY: Final = MappingProxyType({card["id"]: card["category"] for card in _FILE["treachery"]})
TREACHERY: Final = tuple(card["id"] for card in _FILE["treachery"] for _ in range(card.get("count", 1)))
TREACHERY_TITLE: Final = MappingProxyType({card["id"]: card["title"] for card in _FILE["treachery"]})
#: He is nobody's leader (DUNE-R.72), but comes back from the Tanks as one
KWISATZ_HADERACH: Final = "kwisatz_haderach"

WEAPONS: Final = tuple(card for card, kind in CATEGORY.items() if kind.startswith("weapon_"))
DEFENSES: Final = tuple(card for card, kind in CATEGORY.items() if kind.startswith("defense_"))
WORTHLESS: Final = tuple(card for card, kind in CATEGORY.items() if kind == "worthless")

KARAMA: Final = "karama"
TRUTHTRANCE: Final = "truthtrance"
GHOLA: Final = "tleilaxu_ghola"
HAJR: Final = "hajr"
WEATHER_CONTROL: Final = "weather_control"
FAMILY_ATOMICS: Final = "family_atomics"
CHEAP_HERO: Final = "cheap_hero"
LASGUN: Final = "lasgun"
SHIELD: Final = "shield"

SHAI_HULUD: Final = "shai_hulud"
STORM_CARDS: Final = tuple(f"storm_{n}" for n in _FILE["storm_deck"]["cards"])
WORMS_IN_DECK: Final[int] = _FILE["spice_deck"]["shai_hulud"]

#: the kinds of unit in a stack of troop tokens, in the order of its counts
UNITS: Final = ("tokens", "elites", "coexisting")
