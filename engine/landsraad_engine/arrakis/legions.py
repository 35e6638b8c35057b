"""Rules of legions wherever they stand: the stacking limit, leaders left alone, figures set apart."""

from landsraad_engine.arrakis.acts import RemoveExcess
from landsraad_engine.arrakis.chronicle import count
from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.partners import deciders
from landsraad_engine.arrakis.regeneration import ToTank
from landsraad_engine.arrakis.sides import ATREIDES, FIGURES, HARKONNEN, LEADER, NOBODY, one
from landsraad_engine.arrakis.terms import UNITS, AreaId
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.arrakis.zones import APART, APART_FOR, APART_TOKENS, FIGURE, GARRISON, LEGION, TOKENS
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice, Linear, Subset, Term

# ---- Moving figures about ----


def _carry(g: ArrakisState, legion: Legion, figures: tuple[str, str], tokens: tuple[str, str], figure: str) -> None:
    """Move figures and tokens between two pairs of places, and the named leaders to ``figure``."""
    g.shift(*figures, legion.units)
    for token in legion.tokens:
        g.move(*tokens, token)
    for leader in legion.named:
        g.set_mark(FIGURE[leader], figure)


@rule("WFA-C.90")
def relocate(g: ArrakisState, side: str, source: AreaId, target: AreaId, legion: Legion | None = None) -> None:
    """Move a legion (all of it, if no part is named) straight from one area to another."""
    moving = legion or g.legion(side, source)
    if side == HARKONNEN and moving.tokens:
        for token in moving.tokens:
            g.draw(GARRISON[token][source], GARRISON[token][target])
        moving = moving._replace(tokens=())
    _carry(g, moving, (LEGION[side][source], LEGION[side][target]), (TOKENS[source], TOKENS[target]), target)
    if source in g.table.get("flown", ()):
        note_flight(g, target)
    if g.table.get("here") == source:
        g.set_mark("here", target)


@rule("WFA-M.22")
def note_flight(g: ArrakisState, *areas: AreaId) -> None:
    """Note where legions stand now that have flown in this turn."""
    if areas:
        g.set_mark("flown", tuple(sorted({*g.table.get("flown", ()), *areas})))


@rule("WFA-M.5", "WFA-M.9")
def set_apart(g: ArrakisState, side: str, source: AreaId, target: AreaId, legion: Legion) -> int:
    """Set figures apart that an action has moved, until all its moves are made: so none of them moves twice."""
    n = next(n for n, key in enumerate(APART_FOR) if key not in g.table)
    g.set_mark(APART_FOR[n], (side, source, target))
    _carry(g, legion, (LEGION[side][source], APART[n]), (TOKENS[source], APART_TOKENS[n]), APART[n])
    return n


def rejoin(g: ArrakisState, n: int) -> tuple[AreaId, AreaId]:
    """Put figures that were set apart where they belong now; where they come from, and where they are."""
    side, source, target = g.table[APART_FOR[n]]
    legion = apart(g, n)
    _carry(g, legion, (APART[n], LEGION[side][target]), (APART_TOKENS[n], TOKENS[target]), target)
    g.set_mark(APART_FOR[n], None)
    return source, target


@rule("WFA-B.55")
def come_back(g: ArrakisState, side: str, area: AreaId) -> bool:
    """Put a part of a legion that is set apart back where it came from and belongs; whether there was one."""
    n = next((n for n, key in enumerate(APART_FOR) if g.table.get(key) == (side, area, area)), None)
    if n is None:
        return False
    rejoin(g, n)
    return True


def apart(g: ArrakisState, n: int) -> Legion:
    """The figures that are set apart in a place."""
    side = g.table[APART_FOR[n]][0]
    return Legion(g.table.get(APART[n], NOBODY), g.named_at(side, APART[n]), g.table.get(APART_TOKENS[n], ()))


@rule("WFA-S.24")
def turn_up(g: ArrakisState, area: AreaId, token: str) -> None:
    """Turn up an Atreides deployment token: its units come to the area, and the token is out of the game."""
    g.move(TOKENS[area], "tokens_revealed", token)
    put_shown(g, ATREIDES, area, token)
    count(g, "token_revealed")


def put_shown(g: ArrakisState, side: str, area: AreaId, token: str) -> None:
    """Bring the figures that a deployment token shows to an area."""
    shown = g.content.deployment_token[token]
    put_units(g, side, area, (shown.units.regular, shown.units.elite, shown.units.special, shown.leader))


