"""Prescience cards: when one may be claimed, what that takes and gives, what becomes of those left unclaimed."""

from typing import Final

from landsraad_engine.arrakis.acts import Claim, Done, RemovePrescience
from landsraad_engine.arrakis.battle.casualties import Casualties, under_way
from landsraad_engine.arrakis.battle.rounds import InBattle
from landsraad_engine.arrakis.hooks import Permit, Timing
from landsraad_engine.arrakis.operations.conditions import CONDITIONS, holds
from landsraad_engine.arrakis.operations.deeds import DEEDS
from landsraad_engine.arrakis.operations.effects import effect
from landsraad_engine.arrakis.operations.vocabulary import Requirement, SpendActionDieRow
from landsraad_engine.arrakis.partners import Turn
from landsraad_engine.arrakis.sides import ATREIDES
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Subset
from landsraad_engine.kernel.plays import Play

ACTION_RESOLUTION: Final = "action_resolution"
END_OF_ROUND: Final = "end_of_round"

# ---- What may be claimed ----


@rule("WFA-Q.4", "WFA-Q.5", "WFA-Q.6", "WFA-Q.25")
def claimable(g: ArrakisState, seat: int, phase: str, *, with_die: bool = False) -> tuple[str, ...]:
    """The revealed cards that a seat may claim now: those that ask for an action die, or those that do not."""
    row: tuple[str, ...] = g.table.get("prescience_row", ())
    if not row or len(g.table.get("claims", ())) >= g.content.limits.prescience_claims_per_round:
        return ()
    return tuple([card for card in row if _may_claim(g, seat, card, phase, with_die)])


def _may_claim(g: ArrakisState, seat: int, card: str, phase: str, with_die: bool) -> bool:
    facts = g.content.prescience_card[card]
    if any(isinstance(demand, SpendActionDieRow) for demand in facts.requires) is not with_die:
        return False
    if not g.allowed(Permit.CLAIM, card, phase, default=facts.phase == phase):
        return False
    return all(is_met(demand, g, seat) for demand in facts.requires)


@rule("WFA-Q.9", "WFA-Q.10", "WFA-Q.12", "WFA-Q.27")
def is_met(demand: Requirement, g: ArrakisState, seat: int) -> bool:
    """Return whether a condition holds, or a deed can be done: not while a battle says what becomes of figures."""
    if type(demand) in CONDITIONS:
        return holds(demand, g)
    at_stake = any(isinstance(frame, InBattle | Casualties) for frame in g.stack)
    return not at_stake and DEEDS[type(demand)].possible(demand, g, seat)


@rule("WFA-Q.8")
def claims_with_die(g: ArrakisState, seat: int) -> tuple[str, ...]:
    """Revealed cards that this seat could claim by spending a die as its turn."""
    return claimable(g, seat, ACTION_RESOLUTION, with_die=True) if g.side(seat) == ATREIDES else ()


# ---- When ----


@rule("WFA-Q.5", "WFA-Q.11", "WFA-H.57")
def claims_now(g: ArrakisState, seat: int) -> tuple[Choice, ...]:
    """Claims out of turn, as soon as a card's demands are met: in either side's turn."""
    if g.side(seat) != ATREIDES or under_way(g):
        return ()
    phase = ACTION_RESOLUTION if any(isinstance(frame, Turn) for frame in g.stack) else ""
    cards = claimable(g, seat, phase)
    return (Choice(Claim, card=OneOf(cards), why="WFA-Q.5"),) if cards else ()


class ClaimMoment(Frame):
    """The canonical moment to claim cards of a phase: at the end of each turn, and as the end of the round begins."""

    phase: str

    @step("WFA-Q.5", "WFA-Q.6", "WFA-Q.11", "WFA-Q.25", "WFA-G.59")
    def offer(f, g: ArrakisState) -> Flow:
        offers = {seat: claimable(g, seat, f.phase) for seat in g.seats_of(ATREIDES)}
        options = {seat: (Choice(Claim, card=OneOf(cards)), Choice(Done)) for seat, cards in offers.items() if cards}
        return Ask.any_with(options, why="WFA-Q.11", default=Done()) if options else END

    @offer.answer
    def answered(f, g: ArrakisState, seat: int, act: Claim | Done) -> Flow:
        return Call(ClaimCard(seat=seat, card=act.card), "offer") if isinstance(act, Claim) else END


# ---- Claiming ----


class ClaimCard(Frame):
    """A prescience card is claimed; a die that it asks for has been spent as the turn's action."""

    seat: int
    card: str
    paid: int = 0
    given: int = 0

    @step("WFA-Q.4", "WFA-Q.13")
    def claim(f, g: ArrakisState) -> Flow:
        g.move("prescience_row", "prescience_claimed", f.card)
        g.set_mark("claims", (*g.table.get("claims", ()), f.card))
        return None

    @step("WFA-Q.9")
    def pay(f, g: ArrakisState) -> Flow:
        demands = g.content.prescience_card[f.card].requires
        if f.paid == len(demands):
            return goto("gain")
        demand = demands[f.paid]
        f.paid += 1
        deed = DEEDS.get(type(demand))
        frame = deed.done(demand, g, f.seat) if deed else None
        return Call(frame, "pay") if frame else goto("pay")

    @step("WFA-Q.1")
    def gain(f, g: ArrakisState) -> Flow:
        rewards = g.content.prescience_card[f.card].rewards
        if f.given == len(rewards):
            return goto("claimed")
        reward = rewards[f.given]
        f.given += 1
        frame = effect(reward, g, f.seat)
        return Call(frame, "gain") if frame else goto("gain")

    @step("WFA-Q.1")
    def claimed(f, g: ArrakisState) -> Flow:
        return g.at(Timing.PRESCIENCE_CLAIMED, f.seat, f.card)


# ---- The end of the round ----


class UnclaimedCards(Frame):
    """The Atreides say which revealed and unclaimed cards leave the game; the others are shuffled back."""

    @step("WFA-R.13")
    def sweep(f, g: ArrakisState) -> Flow:
        return g.at(Timing.PRESCIENCE_SWEPT)

    @step("WFA-R.13")
    def choose(f, g: ArrakisState) -> Flow:
        cards = tuple(sorted(_leaving(g)))
        if not cards:
            return None
        choice = Choice(RemovePrescience, cards=Subset(cards, 0, len(cards)))
        return Ask.any_of(g.seats_of(ATREIDES), choice, why="WFA-R.13", default=RemovePrescience(()))

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: RemovePrescience) -> Flow:
        for card in act.cards:
            g.move("prescience_row", "prescience_out", card)
        return None

    @step("WFA-R.13", "WFA-Q.4")
    def reshuffle(f, g: ArrakisState) -> Flow:
        for card in _leaving(g):
            g.move("prescience_row", "prescience_deck", card)
        g.shuffle("prescience_deck")
        g.set_mark("claims", None)
        return None


def _leaving(g: ArrakisState) -> tuple[str, ...]:
    """The revealed cards that do not stay on show."""
    row: tuple[str, ...] = g.table.get("prescience_row", ())
    return tuple(card for card in row if not g.allowed(Permit.UNCLAIMED_STAYS, card))


PLAYS: Final = (Play(Claim, claims_now, lambda seat, act: ClaimCard(seat=seat, card=act.card)),)

FRAMES = (ClaimMoment, ClaimCard, UnclaimedCards)
