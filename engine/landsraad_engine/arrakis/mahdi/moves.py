"""Moves of the automaton: towards the Target Sietch, one legion at a time."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final, NamedTuple

from landsraad_engine.arrakis.acts import ChooseTarget, MoveLegion
from landsraad_engine.arrakis.arrival import Arrival
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.legions import note_flight, relocate
from landsraad_engine.arrakis.mahdi.attacks import flights
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.mahdi.combat_power import CombatPower, power_at, power_of
from landsraad_engine.arrakis.mahdi.distances import (
    FAR,
    beside,
    flown,
    reached_by_air,
    standing_sietches,
    to_nearest_sietch,
    ways_left,
)
from landsraad_engine.arrakis.mahdi.garrisons import is_left, leave
from landsraad_engine.arrakis.mahdi.priorities import best
from landsraad_engine.arrakis.mahdi.targets import target_area
from landsraad_engine.arrakis.mahdi.who import ByAutomaton, Contingent, acting
from landsraad_engine.arrakis.mahdi.zones import LAST_MOVE, TURN_FLIGHT, TURN_TARGET
from landsraad_engine.arrakis.movement import take_ornithopter
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, NOBODY, Figures
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.arrakis.zones import STARTING_SETS
from landsraad_engine.kernel.frames import END, Call, Flow, goto, rule, step

#: The effect by which the humans name a target for this turn.
NAME_TARGET: Final = "name_target"
#: Grounds in the order in which a way is preferred to end on them.
_GROUND: Final = {"mountain": 3, "plateau": 2, "minor_erg": 2}

# ---- As much of a legion as fits ----


@rule("WFA-Y.75", "WFA-Y.82")
def as_fits(legion: Legion, room: int) -> Iterator[Legion]:
    """Yield the ways to take as many units as there is room for, the strongest first, with all leaders."""
    if legion.size <= room:
        yield legion
        return
    regular, elite, special, leader = legion.units
    special = min(special, room)
    elite = min(elite, room - special)
    left = room - special - elite
    # Regulars and tokens count alike.
    black, silver = (sorted(legion.tokens).count(name) for name in ("harkonnen_black", "harkonnen_silver"))
    for few, many in product(range(black + 1), range(silver + 1)):
        if 0 <= left - few - many <= regular:
            tokens = ("harkonnen_black",) * few + ("harkonnen_silver",) * many
            yield Legion((left - few - many, elite, special, leader), legion.named, tokens)


def with_more(legion: Legion, more: Legion) -> Legion:
    """Return two legions as one."""
    units: Figures = tuple(map(sum, zip(legion.units, more.units, strict=True)))  # type: ignore[assignment]
    return Legion(units, (*legion.named, *more.named), (*legion.tokens, *more.tokens))


def _room(g: ArrakisState, area: AreaId) -> int:
    return g.stacking(HARKONNEN) - g.size(HARKONNEN, area)


def _move(source: AreaId, target: AreaId, part: Legion, zone: str = "") -> MoveLegion:
    return MoveLegion(source, target, part.units, tuple(sorted(part.named)), part.tokens, zone)


# ---- Which legions may move where ----


class Merge(NamedTuple):
    """A move into a legion next to the target, and the power of that legion afterwards."""

    act: MoveLegion
    power: CombatPower


@rule("WFA-Y.78", "WFA-Y.79", "WFA-Y.80")
def merges(f: "MoveByAutomaton", g: ArrakisState, target: AreaId, movers: dict[AreaId, Legion]) -> list[Merge]:
    """Return the moves into a legion next to a target that make it stronger than the target."""
    wall = power_at(g, ATREIDES, target)
    found = []
    for area in g.board.names(beside(g, target) & g.survey().harkonnen):
        there, room = g.legion(HARKONNEN, area), _room(g, area)
        if not there.size or room <= 0:
            continue
        for source in g.board.names(beside(g, area) & g.survey().harkonnen):
            if source not in movers:
                continue
            for part in as_fits(movers[source], room):
                power = power_of(with_more(there, part))
                if power > wall:
                    found.append(Merge(_move(source, area, part), power))
    return found


@rule("WFA-Y.71", "WFA-Y.73", "WFA-Y.80")
def is_beaten(f: "MoveByAutomaton", g: ArrakisState, target: AreaId) -> bool:
    """Return whether a legion that may move is stronger than the legion at a Sietch, or would be by merging."""
    movers = f.movers(g)
    wall = power_at(g, ATREIDES, target)
    return any(power_of(legion) > wall for legion in movers.values()) or bool(merges(f, g, target, movers))


@rule("WFA-Y.72", "WFA-Y.73")
def goals(f: "MoveByAutomaton", g: ArrakisState) -> list[AreaId]:
    """Return the Sietches that legions move to in this turn: several if they tie."""
    kept: str | None = g.table.get(TURN_TARGET)
    for area in (kept, target_area(g)):
        if area and g.board.bit[area] & g.survey().sietches and is_beaten(f, g, area):
            return [area]
    target = target_area(g)
    open_ = [area for area in standing_sietches(g) if is_beaten(f, g, area)]
    return best(open_, lambda area: -flown(g, area, target), lambda area: g.rank(ATREIDES, area))


@rule("WFA-Y.74")
def free_areas(g: ArrakisState) -> AreaSet:
    """Return the areas that are free for the automaton's legions."""
    return g.board.everywhere & ~g.survey().barred(HARKONNEN)


