"""Parts of planning cards that touch several areas at once: units one by one, wormsigns taken away."""

from landsraad_engine.arrakis.acts import ChooseTargets, Done, SpreadUnits, targets_choice
from landsraad_engine.arrakis.cards.deck import CardPart
from landsraad_engine.arrakis.cards.places import empty_deserts
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.legions import SettleAll
from landsraad_engine.arrakis.sides import ELITE, FIGURES, REGULAR, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import WORMSIGN
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice, Linear, Subset, Term

# ---- Units ----


def scatter(count: int) -> CardPart:
    """One Regular each into so many empty Deserts."""

    def deed(g: ArrakisState, seat: int) -> Frame | None:
        areas = tuple(sorted(g.board.names(empty_deserts(g, g.side(seat)))))
        number = min(count, len(areas), g.supply(g.side(seat))[REGULAR])
        return Scatter(seat=seat, areas=areas, count=number) if number else None

    return deed


class Scatter(Frame):
    """One Regular each into so many of these areas, where nobody is."""

    seat: int
    areas: tuple[AreaId, ...]
    count: int

    @step("WFA-A.12", "WFA-S.17", "WFA-H.59")
    def choose(f, g: ArrakisState) -> Flow:
        # A free action may have been taken meanwhile: the Atomics move a legion there, tokens turned up need Regulars.
        empty = g.board.set_of(f.areas) & ~g.survey().taken()
        areas = tuple(sorted(g.board.names(empty)))
        most = min(f.count, len(areas), g.supply(g.side(f.seat))[REGULAR])
        if not most:
            return END
        choice = targets_choice("scatter_regulars", Subset(areas, 1, most))
        return elective((f.seat,), choice, why="WFA-A.12")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTargets | Done) -> Flow:
        for area in act.targets if isinstance(act, ChooseTargets) else ():
            g.recruit(g.side(f.seat), area, one(FIGURES, REGULAR))
        return None


class SpreadOver(Frame):
    """A unit into each of these areas: an Elite, or a Regular, where one is due, else a Regular."""

    seat: int
    areas: tuple[AreaId, ...]
    elite: tuple[AreaId, ...]

    @step("WFA-C.9", "WFA-S.19", "WFA-A.12", "WFA-H.59")
    def choose(f, g: ArrakisState) -> Flow:
        areas = still_free(f, g)
        if not areas:
            return END
        size = len(areas)
        supply = g.supply(g.side(f.seat))
        due = tuple(int(area in f.elite) for area in areas)
        each = tuple(
            Linear(
                (Term("regulars", weights=one(areas, n)), Term("elites", weights=one(areas, n))),
                high=1,
                why="WFA-C.9",
            )
            for n in range(size)
            if due[n]
        )
        choice = Choice(
            SpreadUnits,
            *each,
            regulars=Alloc(slots=areas, caps=(1,) * size, low=0, high=min(size, supply[REGULAR])),
            elites=Alloc(slots=areas, caps=due, low=0, high=min(sum(due), supply[ELITE])),
        )
        return Ask.any_of((f.seat,), choice, why="WFA-C.9", default=SpreadUnits((0,) * size, (0,) * size))

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: SpreadUnits) -> Flow:
        for area, regular, elite in zip(still_free(f, g), act.regulars, act.elites, strict=True):
            g.recruit(g.side(f.seat), area, (regular, elite, 0, 0))
        return None

    @step("WFA-S.28")
    def settle(f, g: ArrakisState) -> Flow:
        return SettleAll(side=g.side(f.seat), areas=f.areas)


def still_free(f: SpreadOver, g: ArrakisState) -> tuple[AreaId, ...]:
    """Those of the areas to which the Atomics have not moved a legion meanwhile, as they may at any moment in 2022."""
    barred = g.survey().barred(g.side(f.seat))
    return tuple(area for area in f.areas if not g.board.bit[area] & barred)


# ---- Wormsigns ----


class ClearWormsigns(Frame):
    """So many wormsigns of these areas are discarded: back into the pool, unseen."""

    seat: int
    areas: tuple[AreaId, ...]
    count: int

    @step("WFA-A.12", "WFA-H.7")
    def choose(f, g: ArrakisState) -> Flow:
        if not f.areas:
            return END
        choice = targets_choice("discard_wormsigns", Subset(tuple(sorted(f.areas)), 1, min(f.count, len(f.areas))))
        return elective((f.seat,), choice, why="WFA-A.12")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTargets | Done) -> Flow:
        if isinstance(act, ChooseTargets):
            back_to_the_pool(g, act.targets)
        return None


@rule("WFA-H.7")
def back_to_the_pool(g: ArrakisState, areas: tuple[AreaId, ...]) -> None:
    for area in areas:
        g.gather(WORMSIGN[area], "wormsigns")
    g.shuffle("wormsigns")


FRAMES = (Scatter, SpreadOver, ClearWormsigns)
