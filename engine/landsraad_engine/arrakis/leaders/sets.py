"""The leaders by the half of a faction that they belong to, and the statement of the rulebook that describes each.

The 2022 preview describes some otherwise; its overlay says which.
"""

from collections.abc import Mapping
from typing import Final

HOUSE_HARKONNEN: Final = {
    "baron_harkonnen": "WFA-L.3",
    "beast_rabban": "WFA-L.4",
    "feyd_rautha": "WFA-L.5",
    "thufir_hawat": "WFA-L.6",
}
CORRINO_ALLY: Final = {
    "captain_aramsham": "WFA-L.8",
    "gaius_helen_mohiam": "WFA-L.9",
    "emperor_shaddam_iv": "WFA-L.10",
    "bashar": "WFA-L.12",
}
HOUSE_ATREIDES: Final = {
    "paul_atreides": "WFA-L.13",
    "lady_jessica": "WFA-L.14",
    "reverend_mother_jessica": "WFA-L.15",
    "gurney_halleck": "WFA-L.16",
    "alia": "WFA-L.17",
}
FREMEN_ALLY: Final = {
    "paul_muad_dib": "WFA-L.18",
    "stilgar": "WFA-L.19",
    "chani": "WFA-L.20",
    "naib": "WFA-L.21",
    "wild_maker": "WFA-L.22",
}

#: Leader -> the card that stands for it in a game in which its faction is shared, where the edition has that card.
STAND_INS: Final[Mapping[str, str]] = {"feyd_rautha": "feyd_rautha_alternative"}

DESCRIBED: Final[Mapping[str, str]] = {**HOUSE_HARKONNEN, **CORRINO_ALLY, **HOUSE_ATREIDES, **FREMEN_ALLY}
