"""Set moments for out-of-turn plays, so that slow seats are not shut out by fast ones.

As each round begins, and before the bids on each card, the plays of the game's manifest are offered to those who have
the standing order "ask:<kind>".
"""

from landsraad_engine.dune.acts import PASS_ONLY, Pass, or_pass
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.asks import Answers, Ask
from landsraad_engine.kernel.execution import ON_REQUEST, requested
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.overrides import OverrideOrder, Source
from landsraad_engine.kernel.plays import open_plays
from landsraad_engine.kernel.reserved_places import orders_key

source = Source("out of turn")


class OfferPlays(Frame):
    """A set moment for out-of-turn plays. Of several at once the first in dot order goes, then all are asked again."""

    @step("DUNE-0.27")
    def offer(f, g: DuneState) -> Flow:
        options = {g.seat_of(faction): _offered(g, faction) for faction in g.dot_order()}
        return Ask.quiet(options, why="DUNE-0.27", window=ON_REQUEST, default=Pass())

    @offer.answer
    def played(f, g: DuneState, answers: dict[int, Act]) -> Flow:
        for faction in g.dot_order():
            seat = g.seat_of(faction)
            act = answers[seat]
            if type(act) is not Pass:
                return Call(g.setting.game.play(g, seat, act), "offer")
        return END


def _offered(g: DuneState, faction: str) -> Answers:
    """The plays that a faction wants to be asked about, or passing alone."""
    kinds = requested(g.table.get(orders_key(g.seat_of(faction)), ()))
    if not kinds:
        return PASS_ONLY
    wanted = (play for play in g.setting.game.out_of_turn if play.kind in kinds)
    return or_pass(*open_plays(wanted, g, faction))


@source.at(Timing.ROUND_BEGINS, OverrideOrder.LAST)
def at_round(g: DuneState, name: str) -> Frame:
    return OfferPlays()


@source.at(Timing.CARD_UP_FOR_BID, OverrideOrder.LAST)
@rule("DUNE-R.13")
def at_card(g: DuneState, number: int) -> Frame:
    return OfferPlays()


FRAMES = (OfferPlays,)
