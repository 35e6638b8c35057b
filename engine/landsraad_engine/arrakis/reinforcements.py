"""Figures that cards and leaders bring: units of several kinds from off the board, and leaders with them."""

from typing import Final

from landsraad_engine.arrakis.acts import BringForces, Done
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.legions import Settle, join
from landsraad_engine.arrakis.sides import FIGURES, LEADER, Figures
from landsraad_engine.arrakis.terms import UNITS, AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import ASIDE
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice, Constraint, Linear, OneOf, Subset, Term

#: Any own legion is joined.
ANY: Final = "any"


class Reinforce(Frame):
    """Bring such units, and so many leaders of either sort, to one of these areas; with ``spread`` to several.

    ``generic``: the leaders are generic ones; ``named``: they are these, who come from wherever they are but the tank.
    ``noted`` has the mark "here" say where all this went, for a card that goes on there, even if nothing came.
    ``join``, instead of areas: all this joins an own legion wherever it is by now: ANY, one with a kind of unit, or the
    one with a leader. ``empty``: only where nothing is.
    """

    seat: int
    units: tuple[int, int, int]
    areas: tuple[AreaId, ...] = ()
    leaders: int = 0
    generic: bool = False
    named: tuple[str, ...] = ()
    spread: bool = False
    noted: bool = False
    join: str = ""
    empty: bool = False

    @step("WFA-A.29", "WFA-S.17", "WFA-S.19", "WFA-S.26", "WFA-A.12", "WFA-H.59", "WFA-C.92")
    def bring(f, g: ArrakisState) -> Flow:
        choices = ways_to_bring(f, g)
        if not choices:
            return END
        return elective((f.seat,), *choices, why="WFA-A.29")

    @bring.answer
    def brought(f, g: ArrakisState, seat: int, act: BringForces | Done) -> Flow:
        if isinstance(act, Done):
            return END
        side = g.side(f.seat)
        g.recruit(side, act.place, act.units)
        for leader in act.leaders:
            join(g, side, act.place, leader)
        f.units = still_due(f.units, act.units)
        f.leaders -= act.units[LEADER] + len(act.leaders)
        if f.noted:
            g.set_mark("here", act.place)
        if not f.spread:
            f.areas, f.join = (), ""
        return Settle(side=side, area=act.place)

    @step()
    def on(f, g: ArrakisState) -> Flow:
        return goto("bring")


@rule("WFA-S.19")
def still_due(due: tuple[int, int, int], taken: Figures) -> tuple[int, int, int]:
    """The reinforcements still due. Lower kinds may have stood in: what was taken counts for the lowest kind due."""
    left = list(due)
    for kind in range(LEADER):
        for _ in range(taken[kind]):
            left[next(above for above in range(kind, LEADER) if left[above])] -= 1
    return (left[0], left[1], left[2])


def ways_to_bring(f: Reinforce, g: ArrakisState) -> list[Choice]:
    """The ways to bring what is due, or a part of it; leaders need a unit that is there or comes with them."""
    side = g.side(f.seat)
    regular, elite, special = f.units
    supply, named, most = g.supply(side), who_comes(f, g), f.leaders + len(f.named)
    caps = tuple(map(min, (regular + elite + special, elite + special, special, f.leaders), supply))
    survey = g.survey()
    barred = survey.taken() if f.empty else survey.barred(side)  # the Atomics may have moved a legion there in between
    areas = [area for area in joined(f, g) or f.areas if not g.board.bit[area] & barred]
    manned = tuple(area for area in areas if g.size(side, area))
    bare = tuple(area for area in areas if area not in manned)
    wanted: list[Constraint] = [
        Linear((Term("units", weights=(1, 1, 1, 0)),), high=regular + elite + special, why="WFA-S.19"),
        Linear((Term("units", weights=(0, 1, 1, 0)),), high=elite + special, why="WFA-S.19"),
        Linear((Term("units", weights=(0, 0, 0, 1)), Term("leaders")), high=most, why="WFA-A.29"),
    ]
    something = Linear((Term("units"), Term("leaders")), low=1, why="WFA-A.12")
    escorted = Linear(
        (Term("units", weights=(most, most, most, -1)), Term("leaders", weight=-1)), low=0, why="WFA-S.26"
    )
    if not f.noted and not any(caps) and not (named and manned):
        return []
    return [
        Choice(
            BringForces,
            *wanted,
            *more,
            place=OneOf(places),
            units=Alloc(slots=FIGURES, caps=caps, low=0, high=sum(caps)),
            leaders=Subset(named, 0, min(most, len(named))),
        )
        for places, more in ((manned, () if f.noted else (something,)), (bare, (something, escorted)))
        if places and (places is manned or any(caps[:LEADER]))
    ]


@rule("WFA-C.92", "WFA-L.25")
def joined(f: Reinforce, g: ArrakisState) -> tuple[AreaId, ...]:
    """The areas of legions that all this may join."""
    if not f.join:
        return ()
    if f.join in g.content.leader:
        return tuple(filter(None, (g.standing_at(f.join),)))
    side = g.side(f.seat)
    areas = g.board.names(g.survey().legions(side))
    return areas if f.join == ANY else tuple(a for a in areas if g.figures(side, a)[UNITS.index(f.join)])


@rule("WFA-C.4", "WFA-C.84", "WFA-L.25", "WFA-N.10")
def who_comes(f: Reinforce, g: ArrakisState) -> tuple[str, ...]:
    """The named leaders who may come: those that a text names, else those that stand aside."""
    wanted = [g.bearer(leader) for leader in f.named]
    if f.leaders and not f.generic:
        wanted += g.leaders_aside(g.side(f.seat))
    there = [leader for leader in wanted if g.on_board(leader) or g.whereabouts(leader) == ASIDE]
    return tuple(sorted(leader for leader in there if g.allowed(Permit.BRING, leader, default=True)))


FRAMES = (Reinforce,)
