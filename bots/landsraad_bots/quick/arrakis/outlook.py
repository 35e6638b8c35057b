"""Greedy's outlook with few goals for each area and few destinations for each legion, kept while goals stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from landsraad_bots.greedy.arrakis.goals import Goal
from landsraad_bots.greedy.arrakis.odds import Force, duel
from landsraad_bots.greedy.arrakis.outlook import NEARNESS, SECOND, Outlook
from landsraad_bots.greedy.arrakis.splits import splits
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion

#: The goals of an area that are weighed: those with the greatest prizes after the distance.
_GOALS: Final = 4
#: The destinations of a legion that are tried.
_DESTINATIONS: Final = 2
#: The numbers of units that stay behind when a legion is split.
_STAY: Final = (0, 1)


class GoalMap:
    """The best goals of each area, as long as the goals stay the same."""

    def __init__(self) -> None:
        self._goals: tuple[Goal, ...] = ()
        self._found: dict[str, tuple[float, list[tuple[float, int, Goal]]]] = {}

    def renew(self, goals: tuple[Goal, ...]) -> None:
        """Forget the map if the goals have changed."""
        if goals != self._goals:
            self._goals = goals
            self._found = {}

    def at(self, outlook: Outlook, area: str) -> tuple[float, list[tuple[float, int, Goal]]]:
        """Return the prizes in an area, and its best goals elsewhere with their highest worth and distance."""
        found = self._found.get(area)
        if found is None:
            steps = outlook.steps[area]
            taken = 0.0
            near = []
            for goal in self._goals:
                away = steps[goal.area]
                if away:
                    near.append((goal.prize * NEARNESS[away], away, goal))
                else:
                    taken += goal.prize
            near.sort(key=lambda each: -each[0])
            found = self._found[area] = (taken, near[:_GOALS])
        return found


class QuickOutlook(Outlook):
    """An outlook that weighs and tries less."""

    def __init__(self, view: ArrakisSeatView, side: str, goal_map: GoalMap) -> None:
        super().__init__(view, side)
        goal_map.renew(self.goals)
        self._goal_map = goal_map
        self._pull: dict[str, float] = {}

    def destinations(self, source: str, areas: AreaSet) -> Sequence[str]:
        """Return the areas with the strongest pull."""
        names = self.board.names(areas)
        return sorted(names, key=self._pull_of, reverse=True)[:_DESTINATIONS] if len(names) > _DESTINATIONS else names

    def parts(self, legion: Legion) -> tuple[Legion, ...]:
        """Return all of the legion, and all but one."""
        return splits(legion, _STAY)[: len(_STAY)]

    def _pull_of(self, area: str) -> float:
        """Return the greatest prize in or near an area, whoever guards it."""
        found = self._pull.get(area)
        if found is None:
            taken, near = self._goal_map.at(self, area)
            found = self._pull[area] = taken + self.bonus.get(area, 0.0) + (near[0][0] if near else 0.0)
        return found

    def _opportunity(self, area: str, force: Force, mover: str) -> float:
        if not force.units:
            return 0.0
        taken, near = self._goal_map.at(self, area)
        best = 0.0
        for value, away, goal in near:
            if value <= best:
                break
            if goal.guard is not None:
                value *= duel(force, goal.guard, goal.rank).chance  # noqa: PLW2901
            else:
                for distance, rival in self._nearest[goal.area]:
                    if rival not in (area, mover):
                        if distance <= away:
                            value *= SECOND  # noqa: PLW2901
                        break
            best = max(best, value)
        return best + taken + self.bonus.get(area, 0.0)
