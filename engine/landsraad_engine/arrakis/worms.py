"""Sandworms: how they come to the board, what becomes of those above them, and their attacks."""

from collections.abc import Iterable

from landsraad_engine.arrakis.acts import Done, RescueHarvester, ResolveWorm, TakeWorm
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.retreat import RetreatFrom
from landsraad_engine.arrakis.battle.roll import throw
from landsraad_engine.arrakis.components import ByTerrain
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Instead, Permit, Query
from landsraad_engine.arrakis.partners import deciders
from landsraad_engine.arrakis.sides import ATREIDES, CARRYALL, HARKONNEN, HARVESTER, SANDWORM, WILD_MAKER, WORMS, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.vehicles import RemoveHarvester, take_off
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import WORM, WORMSIGN
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf

# ---- Wormsigns ----


class EnterWormsign(Frame):
    """A Harkonnen legion has entered an area with a wormsign: the token is turned up and resolved at once."""

    area: AreaId

    @step("WFA-M.38", "WFA-M.50")
    def turn_up(f, g: ArrakisState) -> Flow:
        if WORMSIGN[f.area] not in g.table or not g.size(HARKONNEN, f.area):
            return END
        sign = g.draw(WORMSIGN[f.area], "wormsigns_shown")
        return None if brings_worm(g, f.area, sign) else goto("back_to_the_pool")

    @step("WFA-M.41", "WFA-M.43")
    def worm(f, g: ArrakisState) -> Flow:
        return g.instead(Instead.ENTERED_WORMSIGN, f.area) or WormsAppear(areas=(f.area,))

    @step("WFA-H.7")
    def back_to_the_pool(f, g: ArrakisState) -> Flow:
        return_wormsigns(g)
        return None


@rule("WFA-H.6")
def brings_worm(g: ArrakisState, area: AreaId, sign: str) -> bool:
    """Return whether a wormsign token brings a sandworm to this area."""
    return sign == "sandworm" or (sign == "burrowing" and g.board.terrain[area] == "deep_desert")


@rule("WFA-A.28", "WFA-H.3")
def lay_wormsigns(g: ArrakisState, areas: Iterable[AreaId]) -> None:
    """Lay a random wormsign, which nobody has seen, in each of these areas, unless none can be."""
    if not g.allowed(Permit.WORMS_COME, default=True):
        return
    for area in areas:
        g.draw("wormsigns", WORMSIGN[area])


@rule("WFA-S.38", "WFA-H.7")
def return_wormsigns(g: ArrakisState) -> None:
    """Shuffle all tokens that have been turned up back into the pool."""
    g.gather("wormsigns_shown", "wormsigns")
    g.shuffle("wormsigns")


# ---- Sandworms that appear ----


class WormsAppear(Frame):
    """Sandworms are placed in these areas; once all of them are there, what is above them suffers.

    ``rescue``: carryalls may save harvesters, as they do in Desert Hazards only.
    """

    areas: tuple[AreaId, ...]
    rescue: bool = False

    @step("WFA-H.13")
    def place(f, g: ArrakisState) -> Flow:
        return PlaceWorms(areas=f.areas)

    @step("WFA-H.13")
    def suffer(f, g: ArrakisState) -> Flow:
        return UnderWorms(areas=f.areas, rescue=f.rescue)


def put_worm(g: ArrakisState, act: TakeWorm) -> None:
    """Place a sandworm."""
    g.shift(WORM[act.source] if act.source else "worms", WORM[act.area], one(WORMS, WORMS.index(act.worm)))


def place_next(f: "PlaceWorms", g: ArrakisState, seat: int, act: TakeWorm) -> Flow:
    """Place one worm as the Atreides have said, or as there is no other way to."""
    put_worm(g, act)
    f.areas = tuple(area for area in f.areas if area != act.area)
    f.settled = (*f.settled, act.area)
    return goto("figure")


class PlaceWorms(Frame):
    """A sandworm must be placed in each of these areas; the Atreides say where its figure comes from.

    ``alone``: only where no legion is, as one may have been moved there meanwhile.
    """

    areas: tuple[AreaId, ...]
    alone: bool = False
    #: areas whose worms stay where they are: they have just been placed
    settled: tuple[AreaId, ...] = ()

    @step("WFA-H.9", "WFA-H.8", "WFA-M.43", "WFA-H.51", "WFA-H.59")
    def figure(f, g: ArrakisState) -> Flow:
        survey = g.survey()
        shut = survey.harkonnen | survey.atreides if f.alone else 0
        areas = tuple(area for area in f.areas if not g.board.bit[area] & shut)
        figures = worm_figures(g, (*f.areas, *f.settled)) if areas else []
        if not figures:
            return END
        if len(areas) == 1 == len(figures) or _all_alike(g, figures, len(areas)):
            return place_next(f, g, 0, TakeWorm(areas[0], *figures[0]))
        return Ask.any_of(deciders(g, ATREIDES), *worm_choices(areas, figures), why="WFA-H.9")

    figure.answer(place_next)


