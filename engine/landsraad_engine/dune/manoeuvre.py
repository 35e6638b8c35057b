"""5: Movement Round, Manoeuvre Phase."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

from landsraad_engine.dune import promises
from landsraad_engine.dune.acts import PASSING, Manoeuvre, Pass
from landsraad_engine.dune.board import CELLS, SPECIAL, Cell, Part, reach
from landsraad_engine.dune.entering import (
    DECLARATION,
    REFUSED,
    VOID,
    Bars,
    Stack,
    arrived,
    bars,
    closed,
    entering,
    explain,
    narrowed,
    open_cells,
    part_key,
    refused,
    stacks,
    void,
)
from landsraad_engine.dune.hooks import Instead, Query, Timing
from landsraad_engine.dune.pieces import UNITS
from landsraad_engine.dune.words import Counts, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Act, Alloc, Choice, OneOf

_ONLY: Final = {cell: OneOf((cell,)) for cell in CELLS}


# --- what may move, and where to


@lru_cache(maxsize=1 << 12)
def slots_of(held: Stack) -> tuple[tuple[str, int, Cell], ...]:
    """The kinds of tokens in a stack, cell by cell: name of the slot, how many, and where they stand."""
    return tuple(
        [(f"{cell}/{kind}", n, cell) for cell, counts in held for kind, n in zip(UNITS, counts, strict=True) if n]
    )


@lru_cache(maxsize=1 << 12)
def units_of(held: Stack, most: int | None = None, staying: Cell = "") -> Alloc:
    """Some tokens of a stack: at least one, at most so many, and none of those already in a cell."""
    slots = slots_of(held)
    caps = tuple(0 if cell == staying else n for _, n, cell in slots)
    high = sum(caps) if most is None else min(most, sum(caps))
    return Alloc(tuple(name for name, _, _ in slots), caps, 1, high)


def groups_of(held: Stack, units: tuple[int, ...]) -> tuple[tuple[Cell, Counts], ...]:
    """The tokens that leave each cell, from the numbers of an act."""
    leaving: dict[Cell, list[int]] = {}
    for (name, _, cell), n in zip(slots_of(held), units, strict=True):
        if n:
            leaving.setdefault(cell, [0, 0, 0])[UNITS.index(name.rpartition("/")[2])] = n
    return tuple((cell, (a, b, c)) for cell, (a, b, c) in leaving.items())


def stack_at(g: DuneState, faction: str, origin: Cell) -> Stack:
    """The tokens that stand together where ``origin`` is their first cell."""
    return next(held for _, held in stacks(g, faction) if held[0][0] == origin)


@rule("DUNE-5.12", "DUNE-5.13", "DUNE-R.81", "DUNE-R.82")
def manoeuvre_range(g: DuneState, faction: str) -> int:
    """Through how many territories a faction's group may move: one, or three for the holder of Ornithopters."""
    steps = SPECIAL.ornithopter_range if g.has_bonus(faction, "ornithopters") else 1
    return int(g.query(Query.MANOEUVRE_RANGE, steps, faction))


@rule("DUNE-5.19", "DUNE-R.118")
def _shut(g: DuneState, faction: str) -> frozenset[Cell]:
    """The parts that a faction's group cannot cross: those closed to it, and those that an ally has not opened."""
    return closed(g, faction).union(g.table.get(REFUSED, ()))


@rule("DUNE-R.118")
def to_be_opened(g: DuneState, faction: str, start: Cell, to: Cell) -> tuple[Cell, ...] | None:
    """The parts, by their first cells, that an ally has to open on a group's way: as few as can be; None: no way."""
    steps, shut, end = manoeuvre_range(g, faction), _shut(g, faction), part_key(g, to)
    on_the_way = [part for part in g.query(Query.GUARDED_PARTS, (), faction) if part != end and part not in shut]
    for number in range(min(steps, len(on_the_way) + 1)):
        for opened in combinations(on_the_way, number):
            if to in reach(start, steps, g.storm, shut.union(on_the_way).difference(opened)):
                return opened
    return None


@lru_cache(maxsize=1 << 12)
def _near(part: Part, steps: int, storm: int) -> frozenset[Cell]:
    """All cells to which a group could move if nothing were in its way."""
    return frozenset(reach(part[0], steps, storm))


@lru_cache(maxsize=1 << 12)
def _ways_out(part: Part, steps: int, storm: int, shut: frozenset[Cell], barred: Bars) -> OneOf | None:
    """The cells outside a part to which a group in it can move."""
    there = open_cells(reach(part[0], steps, storm, shut), storm, barred)
    away = tuple([cell for cell in there if cell not in part])
    return OneOf(away) if away else None


def _manoeuvres(part: Part, held: Stack, away: OneOf | None) -> Iterator[Choice]:
    """The manoeuvres of the tokens that stand together in one part of a territory."""
    origin = _ONLY[held[0][0]]
    if away is not None:
        yield Choice(Manoeuvre, why="DUNE-5.12", origin=origin, units=units_of(held), to=away)
    for cell in part if len(part) > 1 else ():
        if len(held) > 1 or held[0][0] != cell:
            yield Choice(Manoeuvre, why="DUNE-R.87", origin=origin, units=units_of(held, None, cell), to=_ONLY[cell])


