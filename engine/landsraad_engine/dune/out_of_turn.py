"""Out-of-turn plays: what may be done at any time, whoever's turn it is.

Cards, factions and deals :func:`register` their plays. These are open while any question is that is not closed; the
frame of a play runs on top, then the question below is put again. So that slow seats are not shut out by fast ones, the
plays are also offered at set moments (as each round begins, and before the bids on each card) to those who have the
standing order "ask:<kind>".
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from landsraad_engine.dune.acts import PASS_ONLY, Pass, or_pass
from landsraad_engine.dune.hooks import Query, Timing
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.asks import Answers, Ask
from landsraad_engine.kernel.execution import ON_REQUEST, requested
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Act, Choice
from landsraad_engine.kernel.overrides import OverrideOrder, Source
from landsraad_engine.kernel.reserved_places import orders_key

source = Source("out of turn")


class Play(NamedTuple):
    """One kind of out-of-turn play."""

    kind: str  #: the standing order "ask:<kind>" has it offered at set moments
    act: type[Act]
    choices: Callable[[DuneState, str], Sequence[Choice]]  #: what a faction could play now, from its own knowledge
    frame: Callable[[str, Any], Frame]  #: carries the act of a faction out


#: The kinds of plays that there are in any match.
KINDS: list[str] = []


def register(source: Source, play: Play) -> None:
    """Let a source bring a play into the matches that it belongs to."""
    KINDS.append(play.kind)

    @source.modifies(Query.OUT_OF_TURN)
    def add(g: DuneState, plays: tuple[Play, ...]) -> tuple[Play, ...]:
        return (*plays, play)


def plays(g: DuneState) -> tuple[Play, ...]:
    """All kinds of plays of this match."""
    found: tuple[Play, ...] = g.query(Query.OUT_OF_TURN, ())
    return found


def choices(g: DuneState, faction: str) -> list[Choice]:
    """The plays open to a faction now."""
    return [choice for play in plays(g) for choice in play.choices(g, faction)]


def frame_of(g: DuneState, faction: str, act: Act) -> Frame:
    """The frame that carries a play out."""
    return next(play.frame(faction, act) for play in plays(g) if play.act is type(act))


class OfferPlays(Frame):
    """A set moment for out-of-turn plays. Of several at once the first in dot order goes, then all are asked again."""

    @step("DUNE-0.27")
    def offer(f, g: DuneState) -> Flow:
        options = {g.seat_of(faction): _offered(g, faction) for faction in g.dot_order()}
        return Ask.quiet(options, why="DUNE-0.27", window=ON_REQUEST, default=Pass())

    @offer.answer
    def played(f, g: DuneState, answers: dict[int, Act]) -> Flow:
        for faction in g.dot_order():
            act = answers[g.seat_of(faction)]
            if type(act) is not Pass:
                return Call(frame_of(g, faction, act), "offer")
        return END


def _offered(g: DuneState, faction: str) -> Answers:
    """The plays that a faction wants to be asked about, or passing alone."""
    kinds = requested(g.table.get(orders_key(g.seat_of(faction)), ()))
    if not kinds:
        return PASS_ONLY
    return or_pass(*(choice for play in plays(g) if play.kind in kinds for choice in play.choices(g, faction)))


@source.at(Timing.ROUND_BEGINS, OverrideOrder.LAST)
def at_round(g: DuneState, name: str) -> Frame:
    return OfferPlays()


@source.at(Timing.CARD_UP_FOR_BID, OverrideOrder.LAST)
@rule("DUNE-R.13")
def at_card(g: DuneState, number: int) -> Frame:
    return OfferPlays()


FRAMES = (OfferPlays,)
