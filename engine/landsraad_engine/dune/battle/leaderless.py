"""Battles without leaders, by public agreement of the two sides."""

from landsraad_engine.dune.acts import NO, Consent, OfferLeaderless
from landsraad_engine.dune.announcements import LeaderlessAnswered, LeaderlessOffered
from landsraad_engine.dune.battle.fight import LEADERLESS, OFFERED, PLAN, answer_of, battle_now, present_battle
from landsraad_engine.dune.battle.plan import free_of_leaders
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, Clause, Literal, OneOf
from landsraad_engine.kernel.plays import Play

_EITHER = OneOf((False, True))
_SOMEBODY = Clause((Literal("own", (True,)), Literal("theirs", (True,))), why="DUNE-6.14")


class LeaderlessOffer(Frame):
    """One side offers that itself, the other or both fight without a leader; the other agrees or does not."""

    by: str
    own: bool
    theirs: bool

    @step("DUNE-6.14")
    def offer(f, g: DuneState) -> Flow:
        g.set_mark(OFFERED, (*g.table.get(OFFERED, ()), f.by))
        g.announce(LeaderlessOffered(f.by, f.sides(g)))
        return None

    @step("DUNE-6.14", "DUNE-R.125")
    def agree(f, g: DuneState) -> Flow:
        other = f.other(g)
        able = not f.theirs or free_of_leaders(g, present_battle(g), other)
        choice = Choice(Consent, yes=_EITHER if able else OneOf((False,), why="DUNE-R.125"))
        return Ask.one(g.seat_of(other), choice, why="DUNE-6.14", default=NO)

    @agree.answer
    def agreed(f, g: DuneState, seat: int, act: Consent) -> Flow:
        g.announce(LeaderlessAnswered(f.sides(g), act.yes))
        if act.yes:
            # What was agreed before still holds.
            agreed = {*g.table.get(LEADERLESS, ()), *f.sides(g)}
            g.set_mark(LEADERLESS, tuple(side for side in present_battle(g).sides if side in agreed))
            g.reopen()
        return None

    def other(f, g: DuneState) -> str:
        return present_battle(g).opponent(f.by)

    def sides(f, g: DuneState) -> tuple[str, ...]:
        """The sides that would fight without a leader."""
        return tuple(side for side in present_battle(g).sides if (f.own if side == f.by else f.theirs))


@rule("DUNE-6.14", "DUNE-R.103", "DUNE-R.125")
def choices(g: DuneState, faction: str) -> list[Choice]:
    """Each side may offer once, before plans are open and before anybody has answered for a plan."""
    battle = battle_now(g)
    if battle is None or faction not in battle.sides or faction in g.table.get(OFFERED, ()):
        return []
    if any(PLAN[side] in g.table or answer_of(g, side) is not None for side in battle.sides):
        return []
    own = _EITHER if free_of_leaders(g, battle, faction) else OneOf((False,), why="DUNE-R.125")
    return [Choice(OfferLeaderless, _SOMEBODY, own=own, theirs=_EITHER, why="DUNE-6.14")]


def begin(faction: str, act: OfferLeaderless) -> LeaderlessOffer:
    return LeaderlessOffer(faction, act.own, act.theirs)


PLAYS = (Play(OfferLeaderless, choices, begin, "leaderless"),)

FRAMES = (LeaderlessOffer,)
