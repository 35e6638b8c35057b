"""Wormsigns and sandworms in 2022."""

from landsraad_engine.arrakis.acts import ResolveWorm
from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.desert_power import DesertPower, offer, worm_moves, worm_strikes, worms_but
from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.partners import deciders
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, HARVESTER
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import PlaceWorms, WormAttack
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.overrides import Source

source = Source("preview_2022: desert")


@step("WFA-A.27")
def activate_another(f: DesertPower, g: ArrakisState) -> Flow:
    """A different sandworm moves or attacks, whatever the first has done."""
    worms = worms_but(g, f.moved)
    return offer(f.seat, (*worm_moves(g, worms), *worm_strikes(g, worms)), "WFA-A.27")


activate_another.answer(DesertPower.driven)


@source.permits(Permit.WORM_ONTO_WORMSIGN)
@rule("WFA-M.46")
def onto_tokens(g: ArrakisState) -> bool:
    """Only figures are in a worm's way."""
    return True


@source.forbids(Permit.WILD_MAKER_STANDS_IN)
@rule("WFA-L.32")
def by_its_own_action_only(g: ArrakisState) -> bool:
    return True


@step("WFA-H.2")
def wormsigns_stay(f: DesertHazards, g: ArrakisState) -> Flow:
    """Those beside Atreides legions and sandworms are turned up with the others."""


@step("WFA-H.2")
def calm(f: DesertHazards, g: ArrakisState) -> Flow:
    """They do nothing; there is no limit to what the others bring."""
    survey = g.survey()
    f.worms = tuple(area for area in f.worms if not g.board.bit[area] & (survey.atreides | survey.worms))
    return None


@step("WFA-H.17", "WFA-H.18")
def strike(f: DesertHazards, g: ArrakisState) -> Flow:
    return WormsStrike(areas=f.worms)


def resolve_next(f: "WormsStrike", g: ArrakisState, seat: int, act: ResolveWorm) -> Flow:
    """Go on with the area that the Atreides have said, or with the last one."""
    f.area = act.area
    f.areas = tuple(area for area in f.areas if area != act.area)
    f.empty = not g.size(HARKONNEN, f.area) and not g.vehicle(f.area)[HARVESTER]
    # Nor does a wormsign do anything to an Atreides legion that the Atomics have moved there meanwhile.
    return goto("next_area") if g.size(ATREIDES, f.area) else None


class WormsStrike(Frame):
    """Worms attack what is above them at once; figures come only where nothing is, or a carryall saves a harvester."""

    areas: tuple[AreaId, ...]
    placed: tuple[AreaId, ...] = ()
    area: AreaId = ""
    empty: bool = False

    @step("WFA-H.5", "WFA-H.48", "WFA-H.2", "WFA-H.59")
    def next_area(f, g: ArrakisState) -> Flow:
        if len(f.areas) < 2:
            return resolve_next(f, g, 0, ResolveWorm(f.areas[0])) if f.areas else END
        return Ask.any_of(deciders(g, ATREIDES), Choice(ResolveWorm, area=OneOf(f.areas)), why="WFA-H.5")

    next_area.answer(resolve_next)

    @step("WFA-H.17")
    def attack(f, g: ArrakisState) -> Flow:
        return None if f.empty else WormAttack(source="", target=f.area, rescue=True)

    @step("WFA-H.18", "WFA-H.21", "WFA-H.10", "WFA-H.55")
    def figure(f, g: ArrakisState) -> Flow:
        saved = g.vehicle(f.area)[HARVESTER] and not g.size(HARKONNEN, f.area)
        if not f.empty and not saved:
            return goto("next_area")
        f.placed = (*f.placed, f.area)
        return PlaceWorms(areas=(f.area,), settled=f.placed, alone=True)

    @step("WFA-H.17", "WFA-H.59")
    def displaced(f, g: ArrakisState) -> Flow:
        """A Harkonnen legion that the Atomics have moved under the worm before it came is attacked like any other."""
        under = g.size(HARKONNEN, f.area)
        return Call(WormAttack(source="", target=f.area, rescue=True), "next_area") if under else goto("next_area")


STEPS = {
    ("DesertPower", "second"): activate_another,
    ("DesertHazards", "clear"): wormsigns_stay,
    ("DesertHazards", "too_many"): calm,
    ("DesertHazards", "appear"): strike,
}

FRAMES = (WormsStrike,)
