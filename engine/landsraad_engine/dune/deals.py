"""Deals: typed, public and binding; bribes among them; and the gifts of those who may make any.

What is agreed in private is chat, and binds nobody. A deal has at most one clause of each kind for either side: pay
spice, ship or move nothing into a territory, limit one's bids on a card, answer an alliance. There is no clause for
cards, leaders, tokens or abilities, and no act that shows a card or spice.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from typing import Any, Final

from landsraad_engine.dune.acts import PASSING, AcceptDeal, GiveSpice, Pass, ProposeDeal, TakeSpice, WithdrawDeal
from landsraad_engine.dune.announcements import DealMade, SpiceGiven
from landsraad_engine.dune.bidding import auction_under_way
from landsraad_engine.dune.board import TERRITORIES
from landsraad_engine.dune.hooks import Permit, Timing
from landsraad_engine.dune.nexus import AllianceOffer
from landsraad_engine.dune.promises import (
    CARD,
    DEALS,
    NEXUS,
    OFFERS,
    Offer,
    Promise,
    add,
    bid_pledge,
    give_up,
    lapse,
    offers,
    replace,
)
from landsraad_engine.dune.spending import Owing, bid_to_beat, spare
from landsraad_engine.dune.whole_game import ROUNDS
from landsraad_engine.dune.words import BRIBES, SPICE, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, Clause, Domain, Literal, OneOf, Range, requires
from landsraad_engine.kernel.overrides import OverrideOrder, Source
from landsraad_engine.kernel.plays import Play

source = Source("deals")

NOW: Final = "now"
#: When a payment falls due: at once, or as the named round begins next.
MOMENTS: Final = (NOW, *(name for name, _ in ROUNDS))
MOST_SPICE: Final = 99
#: Open offers of one player at a time, so that the table can be overlooked.
MOST_OFFERS: Final = 3


@rule("DUNE-0.11", "DUNE-0.14", "DUNE-0.22", "DUNE-R.20")
def talks(g: DuneState, seat: int) -> tuple[int, ...]:
    """With whom a player may talk in private now: with everybody, at any time. What is said there binds nobody."""
    return tuple(other for other in range(g.setting.seats) if other != seat)


@rule("DUNE-0.11", "DUNE-2A.6")
def alliance_channels(g: DuneState) -> Sequence[tuple[int, ...]]:
    """Return the seats of each alliance of more than two; those of two have a channel as any pair has."""
    alliances = {frozenset((faction, *g.allies(faction))) for faction in g.factions()}
    return sorted(tuple(sorted(map(g.seat, members))) for members in alliances if len(members) > 2)


@rule("DUNE-R.124", "DUNE-T.19", "DUNE-3.12")
def disposable(g: DuneState, faction: str) -> int:
    """The spice that a faction may give away now: neither what it has to pay nor what a bid takes that it has promised.

    For a bid beyond the purse nothing is kept: only a Karama can make it, and that is kept for it.
    """
    free = spare(g, faction)
    pledge = bid_pledge(g, faction)
    if pledge is None:
        return free
    left = g.spice(faction) - max(int(pledge.value), bid_to_beat(g)) - 1
    return min(free, left) if left >= 0 else free


# ---------------------------------------------------------------------------------------------------------- proposing


@rule("DUNE-0.18", "DUNE-0.20", "DUNE-0.12", "DUNE-R.19", "DUNE-R.30")
def proposals(g: DuneState, faction: str) -> list[Choice]:
    """The deals that a faction can offer now."""
    if sum(proposer == faction for _, proposer, _, _ in offers(g)) >= MOST_OFFERS:
        return []
    others = g.after(faction)
    purse = tuple(range(disposable(g, faction) + 1))
    clauses = tuple(Literal(name, (_NOT_PART[name],), wanted=False) for name in _CLAUSES)
    return [
        Choice(
            ProposeDeal,
            Clause(clauses),
            # What is to be paid at once has to be there; what the partner owns is the partner's secret.
            Clause((Literal("i_pay_at", (NOW,), wanted=False), Literal("i_pay", purse)), why="DUNE-3.12"),
            *_well_formed("i"),
            *_well_formed("you"),
            why="DUNE-R.19",
            partner=OneOf(others),
            **dict(_side(g, "i", others)),
            **dict(_side(g, "you", others)),
        )
    ]


_CLAUSES: Final = tuple(
    f"{side}_{clause}" for side in ("i", "you") for clause in ("pay", "shun", "bid_at_most", "ally")
)
_NOT_PART: Final = {name: 0 if name.endswith("pay") else None for name in _CLAUSES}


def _side(g: DuneState, side: str, factions: tuple[str, ...]) -> Iterator[tuple[str, Domain]]:
    """The values of what one side may promise."""
    turns = range(g.turn, g.options["length"] + 1)
    bids = range(MOST_SPICE + 1) if auction_under_way(g) is not None else ()
    yield f"{side}_pay", Range(0, MOST_SPICE)
    yield f"{side}_pay_at", OneOf(MOMENTS)
    yield f"{side}_shun", OneOf((None, *TERRITORIES))
    yield f"{side}_shun_until", OneOf((0, *turns))
    yield f"{side}_bid_at_most", OneOf((None, *bids))
    yield f"{side}_ally", OneOf((None, *factions))
    yield f"{side}_accept", OneOf((False, True))


def _well_formed(side: str) -> Iterable[Clause]:
    """The other fields of a clause stand at their defaults without it."""
    yield requires(f"{side}_pay", (0,), f"{side}_pay_at", (NOW,))
    yield requires(f"{side}_shun", (None,), f"{side}_shun_until", (0,))
    yield requires(f"{side}_shun_until", (0,), f"{side}_shun", (None,))
    yield requires(f"{side}_ally", (None,), f"{side}_accept", (False,))


def clauses_of(proposer: str, act: ProposeDeal) -> Iterator[Promise]:
    """The promises that make up a deal."""
    for side, by, to in (("i", proposer, act.partner), ("you", act.partner, proposer)):

        def said(clause: str, side: str = side) -> Any:
            return getattr(act, f"{side}_{clause}")

        if said("pay"):
            yield Promise(by, to, "pay", said("pay"), True, said("pay_at"))
        if said("shun"):
            yield Promise(by, to, "enter", said("shun"), False, said("shun_until"))
        if said("bid_at_most") is not None:
            yield Promise(by, to, "bid", said("bid_at_most"), False, CARD)
        if said("ally"):
            yield Promise(by, to, "ally", said("ally"), said("accept"), NEXUS)


class Proposal(Frame):
    """A deal is offered aloud. It stays open until it is accepted, taken back, or its occasion is past."""

    faction: str
    partner: str
    clauses: tuple[tuple[Any, ...], ...]

    @step("DUNE-0.18", "DUNE-0.25")
    def propose(f, g: DuneState) -> Flow:
        number = g.table.get("offer_number", 0) + 1
        g.set_mark("offer_number", number)
        g.set_mark(OFFERS, (*g.table.get(OFFERS, ()), (number, f.faction, f.partner, f.clauses)))
        return None


def propose(faction: str, act: ProposeDeal) -> Proposal:
    rows = tuple(tuple(promise) for promise in clauses_of(faction, act))
    return Proposal(faction=faction, partner=act.partner, clauses=rows)


# ------------------------------------------------------------------------------------------- accepting and withdrawing


@rule("DUNE-0.26", "DUNE-R.19")
def acceptances(g: DuneState, faction: str) -> list[Choice]:
    """The offers that a faction can accept: those of which it can pay at once what is to be paid at once."""
    numbers = []
    for number, _, partner, rows in offers(g):
        if partner == faction:
            due = sum(p.value for p in starmap(Promise, rows) if _due(p, NOW) and p.by == faction)
            if due <= disposable(g, faction):
                numbers.append(number)
    return [Choice(AcceptDeal, offer=OneOf(tuple(numbers)), why="DUNE-R.19")] if numbers else []


def withdrawals(g: DuneState, faction: str) -> list[Choice]:
    """The offers that a faction can take back or decline."""
    numbers = tuple(number for number, by, to, _ in offers(g) if faction in (by, to))
    return [Choice(WithdrawDeal, offer=OneOf(numbers), why="DUNE-R.19")] if numbers else []


class Agreement(Frame):
    """An offer is accepted aloud: from now on it binds."""

    offer: int

    @step("DUNE-0.21", "DUNE-R.19")
    def agree(f, g: DuneState) -> Flow:
        _, by, to, rows = _take_off(g, f.offer)
        g.announce(DealMade(by, to, rows))
        promised = tuple(starmap(Promise, rows))
        for promise in promised:
            add(g, DEALS, promise)
        if _about_the_alliance(g, promised):
            g.reopen()  # if only a consent that the deal forbids went back, that would tell what it was
        settle(g, NOW)
        return None


class Withdrawal(Frame):
    """An offer is taken back, or declined."""

    offer: int

    @step("DUNE-0.26")
    def withdraw(f, g: DuneState) -> Flow:
        _take_off(g, f.offer)
        return None


def _take_off(g: DuneState, number: int) -> Offer:
    open_ = offers(g)
    at = [each for each, _, _, _ in open_].index(number)
    g.set_mark(OFFERS, (*open_[:at], *open_[at + 1 :]) or None)
    return open_[at]


@rule("DUNE-R.120")
def _about_the_alliance(g: DuneState, promised: Iterable[Promise]) -> bool:
    """Return whether a deal may settle an answer to the alliance that is just being offered."""
    asked = next((frame.partners for frame in reversed(g.stack) if isinstance(frame, AllianceOffer)), ())
    return any(promise.kind == "ally" and promise.by in asked for promise in promised)


def accept(faction: str, act: AcceptDeal) -> Agreement:
    return Agreement(offer=act.offer)


def withdraw(faction: str, act: WithdrawDeal) -> Withdrawal:
    return Withdrawal(offer=act.offer)


# ------------------------------------------------------------------------------------------------------------- bribes


def _due(promise: Promise, moment: str) -> bool:
    return promise.kind == "pay" and promise.scope in (NOW, moment)


@rule("DUNE-0.19", "DUNE-0.21", "DUNE-0.23", "DUNE-0.24", "DUNE-3.24", "DUNE-R.21")
def settle(g: DuneState, moment: str) -> None:
    """Pay what has fallen due, in front of the receiver's screen. What cannot be paid stays owed."""
    for promise in starmap(Promise, g.table.get(DEALS, ())):
        if _due(promise, moment):
            paid = min(promise.value, disposable(g, promise.by))
            owed = promise.value - paid
            if owed:  # said before anything is paid: it is by this rule that all see what the purse holds
                g.declare("DUNE-0.21", g.seat_of(promise.by), "cannot pay in full", owed)
            g.transfer(SPICE[promise.by], BRIBES[promise.to], paid)
            replace(g, promise, promise._replace(value=owed, scope=NOW) if owed else None)


