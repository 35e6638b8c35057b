"""3: Bidding Round: CHOAM charity, the count of hands, and one auction for each card laid out."""

from functools import lru_cache
from itertools import starmap
from typing import Final, NamedTuple

from landsraad_engine.dune.acts import (
    PASS_ONLY,
    PASSING,
    Bid,
    BidInfinity,
    ClaimCharity,
    Pass,
    PayWithSpice,
    PlayCard,
    card_choice,
    or_pass,
)
from landsraad_engine.dune.announcements import AuctionRestarted, CardPaid, CardSold, CardsUnsold, HandsCounted
from landsraad_engine.dune.hooks import Permit, Query, Timing
from landsraad_engine.dune.karama import UseKarama, could_hold_karama, karama_stands, karamas
from landsraad_engine.dune.promises import CARD, TRUTHS, Promise, bid_cap, bid_pledge, judge, kept, lapse
from landsraad_engine.dune.spending import Owing
from landsraad_engine.dune.words import BANK, HAND, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Act, Choice, Range

HAND_LIMIT: Final = 4
CHARITY: Final = 2
#: The kind of reaction window in which charity is claimed.
WINDOW: Final = "charity"
#: The highest number that a bid beyond the purse may name; only infinity is above it.
HIGHEST_BID: Final = 99
INFINITY: Final = 1_000_000

ROW: Final = "auction_row"
#: The faction that has called infinity out of turn.
CALLED: Final = "infinity"
#: The factions from which treachery cards were taken while the present card is up for sale.
ROBBED: Final = "robbed"


@rule("DUNE-3.3", "DUNE-3.4")
def has_room(g: DuneState, faction: str) -> bool:
    """Return whether a faction may hold another treachery card."""
    limit: int = g.query(Query.HAND_LIMIT, HAND_LIMIT, faction)
    return len(g.hand(faction)) < limit


class BiddingRound(Frame):
    """3: Bidding Round. ``opener`` is the faction that had the first bid on the latest card."""

    opener: str = ""
    cards: int = 0

    @step("DUNE-3.1")
    def begin(f, g: DuneState) -> Flow:
        return g.at(Timing.BIDDING_BEGINS)

    @step("DUNE-3.1")
    def charity(f, g: DuneState) -> Flow:
        # Who is poor is secret until it is claimed, so everybody is asked.
        options = {
            g.seat_of(faction): PASS_ONLY if g.spice(faction) else or_pass(Choice(ClaimCharity))
            for faction in g.dot_order()
            if g.allowed(Permit.CHARITY_CLAIM, faction, default=True)
        }
        return Ask.quiet(options, why="DUNE-3.1", window=WINDOW, default=Pass())

    @charity.answer
    def claimed(f, g: DuneState, answers: dict[int, Act]) -> Flow:
        for faction in g.dot_order():
            seat = g.seat_of(faction)
            if type(answers.get(seat)) is ClaimCharity:
                g.declare("DUNE-3.1", seat, "charity")
                g.gain(faction, CHARITY)
        return None

    @step("DUNE-3.2")
    def hands(f, g: DuneState) -> Flow:
        order = g.dot_order()
        g.announce(HandsCounted(order, tuple(len(g.hand(faction)) for faction in order)))
        return None

    @step("DUNE-3.5", "DUNE-3.6")
    def deal(f, g: DuneState) -> Flow:
        for faction in g.dot_order():
            if has_room(g, faction):
                g.draw_treachery(ROW)
        return None

    @step("DUNE-3.6", "DUNE-3.7", "DUNE-3.15", "DUNE-3.16", "DUNE-3.17")
    def next_card(f, g: DuneState) -> Flow:
        order = (*g.after(f.opener), f.opener) if f.opener else g.dot_order()
        able = [faction for faction in order if has_room(g, faction)]
        if not g.table.get(ROW) or not able:
            return goto("close")
        f.opener = able[0]
        f.cards += 1
        return Call(CardAuction(order=(f.opener, *g.after(f.opener)), number=f.cards), "next_card")

    @step("DUNE-3.18")
    def close(f, g: DuneState) -> Flow:
        return_row(g)
        return g.at(Timing.BIDDING_ENDS)


@rule("DUNE-3.18", "DUNE-R.40")
def return_row(g: DuneState) -> None:
    """Unsold cards go back on the deck in the order in which they were dealt: the right-most first."""
    while row := g.table.get(ROW):
        g.take(ROW, "treachery_deck", len(row) - 1)