@rule("WFA-S.17", "WFA-S.19")
def put_units(g: ArrakisState, side: str, area: AreaId, wanted: tuple[int, ...]) -> None:
    """Bring figures from the supply; where a kind has run out, units of the next lower kind stand in."""
    left = list(g.supply(side))
    put = [0, 0, 0, 0]
    for kind in (0, 1, 2, LEADER):
        lower = (kind,) if kind == LEADER else range(kind, -1, -1)
        due = wanted[kind]
        for instead in lower:
            number = min(due, left[instead])
            put[instead] += number
            left[instead] -= number
            due -= number
    g.recruit(side, area, tuple(put))


# ---- What holds at any moment ----


class TurnUpTokens(Frame):
    """Deployment tokens of an area are turned up: all of them, unless some are named."""

    area: AreaId
    tokens: tuple[str, ...] = ()

    @step("WFA-S.22", "WFA-S.24", "WFA-F.4", "WFA-B.6")
    def turn_up(f, g: ArrakisState) -> Flow:
        for token in f.tokens or g.tokens(f.area):
            turn_up(g, f.area, token)
        return None

    @step("WFA-S.28")
    def settle(f, g: ArrakisState) -> Flow:
        return Settle(side=ATREIDES, area=f.area)


class Settle(Frame):
    """A legion has changed: its owner removes units beyond the stacking limit, and leaders left alone go off."""

    side: str
    area: AreaId

    @step("WFA-S.28", "WFA-B.38")
    def stacking(f, g: ArrakisState) -> Flow:
        excess = g.size(f.side, f.area) - g.stacking(f.side)
        if excess <= 0:
            return None
        removals = _removals(g.legion(f.side, f.area), excess)
        # Closed: they go at once, and pay for no claim before.
        return Ask.any_of(deciders(g, f.side), removals, why="WFA-S.28", closed=True)

    @stacking.answer
    def removed(f, g: ArrakisState, seat: int, act: RemoveExcess) -> Flow:
        g.dismiss(f.side, f.area, (*act.units, 0))
        for token in act.tokens:
            drop_token(g, f.side, f.area, token)
        return None

    @step("WFA-S.27", "WFA-B.26")
    def left_alone(f, g: ArrakisState) -> Flow:
        if g.size(f.side, f.area):
            return None
        return dissolve(g, f.side, f.area)


class SettleAll(Frame):
    """Several legions of a side have changed: each of them settles."""

    side: str
    areas: tuple[AreaId, ...]

    @step("WFA-S.28")
    def settle(f, g: ArrakisState) -> Flow:
        if not f.areas:
            return END
        area, *rest = f.areas
        f.areas = tuple(rest)
        return Call(Settle(side=f.side, area=area), "settle")


@rule("WFA-S.18", "WFA-Y.161")
def drop_token(g: ArrakisState, side: str, area: AreaId, token: str) -> None:
    """Take a deployment token off an area unseen: out of the game, or for Harkonnen ones into their pool."""
    if side == HARKONNEN:
        g.draw(GARRISON[token][area], token)
        g.shuffle(token)
    else:
        g.move(TOKENS[area], "tokens_lost", token)


def _removals(legion: Legion, excess: int) -> Choice:
    units = Alloc(slots=UNITS, caps=legion.units[:3], low=0, high=excess)
    tokens = Subset(tuple(sorted(legion.tokens)), 0, excess)
    return Choice(
        RemoveExcess, Linear((Term("units"), Term("tokens")), low=excess, high=excess), units=units, tokens=tokens
    )


def dissolve(g: ArrakisState, side: str, area: AreaId) -> Frame | None:
    """Take a whole legion off the board: figures to the supply, tokens out of the game, named leaders to the tank."""
    legion = g.legion(side, area)
    g.dismiss(side, area, legion.units)
    for token in legion.tokens:
        drop_token(g, side, area, token)
    g.at(Timing.LEGION_FALLS, side, area)
    named = g.named_at(side, area)
    return ToTank(leaders=named) if named else None


@rule("WFA-S.26", "WFA-A.18", "WFA-A.29")
def join(g: ArrakisState, side: str, area: AreaId, leader: str) -> None:
    """Put a leader into an area where own units stand: a named one by id, else a generic one from the supply."""
    if leader in FIGURE and not g.leader(leader).generic:
        g.set_mark(FIGURE[leader], area)
    else:
        g.recruit(side, area, one(FIGURES, LEADER))


FRAMES = (TurnUpTokens, Settle, SettleAll)
