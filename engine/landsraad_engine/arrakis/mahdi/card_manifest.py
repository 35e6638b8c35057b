"""The modules of the automaton's planning cards: all there are, written down once."""

from typing import Final

from landsraad_engine.arrakis.mahdi import (
    card_carrying,
    card_joining,
    card_scattering,
    card_targets,
    cards_corrino_ally,
    cards_house_harkonnen,
    mentat,
)

#: The decks, which note the texts of their cards when they are imported.
DECKS: Final = (cards_house_harkonnen, cards_corrino_ally)

_MODULES: Final = (mentat, card_targets, card_scattering, card_carrying, card_joining)

FRAMES: Final = tuple(frame for module in _MODULES for frame in module.FRAMES)