class CardAuction(Owing):
    """The sale of one card. ``order`` is the way round the table, the first bidder first.

    ``passes`` counts who has passed since the latest bid, players with a full hand included; the card is sold when that
    is everybody else. ``backed``: everybody knows that the leader has the spice for its bid. ``vows`` are the promises
    that bids in this sale have kept: (faction, amount beyond which it bade).
    """

    order: tuple[str, ...]
    number: int
    at: int = 0
    high: int = 0
    leader: str = ""
    passes: int = 0
    backed: bool = False
    vows: tuple[tuple[str, int], ...] = ()

    def owes(f, faction: str) -> int:
        return f.high if f.leader == faction and f.pc != "over" else 0

    def vowed(f, faction: str) -> int:
        return max((amount for by, amount in f.vows if by == faction), default=-1) if f.owes(faction) else -1

    def to_beat(f) -> int:
        return f.high if f.pc == "bid" else 0

    def covered(f) -> bool:
        # Who could hold a Karama may mean to pay with it, up to the moment at which spice is to be paid.
        return f.backed or f.pc == "charge"

    @step("DUNE-3.6")
    def shown(f, g: DuneState) -> Flow:
        return g.at(Timing.CARD_UP_FOR_BID, f.number)

    @step("DUNE-3.8", "DUNE-3.9", "DUNE-3.11", "DUNE-K.2")
    def bid(f, g: DuneState) -> Flow:
        if CALLED in g.table:
            return goto("infinity")
        faction = f.order[f.at]
        limits = bidding_limits(g, faction, f.high)
        pledge = bid_pledge(g, faction)
        if pledge is not None and pledge.valid is limits.may_pass:
            return goto("weigh")
        return _bid_ask(g.seat_of(faction), limits)

    @bid.answer
    def heard(f, g: DuneState, seat: int, act: Act) -> Flow:
        faction = f.order[f.at]
        if isinstance(act, Bid):
            f.leads(g, faction, act.amount)
        elif isinstance(act, BidInfinity):
            f.leads(g, faction, INFINITY)
            return goto("sold")
        else:
            f.passes += 1
        return f.go_round(g)

    @step("DUNE-K.2")
    def infinity(f, g: DuneState) -> Flow:
        f.leads(g, g.table[CALLED], INFINITY)
        g.set_mark(CALLED, None)
        return None

    @step("DUNE-3.10", "DUNE-3.14")
    def sold(f, g: DuneState) -> Flow:
        g.announce(CardSold(f.leader, None if f.high == INFINITY else f.high))
        return None

    @step("DUNE-3.14", "DUNE-3.19", "DUNE-3.23", "DUNE-K.1")
    def payment(f, g: DuneState) -> Flow:
        # Who might hold a Karama, as far as anybody knows, always chooses.
        if not could_hold_karama(g, f.leader):
            return goto("spice")
        # Spice is offered to a buyer who can pay in no way, too: that the question is put must not tell that one can.
        ways = payments(g, f.leader, f.high) or [Choice(PayWithSpice)]
        return Ask.one(g.seat_of(f.leader), *ways, why="DUNE-3.14", default=PayWithSpice())

    @payment.answer
    def chosen(f, g: DuneState, seat: int, act: Act) -> Flow:
        if isinstance(act, PlayCard):
            return Call(UseKarama(f.leader, act.card, "card"), "karama")
        return goto("spice")

    @step("DUNE-K.1", "DUNE-BG.3", "DUNE-R.12")
    def karama(f, g: DuneState) -> Flow:
        if not karama_stands(g):
            return goto("afresh")
        g.announce(CardPaid(f.leader, "karama"))
        return goto("taken")

    @step("DUNE-3.14")
    def spice(f, g: DuneState) -> Flow:
        return goto("shortfall") if g.spice(f.leader) < f.high else g.at(Timing.CARD_PAYMENT, f.leader)

    @step("DUNE-3.14", "DUNE-3.23")
    def charge(f, g: DuneState) -> Flow:
        g.pay(f.leader, g.query(Query.AUCTION_PAYEE, BANK, f.leader), f.high)
        g.announce(CardPaid(f.leader, "spice"))
        return None

    @step("DUNE-3.14")
    def taken(f, g: DuneState) -> Flow:
        g.take(ROW, HAND[f.leader], 0)
        return g.at(Timing.CARD_BOUGHT, f.leader)

    @step("DUNE-R.17", "DUNE-R.19")
    def over(f, g: DuneState) -> Flow:
        lapse(g, CARD)
        g.set_mark(ROBBED, None)
        return END

    # --- what happens otherwise

    @step("DUNE-T.20", "DUNE-T.21")
    def weigh(f, g: DuneState) -> Flow:
        faction = f.order[f.at]
        pledge = bid_pledge(g, faction)
        if pledge is not None:
            judge(g, pledge, not bidding_limits(g, faction, f.high).may_pass)
        return goto("bid")

    @step("DUNE-3.18")
    def unsold(f, g: DuneState) -> Flow:
        g.announce(CardsUnsold(len(g.table[ROW])))
        return_row(g)
        return goto("over")

    @step("DUNE-3.19", "DUNE-3.20")
    def shortfall(f, g: DuneState) -> Flow:
        if f.leader in g.table.get(ROBBED, ()):
            g.declare("DUNE-3.20", g.seat_of(f.leader), "cannot pay")
            return goto("afresh")
        most = g.spice(f.leader)
        g.declare("DUNE-3.19", g.seat_of(f.leader), "can pay", most)
        if not most:
            return goto("afresh")
        f.high = most
        f.backed = True
        f.passes = 0
        f.at = f.order.index(f.leader)
        return f.go_round(g)

    @step("DUNE-3.20")
    def afresh(f, g: DuneState) -> Flow:
        f.leader = ""
        f.high = f.passes = f.at = 0
        g.announce(AuctionRestarted())
        return f.offer(g)

    # --- going round

    @rule("DUNE-3.9", "DUNE-3.13")
    def leads(f, g: DuneState, faction: str, amount: int) -> None:
        """A bid is made: everybody else may go on, whoever passed before included."""
        f.leader = faction
        f.high = amount
        f.passes = 0
        f.backed = amount != INFINITY and not could_hold_karama(g, faction)
        pledge = bid_pledge(g, faction)
        if pledge is not None and amount > pledge.value:
            f.vows = (*f.vows, (faction, pledge.value))
            kept(g, faction, pledge.kind, pledge.value)

    @rule("DUNE-3.10", "DUNE-3.18")
    def go_round(f, g: DuneState) -> Flow:
        """On to the next bidder, or to the end of the sale if everybody (else) has passed in a row."""
        f.at = (f.at + 1) % len(f.order)
        return f.offer(g)

    @rule("DUNE-3.4")
    def offer(f, g: DuneState) -> Flow:
        """Let the next player with room in the hand bid."""
        others = len(f.order) - (1 if f.leader else 0)
        while f.passes < others:
            faction = f.order[f.at]
            if has_room(g, faction):
                return goto("bid")
            f.passes += 1
            f.at = (f.at + 1) % len(f.order)
        return goto("sold" if f.leader else "unsold")


