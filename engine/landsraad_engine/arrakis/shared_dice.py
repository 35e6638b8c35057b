"""Dividing the action dice of a shared faction between its partners."""

from landsraad_engine.arrakis.sides import ASIDE_DICE, DASHBOARD, DICE, DIE, SIDES, one
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import box
from landsraad_engine.kernel.frames import rule


def divide_dice(g: ArrakisState) -> None:
    """Divide what the shared factions have rolled: it lies on the boxes of their usual dashboards."""
    for side in SIDES:
        if g.shared(side):
            _Division(g, side).divide()


class _Division:
    """The rolled dice of one faction, and how many dice each partner has."""

    def __init__(self, g: ArrakisState, side: str) -> None:
        self.g = g
        self.source = DASHBOARD[side]
        #: the House first: ties are broken in its favour
        self.halves = g.dashboards(side)
        self.rolled = dict(g.dice(self.source))
        self.dice = {half: sum(g.dice(half).values()) for half in self.halves}

    def divide(self) -> None:
        """Divide the dice in the steps of the rulebook; the last one, changing results, is the partners' own."""
        owners = {
            result: [h for h in self.halves if result in self.g.content.dashboard[h].boxes] for result in self.rolled
        }
        self._place([result for result in self.rolled if len(owners[result]) == 1], owners)
        self._place([result for result in self.rolled if len(owners[result]) > 1], owners)
        self._hand_out_the_rest()

    @rule("WFA-G.29", "WFA-G.30", "WFA-G.34", "WFA-G.71", "WFA-G.72")
    def _place(self, results: list[str], owners: dict[str, list[str]]) -> None:
        """Lay dice on the boxes of those who have such a box, while they have slots."""
        for result in results:
            while self.rolled[result]:
                free = [half for half in owners[result] if self._has_slot(half, result)]
                if not free:
                    break
                self._give(result, self._poorest(free), result)

    @rule("WFA-G.31")
    def _hand_out_the_rest(self) -> None:
        """Divide the dice without a slot; their new owners change them."""
        for result in self.rolled:
            while self.rolled[result]:
                self._give(result, self._poorest(self.halves), ASIDE_DICE)

    @rule("WFA-G.8", "WFA-G.9", "WFA-G.29")
    def _has_slot(self, half: str, result: str) -> bool:
        return self.g.dice(half).get(result, 0) < self.g.content.dashboard[half].slots

    @rule("WFA-G.33", "WFA-G.36", "WFA-G.78")
    def _poorest(self, halves: "tuple[str, ...] | list[str]") -> str:
        """Return the half with the fewest dice, of equals the House."""
        return min(halves, key=lambda half: self.dice[half])

    def _give(self, result: str, half: str, to: str) -> None:
        self.g.shift(box(self.source, result), box(half, to), one(DICE, DIE), "WFA-G.28")
        self.rolled[result] -= 1
        self.dice[half] += 1
