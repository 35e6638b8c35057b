"""Phase 3, Desert Hazards: wormsigns are laid and resolved, Coriolis Storms strike."""

from landsraad_engine.arrakis.acts import ChooseWorms, LayWormsigns
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.hooks import Query, Timing
from landsraad_engine.arrakis.partners import Hazards, deciders
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import WormsAppear, brings_worm, lay_wormsigns, peril_hits, return_wormsigns
from landsraad_engine.arrakis.zones import WORMSIGN
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, Subset


class DesertHazards(Hazards):
    """Phase 3 of the round; all its decisions are the Atreides' own, but for carryalls and casualties."""

    #: where wormsigns bring sandworms
    worms: tuple[AreaId, ...] = ()

    @step("WFA-R.1")
    def begin(f, g: ArrakisState) -> Flow:
        return g.at(Timing.HAZARDS_BEGIN)

    @step("WFA-H.1")
    def clear(f, g: ArrakisState) -> Flow:
        """Wormsigns beside Atreides legions and sandworms go back to the pool."""
        survey = g.survey()
        calm = g.board.names(survey.wormsigns & (survey.atreides | survey.worms))
        for area in calm:
            g.gather(WORMSIGN[area], "wormsigns")
        if calm:
            g.shuffle("wormsigns")
        return None

    @step("WFA-H.3", "WFA-H.4", "WFA-H.50")
    def new_wormsigns(f, g: ArrakisState) -> Flow:
        areas, pool = g.board.names(disturbed(g)), len(g.table.get("wormsigns", ()))
        if len(areas) <= pool:
            lay_wormsigns(g, areas)
            return None
        choice = Choice(LayWormsigns, areas=Subset(tuple(sorted(areas)), pool, pool))
        return Ask.any_of(deciders(g, ATREIDES), choice, why="WFA-H.4")

    @new_wormsigns.answer
    def laid(f, g: ArrakisState, seat: int, act: LayWormsigns) -> Flow:
        lay_wormsigns(g, act.areas)
        return None

    @step("WFA-H.5", "WFA-H.6")
    def turn_up(f, g: ArrakisState) -> Flow:
        signs = {area: g.draw(WORMSIGN[area], "wormsigns_shown") for area in g.board.names(g.survey().wormsigns)}
        f.worms = tuple(area for area, sign in signs.items() if brings_worm(g, area, sign))
        return None

    @step("WFA-H.11", "WFA-H.12")
    def too_many(f, g: ArrakisState) -> Flow:
        """There are only so many figures: the Atreides say where they come up."""
        most = worms_at_most(g)
        if len(f.worms) <= most:
            return None
        choice = Choice(ChooseWorms, areas=Subset(tuple(sorted(f.worms)), most, most))
        return Ask.any_of(deciders(g, ATREIDES), choice, why="WFA-H.12")

    @too_many.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseWorms) -> Flow:
        f.worms = act.areas
        return None

    @step("WFA-H.5", "WFA-H.13")
    def appear(f, g: ArrakisState) -> Flow:
        return WormsAppear(areas=f.worms, rescue=True) if f.worms else None

    @step("WFA-H.7")
    def back_to_the_pool(f, g: ArrakisState) -> Flow:
        return_wormsigns(g)
        return None

    @step("WFA-H.22")
    def storms(f, g: ArrakisState) -> Flow:
        return CoriolisStorms()


@rule("WFA-H.3")
def disturbed(g: ArrakisState) -> AreaSet:
    """Deserts where Harkonnen legions and harvesters call a worm, unless a wormsign or a worm is there already."""
    survey = g.survey()
    return g.board.desert & (survey.harkonnen | survey.harvesters) & ~(survey.wormsigns | survey.worms)


@rule("WFA-H.11", "WFA-H.12")
def worms_at_most(g: ArrakisState) -> int:
    """The most sandworms in one phase: one for each figure, the Wild Maker's too once it is in play."""
    figures = g.content.worms
    number: int = g.query(Query.WORMS_AT_MOST, figures.sandworm + figures.wild_maker * g.in_play("wild_maker"))
    return number


class CoriolisStorms(Frame):
    """Storms strike every Harkonnen legion that is not sheltered, in the order of the board."""

    areas: tuple[AreaId, ...] = ()

    @step("WFA-H.22", "WFA-H.23", "WFA-H.25")
    def gather(f, g: ArrakisState) -> Flow:
        f.areas = g.board.names(g.survey().harkonnen & ~sheltered(g))
        return None

    @step("WFA-H.26", "WFA-H.27", "WFA-H.28", "WFA-H.54")
    def strike(f, g: ArrakisState) -> Flow:
        if not f.areas:
            return END
        area, *rest = f.areas
        f.areas = tuple(rest)
        perils = g.content.perils
        hits = peril_hits(g, "storm", area, perils.storm_dice, perils.storm_special_hits)
        return Casualties(side=HARKONNEN, area=area, hits=hits, seats=g.seats_of(HARKONNEN))

    @step()
    def next_area(f, g: ArrakisState) -> Flow:
        return goto("strike")


@rule("WFA-H.22", "WFA-H.23", "WFA-H.24", "WFA-H.29", "WFA-H.44", "WFA-H.45", "WFA-H.46")
def sheltered(g: ArrakisState) -> AreaSet:
    """The areas that storms spare: the Mountains, and others until the Atomics open them."""
    board = g.board
    spared = board.storm_proof if g.content.perils.storm_spares == "storm_proof_areas" else g.survey().villages
    return board.of_terrain["mountain"] | spared & ~board.opened


FRAMES = (DesertHazards, CoriolisStorms)