# ------------------------------------------------------------------------------------------------------- limits of bids


class BidLimits(NamedTuple):
    """The bids open to a faction on its turn."""

    low: int
    top: int
    infinite: bool
    may_pass: bool


@rule("DUNE-3.11", "DUNE-K.1", "DUNE-R.37", "DUNE-R.38", "DUNE-R.39")
def bidding_limits(g: DuneState, faction: str, high: int) -> BidLimits:
    """Return what a faction may do on its turn. A Truthtrance answer that can be kept takes the pass away."""
    low = high + 1
    top = g.spice(faction)
    infinite = bool(karamas(g, faction))
    if infinite and top < HIGHEST_BID:
        top = HIGHEST_BID
    cap = bid_cap(g, faction)
    if cap is not None:
        top = min(top, cap)
        infinite = False
    pledge = bid_pledge(g, faction)
    if pledge is not None and (infinite or max(low, pledge.value + 1) <= top):
        return BidLimits(max(low, pledge.value + 1), top, infinite, may_pass=False)
    return BidLimits(low, top, infinite, may_pass=True)


@lru_cache(maxsize=4096)
def _bid_ask(seat: int, limits: BidLimits) -> Ask:
    """The question for a bid; the same few come up again and again."""
    choices = [PASSING] if limits.may_pass else []
    if limits.low <= limits.top:
        choices.append(Choice(Bid, amount=Range(limits.low, limits.top)))
    if limits.infinite:
        choices.append(Choice(BidInfinity))
    return Ask.one(seat, *choices, why="DUNE-3.9", default=Pass())


@rule("DUNE-3.11", "DUNE-3.8", "DUNE-3.9", "DUNE-R.39")
def explain_bid(g: DuneState, seat: int, act: Bid) -> tuple[str, str] | None:
    """Return the reason that a bid is refused, from what the bidder knows."""
    auction = auction_under_way(g)
    if auction is None or auction.pc != "bid":
        return None
    faction = g.side(seat)
    limits = bidding_limits(g, faction, auction.high)
    cap = bid_cap(g, faction)
    if act.amount < 1:
        return "DUNE-3.8", "the first bid is 1 spice at least"
    if act.amount <= auction.high:
        return "DUNE-3.9", f"a bid must be higher than {auction.high}"
    if cap is not None and act.amount > cap:
        told = any(
            promise.by == faction and (promise.kind, promise.value, promise.yes) == ("bid", cap, False)
            for promise in starmap(Promise, g.table.get(TRUTHS, ()))
        )
        return "DUNE-T.19" if told else "DUNE-R.19", f"a promise limits bids on this card to {cap}"
    if act.amount < limits.low:
        return "DUNE-T.19", f"a Truthtrance answer demands a bid of {limits.low} at least"
    return "DUNE-3.11", f"no more than {limits.top} can be bid"


@rule("DUNE-3.14", "DUNE-3.19", "DUNE-K.1", "DUNE-R.22")
def payments(g: DuneState, buyer: str, price: int) -> list[Choice]:
    """Return how a buyer can pay: the whole price in spice of its own, or a Karama. None: it has bid too much."""
    ways = [Choice(PayWithSpice)] if g.spice(buyer) >= price else []
    cards = karamas(g, buyer)
    if cards:
        ways.append(card_choice(*cards))
    return ways


# ----------------------------------------------------------------------------------------------- what others may ask


def auction_under_way(g: DuneState) -> CardAuction | None:
    """The sale in progress, if any."""
    return next((frame for frame in reversed(g.stack) if type(frame) is CardAuction), None)


EXPLANATIONS = {Bid: explain_bid}
FRAMES = (BiddingRound, CardAuction)
