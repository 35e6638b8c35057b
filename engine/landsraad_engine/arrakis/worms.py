"""Sandworms: figures that come to the board, worms under a legion, and their attacks."""

from landsraad_engine.arrakis.acts import TakeWorm
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.retreat import RetreatFrom, retreats
from landsraad_engine.arrakis.battle.roll import throw
from landsraad_engine.arrakis.components import ByTerrain
from landsraad_engine.arrakis.hooks import Instead
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, SANDWORM, WILD_MAKER, WORMS, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.vehicles import RemoveHarvester
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import WORM, WORMSIGN
from landsraad_engine.asks import Ask
from landsraad_engine.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.grammar import Choice, OneOf


class EnterWormsign(Frame):
    """A Harkonnen legion has entered an area with a wormsign: the token is turned up and resolved at once."""

    area: AreaId

    @step("WFA-M.38", "WFA-M.39", "WFA-M.50")
    def turn_up(f, g: ArrakisState) -> Flow:
        if WORMSIGN[f.area] not in g.table or not g.size(HARKONNEN, f.area):
            return END
        sign = g.draw(WORMSIGN[f.area], "wormsigns_shown")
        return None if brings_worm(g, f.area, sign) else goto("back_to_the_pool")

    @step("WFA-M.41", "WFA-M.43")
    def worm(f, g: ArrakisState) -> Flow:
        return g.instead(Instead.ENTERED_WORMSIGN, f.area) or WormUnderLegion(area=f.area)

    @step("WFA-H.7")
    def back_to_the_pool(f, g: ArrakisState) -> Flow:
        return_wormsigns(g)


@rule("WFA-H.6")
def brings_worm(g: ArrakisState, area: AreaId, sign: str) -> bool:
    """Whether a wormsign token brings a sandworm to this area."""
    return sign == "sandworm" or (sign == "burrowing" and g.board.terrain[area] == "deep_desert")


@rule("WFA-S.38", "WFA-H.7")
def return_wormsigns(g: ArrakisState) -> None:
    """Shuffle all tokens that have been turned up back into the pool."""
    g.gather("wormsigns_shown", "wormsigns")
    g.shuffle("wormsigns")


class WormUnderLegion(Frame):
    """A sandworm comes up under a Harkonnen legion, which retreats from it or is attacked."""

    area: AreaId

    @step("WFA-M.41")
    def place(f, g: ArrakisState) -> Flow:
        return PlaceWorm(area=f.area)

    @step("WFA-M.41", "WFA-B.35")
    def retreat(f, g: ArrakisState) -> Flow:
        if not retreats(g, HARKONNEN, f.area):
            return Call(WormAttack(source=f.area, target=f.area), "over")
        return RetreatFrom(side=HARKONNEN, area=f.area, seats=g.seats_of(ATREIDES))

    @step("WFA-M.41")
    def harvester(f, g: ArrakisState) -> Flow:
        return RemoveHarvester(area=f.area)

    @step()
    def over(f, g: ArrakisState) -> Flow:
        return END


class PlaceWorm(Frame):
    """A sandworm must be placed in an area; the Atreides say where its figure comes from."""

    area: AreaId
    #: areas whose worms stay where they are
    settled: tuple[AreaId, ...] = ()

    @step("WFA-H.9", "WFA-M.43")
    def figure(f, g: ArrakisState) -> Flow:
        choices = worm_sources(g, f)
        return Ask.any_of(g.seats_of(ATREIDES), *choices, why="WFA-H.9")

    @figure.answer
    def placed(f, g: ArrakisState, seat: int, act: TakeWorm) -> Flow:
        source = WORM[act.source] if act.source else "worms"
        g.shift(source, WORM[f.area], one(len(WORMS), WORMS.index(act.worm)))


@rule("WFA-S.17", "WFA-H.12", "WFA-L.33")
def worm_sources(g: ArrakisState, f: PlaceWorm) -> list[Choice]:
    """Figures for a new worm: those off the board, the Wild Maker among them once it is in play, and any on it."""
    places = ["", *(area for area in g.board.names(g.survey().worms) if area not in (f.area, *f.settled))]
    choices = []
    for worm, name in enumerate(WORMS):
        if worm == WILD_MAKER and not g.in_play(name):
            continue
        sources = tuple(area for area in places if g.get(WORM[area] if area else "worms")[worm])
        if sources:
            choices.append(Choice(TakeWorm, source=OneOf(sources), worm=OneOf((name,))))
    return choices


class WormAttack(Frame):
    """A sandworm attacks an area and leaves the board; one that never came to it has no source."""

    source: AreaId
    target: AreaId
    worm: int = SANDWORM

    @step("WFA-H.30")
    def leave(f, g: ArrakisState) -> Flow:
        if f.source:
            figure = g.get(WORM[f.source])
            f.worm = figure.index(1)
            g.shift(WORM[f.source], "worms", figure)
        return None if g.size(HARKONNEN, f.target) else goto("harvester")

    @step("WFA-H.33", "WFA-H.34", "WFA-H.28")
    def strike(f, g: ArrakisState) -> Flow:
        perils = g.content.perils
        dice = perils.worm_dice if f.worm == SANDWORM else perils.wild_maker_dice
        hits = peril_hits(g, "worm", f.target, dice, perils.worm_special_hits)
        return Casualties(side=HARKONNEN, area=f.target, hits=hits, seats=g.seats_of(HARKONNEN))

    @step("WFA-H.37", "WFA-H.38", "WFA-H.49")
    def survived(f, g: ArrakisState) -> Flow:
        return END if g.size(HARKONNEN, f.target) else None

    @step("WFA-H.32", "WFA-H.37")
    def harvester(f, g: ArrakisState) -> Flow:
        return RemoveHarvester(area=f.target)


@rule("WFA-H.26", "WFA-H.28", "WFA-H.34")
def peril_hits(g: ArrakisState, label: str, area: AreaId, dice: ByTerrain, specials: ByTerrain) -> int:
    """Roll for a worm or a storm: hits, and Specials as the ground makes them worth; shields mean nothing."""
    ground = g.board.terrain[area]
    rolled = throw(g, label, getattr(dice, ground))
    return rolled.hits + rolled.specials * int(getattr(specials, ground))


FRAMES = (EnterWormsign, WormUnderLegion, PlaceWorm, WormAttack)
