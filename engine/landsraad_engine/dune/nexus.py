"""2a: Nexus Round."""

from typing import Any, Final

from landsraad_engine.dune import alliances
from landsraad_engine.dune.acts import NO, PASSING, YES_OR_NO, BreakAlliance, Consent, Pass, ProposeAlliance
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.promises import NEXUS, alliance_answer, judge, lapse, promises
from landsraad_engine.dune.words import ALLY, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Rows

#: How many rounds of proposals a Nexus has at most.
ROUNDS: Final = 3


class Nexus(Frame):
    """Alliances are broken, all at once; then made, one proposal after the other."""

    round: int = 1
    #: those who have joined an alliance in this Nexus
    joined: tuple[str, ...] = ()
    #: those who have still to be asked for a proposal in this round
    to_ask: tuple[str, ...] = ()
    proposed: bool = False
    #: the proposer and the partners of the latest offer
    offer: tuple[str, ...] = ()

    @step("DUNE-2A.1", "DUNE-2A.3", "DUNE-2A.12", "DUNE-R.27")
    def breaking(f, g: DuneState) -> Flow:
        allied = [faction for faction in g.dot_order() if ALLY[faction] in g.table]
        if not allied:
            return None
        choices = (PASSING, Choice(BreakAlliance))
        return Ask.sealed({g.seat_of(faction): choices for faction in allied}, why="DUNE-2A.12", default=Pass())

    @breaking.answer
    def broken(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        leaving = [g.side(seat) for seat, act in answers.items() if isinstance(act, BreakAlliance)]
        for faction in leaving:
            alliances.leave(g, faction)
        if leaving:
            alliances.end_primaries(g)
        return None

    @step("DUNE-R.28")
    def next_round(f, g: DuneState) -> Flow:
        f.to_ask = g.dot_order()
        f.proposed = False
        _judge_promises(g, f.joined)
        return None

    @step("DUNE-2A.8", "DUNE-R.31")
    def next_to_propose(f, g: DuneState) -> Flow:
        while f.to_ask and not _open_to(g, f.to_ask[0], f.joined):
            f.to_ask = f.to_ask[1:]
        return None if f.to_ask else goto("round_over")

    @step("DUNE-2A.4", "DUNE-2A.7", "DUNE-2A.13", "DUNE-R.28", "DUNE-R.30")
    def propose(f, g: DuneState) -> Flow:
        """Deals may be offered all the while: the question is not closed to plays out of turn."""
        proposals = _proposals(g, f.to_ask[0], f.joined)
        if proposals is None:  # a deal struck meanwhile
            return goto("next_to_propose")
        return Ask.one(g.seat_of(f.to_ask[0]), PASSING, proposals, why="DUNE-R.28", default=Pass())

    @propose.answer
    def proposal(f, g: DuneState, seat: int, act: Pass | ProposeAlliance) -> Flow:
        proposer, *rest = f.to_ask
        f.to_ask = tuple(rest)
        if isinstance(act, Pass):
            return goto("next_to_propose")
        f.proposed = True
        f.offer = (proposer, *act.partners)
        return Call(AllianceOffer(proposer, act.partners, act.primary), "note_members")

    @step("DUNE-2A.8")
    def note_members(f, g: DuneState) -> Flow:
        proposer, *partners = f.offer
        if g.allies(proposer) == tuple(sorted(partners)):
            f.joined += f.offer
            _judge_promises(g, f.joined)
        return goto("next_to_propose")

    @step("DUNE-R.29")
    def round_over(f, g: DuneState) -> Flow:
        if f.proposed and f.round < ROUNDS:
            f.round += 1
            return goto("next_round")
        return None

    @step("DUNE-R.17")
    def promises_lapse(f, g: DuneState) -> Flow:
        lapse(g, NEXUS)
        return None


def _open_to(g: DuneState, faction: str, joined: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The sets of partners that a faction may ask: all but those whom it has promised not to, or not before others."""
    return [
        partners
        for partners in alliances.possible_partners(g, faction, joined)
        if all(alliance_answer(g, faction, partner) is not False for partner in partners)
        and not _spoken_for(g, faction, partners, joined)
    ]


@rule("DUNE-R.123", "DUNE-T.19", "DUNE-0.21")
def _spoken_for(g: DuneState, faction: str, others: tuple[str, ...], joined: tuple[str, ...]) -> tuple[str, ...]:
    """Those whom a faction has promised an alliance that can still come about, if one with these would prevent it."""
    promised = {p.value for p in promises(g, faction, "ally") if alliance_answer(g, faction, p.value)}
    promised.difference_update(g.allies(faction))
    if not promised:
        return ()
    sets = alliances.possible_partners(g, faction, joined)
    open_ = {one for partners in sets for one in partners if alliance_answer(g, one, faction) is not False}
    waiting = tuple(one for one in g.dot_order() if one in promised & open_)
    return () if promised.intersection(others) else waiting


@rule("DUNE-5.24")
def _proposals(g: DuneState, faction: str, joined: tuple[str, ...]) -> Choice | None:
    """The alliances that a faction may propose, each with any of its members, or nobody, as agreed Primary."""
    possible = _open_to(g, faction, joined)
    if not possible:
        return None
    primaries = (None, *g.dot_order())
    rows = [(partners, who) for partners in possible for who in (None, faction, *partners)]
    return Choice(
        ProposeAlliance,
        Rows(names=("partners", "primary"), rows=tuple(rows), why="DUNE-5.24"),
        partners=OneOf(tuple(possible), why="DUNE-2A.8"),
        primary=OneOf(primaries),
    )


@rule("DUNE-2A.5", "DUNE-2A.6", "DUNE-2A.8", "DUNE-2A.11", "DUNE-R.17", "DUNE-R.128")
def explain_proposal(g: DuneState, seat: int, act: ProposeAlliance) -> tuple[str, str] | None:
    """The rule that stands between a faction and these partners."""
    frame = g.stack[-1]
    members = (g.side(seat), *act.partners)
    if not isinstance(frame, Nexus) or not all(map(g.in_play, members)):
        return None
    if len(members) > alliances.largest_agreed(g):
        return "DUNE-2A.5", f"an alliance joins {alliances.largest_agreed(g)} factions at the most"
    if len(members) > alliances.largest(g):
        return "DUNE-R.128", f"the conquest table has no alliance of {len(members)} among {len(g.factions())} players"
    for member in members:
        if member in frame.joined:
            return "DUNE-2A.8", f"{member} has joined an alliance in this Nexus already"
        if not set(g.allies(member)) <= set(members):
            return "DUNE-2A.11", f"{member} is bound to its present alliance"
        if alliance_answer(g, members[0], member) is False:
            return "DUNE-R.17", f"{members[0]} has promised to form no alliance with {member}"
    waiting = _spoken_for(g, members[0], members, frame.joined)
    return ("DUNE-R.123", f"{members[0]} has promised to ally with {waiting[0]}") if waiting else None


_NO_ONLY: Final = Choice(Consent, yes=OneOf((False,), why="DUNE-R.123"))


class AllianceOffer(Frame):
    """Those named accept or decline at once; if all accept, the alliance exists."""

    proposer: str
    partners: tuple[str, ...]
    primary: str | None

    @step("DUNE-2A.9", "DUNE-2A.10", "DUNE-R.28")
    def offer(f, g: DuneState) -> Flow:
        """Members and Primary are all that is said aloud; whatever else was agreed stays between the partners."""
        joined = next(frame.joined for frame in reversed(g.stack) if isinstance(frame, Nexus))
        members = (f.proposer, *f.partners)
        options = {g.seat_of(partner): (_answers(g, partner, members, joined),) for partner in f.partners}
        return Ask.sealed(options, why="DUNE-R.28", default=NO)

    @offer.answer
    def answered(f, g: DuneState, answers: dict[int, Consent]) -> Flow:
        return None if all(act.yes for act in answers.values()) else END

    @step("DUNE-2A.9")
    def form(f, g: DuneState) -> Flow:
        alliances.form(g, (f.proposer, *f.partners), f.primary)
        return None

    @step("DUNE-5.20")
    def formed(f, g: DuneState) -> Flow:
        return g.at(Timing.ALLIANCE_FORMED, *sorted((f.proposer, *f.partners)))


@rule("DUNE-R.17", "DUNE-R.19", "DUNE-R.123")
def _answers(g: DuneState, faction: str, others: tuple[str, ...], joined: tuple[str, ...]) -> Choice:
    """Accept or decline, unless a Truthtrance answer or a public deal has settled it."""
    if _spoken_for(g, faction, others, joined):
        return _NO_ONLY
    promised = {alliance_answer(g, faction, other) for other in others if other != faction}
    if promised == {None}:
        return YES_OR_NO
    return Choice(Consent, yes=OneOf((False not in promised,), why="DUNE-R.17"))


@rule("DUNE-R.18", "DUNE-R.32")
def _judge_promises(g: DuneState, joined: tuple[str, ...]) -> None:
    """Say of every promised alliance whether it can still come about in this Nexus."""
    for faction in g.dot_order():
        for promise in promises(g, faction, "ally"):
            if promise.yes and promise.value not in g.allies(faction):
                sets = alliances.possible_partners(g, faction, joined)
                judge(g, promise, any(promise.value in partners for partners in sets))


EXPLANATIONS = {ProposeAlliance: explain_proposal}

FRAMES = (Nexus, AllianceOffer)