@rule("WFA-S.17", "WFA-H.9", "WFA-H.10", "WFA-H.12", "WFA-L.33", "WFA-H.51")
def worm_figures(g: ArrakisState, settled: tuple[AreaId, ...], kinds: tuple[str, ...] = ()) -> list[tuple[AreaId, str]]:
    """Figures for a new worm, with where they are: those off the board (""), and on it but in none of these areas.

    A worm above a Harkonnen legion stays, too: the legion has still to retreat from it, or is attacked by it.
    """
    if not g.allowed(Permit.WORMS_COME, default=True):
        return []
    stand_in = g.in_play("wild_maker") and g.allowed(Permit.WILD_MAKER_STANDS_IN, default=True)
    usual = WORMS if stand_in else WORMS[:WILD_MAKER]
    survey = g.survey()
    elsewhere = [area for area in g.board.names(survey.worms & ~survey.harkonnen) if area not in settled]
    figures = [
        (place, worm)
        for worm in kinds or usual
        for place in ("", *elsewhere)
        if g.get(WORM[place] if place else "worms")[WORMS.index(worm)]
    ]
    off_board = [figure for figure in figures if not figure[0]]
    return off_board if off_board and not g.allowed(Permit.WORM_FROM_BOARD, default=True) else figures


def worm_choices(areas: tuple[AreaId, ...], figures: list[tuple[AreaId, str]]) -> list[Choice]:
    """Placing one of these figures in one of these areas."""
    return [
        Choice(TakeWorm, area=OneOf(areas), source=OneOf(sources), worm=OneOf((worm,)))
        for worm in WORMS
        if (sources := tuple(source for source, each in figures if each == worm))
    ]


def _all_alike(g: ArrakisState, figures: list[tuple[AreaId, str]], number: int) -> bool:
    """Return whether so many worms all come from off the board, whichever of them goes where."""
    return figures == [("", WORMS[SANDWORM])] and g.get("worms")[SANDWORM] >= number


class CallWorm(Frame):
    """The acting player may place sandworms in so many of these areas: any, or of the kinds that are named.

    ``beside``: only next to a sandworm, which is not the one that is taken from there.
    """

    seat: int
    areas: tuple[AreaId, ...]
    kinds: tuple[str, ...] = ()
    count: int = 1
    beside: bool = False
    placed: tuple[AreaId, ...] = ()

    @step("WFA-M.43", "WFA-A.12", "WFA-A.29", "WFA-H.51")
    def choose(f, g: ArrakisState) -> Flow:
        if len(f.placed) == f.count:
            return None
        choices = [
            choice
            for areas, figures in ways_to_call(f, g, worm_figures(g, f.placed, f.kinds))
            for choice in worm_choices(areas, figures)
        ]
        if not choices:
            return None
        return elective((f.seat,), *choices, why="WFA-M.43")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: TakeWorm | Done) -> Flow:
        if isinstance(act, Done):
            return None
        put_worm(g, act)
        f.placed = (*f.placed, act.area)
        return goto("choose")

    @step("WFA-M.43", "WFA-H.13")
    def suffer(f, g: ArrakisState) -> Flow:
        return UnderWorms(areas=f.placed)


@rule("WFA-C.68", "WFA-C.91", "WFA-H.59", "WFA-L.30", "WFA-L.31")
def ways_to_call(
    f: CallWorm, g: ArrakisState, figures: list[tuple[AreaId, str]]
) -> list[tuple[tuple[AreaId, ...], list[tuple[AreaId, str]]]]:
    """The figures and the areas they may go to; a legion that the Atomics have moved there meanwhile closes one."""
    survey = g.survey()
    empty = g.board.desert & ~survey.taken()
    # Where something is, none comes but the Wild Maker, and that only where its edition lets it.
    open_now = g.query(Query.WILD_MAKER_AREAS, empty) if f.kinds else empty
    open_areas = g.board.names(g.board.set_of(f.areas) & open_now)
    if not f.beside:
        return [(open_areas, figures)] if open_areas else []
    ways = []
    for figure in figures:
        others = survey.worms & ~(g.board.bit[figure[0]] if figure[0] else 0)
        near = g.board.around(others)
        if areas := tuple(area for area in open_areas if g.board.bit[area] & near):
            ways.append((areas, [figure]))
    return ways


# ---- What is above them ----


def resolve_next(f: "UnderWorms", g: ArrakisState, seat: int, act: ResolveWorm) -> Flow:
    """Resolve the area that the Atreides have said, or the last one that is left."""
    f.areas = tuple(area for area in f.areas if area != act.area)
    return Call(UnderWorm(area=act.area, rescue=f.rescue), "next_area")


