"""The numbers of the solo mode, as the rulebooks print them."""

from collections.abc import Mapping
from typing import Final

#: Prescience cards that are revealed at the start of a round (WFA-Y.11).
PRESCIENCE_REVEALED: Final = 2
#: The decks from which the Reinforcements deck gets a card at the start of a round, in that order (WFA-Y.19).
REINFORCED_FROM: Final = ("corrino_ally", "house_harkonnen")
#: Supremacy points at the end of a round (WFA-Y.153).
SUPREMACY_PER_ROUND: Final = 1
#: Spent dice that may show one result (WFA-Y.37).
DICE_ALIKE: Final = 3
#: Combat dice that it discards cards for (WFA-Y.136).
COMBAT_DICE: Final = 6
#: It ceases an attack at this share of the other legion's detailed Combat Power (WFA-Y.140).
CEASE_AT: Final = (1, 2)
#: Spice beyond that scores a Supremacy point if all Imperium markers are on the top step (WFA-Y.150).
SPICE_TO_KEEP_ALL: Final = 6
#: Leaders that are deployed before other named ones (WFA-Y.88).
DEPLOYED_FIRST: Final = ("beast_rabban", "feyd_rautha")
#: The five Sectors of the Tactical cards, each with those that touch it (WFA-Y.25).
NEIGHBOURS: Final[Mapping[str, tuple[str, ...]]] = {
    "north_east": ("north_west", "south_east", "central"),
    "south_east": ("north_east", "south_west", "central"),
    "south_west": ("south_east", "north_west", "central"),
    "north_west": ("south_west", "north_east", "central"),
    "central": ("north_east", "south_east", "south_west", "north_west"),
}
