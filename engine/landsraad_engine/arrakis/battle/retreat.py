"""Retreat: the opponent moves a whole legion to an area next door."""

from landsraad_engine.arrakis.acts import RetreatTo
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.hooks import Permit, Query, Timing
from landsraad_engine.arrakis.legions import Settle, relocate
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf


@rule("WFA-B.35", "WFA-B.36")
def retreats(g: ArrakisState, side: str, area: AreaId) -> AreaSet:
    """The areas into which a legion may be made to retreat; none if it may not retreat at all."""
    if not g.allowed(Permit.RETREAT, side, area, default=True):
        return 0
    survey = g.survey()
    open_areas = g.board.adjacent[area] & ~survey.barred(side)
    shunned: AreaSet = g.query(Query.SHUNNED, survey.wormsigns if side == HARKONNEN else 0, side)
    return open_areas & ~shunned


class RetreatFrom(Frame):
    """A legion retreats from an area; ``seats`` of its opponent say where to."""

    side: str
    area: AreaId
    seats: tuple[int, ...]
    target: AreaId = ""

    @step("WFA-B.35", "WFA-H.56")
    def where(f, g: ArrakisState) -> Flow:
        areas = g.board.names(retreats(g, f.side, f.area))
        if not areas or not g.size(f.side, f.area):
            return END  # the Atomics have closed the last way, or displaced this very legion
        return Ask.any_of(f.seats, Choice(RetreatTo, area=OneOf(areas)), why="WFA-B.35")

    @where.answer
    def there(f, g: ArrakisState, seat: int, act: RetreatTo) -> Flow:
        f.target = act.area
        g.at(Timing.RETREATS, f.side, f.area)
        relocate(g, f.side, f.area, f.target)
        return None

    @step("WFA-B.38", "WFA-M.31", "WFA-M.32")
    def settle(f, g: ArrakisState) -> Flow:
        return Settle(side=f.side, area=f.target)

    @step("WFA-B.37")
    def arrived(f, g: ArrakisState) -> Flow:
        return g.at(Timing.RETREATED, f.side, f.target)


FRAMES = (RetreatFrom,)
