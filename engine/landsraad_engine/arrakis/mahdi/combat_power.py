"""Combat Power: the measure by which the automaton compares legions."""

from __future__ import annotations

from typing import Final, NamedTuple

from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import Legion, Words
from landsraad_engine.kernel.frames import rule

#: A token that lies face down counts so much either way.
TOKEN_POWER: Final = 2
#: Figures in the order of a stack, and named leaders, where points are equal or figures are compared one by one.
DETAILED: Final = (2, 3, 4, 1)
DETAILED_NAMED: Final = 2


@rule("WFA-Y.56")
class CombatPower(NamedTuple):
    """Points of a legion, then its points in detail: pairs compare first by the one, then by the other."""

    points: int = 0
    detailed: int = 0

    def over(self, other: CombatPower) -> CombatPower:
        """Return by how much this power exceeds another."""
        return CombatPower(self.points - other.points, self.detailed - other.detailed)


NO_POWER: Final = CombatPower()


@rule("WFA-Y.54", "WFA-Y.55", "WFA-Y.56", "WFA-Y.57")
def power_of(legion: Legion) -> CombatPower:
    """Return the Combat Power of a legion; nothing at all has none, whatever settlement it stands in."""
    tokens = len(legion.tokens) * TOKEN_POWER
    figures = sum(number * each for number, each in zip(legion.units, DETAILED, strict=True))
    return CombatPower(
        legion.strength + legion.leaders + tokens,
        figures + len(legion.named) * DETAILED_NAMED + tokens,
    )


def power_at(g: Words, side: str, area: AreaId) -> CombatPower:
    """Return the Combat Power of a side's legion in an area."""
    return power_of(g.legion(side, area))
