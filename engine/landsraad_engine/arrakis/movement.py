"""Moving legions: where one may go, on foot, by Sandriding or by Troop-transport, and the moves of one action."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from landsraad_engine.arrakis.acts import Done, MoveLegion
from landsraad_engine.arrakis.arrival import Arrival
from landsraad_engine.arrakis.board import AreaSet, Ride
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Permit, Timing
from landsraad_engine.arrakis.legions import SettleAll, note_flight, rejoin, set_apart
from landsraad_engine.arrakis.sides import ATREIDES, FIGURES, HARKONNEN, LEADER, ORNITHOPTER, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.vehicles import take_off
from landsraad_engine.arrakis.words import ArrakisState, Legion, Survey, Words
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Act, Alloc, Choice, Constraint, Linear, OneOf, Subset, Term, requires

# ---- Where a legion may go ----


@rule("WFA-M.12", "WFA-M.14", "WFA-M.15", "WFA-M.16", "WFA-M.49", "WFA-O.5", "WFA-O.17")
def rides(g: Words, survey: Survey, source: AreaId) -> Ride:
    """Sandriding of an Atreides legion: the areas that it may cross, and those on or beside its track.

    A ride may wind as it likes, so it can cross the whole track wherever it ends.
    """
    marks = survey.worms | survey.wormsigns | g.board.sector.get(g.old_man, 0)
    return g.board.ride(source, marks, survey.harkonnen)


@rule("WFA-M.1", "WFA-B.1", "WFA-M.19")
def on_the_ground(g: Words, side: str, survey: Survey, source: AreaId) -> AreaSet:
    """Areas next door, and for the Atreides those where a ride may end."""
    near = g.board.adjacent[source]
    return near | rides(g, survey, source).ends if side == ATREIDES else near


@rule("WFA-M.20", "WFA-M.22")
def ornithopters(g: ArrakisState, side: str, source: AreaId) -> tuple[str, ...]:
    """The air zones whose ornithopter may carry a legion from here: none if it has flown in this turn."""
    if side != HARKONNEN or (source in g.table.get("flown", ()) and not g.allowed(Permit.FLY_AGAIN)):
        return ()
    return tuple([zone for zone in g.board.zones_of[source] if g.vehicle(zone)[ORNITHOPTER]])


@rule("WFA-M.23", "WFA-M.24", "WFA-M.26")
def by_air(g: Words, source: AreaId) -> AreaSet:
    """Areas within the reach of a flight: one more than on foot, over borders, legions and worms alike."""
    return g.board.within_by_air(source, 2) & ~g.board.bit[source]


# ---- Which legions an action is for, and how they go ----


class ForLegions(Frame):
    """An action that moves, or one that attacks, with the legions it is for."""

    seat: int
    #: only a legion with a leader, one of whom goes along
    led: bool = False
    #: only the legion with this named leader, who goes along
    holding: str = ""
    #: only a legion with such a unit (its place in the stack), one of which goes along; -1: any legion
    unit: int = -1
    #: only legions in these areas; empty: anywhere
    sources: tuple[AreaId, ...] = ()


def legions_for(f: ForLegions, g: ArrakisState, survey: Survey, permit: Permit) -> Iterator[tuple[AreaId, Legion]]:
    """The legions that an action is for."""
    side = g.side(f.seat)
    for area in g.board.names(survey.legions(side)):
        legion = g.legion(side, area)
        if f.sources and area not in f.sources:
            continue
        if (f.led and not legion.leaders) or (f.holding and holder(f, g) not in legion.named):
            continue
        if f.unit >= 0 and not legion.units[f.unit]:
            continue
        if g.allowed(permit, side, area, default=True):
            yield area, legion


@rule("WFA-L.25")
def holder(f: ForLegions, g: Words) -> str:
    """The leader who has to go along: whoever bears the name by now."""
    return g.bearer(f.holding) if f.holding else ""


@rule("WFA-M.3", "WFA-M.48", "WFA-C.93")
def companions(f: ForLegions) -> tuple[Constraint, ...]:
    """The leaders that have to go along."""
    wanted: list[Constraint] = []
    if f.led:
        leaders = (Term("units", weights=one(FIGURES, LEADER)), Term("leaders"))
        wanted.append(Linear(leaders, low=1, why="WFA-M.3"))
    if f.unit >= 0:
        wanted.append(Linear((Term("units", weights=one(FIGURES, f.unit)),), low=1, why="WFA-C.93"))
    return tuple(wanted)


@lru_cache(maxsize=8192)
def going(
    act: type[Act],
    source: AreaId,
    legion: Legion,
    near: tuple[AreaId, ...],
    far: tuple[AreaId, ...],
    zones: tuple[str, ...],
    holding: str,
    wanted: tuple[Constraint, ...],
    whole: bool,
) -> Choice:
    """The grammar of moving or attacking with a legion; areas in ``far`` are reached by ornithopter only."""
    constraints = list(wanted)
    if not whole:
        unit = (Term("units", weights=(1, 1, 1, 0)), Term("tokens"))
        constraints.append(Linear(unit, low=1, why="WFA-M.2"))
    if far:
        constraints.append(requires("ornithopter", ("",), "target", near, why="WFA-M.20"))
    total = sum(legion.units)
    tokens = tuple(sorted(legion.tokens))
    return Choice(
        act,
        *constraints,
        source=OneOf((source,)),
        target=OneOf((*near, *far)),
        units=Alloc(slots=FIGURES, caps=legion.units, low=total if whole else 0, high=total),
        leaders=_leaders(tuple(sorted(legion.named)), holding, whole),
        tokens=Subset(tokens, len(tokens) if whole else 0, len(tokens)),
        ornithopter=OneOf(("", *(zones if far else ()))),
    )


def _leaders(named: tuple[str, ...], holding: str, whole: bool) -> OneOf | Subset:
    if not holding or whole:
        return Subset(named, len(named) if whole else 0, len(named))
    sets = (chosen for size in range(1, len(named) + 1) for chosen in combinations(named, size))
    return OneOf(tuple(chosen for chosen in sets if holding in chosen))


@rule("WFA-M.20", "WFA-M.21")
def take_ornithopter(g: ArrakisState, zone: str) -> bool:
    """Give up the ornithopter of a Troop-transport, if it is one."""
    if zone:
        take_off(g, zone)
    return bool(zone)


# ---- The moves of one action ----


class MoveLegions(ForLegions):
    """Move so many different legions; all moves of one action are simultaneous.

    What has moved is set apart until the last of them is made, so no figure moves twice and limits are checked at the
    end. ``targets`` narrows where they may go; ``straight`` lets them go there however far it is; ``noted`` has the
    mark "here" say where the last of them is, for a card that goes on there.
    """

    count: int = 2
    targets: tuple[AreaId, ...] = ()
    straight: bool = False
    noted: bool = False
    moved: tuple[int, ...] = ()
    #: those of the moved that fly
    flying: tuple[int, ...] = ()
    arrived: tuple[AreaId, ...] = ()
    #: the tracks of those of the moved that ride
    tracks: tuple[tuple[AreaId, ...], ...] = ()

    @step("WFA-M.1", "WFA-M.2", "WFA-M.4", "WFA-M.6", "WFA-A.12")
    def move(f, g: ArrakisState) -> Flow:
        if len(f.moved) == f.count:
            return None
        choices = moves(f, g)
        if not choices:
            return None
        return elective((f.seat,), *choices, why="WFA-M.1")

    @move.answer
    def moving(f, g: ArrakisState, seat: int, act: MoveLegion | Done) -> Flow:
        if isinstance(act, Done):
            return goto("all_at_once")
        side = g.side(f.seat)
        ride = rides(g, g.survey(), act.source) if side == ATREIDES else Ride(0, 0)
        moved = set_apart(g, side, act.source, act.target, Legion(act.units, act.leaders, act.tokens))
        f.moved = (*f.moved, moved)
        if take_ornithopter(g, act.ornithopter):
            f.flying = (*f.flying, moved)
        if ride.ends & g.board.bit[act.target]:
            f.tracks = (*f.tracks, g.board.names(ride.track))
            g.set_mark("ridden", max(ride.track.bit_count(), g.table.get("ridden", 0)))
        return goto("move")

    @step("WFA-M.5", "WFA-M.7", "WFA-M.8", "WFA-M.10", "WFA-M.22", "WFA-S.27")
    def all_at_once(f, g: ArrakisState) -> Flow:
        """Leaders may be left behind, but not alone; limits hold again in all areas before anything else happens."""
        flown = g.table.get("flown", ())
        ways = [rejoin(g, n) for n in f.moved]
        note_flight(g, *(way[1] for n, way in zip(f.moved, ways, strict=True) if n in f.flying or way[0] in flown))
        f.arrived = tuple(dict.fromkeys(target for _, target in ways))
        if f.noted and f.arrived:
            g.set_mark("here", f.arrived[-1])
        left = dict.fromkeys(source for source, _ in ways)
        return SettleAll(side=g.side(f.seat), areas=(*left, *f.arrived))

    @step("WFA-M.5", "WFA-M.28", "WFA-H.57")
    def pass_by(f, g: ArrakisState) -> Flow:
        """The rides of legions count once all have arrived: the Atomics may come of it."""
        if not f.tracks:
            return None
        track, *rest = f.tracks
        f.tracks = tuple(rest)
        moment = g.at(Timing.SANDRODE, f.seat, track)
        return Call(moment, "pass_by") if moment else goto("pass_by")

    @step("WFA-M.11")
    def arrive(f, g: ArrakisState) -> Flow:
        if not f.arrived:
            return END
        area, *rest = f.arrived
        f.arrived = tuple(rest)
        return Call(Arrival(side=g.side(f.seat), area=area), "arrive")


def moves(f: MoveLegions, g: ArrakisState) -> list[Choice]:
    """Every move that is open to the action now."""
    side = g.side(f.seat)
    survey = g.survey()
    board = g.board
    names = board.names
    free = ~survey.barred(side)
    if f.targets:
        free &= board.set_of(f.targets)
    wanted = companions(f)
    found = []
    for area, legion in legions_for(f, g, survey, Permit.MOVE):
        if not legion.size:
            continue
        reach = board.everywhere & ~board.bit[area] if f.straight else on_the_ground(g, side, survey, area)
        near = reach & free
        zones = () if f.straight else ornithopters(g, side, area)
        far = by_air(g, area) & free & ~near if zones else 0
        if near or far:
            found.append(
                going(MoveLegion, area, legion, names(near), names(far), zones, holder(f, g), wanted, whole=False)
            )
    return found


FRAMES = (MoveLegions,)