class UnderWorms(Frame):
    """Everything above new sandworms suffers, area by area."""

    areas: tuple[AreaId, ...]
    rescue: bool = False

    @step("WFA-H.13", "WFA-H.48")
    def next_area(f, g: ArrakisState) -> Flow:
        waiting = tuple(area for area in f.areas if g.size(HARKONNEN, area) or g.vehicle(area)[HARVESTER])
        if not waiting:
            return END
        if len(waiting) == 1:
            return resolve_next(f, g, 0, ResolveWorm(waiting[0]))
        return Ask.any_of(deciders(g, ATREIDES), Choice(ResolveWorm, area=OneOf(waiting)), why="WFA-H.48")

    next_area.answer(resolve_next)


class UnderWorm(Frame):
    """One area suffers: a Harkonnen legion retreats or is attacked, a harvester is lost."""

    area: AreaId
    rescue: bool = False

    @step("WFA-H.15", "WFA-M.41", "WFA-B.35")
    def retreat(f, g: ArrakisState) -> Flow:
        threatened = g.size(HARKONNEN, f.area)
        return RetreatFrom(side=HARKONNEN, area=f.area, seats=deciders(g, ATREIDES)) if threatened else None

    @step("WFA-H.15", "WFA-M.41")
    def attack(f, g: ArrakisState) -> Flow:
        """It could not."""
        stuck = g.size(HARKONNEN, f.area)
        return Call(WormAttack(source=f.area, target=f.area, rescue=f.rescue), "over") if stuck else None

    @step("WFA-H.14", "WFA-H.16", "WFA-H.20", "WFA-H.50", "WFA-M.41")
    def harvester(f, g: ArrakisState) -> Flow:
        return WormTakesHarvester(area=f.area, rescue=f.rescue)

    @step()
    def over(f, g: ArrakisState) -> Flow:
        return END


class WormTakesHarvester(Frame):
    """A harvester is lost to a sandworm, unless a carryall saves it."""

    area: AreaId
    rescue: bool = False

    @step("WFA-H.19")
    def carryall(f, g: ArrakisState) -> Flow:
        if not g.vehicle(f.area)[HARVESTER]:
            return END
        zones = tuple(zone for zone in g.board.zones_of[f.area] if g.vehicle(zone)[CARRYALL]) if f.rescue else ()
        if not zones:
            return None
        choice = Choice(RescueHarvester, carryall=OneOf(zones))
        return elective(deciders(g, HARKONNEN), choice, why="WFA-H.19")

    @carryall.answer
    def rescued(f, g: ArrakisState, seat: int, act: RescueHarvester | Done) -> Flow:
        if isinstance(act, Done):
            return None
        take_off(g, act.carryall)
        return END

    @step("WFA-H.14", "WFA-H.16", "WFA-H.37")
    def lost(f, g: ArrakisState) -> Flow:
        return RemoveHarvester(area=f.area)


# ---- Attacks ----


class WormAttack(Frame):
    """A sandworm attacks an area and leaves the board; one that never came to it has no source."""

    source: AreaId
    target: AreaId
    rescue: bool = False
    worm: int = SANDWORM

    @step("WFA-H.30")
    def leave(f, g: ArrakisState) -> Flow:
        if f.source:
            figure = g.get(WORM[f.source])
            f.worm = figure.index(1)
            g.shift(WORM[f.source], "worms", figure)
        return None if g.size(HARKONNEN, f.target) else goto("harvester")

    @step("WFA-H.33", "WFA-H.34", "WFA-H.35", "WFA-H.28")
    def strike(f, g: ArrakisState) -> Flow:
        perils = g.content.perils
        dice = perils.worm_dice if f.worm == SANDWORM else perils.wild_maker_dice
        hits = peril_hits(g, "worm", f.target, dice, perils.worm_special_hits)
        return Casualties(side=HARKONNEN, area=f.target, hits=hits, seats=deciders(g, HARKONNEN))

    @step("WFA-H.37", "WFA-H.38", "WFA-H.49")
    def survived(f, g: ArrakisState) -> Flow:
        return END if g.size(HARKONNEN, f.target) else None

    @step("WFA-H.32", "WFA-H.37")
    def harvester(f, g: ArrakisState) -> Flow:
        return WormTakesHarvester(area=f.target, rescue=f.rescue)


@rule("WFA-H.26", "WFA-H.27", "WFA-H.28", "WFA-H.34")
def peril_hits(g: ArrakisState, label: str, area: AreaId, dice: ByTerrain, specials: ByTerrain) -> int:
    """Roll for a worm or a storm: hits, and Specials as the ground makes them worth; shields mean nothing."""
    ground = g.board.terrain[area]
    rolled = throw(g, label, getattr(dice, ground))
    return rolled.hits + rolled.specials * int(getattr(specials, ground))


FRAMES = (EnterWormsign, WormsAppear, PlaceWorms, CallWorm, UnderWorms, UnderWorm, WormTakesHarvester, WormAttack)
