"""The Fremen: the abilities that the main rules do not know. Worms and movement have files of their own."""

from typing import Final

from landsraad_engine.dune.acts import PASSING, LoseTokens, Pass, PlaceForces
from landsraad_engine.dune.battle.battle_karamas import Effects, elites_at_stake
from landsraad_engine.dune.battle.fight import Fight
from landsraad_engine.dune.board import SPECIAL, cells_of
from landsraad_engine.dune.control import Verdict
from landsraad_engine.dune.hooks import Instead, Query, Timing
from landsraad_engine.dune.karama import Ability, Cancellable, stands
from landsraad_engine.dune.pieces import ATREIDES, ELITES, EMPEROR, FACTION, FREMEN, HARKONNEN
from landsraad_engine.dune.words import AT, RESERVES, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Act, Alloc, Choice
from landsraad_engine.kernel.overrides import Source

source = Source(FREMEN, FREMEN)


def picks(
    act: type[Act], cells: tuple[str, ...], tokens: tuple[int, ...], elites: tuple[int, ...], total: int
) -> list[Choice]:
    """All ways to name so many tokens: one choice for each number of elites among them, fewest first."""
    least = max(0, total - sum(tokens))
    most = min(total, sum(elites), ELITES[FREMEN])
    return [
        Choice(
            act,
            tokens=Alloc(cells, tokens, total - number, total - number),
            elites=Alloc(cells, elites, number, number),
        )
        for number in range(least, most + 1)
    ]


# --- setting up


class NativeForces(Frame):
    """The Fremen spread their starting tokens, Fedaykin among them if they like, over three territories."""

    @step("DUNE-S.18", "DUNE-FRE.17")
    def spread(f, g: DuneState) -> Flow:
        cells = tuple(cell for territory in SPECIAL.fremen_start for cell in cells_of[territory])
        (force,) = FACTION[FREMEN]["forces"]
        number = force["count"]
        choices = picks(PlaceForces, cells, (number,) * len(cells), (ELITES[FREMEN],) * len(cells), number)
        return Ask.one(g.seat_of(FREMEN), *choices, why="DUNE-S.18", closed=True)

    @spread.answer
    def placed(f, g: DuneState, seat: int, act: PlaceForces) -> Flow:
        cells = (cell for territory in SPECIAL.fremen_start for cell in cells_of[territory])
        for cell, tokens, elites in zip(cells, act.tokens, act.elites, strict=True):
            g.shift(RESERVES[FREMEN], AT[FREMEN][cell], (tokens, elites, 0))
        return None


@source.at(Timing.FORCES_PLACED)
def place_forces(g: DuneState) -> Frame:
    return NativeForces()


# --- Storm Round


class TasteTheAir(Cancellable):
    """The Fremen look at the next storm card. They always do: it costs nothing and nobody learns what they saw."""

    ability = Ability.TASTE_THE_AIR
    owner = FREMEN

    @rule("DUNE-FRE.1", "DUNE-1.18")
    def stands(f, g: DuneState) -> Flow:
        g.look("storm_next", 1 << g.seat_of(FREMEN))
        return None


@source.at(Timing.STORM_CARD_LAID)
def taste_the_air(g: DuneState) -> Frame:
    return TasteTheAir()


class Sandcraft(Cancellable):
    """The storm strikes Fremen in one of its sectors: they may lose only half of them, and say which."""

    cells: tuple[str, ...]
    tokens: tuple[int, ...] = ()
    elites: tuple[int, ...] = ()

    ability = Ability.SANDCRAFT
    owner = FREMEN

    @step("DUNE-FRE.2", "DUNE-R.58", "DUNE-R.59", "DUNE-0.29")
    def spare_half(f, g: DuneState) -> Flow:
        counts = [g.troops(FREMEN, cell) for cell in f.cells]
        tokens = tuple(count[0] for count in counts)
        elites = tuple(count[1] for count in counts)
        half = (sum(tokens) + sum(elites) + 1) // 2
        choices = picks(LoseTokens, f.cells, tokens, elites, half)
        # Without an answer the smaller loss is taken.
        return Ask.one(g.seat_of(FREMEN), *choices, PASSING, why="DUNE-FRE.2")

    @spare_half.answer
    def named(f, g: DuneState, seat: int, act: LoseTokens | Pass) -> Flow:
        if isinstance(act, Pass):
            g.kill_all(FREMEN, f.cells)
            return END
        f.tokens, f.elites = act.tokens, act.elites
        return None

    @rule("DUNE-FRE.2")
    def stands(f, g: DuneState) -> Flow:
        for cell, tokens, elites in zip(f.cells, f.tokens, f.elites, strict=True):
            g.kill(FREMEN, cell, (tokens, elites, 0))
        return None

    @rule("DUNE-FRE.2", "DUNE-R.3")
    def cancelled(f, g: DuneState) -> Flow:
        g.kill_all(FREMEN, f.cells)
        return None


@source.instead_of(Instead.STORM_LOSS)
def sandcraft(g: DuneState, faction: str, cells: tuple[str, ...]) -> Frame | None:
    return Sandcraft(cells) if faction == FREMEN else None


# --- Revival Round


@source.modifies(Query.ELITE_REVIVALS)
@rule("DUNE-FRE.14")
def long_live_the_fighters(g: DuneState, limit: tuple[int, str], faction: str) -> tuple[int, str]:
    return (1, "DUNE-FRE.14") if faction == FREMEN else limit


# --- Liet's Plan

LIETS_PLAN: Final = "liets_plan"
#: Where nobody else may be, and where none of these may be.
_SIETCHES: Final = ("sietch_tabr", "habbanya_sietch")
_MEDDLERS: Final = frozenset({HARKONNEN, ATREIDES, EMPEROR})


@source.modifies(Query.LAST_TURN)
@rule("DUNE-0.3", "DUNE-8.15", "DUNE-8.16", "DUNE-8.17", "DUNE-R.4", "DUNE-R.46")
def liets_plan(g: DuneState, verdict: Verdict | None) -> Verdict | None:
    """If nobody has conquered Dune by the end of the last turn and nobody meddles, the Fremen and allies have won."""
    if verdict is not None:
        return verdict
    undisturbed = all(set(g.present(cells_of[sietch])) <= {FREMEN} for sietch in _SIETCHES)
    meddlers = _MEDDLERS.intersection(g.present(cells_of[SPECIAL.smuggler_stronghold]))
    return (LIETS_PLAN, (FREMEN, *g.allies(FREMEN))) if undisturbed and not meddlers else None


# --- Battle Round


@source.modifies(Query.TOKEN_STRENGTH)
@rule("DUNE-FRE.15", "DUNE-FRE.16", "DUNE-K.27")
def fedaykin(g: DuneState, strength: int, faction: str, opponent: str) -> int:
    return 2 if faction == FREMEN and stands(g, Ability.FEDAYKIN) else strength


@source.modifies(Query.BATTLE_KARAMAS)
@rule("DUNE-K.27")
def humbled_fedaykin(g: DuneState, effects: Effects, player: str, fight: Fight) -> Effects:
    return (*effects, *elites_at_stake(g, player, fight, FREMEN, Ability.FEDAYKIN))


FRAMES: tuple[type[Frame], ...] = (NativeForces, TasteTheAir, Sandcraft)
