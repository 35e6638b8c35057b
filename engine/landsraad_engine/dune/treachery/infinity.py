"""Karama in the auction: the bid of infinity, called although it is not one's turn."""

from landsraad_engine.dune.acts import BidInfinity
from landsraad_engine.dune.bidding import CALLED, auction_under_way, has_room
from landsraad_engine.dune.karama import karamas
from landsraad_engine.dune.promises import bid_cap
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice
from landsraad_engine.kernel.plays import Play


class Infinity(Frame):
    """Infinity is called: the auction below ends as soon as it goes on."""

    faction: str

    @step("DUNE-K.2")
    def call(f, g: DuneState) -> Flow:
        g.set_mark(CALLED, f.faction)
        return None


@rule("DUNE-K.2", "DUNE-R.38")
def choices(g: DuneState, faction: str) -> list[Choice]:
    auction = auction_under_way(g)
    if auction is None or auction.pc != "bid" or CALLED in g.table:
        return []
    able = has_room(g, faction) and karamas(g, faction) and bid_cap(g, faction) is None
    return [Choice(BidInfinity)] if able else []


def begin(faction: str, act: BidInfinity) -> Infinity:
    return Infinity(faction=faction)


PLAYS = (Play(BidInfinity, choices, begin, "infinity"),)

FRAMES = (Infinity,)
