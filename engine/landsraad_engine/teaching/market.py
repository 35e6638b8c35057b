"""2 and 3: one find is sold to the highest bid, and may be stolen again at once."""

from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, Range
from landsraad_engine.teaching.acts import Bid, Pass, SpringSnare
from landsraad_engine.teaching.hooks import Instead, Permit, Query, Timing
from landsraad_engine.teaching.words import DISCARD, HAND, TeachingState
from landsraad_engine.teaching.zones import SNARE

#: With so many finds in hand a band may not bid.
HAND_LIMIT = 4


class Market(Frame):
    """A find lies on offer, everybody bids in secret, the highest bid buys."""

    # Public once the bids are open; a secret must never lie in a frame.
    buyer: str = ""
    price: int = 0

    @step("TEACH-2.1", "TEACH-2.6")
    def offer(f, g: TeachingState) -> Flow:
        g.remake_deck()
        if not g.table.get("deck"):
            return END
        g.draw("deck", "offer")
        return g.at(Timing.OFFER)

    @step("TEACH-2.2")
    def bids(f, g: TeachingState) -> Flow:
        options = {
            g.seat(band): (Choice(Bid, water=Range(0, g.water(band))),) for band in g.order() if may_bid(g, band)
        }
        return Ask.sealed(options, why="TEACH-2.2", default=Bid(0))

    @bids.answer
    def opened(f, g: TeachingState, answers: dict[int, Bid]) -> Flow:
        for seat, bid in answers.items():
            if bid.water > f.price:  # answers come in the order of the question, so that ties go to the earlier band
                f.buyer, f.price = g.side(seat), bid.water
        return None

    @step("TEACH-2.4", "TEACH-2.5")
    def sale(f, g: TeachingState) -> Flow:
        if not f.buyer:
            g.draw("offer", DISCARD)
            return END
        g.pay(f.buyer, g.query(Query.PRICE, f.price, f.buyer))
        g.draw("offer", HAND[f.buyer])
        return Snares(f.buyer)


@rule("TEACH-2.3")
def may_bid(g: TeachingState, band: str) -> bool:
    """Return whether a band may bid: how many finds it has is public, so nothing hidden decides who is asked."""
    return g.allowed(Permit.BID, band, default=len(g.finds(band)) < HAND_LIMIT)


class Snares(Frame):
    """Everybody else may play a Snare against the buyer; the first in order steals."""

    buyer: str
    thief: str = ""

    @step("TEACH-3.1")
    def window(f, g: TeachingState) -> Flow:
        """Every band with a find is asked: as far as all can see, any find could be a Snare."""
        options: dict[int, tuple[Choice, ...]] = {}
        for band in g.order():
            if band != f.buyer and g.finds(band):
                snare = (Choice(SpringSnare),) if SNARE in g.finds(band) else ()
                options[g.seat(band)] = (Choice(Pass), *snare)
        return Ask.quiet(options, why="TEACH-3.1", window="snare", default=Pass())

    @window.answer
    def sprung(f, g: TeachingState, answers: dict[int, Pass | SpringSnare]) -> Flow:
        f.thief = next((g.side(seat) for seat, act in answers.items() if type(act) is SpringSnare), "")
        return None

    @step("TEACH-3.2")
    def steal(f, g: TeachingState) -> Flow:
        if not f.thief or not g.finds(f.buyer):  # then the thief keeps its Snare
            return END
        g.move(HAND[f.thief], DISCARD, SNARE)
        return g.instead(Instead.THEFT, f.thief, f.buyer) or Theft(f.thief, f.buyer)


class Theft(Frame):
    """The thief draws one find from the victim's hand without looking."""

    thief: str
    victim: str

    @step("TEACH-3.2")
    def draw(f, g: TeachingState) -> Flow:
        if finds := g.finds(f.victim):  # it may have played its only one while it was asked about the theft
            g.take(HAND[f.victim], HAND[f.thief], g.pick("theft", len(finds)))
        return None


FRAMES = (Market, Snares, Theft)
