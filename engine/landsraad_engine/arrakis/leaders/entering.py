"""Named leaders enter play, take each other's places and leave the game.

Who enters when stands in the content files. Cards call `EnterPlay`; the tracks, and leaders who leave, do so here.
"""

from collections.abc import Callable, Iterator

from landsraad_engine.arrakis.components import AfterLeader, AtPrescience, AtSupremacy, Entry, Leader
from landsraad_engine.arrakis.hooks import Query, Timing
from landsraad_engine.arrakis.leaders.sets import DESCRIBED
from landsraad_engine.arrakis.regeneration import take_slot
from landsraad_engine.arrakis.terms import SIDE_OF, AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import ASIDE, CARD, FIGURE, GONE, READY
from landsraad_engine.kernel.frames import END, Chain, Flow, Frame, rule, step
from landsraad_engine.kernel.overrides import Source

source = Source("leaders")


@rule("WFA-U.3")
def described(g: ArrakisState, leader: str) -> str:
    """The statement that describes a leader."""
    statement: str = g.query(Query.LEADER_RULE, DESCRIBED.get(leader, ""), leader)
    return statement


class EnterPlay(Frame):
    """A named leader enters play, once in the game; `area`: straight onto the board there."""

    leader: str
    area: AreaId = ""

    @step("WFA-L.2", "WFA-L.35", "WFA-Q.26", "WFA-G.14", "WFA-G.79")
    def enter(f, g: ArrakisState) -> Flow:
        f.leader = g.cast(f.leader)
        if g.whereabouts(f.leader) is not None:
            return END
        old = g.leader(f.leader).replaces
        if old and g.in_play(old):
            return TakePlace(leader=f.leader, old=old)
        g.set_mark(FIGURE[f.leader], f.area or ASIDE, described(g, f.leader))
        g.set_mark(CARD[f.leader], READY, described(g, f.leader))
        return None

    @step("WFA-L.28", "WFA-L.29", "WFA-L.1")
    def succeed(f, g: ArrakisState) -> Flow:
        outgoing = g.leader(f.leader).removes
        return LeaveGame(leader=outgoing) if outgoing and g.in_play(outgoing) else None

    @step("WFA-L.2")
    def entered(f, g: ArrakisState) -> Flow:
        return g.at(Timing.LEADER_ENTERS, f.leader)


class TakePlace(Frame):
    """A leader takes the place of another: where the figure is, and which side of the card shows."""

    leader: str
    old: str

    @step("WFA-L.23", "WFA-L.24")
    def replace(f, g: ArrakisState) -> Flow:
        if g.in_tank(f.old):
            take_slot(g, f.leader, f.old, described(g, f.leader))
        else:
            g.set_mark(FIGURE[f.leader], g.table[FIGURE[f.old]], described(g, f.leader))
        g.set_mark(CARD[f.leader], g.table[CARD[f.old]], described(g, f.leader))
        return LeaveGame(leader=f.old)


class LeaveGame(Frame):
    """A named leader leaves the game, wherever the figure is; a legion that it stood in stays."""

    leader: str

    @step("WFA-L.23", "WFA-L.26", "WFA-L.28")
    def leave(f, g: ArrakisState) -> Flow:
        g.set_mark(FIGURE[f.leader], GONE)
        g.set_mark(CARD[f.leader], None)
        return None

    @step("WFA-L.26")
    def left(f, g: ArrakisState) -> Flow:
        return g.at(Timing.LEADER_GONE, f.leader)


# ---- Who enters when ----


@source.at(Timing.SUPREMACY_STEP)
@rule("WFA-L.5", "WFA-L.6", "WFA-L.11", "WFA-G.13", "WFA-G.80")
def by_supremacy(g: ArrakisState, step: int) -> Frame | None:
    return _enter(g, lambda leader, entry: _at_supremacy(g, leader, entry, step))


@source.at(Timing.PRESCIENCE_STEP)
@rule("WFA-Q.16", "WFA-Q.17", "WFA-Q.18", "WFA-Q.19")
def by_prescience(g: ArrakisState, marker: str, step: int) -> Frame | None:
    return _enter(g, lambda _, entry: _at_prescience(entry, marker, step))


@source.at(Timing.LEADER_GONE)
@rule("WFA-L.9", "WFA-L.26", "WFA-N.40")
def by_departure(g: ArrakisState, gone: str) -> Frame | None:
    return _enter(g, lambda _, entry: isinstance(entry, AfterLeader) and entry.leader == gone)


def _at_supremacy(g: ArrakisState, leader: Leader, entry: Entry, step: int) -> bool:
    if not isinstance(entry, AtSupremacy) or entry.step != step:
        return False
    return not entry.shared_only or g.shared(SIDE_OF[leader.side])


def _at_prescience(entry: Entry, marker: str, step: int) -> bool:
    return isinstance(entry, AtPrescience) and entry.step == step and entry.marker in (marker, "any")


def _enter(g: ArrakisState, opens: Callable[[Leader, Entry], bool]) -> Frame | None:
    """All leaders for whom an entry says that it is time."""
    frame: Frame | None = None
    for leader in reversed(tuple(_outside(g))):
        if any(opens(leader, entry) for entry in leader.enters):
            entering = EnterPlay(leader=leader.id)
            frame = Chain(entering, frame) if frame else entering
    return frame


@rule("WFA-N.5")
def _outside(g: ArrakisState) -> Iterator[Leader]:
    """The leaders of this match who have not entered play yet: those of a Possible Future only if it is played."""
    played = (0, *g.futures)
    for leader in g.content.leader.values():
        in_the_box = leader.generic or leader.future not in played or g.cast(leader.id) != leader.id
        if not in_the_box and g.whereabouts(leader.id) is None:
            yield leader


FRAMES = (EnterPlay, TakePlace, LeaveGame)
