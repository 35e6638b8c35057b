"""The memory of broken words: who has owed spice or left an alliance has to offer more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from landsraad_bots.players import side_of
from landsraad_engine.dune.words import DuneSeatView

#: The gain that an agreement must bring, as a share of the match, and the surcharge for each broken word.
MARGIN: Final = 0.01
SURCHARGE: Final = 0.03


class Trust:
    """The words that each faction has broken, as far as everybody can see."""

    def __init__(self) -> None:
        self._broken: Counter[str] = Counter()
        self._owed: frozenset[Any] = frozenset()
        self._allies: dict[str, tuple[str, ...]] = {}

    def observe(self, view: DuneSeatView) -> None:
        """Compare a view with the last one: payments that have fallen due and are owed, and alliances that ended."""
        owed = frozenset((row[0], row[1]) for row in view.table.get("deals", ()) if row[2] == "pay" and row[5] == "now")
        self._broken.update(debtor for debtor, _ in owed - self._owed)
        self._owed = owed
        allies = {faction: view.allies(faction) for faction in view.factions()}
        for faction, before in self._allies.items():
            # It is not told which of two has left: both are trusted less, but for oneself.
            if set(before) - set(allies.get(faction, ())) and faction != side_of(view):
                self._broken[faction] += 1
        self._allies = allies

    def margin(self, factions: Iterable[str]) -> float:
        """Return the gain that an agreement with these factions must bring."""
        return MARGIN + SURCHARGE * max((self._broken[faction] for faction in factions), default=0)
