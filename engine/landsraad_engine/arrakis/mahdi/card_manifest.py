"""The modules of the automaton's planning cards: all there are, written down once."""

from typing import Final

from landsraad_engine.arrakis.mahdi import (
    card_carrying,
    card_joining,
    card_overlay,
    card_scattering,
    card_targets,
    card_zones,
    cards_corrino_ally,
    cards_house_harkonnen,
    cards_of_futures,
    futures,
    mentat,
)
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.zones import Zone

#: The decks, which note the texts of their cards when they are imported.
DECKS: Final = (cards_house_harkonnen, cards_corrino_ally, cards_of_futures)

_MODULES: Final = (mentat, card_targets, card_scattering, card_carrying, card_joining)

FRAMES: Final = tuple(frame for module in _MODULES for frame in module.FRAMES)
SOURCES: Final[tuple[Source, ...]] = (futures.source,)
INSTEAD: Final = (*card_overlay.INSTEAD, *futures.INSTEAD)


def zones() -> tuple[Zone, ...]:
    """Return the places of the automaton's planning cards."""
    return card_zones.zones()
