"""Phase 2, Action Resolution: the sides take turns, one action each."""

from collections.abc import Iterator
from typing import Final

from landsraad_engine.arrakis import chronicle
from landsraad_engine.arrakis.acts import ClaimForDie, HandOver, PlayCard, TakeAction, TakeDesertPower, UseSpecial
from landsraad_engine.arrakis.basic_actions import actions_for, start
from landsraad_engine.arrakis.cards.play import PlayPlanningCard, playable
from landsraad_engine.arrakis.desert_power import DesertPower
from landsraad_engine.arrakis.dice import RollDice
from landsraad_engine.arrakis.free_actions import FreeActionPoint
from landsraad_engine.arrakis.hooks import Query, Timing
from landsraad_engine.arrakis.leaders.special import SpecialAction, UsedByPartner, leaders_for
from landsraad_engine.arrakis.partners import Turn, handed_over, partner
from landsraad_engine.arrakis.prescience import ACTION_RESOLUTION, ClaimCard, ClaimMoment, claims_with_die
from landsraad_engine.arrakis.regeneration import advance_tank, release
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.teams import close_cones
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf

#: The action of a turn whose die is used by the partner.
HAND_OVER: Final = "hand_over"
#: The sides in the order of their action turns.
ORDER: Final = (ATREIDES, HARKONNEN)


class ActionResolution(Frame):
    """Phase 2 of the round."""

    #: how many turns there have been before this one
    turn: int = -1

    @step("WFA-D.1")
    def roll(f, g: ArrakisState) -> Flow:
        return RollDice()

    @step("WFA-A.1", "WFA-A.7", "WFA-G.37", "WFA-G.86")
    def next_turn(f, g: ArrakisState) -> Flow:
        """The sides alternate; the phase ends with the action of the last Harkonnen die."""
        if not g.unused(HARKONNEN):
            return goto("over")
        f.turn += 1
        return ActionTurn(side=ORDER[f.turn % 2])

    @step()
    def again(f, g: ArrakisState) -> Flow:
        return goto("next_turn")

    @step("WFA-A.7", "WFA-D.12")
    def over(f, g: ArrakisState) -> Flow:
        """Dice still unused are lost."""


class ActionTurn(Turn):
    """One action of one side, with the free actions around it. Of partners, whoever answers first is acting."""

    #: what is spent, and for what: an action's, a card's or a leader's name
    die: str = ""
    action: str = ""
    card: str = ""
    leader: str = ""

    @step("WFA-T.10")
    def begin(f, g: ArrakisState) -> Flow:
        close_cones(g)
        release(g)
        chronicle.new_turn(g)
        return g.at(Timing.TURN_BEGINS, f.side)

    @step("WFA-A.2", "WFA-A.3", "WFA-A.4", "WFA-A.10", "WFA-A.11", "WFA-A.30", "WFA-Q.8", "WFA-G.38", "WFA-G.54")
    def choose(f, g: ArrakisState) -> Flow:
        open_ = {seat: tuple(turn_choices(g, seat)) for seat in g.seats_of(f.side)}
        return Ask.any_with({seat: choices for seat, choices in open_.items() if choices}, why="WFA-A.1")

    @choose.answer
    def chosen(
        f, g: ArrakisState, seat: int, act: TakeAction | UseSpecial | PlayCard | TakeDesertPower | HandOver
    ) -> Flow:
        f.seat = seat
        match act:
            case HandOver():
                f.die, f.action, f.leader = act.die, HAND_OVER, act.result
            case TakeAction():
                f.die, f.action = act.die, act.action
            case UseSpecial():
                f.die, f.leader = act.die, act.leader
            case PlayCard():
                f.die, f.card = act.die, act.card
            case TakeDesertPower():
                return goto("carry_out")  # no die is spent, so the tank stays as it is
            case ClaimForDie():
                f.die, f.card = act.die, act.card
        return None

    @step("WFA-A.6", "WFA-D.10", "WFA-D.11", "WFA-G.85")
    def spend(f, g: ArrakisState) -> Flow:
        g.use_die(g.dashboard(f.seat), f.die)
        return None

    @step("WFA-T.5", "WFA-T.6", "WFA-T.8", "WFA-G.44")
    def tank_at_once(f, g: ArrakisState) -> Flow:
        advance_tank(g, f.side)
        return None

    @step("WFA-A.2", "WFA-A.3", "WFA-A.12")
    def carry_out(f, g: ArrakisState) -> Flow:
        if f.action == HAND_OVER:
            f.seat = partner(g, f.seat)
            return UsedByPartner(seat=f.seat, result=f.leader)
        if f.action:
            return start(f.action, f.seat)
        if f.leader:
            return SpecialAction(seat=f.seat, leader=f.leader)
        if f.card in g.content.prescience_card:
            return ClaimCard(seat=f.seat, card=f.card)
        return PlayPlanningCard(seat=f.seat, card=f.card) if f.card else DesertPower(seat=f.seat)

    @step("WFA-T.7", "WFA-T.9")
    def tank_at_the_end(f, g: ArrakisState) -> Flow:
        """The tank moves now in the editions that say so."""

    @step("WFA-F.1", "WFA-F.3", "WFA-G.55")
    def free_actions(f, g: ArrakisState) -> Flow:
        return FreeActionPoint(seats=g.seats_of(f.side))

    @step("WFA-Q.5")
    def claims(f, g: ArrakisState) -> Flow:
        return ClaimMoment(phase=ACTION_RESOLUTION)

    @step()
    def end(f, g: ArrakisState) -> Flow:
        close_cones(g)
        return g.at(Timing.TURN_ENDS, f.side)


@rule("WFA-G.41", "WFA-G.46")
def turn_choices(g: ArrakisState, seat: int) -> Iterator[Choice]:
    """Return what a seat may do with its turn."""
    side = g.side(seat)
    dice: tuple[str, ...] = g.query(Query.DICE_OPEN, tuple(g.dice(g.dashboard(seat))), seat)
    cards = playable(g, seat)
    for die in dice:
        passed_on = handed_over(g, seat) if die == "house" and side == ATREIDES and g.shared(side) else ()
        yield actions_for(side, die, passed_on)
        if passed_on:
            yield Choice(HandOver, die=OneOf((die,)), result=OneOf(passed_on))
        if leaders := leaders_for(g, seat, die):
            yield Choice(UseSpecial, die=OneOf((die,)), leader=OneOf(leaders))
    if dice and cards:
        yield Choice(PlayCard, die=OneOf(dice), card=OneOf(cards))
    if dice and (claims := claims_with_die(g, seat)):
        yield Choice(ClaimForDie, die=OneOf(dice), card=OneOf(claims))
    if side == ATREIDES and g.unused(ATREIDES) < g.unused(HARKONNEN):
        yield Choice(TakeDesertPower)


FRAMES = (ActionResolution, ActionTurn)
