"""Dr. Yueh: no hit can be assigned to him, and he passes to whoever beats the legion that he is with."""

from typing import Final

from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.rounds import InBattle
from landsraad_engine.arrakis.hooks import Query, Timing
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.regeneration import ToTank
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, OPPONENT
from landsraad_engine.arrakis.terms import SIDE_OF, AreaId, SubFaction
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import CONTESTED, FIGURE, LOYALTY
from landsraad_engine.kernel.frames import Call, Flow, Frame, Step, rule, step
from landsraad_engine.kernel.overrides import Source

source = Source("dr_yueh")

YUEH: Final = "dr_yueh"
#: The half of each faction that he serves.
HOUSE: Final[dict[str, SubFaction]] = {HARKONNEN: "house_harkonnen", ATREIDES: "house_atreides"}


@source.modifies(Query.BEAR_HITS)
@rule("WFA-N.37", "WFA-N.48")
def spared(g: ArrakisState, named: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(leader for leader in named if leader != YUEH)


@source.at(Timing.LEGION_FALLS)
@rule("WFA-N.38", "WFA-N.49")
def destroyed(g: ArrakisState, side: str, area: AreaId) -> None:
    """By hits of a battle: the battle has to go on until it is clear if an enemy is left to take him."""
    if YUEH in g.named_at(side, area) and _by_hits_of_a_battle(g, side, area):
        g.set_mark(FIGURE[YUEH], CONTESTED)


@rule("WFA-N.49")
def _by_hits_of_a_battle(g: ArrakisState, side: str, area: AreaId) -> bool:
    """Return whether a legion that falls suffers just that. A worm, a storm or the Atomics may strike amid a battle."""
    for frame in reversed(g.stack):
        if isinstance(frame, InBattle):
            return frame.area(g, side) == area
        if not isinstance(frame, Casualties | Settle) or (frame.side, frame.area) != (side, area):
            return False
    return False


@source.at(Timing.RETREATS)
@rule("WFA-N.38", "WFA-N.49")
def stays_behind(g: ArrakisState, side: str, area: AreaId) -> None:
    """A retreat out of a battle is a defeat; one from a sandworm is none."""
    if YUEH in g.named_at(side, area) and isinstance(g.stack[-2], Battle):
        g.set_mark(FIGURE[YUEH], CONTESTED)


@rule("WFA-N.38", "WFA-N.49", "WFA-N.50")
def _passes_over(f: Battle, g: ArrakisState) -> Frame | None:
    """His loyalty passes to the victors, his card with him; if nobody is left, he goes to his side's tank."""
    if g.whereabouts(YUEH) != CONTESTED:
        return None
    winner = OPPONENT[SIDE_OF[g.half_of(YUEH)]]
    area = f.area(g, winner)
    if not g.size(winner, area):
        return ToTank(leaders=(YUEH,))
    g.set_mark(LOYALTY[YUEH], HOUSE[winner] if HOUSE[winner] != g.leader(YUEH).side else None)
    g.set_mark(FIGURE[YUEH], area)
    return None


def _first(usual: Step) -> Step:
    """The step of a battle that follows hits, a price or a retreat; before it, he joins whoever has won him."""

    @step("WFA-N.38", *usual.rules)
    def then(f: Battle, g: ArrakisState) -> Flow:
        tank = _passes_over(f, g)
        return Call(tank, usual.name) if tank else usual.fn(f, g)

    return then


#: Steps of battles that his Future replaces.
STEPS: Final = {("Battle", usual.name): _first(usual) for usual in (Battle.destroyed, Battle.spent, Battle.retreated)}
