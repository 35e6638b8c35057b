"""Places of the automaton's planning cards beside its Reinforcements deck: cards being played, and cards laid aside."""

from collections.abc import Mapping
from typing import Final

from landsraad_engine.arrakis.sides import HARKONNEN, POWERS
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.zones import Content, Sight, Zone

#: The automaton's decks of planning cards: House Harkonnen, Corrino Ally.
HOUSE, ALLY = DECKS = POWERS[HARKONNEN]

#: Cards of a deck that lie open while they are carried out.
PLAYED: Final[Mapping[str, str]] = {deck: f"played/{deck}" for deck in DECKS}
#: Cards that lie beside the board until another like them is played.
BESIDE: Final = "beside"


@rule("WFA-Y.94", "WFA-Y.105")
def zones() -> tuple[Zone, ...]:
    """Return the zones of planning cards that lie open beside the board, for a while or for longer."""
    return (
        *(Zone(f"played_{deck}", Content.PILE, Sight.OPEN, {PLAYED[deck]: ()}, deck) for deck in DECKS),
        Zone(BESIDE, Content.PILE, Sight.OPEN, {BESIDE: ()}, HOUSE),
    )