@rule("DUNE-5.12", "DUNE-5.14", "DUNE-5.15", "DUNE-5.17", "DUNE-R.86", "DUNE-R.87")
def manoeuvres(g: DuneState, faction: str) -> list[Choice]:
    """All manoeuvres that a faction may make now: out of each territory, or within it to another sector."""
    steps = manoeuvre_range(g, faction)
    shut = _shut(g, faction)
    ends, territories = bars(g, faction, shut)
    storm = g.storm
    choices: list[Choice] = []
    for part, held in stacks(g, faction):
        near = _near(part, steps, storm)  # what is closed further off makes no difference, so the answer is known
        choices += _manoeuvres(part, held, _ways_out(part, steps, storm, shut & near, (ends & near, territories)))
    return choices


# --- the phase, and one manoeuvre


class ManoeuvrePhase(Frame):
    """A faction may make one manoeuvre, and play cards before it.

    ``last`` is false if the shipment or the manoeuvre of this turn is still to come after it.
    """

    faction: str
    last: bool = True

    @step("DUNE-T.20", "DUNE-T.21", "DUNE-R.18")
    def judge_promises(f, g: DuneState) -> Flow:
        # The last manoeuvre is the last act that can keep a promise to go somewhere this turn.
        for promise in promises.promises(g, f.faction, "enter") if f.last else ():
            if promise.yes:
                promises.judge(g, promise, bool(narrowed(manoeuvres(g, f.faction), (promise.value,))))
        return None

    @step("DUNE-5.11", "DUNE-5.16")
    def choose(f, g: DuneState) -> Flow:
        if not any(g.on_board(f.faction)):
            return goto("over")
        choices = manoeuvres(g, f.faction)
        forced = narrowed(choices, promises.pledged_territories(g, f.faction))
        plays = g.query(Query.MOVEMENT_PLAYS, (), f.faction)
        free = forced or (*choices, PASSING)
        return Ask.one(g.seat_of(f.faction), *free, *plays, why="DUNE-5.11", default=Pass())

    @choose.answer
    def chosen(f, g: DuneState, seat: int, act: Act) -> Flow:
        if isinstance(act, Manoeuvre):
            groups = groups_of(stack_at(g, f.faction, act.origin), act.units)
            return Manoeuvring(faction=f.faction, groups=groups, to=act.to)
        if isinstance(act, Pass):
            return goto("over")
        return Call(g.instead(Instead.MOVEMENT_PLAY, f.faction, act), "judge_promises")

    @step("DUNE-5.11")
    def again(f, g: DuneState) -> Flow:
        declare_anew = void(g)
        g.set_mark(DECLARATION, None)
        return goto("judge_promises") if declare_anew else None

    @step("DUNE-5.1")
    def over(f, g: DuneState) -> Flow:
        return g.at(Timing.MANOEUVRING_ENDS)


class Manoeuvring(Frame):
    """One manoeuvre that has been declared: tokens leave their cells as one group for another cell."""

    faction: str
    groups: tuple[tuple[Cell, Counts], ...]
    to: str
    #: the parts on the way that an ally has been asked to open, by their first cells
    crossed: tuple[Cell, ...] = ()

    @step("DUNE-5.13", "DUNE-5.16")
    def declare(f, g: DuneState) -> Flow:
        return g.at(Timing.MANOEUVRE_DECLARED, f.faction, f.groups[0][0], f.to)

    @step("DUNE-5.19", "DUNE-R.118")
    def ask_to_enter(f, g: DuneState) -> Flow:
        """An ally who does not open one way may open another, as long as there is one."""
        if void(g):
            return END
        parts = to_be_opened(g, f.faction, f.groups[0][0], f.to)
        if parts is None:
            g.set_mark(DECLARATION, VOID)
            return goto("look_back")
        if not parts:
            return entering(g, f.faction, f.to)
        frame = entering(g, f.faction, parts[0])
        assert frame is not None
        f.crossed += parts[:1]
        return Call(frame, "ask_to_enter")

    @step("DUNE-5.19")
    def admitted(f, g: DuneState) -> Flow:
        return goto("look_back") if refused(g, f.to) else None

    @step("DUNE-5.12")
    def move(f, g: DuneState) -> Flow:
        for cell, counts in f.groups:
            g.march(f.faction, cell, f.to, counts)
        # Who only goes to another sector of the same territory leaves nobody and meets nobody.
        return END if part_key(g, f.groups[0][0]) == part_key(g, f.to) else None

    @step("DUNE-BG.17")
    def depart(f, g: DuneState) -> Flow:
        return g.at(Timing.TOKENS_GONE, *(cell for cell, _ in f.groups))

    @step("DUNE-BG.12")
    def arrive(f, g: DuneState) -> Flow:
        tokens = sum(counts[0] + counts[2] for _, counts in f.groups)
        elites = sum(counts[1] for _, counts in f.groups)
        return arrived(g, f.faction, f.to, (tokens, elites, 0))

    @step("DUNE-BG.17")
    def look_back(f, g: DuneState) -> Flow:
        """An ally who opened a territory to be crossed is alone there again."""
        return g.at(Timing.TOKENS_GONE, *f.crossed) if f.crossed else None


EXPLANATIONS = {Manoeuvre: explain}
FRAMES = (ManoeuvrePhase, Manoeuvring)
