"""Coexistence: standing in a territory with others without being there.

There are two readings of the rule, by the option ``coexistence``. *bernard*: it is a property of tokens, chosen when a
group comes to share a territory, or as Movement begins. *wbc*: it is a property of a territory, declared once a turn.
Either way the table holds it with the tokens, so that no other rule needs to know which reading is played.

Who has the ability is the business of the faction that has it: here it is called the *sister*.
"""

from collections.abc import Iterable
from typing import Final

from landsraad_engine.dune.acts import NO, YES_OR_NO, Coexist, Consent
from landsraad_engine.dune.board import CELLS, POLAR_SINK, STRONGHOLDS, Cell, Part, part_of, territory_of
from landsraad_engine.dune.entering import REFUSED, part_key
from landsraad_engine.dune.karama import Ability, Cancellable
from landsraad_engine.dune.words import NONE, Counts, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, Subset

#: What the mark of a part holds under the WBC reading when coexistence was declared there this turn.
DECLARED: Final = "coexisting"


#: where it is written down, by the part's first cell
MARKS: Final = {cell: f"coexistence/{cell}" for cell in CELLS}


def by_territory(g: DuneState) -> bool:
    """Return whether coexistence belongs to territories (the WBC reading)."""
    return bool(g.options["coexistence"] == "wbc")


def sister_parts(g: DuneState, sister: str) -> list[Part]:
    """The parts of territories in which the sister's tokens stand, in board order."""
    return list(dict.fromkeys(part_of(cell, g.storm) for cell, _ in g.on_board(sister)))


@rule("DUNE-5.21", "DUNE-R.127")
def company(g: DuneState, sister: str, part: Part) -> tuple[str, ...]:
    """The others whose tokens count where the sister's may stand: a Secondary's do not."""
    return tuple([faction for faction in g.present(part) if faction != sister])


def _standing(g: DuneState, sister: str, part: Part) -> tuple[str, ...]:
    """The others who have tokens there at all, a Secondary too: a territory is left only when nobody is there."""
    return tuple([faction for faction in g.occupants(part) if faction != sister])


def has_ally(g: DuneState, sister: str, others: tuple[str, ...]) -> bool:
    """Return whether an ally of the sister is among these."""
    return any(g.allied(sister, other) for other in others)


@rule("DUNE-BG.10", "DUNE-BG.11", "DUNE-V.6")
def must_coexist(g: DuneState, sister: str, part: Part) -> bool:
    """Beside an ally, and in a stronghold with two others who count, there is no choice."""
    others = company(g, sister, part)
    return has_ally(g, sister, others) or (len(others) > 1 and territory_of[part[0]] in STRONGHOLDS)


def set_status(g: DuneState, sister: str, part: Part, coexist: bool, rule: str = "") -> None:
    """Make all of the sister's tokens in a part coexist, or none."""
    for cell in part:
        g.set_coexistence(sister, cell, coexist, rule)


# --- what follows by itself


@rule("DUNE-BG.10", "DUNE-BG.17", "DUNE-V.5", "DUNE-R.95")
def settle(g: DuneState, sister: str, parts: Iterable[Part]) -> None:
    """Left alone, tokens cease to coexist; beside an ally they do. For the parts in which something has changed."""
    for part in parts:
        others = company(g, sister, part)
        if not others:
            # A territory declared coexisting stays so for the turn, whoever has left.
            if g.table.get(MARKS[part[0]]) != DECLARED:
                set_status(g, sister, part, coexist=False, rule="DUNE-BG.17")
        elif has_ally(g, sister, others):
            set_status(g, sister, part, coexist=True, rule="DUNE-BG.10")


@rule("DUNE-V.2", "DUNE-R.114")
def lapse(g: DuneState, sister: str) -> None:
    """The turn is over: where coexistence was declared for it, it ends, unless it has to be."""
    if not by_territory(g):
        return
    for part in sister_parts(g, sister):
        set_status(g, sister, part, coexist=must_coexist(g, sister, part), rule="DUNE-V.2")
    for cell in CELLS:
        g.set_mark(MARKS[cell], None, rule="DUNE-V.2")


