"""The evaluation of a position: the worth of a legion in its area, by what it may take, guards and is threatened by.

Every act that moves or brings figures is scored by the same difference: the worth of the areas that it touches after
it, minus their present worth. The unit is percent of a victory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.goals import goals, guard_of, rank_of, settlement_worth, wanted_areas
from landsraad_bots.greedy.arrakis.odds import NO_FORCE, Duel, Force, duel
from landsraad_bots.greedy.arrakis.splits import splits
from landsraad_bots.players import side_of
from landsraad_engine.arrakis.board import AreaSet, Board
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, OPPONENT
from landsraad_engine.arrakis.sides import NOBODY as NO_FIGURES
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.arrakis.zones import APART, APART_FOR

_PROVIDED: Final = "provided"
#: The share of a prize that counts, by distance in areas.
NEARNESS: Final = tuple(0.7 * 0.6**steps for steps in range(30))
#: The share that is left if another own legion is nearer.
SECOND: Final = 0.35
#: The weight of a threat by distance; farther ones do not count.
_THREAT: Final = (0.0, 0.6, 0.3, 0.12)
#: The share of a legion that is lost when it is beaten.
BEATEN: Final = 0.7
#: The chance that the next storm finds a legion in its present area.
_STORM: Final = 0.25


@cache
def distances(board: Board) -> Mapping[str, Mapping[str, int]]:
    """Return the distance between any two areas."""
    return {one: {other: board.distance(one, other) for other in board.areas} for one in board.areas}


class Outlook:
    """The board from the perspective of one side, read once for each decision."""

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
        #: the legions on the board
        self.legions = {area: view.legion(side, area) for area in own}
        #: the legions after the arrival of all moving figures
        self.present = dict(self.legions)
        for place, (of, _, target) in _moving_figures(view):
            if of == side:
                arriving = Legion(view.table.get(place, NO_FIGURES), view.named_at(side, place))
                self.present[target] = combine(self.present.get(target, Legion()), arriving)
        self._nearest = {
            goal.area: sorted((self.steps[goal.area][area], area) for area in own)[:3] for goal in self.goals
        }
        self._enemies = [
            (area, guard_of(view, self.enemy, area)) for area in self.board.names(self.survey.legions(self.enemy))
        ]
        #: own settlements: rank, and the enemy's gain from its fall
        self._settled = {
            area: (rank_of(view, side, area), settlement_worth(view, side, area))
            for area in self.board.names(self.survey.settlements(side))
        }
        self._threats: dict[str, list[tuple[Force, float]]] = {}
        self.stacking = _stacking_limit(view, side)
        self._position_worths: dict[tuple[str, Force, str], float] = {}

    @classmethod
    def of(cls, view: ArrakisSeatView, side: str = "") -> Outlook:
        """Return the outlook of a view's own side, or that of another side as far as the view shows it (cached)."""
        key = (cls, side or view.side)
        found = view.memo.get(key)
        if found is None:
            make: Callable[[ArrakisSeatView, str], Outlook] = view.memo.get((cls, _PROVIDED, side or view.side), cls)
            found = view.memo[key] = make(view, side or side_of(view))
        assert isinstance(found, Outlook)
        return found

    @classmethod
    def provide(cls, view: ArrakisSeatView, side: str, make: Callable[[ArrakisSeatView, str], Outlook]) -> None:
        """Have `of` make the outlook of a side in another way."""
        view.memo[cls, _PROVIDED, side] = make

    def destinations(self, source: str, areas: AreaSet) -> Sequence[str]:
        """Return the areas that are tried as destinations of a legion."""
        return self.board.names(areas)

    def parts(self, legion: Legion) -> tuple[Legion, ...]:
        """Return the parts of a legion that are tried in moves."""
        return splits(legion)

    def force(self, legion: Legion) -> Force:
        return worth.force(self.view, legion)

    def position_worth(self, area: str, force: Force, mover: str = "") -> float:
        """Return the worth of a force in an area; ``mover`` is its origin, which does not count as a rival."""
        key = (area, force, mover)
        found = self._position_worths.get(key)
        if found is None:
            found = self._position_worths[key] = self._opportunity(area, force, mover) - self._danger(area, force)
        return found

    def _opportunity(self, area: str, force: Force, mover: str) -> float:
        """Return the prizes taken by presence in an area, plus the share of the best goal in reach."""
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
            value = goal.prize * NEARNESS[away]
            if value <= best:
                continue
            if goal.guard is not None:
                value *= duel(force, goal.guard, goal.rank).chance
            for distance, rival in self._nearest[goal.area]:
                if rival not in (area, mover):
                    if distance <= away and goal.guard is None:
                        value *= SECOND
                    break
            best = max(best, value)
        return best + taken

    def _danger(self, area: str, force: Force) -> float:
        """Return the expected losses in an area to the enemy and to the desert."""
        rank, prize = self._settled.get(area, (0, 0.0))
        if not rank and not force.units:
            return 0.0
        lost = prize + force.toughness * worth.UNITS[self.side][0] * BEATEN
        fear = max((duel(enemy, force, rank).chance * near for enemy, near in self._threats_to(area)), default=0.0)
        return fear * lost + (self._storm_risk(area, force) if self.side == HARKONNEN else 0.0)

    def _threats_to(self, area: str) -> list[tuple[Force, float]]:
        """Return the enemy legions near an area, each with its weight by distance."""
        found = self._threats.get(area)
        if found is None:
            steps = self.steps[area]
            found = self._threats[area] = [
                (enemy, _THREAT[steps[place]]) for place, enemy in self._enemies if steps[place] < len(_THREAT)
            ]
        return found

    def _storm_risk(self, area: str, force: Force) -> float:
        board = self.board
        bit = board.bit[area]
        if not force.units or bit & (board.of_terrain["mountain"] | board.storm_proof):
            return 0.0
        hits = 1.5 if bit & board.desert else 1.0
        return _STORM * min(hits, force.toughness)

    # --- gains of acts

    def move_gain(self, source: str, target: str, going: Legion) -> float:
        """Return the gain from moving a part of a legion to another area."""
        there = self.present.get(target, Legion())
        here = self.present[source]
        joined = combine(there, going)
        if joined.size > self.stacking:
            return -1.0 - joined.size
        left = subtract(here, going)
        gain = self.position_worth(target, self.force(joined), source)
        gain -= self.position_worth(source, self.force(here), source)
        if there.size:
            gain -= self.position_worth(target, self.force(there))
        if left.size or source in self._settled:
            gain += self.position_worth(source, self.force(left), source)
        return gain

    def arrival_gain(self, area: str, coming: Legion) -> float:
        """Return the gain from bringing figures to an area from off the board."""
        there = self.present.get(area, Legion())
        joined = combine(there, coming)
        excess = max(0, joined.size - self.stacking)
        value = worth.legion_worth(self.view, self.side, coming) - 1.5 * excess
        return value + self.position_worth(area, self.force(joined)) - self.position_worth(area, self.force(there))

    def attack(self, source: str, target: str, *, surprise: bool = False) -> tuple[float, Duel]:
        """Return the expected gain of an attack with a whole legion, and its expected outcome."""
        mine = self.force(self.legions.get(source, Legion()))
        goal = self.by_area.get(target)
        theirs = goal.guard if goal is not None and goal.guard is not None else NO_FORCE
        rank = goal.rank if goal is not None else 0
        likely = duel(mine, theirs, rank, 1 if surprise and mine.leaders else 0)
        prize = goal.prize if goal is not None and goal.rank else 0.0
        there = self.view.legion(self.enemy, target)
        value = likely.chance * prize
        value += likely.killed * worth.legion_worth(self.view, self.enemy, there)
        value -= likely.lost * worth.legion_worth(self.view, self.side, self.legions.get(source, Legion()))
        return value, likely


def _stacking_limit(view: ArrakisSeatView, side: str) -> int:
    """Return the stacking limit of a side, bans included."""
    bans = (ban.limit for ban in view.content.ban.values() if ban.kind == "stacking_limit" and view.banned(ban.id))
    return min((view.content.limits.stacking, *bans)) if side == HARKONNEN else view.content.limits.stacking


def _moving_figures(view: ArrakisSeatView) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield the figures set apart during a move: their place, and (side, origin, destination)."""
    for place, ways in zip(APART, APART_FOR, strict=True):
        if ways in view.table:
            yield place, view.table[ways]


def combine(one: Legion, other: Legion) -> Legion:
    """Return two legions as one."""
    a, b, c, d = (x + y for x, y in zip(one.units, other.units, strict=True))
    return Legion((a, b, c, d), one.named + other.named, one.tokens + other.tokens)


def subtract(one: Legion, other: Legion) -> Legion:
    """Return the rest of a legion after a part of it has left."""
    a, b, c, d = (x - y for x, y in zip(one.units, other.units, strict=True))
    tokens = list(one.tokens)
    for token in other.tokens:
        tokens.remove(token)
    return Legion((a, b, c, d), tuple(n for n in one.named if n not in other.named), tuple(tokens))
