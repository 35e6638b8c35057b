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
#: Those of the Possible Futures.
FUTURES: Final = {
    "duke_leto": "WFA-N.58",
    "thufir_hawat_atreides": "WFA-N.59",
    "duncan_idaho": "WFA-N.60",
    "dr_yueh": "WFA-N.61",
    "liet_kynes": "WFA-N.62",
    "jamis": "WFA-N.63",
    "piter_de_vries": "WFA-N.64",
    "iakin_nefud": "WFA-N.65",
    "lady_fenring": "WFA-N.66",
    "count_fenring": "WFA-N.67",
    "princess_irulan": "WFA-N.68",
}

#: Leader -> the card that stands for it in a game in which its faction is shared, where the edition has that card.
STAND_INS: Final[Mapping[str, str]] = {"feyd_rautha": "feyd_rautha_alternative"}

#: Those whose loyalty may pass to the other side.
TURNCOATS: Final = ("dr_yueh",)

DESCRIBED: Final[Mapping[str, str]] = {
    **HOUSE_HARKONNEN,
    **CORRINO_ALLY,
    **HOUSE_ATREIDES,
    **FREMEN_ALLY,
    **FUTURES,
}
