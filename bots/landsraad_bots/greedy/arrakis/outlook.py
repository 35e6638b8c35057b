"""What a legion is worth where it stands: what it may take from there, what it guards, what threatens it.

Every act that moves or brings figures is judged by the same function: what the areas that it touches are worth after
it, less what they are worth now. All figures are percent of a victory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.goals import goals, guard_of, rank_of, settlement_worth, wanted_areas
from landsraad_bots.greedy.arrakis.odds import NOBODY, Duel, Force, duel
from landsraad_bots.players import side_of
from landsraad_engine.arrakis.board import Board
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, OPPONENT
from landsraad_engine.arrakis.sides import NOBODY as NO_FIGURES
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.arrakis.zones import APART, APART_FOR

#: What is left of a prize, by how many areas away one is; next to it, it is not taken yet.
_NEARNESS: Final = tuple(0.7 * 0.6**steps for steps in range(30))
#: What is left of it if another legion is nearer.
_SECOND: Final = 0.35
#: How far a threat to a settlement is felt, and how much of it by distance.
_THREAT: Final = (0.0, 0.6, 0.3, 0.12)
#: Of a legion that is attacked and beaten, so much is lost.
_BEATEN: Final = 0.7
#: A storm is likely to find a legion where it stands now with this chance.
_STORM: Final = 0.25


@cache
def distances(board: Board) -> Mapping[str, Mapping[str, int]]:
    """The steps between any two areas."""
    return {one: {other: board.distance(one, other) for other in board.areas} for one in board.areas}


class Outlook:
    """How the board looks to one side, read once for each decision."""

    def __init__(self, view: ArrakisSeatView, side: str) -> None:
        self.view = view
        self.side = side
        self.enemy = OPPONENT[side]
        self.board = view.board
        self.survey = view.survey()
        self.steps = distances(view.board)
        self.goals = tuple(goals(view, side, self.survey))
        self.by_area = {goal.area: goal for goal in self.goals}
        self.bonus = wanted_areas(view, self.survey) if side == ATREIDES else {}
        own = self.board.names(self.survey.legions(side))
        #: the legions that stand on the board, and what they will be once everything that moves has arrived
        self.legions = {area: view.legion(side, area) for area in own}
        self.present = dict(self.legions)
        for place, (of, _, target) in _under_way(view):
            if of == side:
                arriving = Legion(view.table.get(place, NO_FIGURES), view.named_at(side, place))
                self.present[target] = plus(self.present.get(target, Legion()), arriving)
        self._nearest = {
            goal.area: sorted((self.steps[goal.area][area], area) for area in own)[:3] for goal in self.goals
        }
        self._enemies = [
            (area, guard_of(view, self.enemy, area)) for area in self.board.names(self.survey.legions(self.enemy))
        ]
        #: one's own settlements: rank, and what its fall would bring the enemy
        self._settled = {
            area: (rank_of(view, side, area), settlement_worth(view, side, area))
            for area in self.board.names(self.survey.settlements(side))
        }
        self._threats: dict[str, list[tuple[Force, float]]] = {}
        self.stacking = _stacking(view, side)
        self._stands: dict[tuple[str, Force, str], float] = {}

    @classmethod
    def of(cls, view: ArrakisSeatView, side: str = "") -> Outlook:
        """The outlook of this decision: one's own, or that of the other side as far as one knows."""
        key = (cls, side or view.side)
        found = view.memo.get(key)
        if found is None:
            found = view.memo[key] = cls(view, side or side_of(view))
        assert isinstance(found, Outlook)
        return found

    def force(self, legion: Legion) -> Force:
        return worth.force(self.view, legion)

    def stands(self, area: str, force: Force, mover: str = "") -> float:
        """What it is worth to have such a force in an area; ``mover``: where it comes from, not a rival to itself."""
        key = (area, force, mover)
        found = self._stands.get(key)
        if found is None:
            found = self._stands[key] = self._reaches(area, force, mover) - self._fears(area, force)
        return found

    def _reaches(self, area: str, force: Force, mover: str) -> float:
        """What is taken by being here, and the best goal from here."""
        if not force.units:
            return 0.0
        steps = self.steps[area]
        taken = self.bonus.get(area, 0.0)
        best = 0.0
        for goal in self.goals:
            away = steps[goal.area]
            if not away:
                taken += goal.prize
                continue
            value = goal.prize * _NEARNESS[away]
            if value <= best:
                continue
            if goal.guard is not None:
                value *= duel(force, goal.guard, goal.rank).chance
            for distance, rival in self._nearest[goal.area]:
                if rival not in (area, mover):
                    if distance <= away and goal.guard is None:
                        value *= _SECOND
                    break
            best = max(best, value)
        return best + taken

    def _fears(self, area: str, force: Force) -> float:
        """What may be lost here to the enemy and to the desert."""
        rank, prize = self._settled.get(area, (0, 0.0))
        if not rank and not force.units:
            return 0.0
        lost = prize + force.toughness * worth.UNITS[self.side][0] * _BEATEN
        fear = max((duel(enemy, force, rank).chance * near for enemy, near in self._threats_to(area)), default=0.0)
        return fear * lost + (self._storm(area, force) if self.side == HARKONNEN else 0.0)

    def _threats_to(self, area: str) -> list[tuple[Force, float]]:
        """Enemy legions that may come here soon, and how much each of them is to be feared by its distance."""
        found = self._threats.get(area)
        if found is None:
            steps = self.steps[area]
            found = self._threats[area] = [
                (enemy, _THREAT[steps[place]]) for place, enemy in self._enemies if steps[place] < len(_THREAT)
            ]
        return found

    def _storm(self, area: str, force: Force) -> float:
        board = self.board
        bit = board.bit[area]
        if not force.units or bit & (board.of_terrain["mountain"] | board.storm_proof):
            return 0.0
        hits = 1.5 if bit & board.desert else 1.0
        return _STORM * min(hits, force.toughness)

    # --- what acts come to

    def gain(self, source: str, target: str, going: Legion) -> float:
        """What it is worth that a part of a legion goes from one area to another."""
        there = self.present.get(target, Legion())
        here = self.present[source]
        joined = plus(there, going)
        if joined.size > self.stacking:
            return -1.0 - joined.size
        left = minus(here, going)
        gain = self.stands(target, self.force(joined), source) - self.stands(source, self.force(here), source)
        if there.size:
            gain -= self.stands(target, self.force(there))
        if left.size or source in self._settled:
            gain += self.stands(source, self.force(left), source)
        return gain

    def brings(self, area: str, coming: Legion) -> float:
        """What it is worth that figures come to an area from off the board."""
        there = self.present.get(area, Legion())
        joined = plus(there, coming)
        excess = max(0, joined.size - self.stacking)
        value = worth.legion_worth(self.view, self.side, coming) - 1.5 * excess
        return value + self.stands(area, self.force(joined)) - self.stands(area, self.force(there))

    def attack(self, source: str, target: str, *, surprise: bool = False) -> tuple[float, Duel]:
        """What an attack with a legion is likely to bring, and how it is likely to end."""
        mine = self.force(self.legions.get(source, Legion()))
        goal = self.by_area.get(target)
        theirs = goal.guard if goal is not None and goal.guard is not None else NOBODY
        rank = goal.rank if goal is not None else 0
        likely = duel(mine, theirs, rank, 1 if surprise and mine.leaders else 0)
        prize = goal.prize if goal is not None and goal.rank else 0.0
        there = self.view.legion(self.enemy, target)
        value = likely.chance * prize
        value += likely.killed * worth.legion_worth(self.view, self.enemy, there)
        value -= likely.lost * worth.legion_worth(self.view, self.side, self.legions.get(source, Legion()))
        return value, likely


def _stacking(view: ArrakisSeatView, side: str) -> int:
    """How many units of a side may stand in one area."""
    bans = (ban.limit for ban in view.content.ban.values() if ban.kind == "stacking_limit" and view.banned(ban.id))
    return min((view.content.limits.stacking, *bans)) if side == HARKONNEN else view.content.limits.stacking


def _under_way(view: ArrakisSeatView) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Figures set apart because they move: their place, and (side, where from, where to)."""
    for place, ways in zip(APART, APART_FOR, strict=True):
        if ways in view.table:
            yield place, view.table[ways]


def plus(one: Legion, other: Legion) -> Legion:
    """Two legions as one."""
    a, b, c, d = (x + y for x, y in zip(one.units, other.units, strict=True))
    return Legion((a, b, c, d), one.named + other.named, one.tokens + other.tokens)


def minus(one: Legion, other: Legion) -> Legion:
    """What of a legion stays when a part of it goes."""
    a, b, c, d = (x - y for x, y in zip(one.units, other.units, strict=True))
    tokens = list(one.tokens)
    for token in other.tokens:
        tokens.remove(token)
    return Legion((a, b, c, d), tuple(n for n in one.named if n not in other.named), tuple(tokens))