@rule("DUNE-V.4")
def note(g: DuneState, sister: str, part: Part, coexist: bool) -> None:
    """Write down what holds for a territory this turn, under the WBC reading."""
    if by_territory(g):
        g.set_mark(MARKS[part[0]], DECLARED if coexist else _standing(g, sister, part))


# --- as Movement begins


def free_parts(g: DuneState, sister: str) -> tuple[Cell, ...]:
    """The parts, by their first cells, that the sister shares with others and where she has a choice."""
    shared = (part for part in sister_parts(g, sister) if company(g, sister, part))
    return tuple(sorted(part[0] for part in shared if not must_coexist(g, sister, part)))


def coexisting(g: DuneState, sister: str, names: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Those of the parts in which the sister's tokens coexist now."""
    return tuple(name for name in names if g.tokens_in(sister, part_of(name, g.storm))[2])


class SisterCoexists(Cancellable):
    """The sister's tokens are about to coexist."""

    sister: str

    ability = Ability.CO_EXIST

    @property
    def owner(f) -> str:
        return f.sister


class CoexistenceDeclared(SisterCoexists):
    """The sister says of every territory that she shares whether her tokens coexist there."""

    #: the parts chosen, by their first cells
    places: tuple[Cell, ...] = ()

    @step("DUNE-BG.9", "DUNE-BG.34", "DUNE-V.3", "DUNE-R.68")
    def choose(f, g: DuneState) -> Flow:
        names = free_parts(g, f.sister)
        if not names:
            return goto("settle")
        choice = Choice(Coexist, places=Subset(names, 0, len(names)))
        now = Coexist(coexisting(g, f.sister, names))
        return Ask.one(g.seat_of(f.sister), choice, why="DUNE-BG.9", default=now)

    @choose.answer
    def chosen(f, g: DuneState, seat: int, act: Coexist) -> Flow:
        f.places = act.places
        return goto("settle") if act.places == coexisting(g, f.sister, free_parts(g, f.sister)) else None

    @rule("DUNE-BG.9", "DUNE-BG.10", "DUNE-BG.11", "DUNE-V.1")
    def stands(f, g: DuneState) -> Flow:
        f.apply(g, flips=True)
        return None

    @rule("DUNE-BG.9", "DUNE-R.3")
    def cancelled(f, g: DuneState) -> Flow:
        f.apply(g, flips=False)
        return None

    def apply(f, g: DuneState, *, flips: bool) -> None:
        for part in sister_parts(g, f.sister):
            if not company(g, f.sister, part):
                continue
            coexist = part[0] in f.places or must_coexist(g, f.sister, part)
            if flips or must_coexist(g, f.sister, part):
                set_status(g, f.sister, part, coexist)
            note(g, f.sister, part, bool(g.tokens_in(f.sister, part)[2]))


# --- when tokens come together


def on_arrival(g: DuneState, sister: str, faction: str, cell: Cell, counts: Counts) -> Frame | None:
    """These tokens have just come to a cell: what that means for coexistence there."""
    part = part_of(cell, g.storm)
    others = company(g, sister, part) if g.tokens_in(sister, part) != NONE else ()
    if not others:
        return None
    if has_ally(g, sister, others):
        set_status(g, sister, part, coexist=True, rule="DUNE-BG.16")
        if "moved" in g.table:
            note(g, sister, part, coexist=True)
        return None
    if by_territory(g):
        return _territory_entered(g, sister, part)
    return _groups_met(g, sister, faction, part, counts)


@rule("DUNE-BG.12", "DUNE-BG.13", "DUNE-R.67", "DUNE-R.112")
def _groups_met(g: DuneState, sister: str, faction: str, part: Part, counts: Counts) -> Frame | None:
    """The choice arises only if the sister was alone in the territory, or absent, until now."""
    new_here = sum(g.tokens_in(faction, part)) == sum(counts)
    fresh = new_here and (faction == sister or company(g, sister, part) == (faction,))
    if not fresh or counts[2]:  # a combat advisor has no choice
        return None
    return TokensMeet(sister=sister, at=part[0])


@rule("DUNE-V.3", "DUNE-V.4", "DUNE-V.5")
def _territory_entered(g: DuneState, sister: str, part: Part) -> Frame | None:
    """Declared once a turn, in the Movement Round; again only for another faction after all others have left."""
    if "moved" not in g.table:
        return None
    declared = g.table.get(MARKS[part[0]])
    if declared == DECLARED:
        set_status(g, sister, part, coexist=True, rule="DUNE-V.5")
        return None
    others = _standing(g, sister, part)
    if declared is not None and not set(declared).isdisjoint(others):
        set_status(g, sister, part, coexist=False, rule="DUNE-V.4")
        g.set_mark(MARKS[part[0]], tuple(sorted({*declared, *others})))
        return None
    if g.tokens_in(sister, part)[2]:  # a combat advisor coexists, and the territory with it
        note(g, sister, part, coexist=True)
        return None
    return TokensMeet(sister=sister, at=part[0])


@rule("DUNE-V.4")
def refused_this_turn(g: DuneState, part: Part) -> bool:
    """Return whether the sister has declared, under the WBC reading, that she does not coexist there."""
    return g.table.get(MARKS[part[0]]) not in (None, DECLARED)


class TokensMeet(SisterCoexists):
    """Tokens have come together: the sister may coexist."""

    at: Cell
    coexist: bool = False

    @step("DUNE-BG.12", "DUNE-V.3")
    def choose(f, g: DuneState) -> Flow:
        places = Subset((f.at,), 0, 1)
        return Ask.one(g.seat_of(f.sister), Choice(Coexist, places=places), why="DUNE-BG.12", default=Coexist(()))

    @choose.answer
    def chosen(f, g: DuneState, seat: int, act: Coexist) -> Flow:
        f.coexist = bool(act.places)
        return None if f.coexist else goto("settle")

    @rule("DUNE-BG.12", "DUNE-V.2")
    def stands(f, g: DuneState) -> Flow:
        part = part_of(f.at, g.storm)
        set_status(g, f.sister, part, f.coexist)
        note(g, f.sister, part, f.coexist)
        return None

    @rule("DUNE-BG.12", "DUNE-R.3")
    def cancelled(f, g: DuneState) -> Flow:
        f.coexist = False
        return f.stands(g)


# --- an ally wants to come


@rule("DUNE-BG.14", "DUNE-BG.15", "DUNE-BG.16")
def may_join(g: DuneState, sister: str, faction: str, ally: str, part: Part) -> bool:
    """The sister may go to her ally; the ally to her, unless she stands there against a third player."""
    if faction == sister:
        return True
    return ally == sister and all(other == faction for other in company(g, sister, part))


@rule("DUNE-R.118")
def guarded_parts(g: DuneState, sister: str, faction: str) -> tuple[Cell, ...]:
    """The parts, by their first cells, in which the sister's tokens do not coexist yet with this ally."""
    if not g.allied(sister, faction):
        return ()
    parts = (part_of(cell, g.storm) for cell, counts in g.on_board(sister) if counts[0] or counts[1])
    return tuple(dict.fromkeys([part[0] for part in parts if part[0] != POLAR_SINK]))


def asks_consent(g: DuneState, sister: str, faction: str, cell: Cell) -> Frame | None:
    """An ally is about to come, or to cross, where the sister's tokens do not coexist yet."""
    tokens, elites, _ = g.tokens_in(sister, part_of(cell, g.storm))
    if not g.allied(sister, faction) or not (tokens or elites) or cell == POLAR_SINK:
        return None
    return AllyEnters(sister=sister, faction=faction, at=part_key(g, cell))


class AllyEnters(Frame):
    """The sister agrees to coexist at once, or her ally stays out."""

    sister: str
    faction: str
    at: Cell

    @step("DUNE-BG.14")
    def consent(f, g: DuneState) -> Flow:
        return Ask.one(g.seat_of(f.sister), YES_OR_NO, why="DUNE-BG.14", default=NO)

    @consent.answer
    def answered(f, g: DuneState, seat: int, act: Consent) -> Flow:
        if act.yes:
            set_status(g, f.sister, part_of(f.at, g.storm), coexist=True)
        else:
            g.set_mark(REFUSED, (*g.table.get(REFUSED, ()), f.at))
        return END


FRAMES = (CoexistenceDeclared, TokensMeet, AllyEnters)
