"""The Old Man of the Desert, an optional rule: a sandworm that fills a whole sector, at the price of all others."""

from collections.abc import Iterator
from typing import Final

from landsraad_engine.arrakis.acts import MoveOldMan, StrikeWithOldMan, SummonOldMan
from landsraad_engine.arrakis.components import Modules
from landsraad_engine.arrakis.hooks import Instead, Permit, Query, Timing
from landsraad_engine.arrakis.sides import ATREIDES, WILD_MAKER, WORMS, one
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import WormAttack
from landsraad_engine.arrakis.zones import OLD_MAN, RESERVE, RESTING, WORM, WORMS_HELD, WORMSIGN
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.match_options import OptionSpec
from landsraad_engine.kernel.overrides import Source

source = Source("old_man")

OPTION: Final = OptionSpec("old_man", False, meaning="exclusive only: with the Old Man of the Desert", rule="WFA-O.1")


@rule("WFA-O.1")
def check(chosen: bool, modules: Modules) -> None:
    """Raise BadOption if the edition does not have it."""
    if chosen and not modules.old_man:
        raise BadOption("old_man", "only the exclusive edition has the Old Man of the Desert")


# ---- What it forbids while it is there, and for the whole match ----


@source.forbids(Permit.GAIN_TOKENS)
@rule("WFA-O.2", "WFA-O.13")
def no_tokens(g: ArrakisState, side: str) -> bool:
    """The Atreides never gain a Bene Gesserit token; theirs stay in the reserve."""
    return side == ATREIDES


@source.forbids(Permit.WORMS_COME)
@rule("WFA-O.6", "WFA-O.18")
def nothing_else_comes(g: ArrakisState) -> bool:
    """No sandworm and no wormsign is placed while it is on the board."""
    return bool(g.old_man)


# ---- When it comes and goes ----


@source.at(Timing.HAZARDS_BEGIN)
@rule("WFA-O.7", "WFA-O.8", "WFA-O.12")
def leaves(g: ArrakisState) -> None:
    """It leaves the board, and what lies before the Atreides is discarded."""
    if g.old_man:
        g.set_mark(OLD_MAN, RESTING)
        g.shift(WORMS_HELD, "worms", g.get(WORMS_HELD))


@source.at(Timing.ROUND_BEGINS)
@rule("WFA-O.8", "WFA-O.24")
def may_come_again(g: ArrakisState) -> None:
    if g.table[OLD_MAN] == RESTING:
        g.set_mark(OLD_MAN, RESERVE)


# ---- Desert Power with it ----


@source.modifies(Query.DESERT_POWER)
@rule("WFA-O.3", "WFA-O.9", "WFA-O.14", "WFA-O.22", "WFA-O.26")
def ways(g: ArrakisState, choices: tuple[Choice, ...], seat: int) -> tuple[Choice, ...]:
    """Forms that it adds to the action: it comes, or it is driven at the price of a sandworm."""
    if g.old_man:
        return (*choices, *_drives(g))
    worms = g.survey().worms
    if g.table[OLD_MAN] == RESERVE and worms and not worms & g.survey().harkonnen:
        return (*choices, Choice(SummonOldMan, sector=OneOf(_outer(g))))
    return choices


@rule("WFA-O.10", "WFA-O.11", "WFA-O.15", "WFA-O.20", "WFA-O.21")
def _drives(g: ArrakisState) -> Iterator[Choice]:
    """Moving it, and attacking in its sector: legions and harvesters, but nothing in a Mountain."""
    held = tuple(kind for kind, number in zip(WORMS, g.get(WORMS_HELD), strict=True) if number)
    if not held:
        return
    if near := adjacent(g):
        yield Choice(MoveOldMan, worm=OneOf(held), sector=OneOf(near))
    survey, board = g.survey(), g.board
    prey = board.sector[g.old_man] & (survey.harkonnen | survey.harvesters) & ~board.of_terrain["mountain"]
    if prey:
        yield Choice(StrikeWithOldMan, worm=OneOf(held), target=OneOf(board.names(prey)))


def _outer(g: ArrakisState) -> tuple[str, ...]:
    return tuple(sector.id for sector in g.content.sector.values() if sector.ring == "outer")


@rule("WFA-O.19")
def adjacent(g: ArrakisState) -> tuple[str, ...]:
    """The outer sectors next to its own."""
    outer = _outer(g)
    return tuple(sector for sector in g.board.sector_neighbours[g.old_man] if sector in outer)


@source.instead_of(Instead.DESERT_POWER)
@rule("WFA-O.14", "WFA-O.25")
def drive(g: ArrakisState, seat: int, act: object) -> Frame | None:
    match act:
        case SummonOldMan():
            return ComeUp(sector=act.sector)
        case MoveOldMan():
            return GoOn(worm=act.worm, sector=act.sector)
        case StrikeWithOldMan():
            return Devour(worm=act.worm, target=act.target)
    return None


class ComeUp(Frame):
    """The Old Man is placed in a sector; all sandworms come to lie before the Atreides, all wormsigns in the pool."""

    sector: str

    @step("WFA-O.3", "WFA-O.15", "WFA-O.16", "WFA-O.23")
    def clear(f, g: ArrakisState) -> Flow:
        survey = g.survey()
        for area in g.board.names(survey.worms):
            g.shift(WORM[area], WORMS_HELD, g.get(WORM[area]))
        for area in g.board.names(survey.wormsigns):
            g.gather(WORMSIGN[area], "wormsigns")
        if survey.wormsigns:
            g.shuffle("wormsigns")
        return None

    @step("WFA-O.3", "WFA-O.4")
    def place(f, g: ArrakisState) -> Flow:
        g.set_mark(OLD_MAN, f.sector)
        return END


def _discard(g: ArrakisState, worm: str) -> None:
    g.shift(WORMS_HELD, "worms", one(WORMS, WORMS.index(worm)))


class GoOn(Frame):
    """It goes on to an outer sector next to its own."""

    worm: str
    sector: str

    @step("WFA-O.9", "WFA-O.15", "WFA-O.19")
    def move(f, g: ArrakisState) -> Flow:
        _discard(g, f.worm)
        g.set_mark(OLD_MAN, f.sector)
        return None


class Devour(Frame):
    """The Old Man attacks an area of its sector as the Wild Maker does, and stays where it is."""

    worm: str
    target: str

    @step("WFA-O.10", "WFA-O.11", "WFA-O.12", "WFA-O.15")
    def strike(f, g: ArrakisState) -> Flow:
        _discard(g, f.worm)
        return WormAttack(source="", target=f.target, worm=WILD_MAKER)


FRAMES = (ComeUp, GoOn, Devour)
