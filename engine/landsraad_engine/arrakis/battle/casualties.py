"""Removing casualties: the same in battle, in storms and under a sandworm."""

from typing import Any

from landsraad_engine.arrakis.acts import TakeCasualties
from landsraad_engine.arrakis.hooks import Query
from landsraad_engine.arrakis.legions import Settle, dissolve
from landsraad_engine.arrakis.regeneration import ToTank
from landsraad_engine.arrakis.sides import ELITE, FIGURES, LEADER, REGULAR, SPECIAL, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.arrakis.zones import APART_FOR
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice, Linear, Options, Subset, Term


def suffer(f: "Casualties", g: ArrakisState, seat: int, act: Any) -> Flow:
    """Take hits as their owner has chosen, or as there is no other way to."""
    f.hits -= sum(act.units) + len(act.leaders)
    take(g, f.side, f.area, act)
    return ToTank(leaders=act.leaders) if act.leaders else None


class Casualties(Frame):
    """A legion suffers hits; ``seats`` decide for it how."""

    side: str
    area: AreaId
    hits: int
    seats: tuple[int, ...]

    @step("WFA-B.26", "WFA-B.27")
    def all_of_it(f, g: ArrakisState) -> Flow:
        """More hits than the legion can take destroy it; what is left over is lost."""
        legion = g.legion(f.side, f.area)
        if f.hits <= 0 or not legion.size:
            return END
        if f.hits < endurance(exposed(g, legion)):
            return None
        f.hits = 0
        fallen = dissolve(g, f.side, f.area)
        return Call(fallen, "over") if fallen else END

    @step("WFA-B.24", "WFA-B.25", "WFA-H.28")
    def choose(f, g: ArrakisState) -> Flow:
        ways = _ways(f, g)
        only = Options((ways,)).only()
        return suffer(f, g, 0, only) if only else Ask.any_of(f.seats, ways, why="WFA-B.24")

    choose.answer(suffer)

    @step("WFA-B.26")
    def left_alone(f, g: ArrakisState) -> Flow:
        return Settle(side=f.side, area=f.area)

    @step()
    def over(f, g: ArrakisState) -> Flow:
        return goto("all_of_it")


@rule("WFA-H.52", "WFA-H.57")
def under_way(g: ArrakisState) -> bool:
    """Return whether figures are set apart, or hits wait to be taken: nothing then displaces legions or counts them."""
    return any(isinstance(frame, Casualties) for frame in g.stack) or any(key in g.table for key in APART_FOR)


@rule("WFA-B.24")
def endurance(legion: Legion) -> int:
    """Return how many hits a legion takes before nothing is left of it: an Elite becomes a Regular before it falls."""
    regular, elite, special, leader = legion.units
    return regular + 2 * (elite + special) + leader + len(legion.named)


def exposed(g: ArrakisState, legion: Legion) -> Legion:
    """Return the part of a legion that hits can take."""
    return legion._replace(named=g.query(Query.BEAR_HITS, legion.named)) if legion.named else legion


def _ways(f: Casualties, g: ArrakisState) -> Choice:
    """All ways to take the hits at once; one at a time while Regulars to replace Elites run short."""
    legion = exposed(g, g.legion(f.side, f.area))
    regular, elite, special, leader = legion.units
    enough = g.supply(f.side)[REGULAR] >= elite + special
    hits = f.hits if enough else 1
    units = (regular + (elite + special if enough else 0), elite, special, leader)
    # A Regular that an Elite has become may be removed by a further hit.
    became = Linear((Term("units", weights=(1, -1, -1, 0)),), high=regular, why="WFA-B.24")
    exactly = Linear((Term("units"), Term("leaders")), low=hits, high=hits, why="WFA-B.24")
    return Choice(
        TakeCasualties,
        exactly,
        became,
        units=Alloc(slots=FIGURES, caps=units, low=max(0, hits - len(legion.named)), high=hits),
        leaders=Subset(tuple(sorted(legion.named)), 0, hits),
    )


@rule("WFA-B.24", "WFA-B.25", "WFA-S.18")
def take(g: ArrakisState, side: str, area: AreaId, act: TakeCasualties) -> None:
    """Take units and generic leaders off as a player has chosen."""
    removed, elite, special, leader = act.units
    first = min(removed, g.figures(side, area)[REGULAR])
    g.dismiss(side, area, one(FIGURES, REGULAR, first))
    for kind, hit in ((ELITE, elite), (SPECIAL, special)):
        replaced = min(hit, g.supply(side)[REGULAR])
        g.replace(side, area, kind, REGULAR, replaced)
        g.dismiss(side, area, one(FIGURES, kind, hit - replaced))
    g.dismiss(side, area, one(FIGURES, REGULAR, removed - first))
    g.dismiss(side, area, one(FIGURES, LEADER, leader))


FRAMES = (Casualties,)
