"""The decks of planning cards, and the modules of their parts: all there are, written down once."""

from typing import Final

from landsraad_engine.arrakis.cards import (
    bene_gesserit,
    corrino_ally,
    deeds,
    fremen_ally,
    house_atreides,
    house_harkonnen,
    lasting,
    of_2022,
    of_futures,
    play,
    spreading,
    strikes,
)

#: The four decks, as every edition has them but for what its overlay changes.
DECKS: Final = (house_harkonnen.deck, corrino_ally.deck, house_atreides.deck, fremen_ally.deck)

_MODULES: Final = (
    play, deeds, strikes, spreading, lasting, corrino_ally, house_atreides, fremen_ally, bene_gesserit, of_2022,
    of_futures,
)  # fmt: skip

FRAMES: Final = tuple(frame for module in _MODULES for frame in module.FRAMES)

PLAYS: Final = bene_gesserit.PLAYS
