"""The places that only the solo mode has."""

from typing import Final

from landsraad_engine.arrakis.sides import POWERS
from landsraad_engine.arrakis.zones import AREAS, BOARD, GARRISON, SOLO, STARTING_SETS
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.zones import Content, Sight, Zone

TACTICAL_DECK: Final = "tactical_deck"
HARVESTING_CARD: Final = "tactical_harvesting"
TARGET_CARD: Final = "tactical_target"
TACTICAL_DISCARD: Final = "tactical_discard"

#: The cards of the Reinforcements deck, by the deck that they come from, and the order of their backs, top last.
REINFORCEMENTS: Final[dict[str, str]] = {deck: f"reinforcements_{deck}" for deck in POWERS["harkonnen"]}
REINFORCEMENTS_ORDER: Final = "reinforcements"
#: The deck of the planning card that was discarded last.
LAST_DISCARDED: Final = "last_discarded"

#: The results that spent dice show.
SPENT_RESULTS: Final = "spent_results"
#: A result that the humans have named for the automaton's next turn.
NAMED_RESULT: Final = "named_result"
#: The Sietch that stands in for the Target Sietch in this turn; that an Ornithopter has been used in it.
TURN_TARGET: Final = "turn_target"
TURN_FLIGHT: Final = "turn_flight"
#: What the last move took along: (area, units, named leaders, tokens).
LAST_MOVE: Final = "last_move"
#: Where Sietches of Tactical cards are that have been moved: (card, area) pairs.
MOVED_SIETCHES: Final = "moved_sietches"

_MARKS: Final = (
    SOLO,
    REINFORCEMENTS_ORDER,
    LAST_DISCARDED,
    SPENT_RESULTS,
    NAMED_RESULT,
    TURN_TARGET,
    TURN_FLIGHT,
    LAST_MOVE,
    MOVED_SIETCHES,
)


def _pile(name: str, sight: Sight, back: str) -> Zone:
    return Zone(name, Content.PILE, sight, {name: ()}, back)


@rule("WFA-Y.4", "WFA-Y.9", "WFA-Y.10", "WFA-Y.163")
def solo_zones() -> tuple[Zone, ...]:
    """Return the places of the automaton. Nobody may look at what lies face down in them."""
    return (
        _pile(TACTICAL_DECK, Sight.BACKS, "tactical"),
        *(_pile(name, Sight.OPEN, "tactical") for name in (HARVESTING_CARD, TARGET_CARD, TACTICAL_DISCARD)),
        *(_pile(key, Sight.BACKS, deck) for deck, key in REINFORCEMENTS.items()),
        *(
            Zone(
                f"garrison_{name}",
                Content.PILE,
                Sight.BACKS,
                {GARRISON[name][area]: () for area in AREAS},
                name,
                topics=(BOARD,),
            )
            for name in STARTING_SETS
        ),
        *(Zone(name, Content.MARK, Sight.OPEN, {name: ()}) for name in _MARKS),
    )