@source.at(Timing.ROUND_BEGINS, OverrideOrder.FIRST)
def at_round(g: DuneState, name: str) -> None:
    settle(g, name)


@source.at(Timing.TURN_ENDS)
def at_end_of_turn(g: DuneState) -> None:
    """Promises for this turn lapse, and offers that nobody has taken up."""
    give_up(g)
    lapse(g, g.turn)
    g.set_mark(OFFERS, None)


# -------------------------------------------------------------------------------------------------------------- gifts


@rule("DUNE-R.22", "DUNE-3.12")
def gifts(g: DuneState, faction: str) -> list[Choice]:
    """The spice that a faction can hand an ally now."""
    if not g.allowed(Permit.GIFT, faction):
        return []
    allies = g.allies(faction)
    purse = disposable(g, faction)
    if not allies or not purse:
        return []
    return [Choice(GiveSpice, ally=OneOf(allies), amount=Range(1, purse, why="DUNE-3.12"), why="DUNE-R.22")]


class Gift(Owing):
    """Spice is held out to an ally, who may refuse it."""

    faction: str
    ally: str
    amount: int

    def owes(f, faction: str) -> int:
        return f.amount if f.faction == faction else 0

    @step("DUNE-0.26")
    def offered(f, g: DuneState) -> Flow:
        seat = g.seat_of(f.ally)
        return Ask.one(seat, PASSING, Choice(TakeSpice), why="DUNE-0.26", default=Pass(), closed=True)

    @offered.answer
    def taken(f, g: DuneState, seat: int, act: Pass | TakeSpice) -> Flow:
        if isinstance(act, TakeSpice):
            g.announce(SpiceGiven(f.faction, f.ally, f.amount))
            g.pay(f.faction, f.ally, f.amount)
        return None


def give(faction: str, act: GiveSpice) -> Gift:
    return Gift(faction=faction, ally=act.ally, amount=act.amount)


PLAYS: Final = (
    Play(ProposeDeal, proposals, propose, "deals"),
    Play(AcceptDeal, acceptances, accept, "offers"),
    Play(WithdrawDeal, withdrawals, withdraw, "withdrawal"),
    Play(GiveSpice, gifts, give, "gifts"),
)

FRAMES = (Proposal, Agreement, Withdrawal, Gift)