@rule("WFA-Y.75")
def end_worth(g: ArrakisState, end: AreaId) -> tuple[Any, ...]:
    """Return the worth of an area as the end of a move: own legion, closeness to a Sietch, the ground."""
    ground = g.board.terrain[end]
    quiet = not g.board.bit[end] & g.survey().wormsigns
    return bool(g.size(HARKONNEN, end)), -to_nearest_sietch(g, end), _GROUND.get(ground, 1 if quiet else 0)


@rule("WFA-Y.74", "WFA-Y.77", "WFA-Y.81")
def ends(
    f: "MoveByAutomaton", g: ArrakisState, source: AreaId, left: dict[AreaId, int]
) -> dict[AreaId, tuple[str, ...]]:
    """Return where a legion's move may end so that its way gets shortest, each with the zones of a flight there."""
    board = g.board
    open_ = [area for area in left if area != f.goal and _room(g, area) > 0]
    here = left.get(source, FAR)
    steps = [area for area in open_ if beside(g, source) & board.bit[area]]
    by_step = min((left[area] for area in steps), default=FAR)
    zones = () if f.grounded else flights(g, source)
    flying = [area for area in open_ if reached_by_air(g, source) & board.bit[area]] if zones else []
    by_flight = min((left[area] for area in flying), default=FAR)
    if by_flight < min(by_step, here):
        return {area: zones for area in flying if left[area] == by_flight}
    return {area: ("",) for area in steps if left[area] == by_step} if by_step < here else {}


@rule("WFA-Y.70", "WFA-Y.71", "WFA-Y.75", "WFA-Y.78", "WFA-Y.81", "WFA-Y.82")
def marches(f: "MoveByAutomaton", g: ArrakisState, movers: dict[AreaId, Legion]) -> list[MoveLegion]:
    """Return the best moves along the shortest ways: of the closest legion, of these the strongest."""
    wall = power_at(g, ATREIDES, f.goal)
    left = ways_left(g, f.goal, free_areas(g))
    near = beside(g, f.goal)
    strong = [area for area, legion in movers.items() if power_of(legion) > wall and not near & g.board.bit[area]]
    open_ = {area: there for area in strong if (there := ends(f, g, area, left))}
    first = best(open_, lambda area: -left.get(area, FAR), lambda area: power_of(movers[area]))
    return [
        _move(source, end, part, zone)
        for source in first
        for end in best(open_[source], lambda area: end_worth(g, area))
        for part in as_fits(movers[source], _room(g, end))
        for zone in open_[source][end]
    ]


@rule("WFA-Y.79", "WFA-Y.80", "WFA-Y.81")
def next_moves(f: "MoveByAutomaton", g: ArrakisState) -> list[MoveLegion]:
    """Return the next moves that tie: a merge if there is one, else along the shortest way."""
    movers = f.movers(g)
    if joining := best(merges(f, g, f.goal, movers), lambda merge: merge.power):
        return [merge.act for merge in joining]
    return marches(f, g, movers)


