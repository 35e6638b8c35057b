"""The Desert Power action, and what else lays wormsigns and drives sandworms in Action Resolution."""

from collections.abc import Iterable, Sequence

from landsraad_engine.arrakis.acts import Done, LayWormsigns, MoveWorm, StrikeWithWorm
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Instead, Permit, Query
from landsraad_engine.arrakis.sides import WORMS
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Survey
from landsraad_engine.arrakis.worms import CallWorm, WormAttack, lay_wormsigns
from landsraad_engine.arrakis.zones import WORM
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Act, Choice, OneOf, Subset

# ---- What can be done ----


@rule("WFA-A.26", "WFA-A.28", "WFA-O.18")
def wormsigns(g: ArrakisState, count: int) -> list[Choice]:
    """Laying so many wormsigns or fewer."""
    if not g.allowed(Permit.WORMS_COME, default=True):
        return []
    survey = g.survey()
    areas = g.board.names(g.board.desert & ~(survey.wormsigns | survey.worms | survey.sietches))
    most = min(count, len(areas), len(g.table.get("wormsigns", ())))
    return [Choice(LayWormsigns, areas=Subset(tuple(sorted(areas)), 1, most))] if most else []


@rule("WFA-M.44", "WFA-M.45", "WFA-S.11")
def closed_to_worms(g: ArrakisState, survey: Survey) -> AreaSet:
    """The areas in which no move of a sandworm ends: all with figures or tokens, but for stations."""
    figures = survey.harkonnen | survey.atreides | survey.villages | survey.sietches | survey.worms | survey.harvesters
    return figures if g.allowed(Permit.WORM_ONTO_WORMSIGN) else figures | survey.wormsigns


def worm_moves(g: ArrakisState, worms: Iterable[AreaId]) -> list[Choice]:
    """Moving one of the sandworms in these areas."""
    open_areas = ~closed_to_worms(g, g.survey())
    reach = {area: g.board.names(g.board.worm_moves(area) & open_areas) for area in worms}
    return [Choice(MoveWorm, source=OneOf((area,)), target=OneOf(there)) for area, there in reach.items() if there]


@rule("WFA-H.30", "WFA-H.31", "WFA-H.44", "WFA-H.45", "WFA-H.46")
def worm_strikes(g: ArrakisState, worms: Iterable[AreaId]) -> list[Choice]:
    """Attacking with one of the sandworms in these areas."""
    survey = g.survey()
    prey = survey.harkonnen | survey.harvesters
    reach = {area: g.board.names(g.board.worm_targets(area) & prey) for area in worms}
    return [
        Choice(StrikeWithWorm, source=OneOf((area,)), target=OneOf(there)) for area, there in reach.items() if there
    ]


@rule("WFA-M.44", "WFA-L.33", "WFA-H.30")
def drive(g: ArrakisState, act: MoveWorm | StrikeWithWorm) -> Frame | None:
    """Move a sandworm, whichever figure it is, or attack with it."""
    if isinstance(act, StrikeWithWorm):
        return WormAttack(source=act.source, target=act.target)
    g.shift(WORM[act.source], WORM[act.target], g.get(WORM[act.source]))
    return None


# ---- The action, and its parts by themselves ----


def offer(seat: int, choices: Sequence[Choice], why: str) -> Ask | None:
    """Ask what of this is done, if anything can be; nothing has to be."""
    return elective((seat,), *choices, why=why) if choices else None


