"""The worth of own tokens by territory, so that a move costs only the territories that it touches.

The sum is the worth of `landsraad_bots.greedy.dune.position`; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from landsraad_bots.greedy.dune import position
from landsraad_bots.players import side_of
from landsraad_engine.dune.board import STRONGHOLDS, terrain, territory_of
from landsraad_engine.dune.control import NEEDED
from landsraad_engine.dune.words import Counts, DuneSeatView

#: Own tokens by cell, in one territory or in several.
Troops = Mapping[str, Counts]
#: The worth of a territory without its share as a stronghold, and the chance to keep it if it is one.
_Worth = tuple[float, float]
_MEMO: Final = "territory worths"
_NOTHING: Final[_Worth] = (0.0, 0.0)


class TerritoryWorths:
    """The worths of all territories with own tokens, and the gain of changes to some of them."""

    def __init__(self, view: DuneSeatView) -> None:
        self._view = view
        self._me = me = side_of(view)
        self.troops = position.own_troops(view)
        self._cells: dict[str, list[str]] = {}
        for cell in self.troops:
            self._cells.setdefault(territory_of[cell], []).append(cell)
        allies = view.allies(me)
        self._needed = NEEDED.get((len(view.factions()), 1 + len(allies)), 3)
        held = float(sum(view.holder(place) in allies for place in STRONGHOLDS)) if allies else 0.0
        self._now: dict[str, _Worth] = {}
        for territory, cells in self._cells.items():
            self._now[territory] = worth = self._worth(territory, {cell: self.troops[cell] for cell in cells})
            held += worth[1]
        self._held = held
        self._bonus = self._strongholds(held)
        self._shipped: dict[tuple[str, int, int], float] = {}

    @classmethod
    def of(cls, view: DuneSeatView) -> TerritoryWorths:
        """Return the worths of a view (cached)."""
        found = view.memo.get(_MEMO)
        if found is None:
            found = view.memo[_MEMO] = cls(view)
        assert isinstance(found, TerritoryWorths)
        return found

    def gain(self, changes: Troops) -> float:
        """Return the gain if the own tokens in some cells become these."""
        touched: dict[str, dict[str, Counts]] = {}
        for cell in changes:
            territory = territory_of[cell]
            if territory not in touched:
                touched[territory] = {each: self.troops[each] for each in self._cells.get(territory, ())}
            touched[territory][cell] = changes[cell]
        gained, held = 0.0, self._held
        for territory, troops in touched.items():
            worth, stays = self._worth(territory, troops)
            before, stayed = self._now.get(territory, _NOTHING)
            gained += worth - before
            held += stays - stayed
        return gained + self._strongholds(held) - self._bonus

    def arrival(self, cell: str, tokens: int, elites: int) -> float:
        """Return the gain from tokens that come from the reserves (cached)."""
        key = (cell, tokens, elites)
        found = self._shipped.get(key)
        if found is None:
            have = self.troops.get(cell, (0, 0, 0))
            found = self._shipped[key] = self.gain({cell: (have[0] + tokens, have[1] + elites, have[2])})
        return found

    def march(self, units: list[tuple[str, Counts]], to: str) -> float:
        """Return the gain from a move of tokens to a cell."""
        return self.gain(
            {
                cell: counts
                for cell, counts in position.moved(self.troops, units, to).items()
                if counts != self.troops.get(cell)
            }
        )

    def _strongholds(self, held: float) -> float:
        """Return the worth of so many strongholds."""
        return position.STRONGHOLD * held + position.LAST_STRONGHOLD * max(0.0, held - (self._needed - 1))

    def _worth(self, territory: str, troops: Troops) -> _Worth:
        """Return the worth of tokens in a territory."""
        view, me = self._view, self._me
        standing = [(cell, counts) for cell, counts in troops.items() if counts[0] or counts[1]]
        if not standing:
            return _NOTHING
        strengths = [position.strength(me, counts) for _, counts in standing]
        own = sum(strengths)
        stays = position.stays_in(view, territory, own)
        total = own * (position.ON_BOARD * stays - (1 - stays))
        stronghold = terrain[territory] == "stronghold"
        if stronghold:
            total += stays * min(own, position.GARRISON) * 0.5
        for (cell, counts), strength in zip(standing, strengths, strict=True):
            if f"blow/{cell}" in view.table:
                total += stays * position.harvest(view, cell, counts[0] + counts[1])
            total -= position.storm_risk(view, cell) * strength
        return total, stays if stronghold else 0.0


def is_interesting(view: DuneSeatView, cell: str) -> bool:
    """Return True if a cell holds something to take: a stronghold, spice, or own tokens to reinforce."""
    return (
        terrain[territory_of[cell]] == "stronghold"
        or f"blow/{cell}" in view.table
        or bool(view.tokens_at(side_of(view), territory_of[cell])[0])
    )