# ---- Moving ----


def name_target(f: "MoveByAutomaton", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Keep a Sietch for the rest of the turn, if it is not the Target itself."""
    f.goal = act.target
    g.set_mark(TURN_TARGET, act.target if act.target != target_area(g) else None)
    return None


def make_move(f: "MoveByAutomaton", g: ArrakisState, seat: int, act: MoveLegion) -> Flow:
    """Move (a part of) a legion, and lay tokens in a settlement that it has left."""
    relocate(g, HARKONNEN, act.source, act.target, Legion(act.units, act.leaders, act.tokens))
    if take_ornithopter(g, act.ornithopter):
        g.set_mark(TURN_FLIGHT, True)
        note_flight(g, act.target)
    contingent = (act.target, act.units, act.leaders, act.tokens)
    f.moved = (*f.moved, contingent)
    g.set_mark(LAST_MOVE, contingent)
    g.set_mark("here", act.target)
    f.arrived = tuple(dict.fromkeys((*f.arrived, act.target)))
    f.left = act.source
    return None


class MoveByAutomaton(ByAutomaton):
    """Move so many legions towards the Target, or what stands in for it in this turn."""

    count: int = 1
    #: no ornithopter serves these moves
    grounded: bool = False
    #: only these figures, who have moved before: area, units, named leaders, tokens
    part: Contingent | None = None
    goal: AreaId = ""
    moved: tuple[Contingent, ...] = ()
    arrived: tuple[AreaId, ...] = ()
    #: where the last move began
    left: AreaId = ""
    #: tokens that moves of this action have left behind: they do not move in it
    laid: tuple[Contingent, ...] = ()

    def movers(f, g: ArrakisState) -> dict[AreaId, Legion]:
        """Return the legions that may move now, as far as they may."""
        legions = acting(f, g, Permit.MOVE, (*f.moved, *f.laid))
        if f.part is None:
            return legions
        area, units, named, tokens = f.part
        if area not in legions or f.moved:
            return {}
        there = legions[area]
        own = Legion(
            tuple(map(min, units, there.units)),  # type: ignore[arg-type]
            tuple(leader for leader in named if leader in there.named),
            tuple(token for token in tokens if token in there.tokens),
        )
        return {area: own} if own.size else {}

    @step("WFA-Y.72", "WFA-Y.73")
    def name_goal(f, g: ArrakisState) -> Flow:
        areas = goals(f, g)
        if not areas:
            return END
        return decide(f, g, [ChooseTarget(NAME_TARGET, area) for area in areas], name_target, "WFA-Y.73")

    name_goal.answer(name_target)

    @step("WFA-Y.70", "WFA-Y.74", "WFA-Y.75", "WFA-Y.79", "WFA-Y.81")
    def move(f, g: ArrakisState) -> Flow:
        moves = next_moves(f, g) if len(f.moved) < f.count else []
        return decide(f, g, moves, make_move, "WFA-Y.75") if moves else goto("arrive")

    move.answer(make_move)

    @step("WFA-Y.83", "WFA-Y.156", "WFA-Y.157", "WFA-Y.81")
    def leave_behind(f, g: ArrakisState) -> Flow:
        if is_left(g, f.left):
            f.laid = (*f.laid, (f.left, NOBODY, (), STARTING_SETS))
        return leave(g, f.left, "move")

    @step("WFA-Y.81")
    def arrive(f, g: ArrakisState) -> Flow:
        """Wormsigns are resolved after the last move."""
        if not f.arrived:
            return END
        area, *rest = f.arrived
        f.arrived = tuple(rest)
        return Call(Arrival(side=HARKONNEN, area=area), "arrive")


@rule("WFA-Y.41", "WFA-Y.48")
def can_move(f: MoveByAutomaton, g: ArrakisState) -> bool:
    """Return whether an action could move anything."""
    return any(next_moves(_towards(f, area), g) for area in goals(f, g))


def _towards(f: MoveByAutomaton, goal: AreaId) -> MoveByAutomaton:
    twin: MoveByAutomaton = f.copy()
    twin.goal = goal
    return twin


FRAMES = (MoveByAutomaton,)