class DesertPower(Frame):
    """Lay two wormsigns, or move two sandworms, or attack with one."""

    seat: int
    #: where the first sandworm that it has moved is now
    moved: AreaId = ""

    @step("WFA-A.24", "WFA-A.25", "WFA-A.26", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        worms = worms_but(g)
        choices = (*wormsigns(g, 2), *worm_moves(g, worms), *worm_strikes(g, worms))
        return offer(f.seat, g.query(Query.DESERT_POWER, choices, f.seat), "WFA-A.25")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: Act) -> Flow:
        match act:
            case LayWormsigns():
                lay_wormsigns(g, act.areas)
                return END
            case MoveWorm():
                f.moved = act.target
                return drive(g, act)
            case StrikeWithWorm():
                return drive(g, act)
            case Done():
                return END
        return Call(g.instead(Instead.DESERT_POWER, f.seat, act), "over")

    @step("WFA-A.25", "WFA-A.12")
    def second(f, g: ArrakisState) -> Flow:
        """A different sandworm may move, too."""
        return offer(f.seat, worm_moves(g, worms_but(g, f.moved)), "WFA-A.25") if f.moved else END

    @second.answer
    def driven(f, g: ArrakisState, seat: int, act: MoveWorm | StrikeWithWorm | Done) -> Flow:
        return goto("over") if isinstance(act, Done) else drive(g, act)

    @step()
    def over(f, g: ArrakisState) -> Flow:
        return END


@rule("WFA-H.51")
def worms_but(g: ArrakisState, area: AreaId = "") -> tuple[AreaId, ...]:
    """Sandworms outside one of these areas; one above a Harkonnen legion has to do with that first."""
    survey = g.survey()
    return tuple(each for each in g.board.names(survey.worms & ~survey.harkonnen) if each != area)


class PlaceWormsigns(Frame):
    """Lay wormsigns as Desert Power does, and nothing else."""

    seat: int
    count: int

    @step("WFA-A.26", "WFA-A.28", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        return offer(f.seat, wormsigns(g, f.count), "WFA-A.26")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: LayWormsigns | Done) -> Flow:
        if isinstance(act, LayWormsigns):
            lay_wormsigns(g, act.areas)
        return None


class DriveWorm(Frame):
    """Drive one sandworm, any or of one kind: it comes to an empty desert if off the board, moves, attacks."""

    seat: int
    kinds: tuple[str, ...] = WORMS
    enters: bool = False
    moves: bool = True
    attacks: bool = True
    #: where the sandworm is; "": not chosen yet
    at: AreaId = ""

    @step("WFA-L.37", "WFA-A.12")
    def enter(f, g: ArrakisState) -> Flow:
        if not f.enters or not any(g.get("worms")[WORMS.index(kind)] for kind in f.kinds):
            return None
        return CallWorm(seat=f.seat, kinds=f.kinds, areas=g.board.names(g.board.desert & ~g.survey().taken()))

    @step("WFA-M.44", "WFA-A.12")
    def move(f, g: ArrakisState) -> Flow:
        return offer(f.seat, worm_moves(g, _candidates(f, g)), "WFA-M.44") if f.moves else None

    @move.answer
    def moved(f, g: ArrakisState, seat: int, act: MoveWorm | Done) -> Flow:
        if isinstance(act, MoveWorm):
            f.at = act.target
            drive(g, act)
        return None

    @step("WFA-H.30", "WFA-A.12")
    def attack(f, g: ArrakisState) -> Flow:
        return offer(f.seat, worm_strikes(g, _candidates(f, g)), "WFA-H.30") if f.attacks else END

    @attack.answer
    def attacked(f, g: ArrakisState, seat: int, act: StrikeWithWorm | Done) -> Flow:
        return drive(g, act) if isinstance(act, StrikeWithWorm) else END


@rule("WFA-C.92")
def _candidates(f: DriveWorm, g: ArrakisState) -> tuple[AreaId, ...]:
    """The sandworms that may still be the one that is driven: its figure may have been taken elsewhere meanwhile."""
    of_kind = tuple(a for a in worms_but(g) if any(g.get(WORM[a])[WORMS.index(kind)] for kind in f.kinds))
    if not f.at or len(f.kinds) == 1:  # of the Wild Maker there is but one, wherever it is
        return of_kind
    return tuple(area for area in of_kind if area == f.at)


FRAMES = (DesertPower, PlaceWormsigns, DriveWorm)
