"""The features of classic Dune: a row for each faction, in the eyes of one seat.

The value is the probability that a faction wins: a softmax over the factions of the same weighted sum of their rows.
"""

from __future__ import annotations

from math import log2
from typing import Final

from landsraad_bots.greedy.dune import position
from landsraad_bots.greedy.dune.cards import card_worth
from landsraad_bots.players import side_of
from landsraad_engine.dune.board import STRONGHOLDS, cells_of
from landsraad_engine.dune.control import NEEDED
from landsraad_engine.dune.pieces import FACTIONS, FREMEN, GUILD
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.zones import HIDDEN

#: The longest match.
_TURNS: Final = 15

NAMES: Final = (
    "strongholds held",
    "strongholds contested",
    "short by one stronghold",
    "strongholds enough",
    "allied strongholds of those needed",
    "tokens on the board",
    "tokens in strongholds",
    "smallest garrison",
    "tokens in reserve",
    "tokens in the tanks",
    "leaders",
    "best leader",
    "cards",
    "allied",
    "my spice",
    "my cards",
    "my elites",
    "spice in reach",
    "late for a special victory",
    *(f"is {faction}" for faction in FACTIONS),
    *(f"is {faction}, late" for faction in FACTIONS),
)


def rows(view: DuneSeatView) -> tuple[tuple[str, ...], list[list[float]]]:
    """Return the factions in play, and the features of each in the order of `NAMES`."""
    factions = view.factions()
    late = view.turn / _TURNS
    holders = {place: view.holder(place) for place in STRONGHOLDS}
    return factions, [_row(view, faction, factions, holders, late) for faction in factions]


def _row(
    view: DuneSeatView, faction: str, factions: tuple[str, ...], holders: dict[str, str | None], late: float
) -> list[float]:
    me = side_of(view)
    mine = float(faction == me)
    allies = view.allies(faction)
    held = [place for place, holder in holders.items() if holder == faction]
    contested = sum(faction in view.present(cells_of[place]) for place, holder in holders.items() if holder != faction)
    together = len(held) + sum(holder in allies for holder in holders.values())
    needed = NEEDED.get((len(factions), 1 + len(allies)), 3)
    strengths = [position.strength(faction, view.tokens_at(faction, place)) for place in held]
    board = view.on_board(faction)
    hand = view.hand(faction)
    reserves = view.reserves(faction)
    return [
        float(len(held)),
        float(contested),
        float(together == needed - 1),
        float(together >= needed),
        together / needed,
        sum(position.strength(faction, counts) for _, counts in board) / 10,
        sum(strengths) / 10,
        min(strengths, default=0) / 5,
        position.strength(faction, reserves) / 10,
        position.strength(faction, view.tanks(faction)) / 10,
        len(view.leaders(faction)) / 5,
        position.best_leader(view, faction) / 5,
        len(hand) / 4,
        float(bool(allies)),
        mine * log2(1 + view.spice(me)) / 4,
        mine * sum(card_worth(card, ()) for card in hand if card != HIDDEN) / 10,
        mine * sum(counts[1] for _, counts in (*board, ("", reserves))) / 5,
        sum(position.harvest(view, cell, counts[0] + counts[1]) for cell, counts in board) / 10 if mine else 0.0,
        late * (faction in (FREMEN, GUILD)),
        *(float(faction == each) for each in FACTIONS),
        *(late * (faction == each) for each in FACTIONS),
    ]
