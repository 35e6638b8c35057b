"""Combat Power: the measure by which the automaton compares legions."""

from __future__ import annotations

from typing import Final, NamedTuple

from landsraad_engine.arrakis.sides import FIGURES, LEADER, Figures
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import Legion, Words
from landsraad_engine.kernel.frames import rule

#: Points of one unit, one token that lies face down, one leader.
UNIT: Final = 1
TOKEN: Final = 2
ONE_LEADER: Final = 1
#: The same where points are equal, or figures are compared one by one: figures in the order of a stack.
DETAILED: Final = dict(zip(FIGURES, (2, 3, 4, 1), strict=True))
DETAILED_NAMED: Final = 2
DETAILED_TOKEN: Final = 2


@rule("WFA-Y.56")
class CombatPower(NamedTuple):
    """Points of a legion, then its points in detail: pairs compare first by the one, then by the other."""

    points: int = 0
    detailed: int = 0

    def over(self, other: CombatPower) -> CombatPower:
        """Return by how much this power exceeds another."""
        return CombatPower(self.points - other.points, self.detailed - other.detailed)


NO_POWER: Final = CombatPower()


@rule("WFA-Y.55")
def detailed_figures(figures: Figures) -> int:
    """Return what figures count one by one."""
    return sum(number * DETAILED[kind] for kind, number in zip(FIGURES, figures, strict=True))


@rule("WFA-Y.54", "WFA-Y.55", "WFA-Y.56", "WFA-Y.57")
def power_of(legion: Legion) -> CombatPower:
    """Return the Combat Power of a legion; nothing at all has none, whatever settlement it stands in."""
    units, tokens, named = legion.units, len(legion.tokens), len(legion.named)
    return CombatPower(
        sum(units[:LEADER]) * UNIT + tokens * TOKEN + (units[LEADER] + named) * ONE_LEADER,
        detailed_figures(units) + named * DETAILED_NAMED + tokens * DETAILED_TOKEN,
    )


def power_at(g: Words, side: str, area: AreaId) -> CombatPower:
    """Return the Combat Power of a side's legion in an area."""
    return power_of(g.legion(side, area))

