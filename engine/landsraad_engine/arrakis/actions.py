"""Phase 2, Action Resolution: the sides take turns, one action each."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from landsraad_engine.arrakis import chronicle
from landsraad_engine.arrakis.acts import ClaimForDie, PlayCard, TakeAction, TakeDesertPower, UseSpecial
from landsraad_engine.arrakis.battle.attack import AttackWith
from landsraad_engine.arrakis.cards.play import PlayPlanningCard, playable
from landsraad_engine.arrakis.content import Content
from landsraad_engine.arrakis.desert_power import DesertPower
from landsraad_engine.arrakis.dice import RollDice
from landsraad_engine.arrakis.free_actions import FreeActionPoint, Turn
from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.leaders.special import SpecialAction
from landsraad_engine.arrakis.movement import MoveLegions
from landsraad_engine.arrakis.muster import DeployTokenAndLeader, DeployUnits, DrawPlanningCards, HouseVehicles, Upgrade
from landsraad_engine.arrakis.prescience import ClaimCard, ClaimMoment, claims_with_die
from landsraad_engine.arrakis.regeneration import advance_tank, release
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, RESULTS
from landsraad_engine.arrakis.words import ArrakisState, cast
from landsraad_engine.arrakis.zones import CARD, SPENT
from landsraad_engine.asks import Ask
from landsraad_engine.frames import Flow, Frame, goto, rule, step
from landsraad_engine.grammar import Choice, OneOf


class Action(NamedTuple):
    """An action of a die result: whose it is, and the frame that carries it out for a seat."""

    result: str
    sides: tuple[str, ...]
    frame: Callable[..., Frame]
    fields: Mapping[str, bool] = {}


_BOTH: Final = (ATREIDES, HARKONNEN)

#: Every basic action. Of several under one result a player chooses one.
ACTIONS: Final[Mapping[str, Action]] = {
    "move": Action("strategy", _BOTH, MoveLegions),  # WFA-A.14
    "attack": Action("strategy", _BOTH, AttackWith),
    "lead": Action("leadership", _BOTH, MoveLegions, {"led": True}),  # WFA-A.15
    "surprise": Action("leadership", _BOTH, AttackWith, {"led": True, "surprise": True}),
    "deploy_token": Action("deployment", (ATREIDES,), DeployTokenAndLeader),
    "deploy": Action("deployment", (HARKONNEN,), DeployUnits),
    "mentat": Action("mentat", _BOTH, DrawPlanningCards),
    "upgrade": Action("house", (HARKONNEN,), Upgrade),
    "vehicles": Action("house", (HARKONNEN,), HouseVehicles),
}


@rule("WFA-A.14", "WFA-A.15")
def start(action: str, seat: int) -> Frame:
    """The frame that carries a basic action out."""
    chosen = ACTIONS[action]
    return chosen.frame(seat=seat, **chosen.fields)


@cache
@rule("WFA-A.5", "WFA-A.20")
def actions_for(side: str, die: str) -> Choice:
    """What a die may be spent for; House counts as any other result for the Atreides."""
    results = _results(side, die)
    names = tuple(name for name, each in ACTIONS.items() if each.result in results and side in each.sides)
    return Choice(TakeAction, die=OneOf((die,)), action=OneOf(names))


def _results(side: str, die: str) -> tuple[str, ...]:
    return RESULTS if side == ATREIDES and die == "house" else (die,)


@cache
def _with_special(content: Content, side: str, die: str, powers: tuple[str, ...]) -> tuple[str, ...]:
    """The leaders of these powers whose cards lie on the boxes that a die reaches."""
    mine = [content.leader[leader] for leader, _ in cast(content)[side]]
    return tuple(each.id for each in mine if each.box in _results(side, die) and each.side in powers)


@rule("WFA-A.30", "WFA-A.20")
def leaders_for(g: ArrakisState, seat: int, die: str) -> tuple[str, ...]:
    """The leaders whose special action a die can be spent for."""
    leaders = _with_special(g.content, g.side(seat), die, g.powers(seat))
    return tuple([leader for leader in leaders if g.has_special(leader)])


#: The sides in the order of their action turns.
ORDER: Final = (ATREIDES, HARKONNEN)


class ActionResolution(Frame):
    """Phase 2 of the round."""

    #: how many turns there have been before this one
    turn: int = -1

    @step("WFA-D.1")
    def roll(f, g: ArrakisState) -> Flow:
        return RollDice()

    @step("WFA-A.1", "WFA-A.7")
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

    #: the acting player, once chosen
    seat: int = -1
    #: what is spent, and for what: an action's, a card's or a leader's name
    die: str = ""
    action: str = ""
    card: str = ""
    leader: str = ""

    @step("WFA-T.10")
    def begin(f, g: ArrakisState) -> Flow:
        release(g)
        chronicle.new_turn(g)
        return g.at(Timing.TURN_BEGINS, f.side)

    @step("WFA-A.2", "WFA-A.3", "WFA-A.4", "WFA-A.10", "WFA-A.11", "WFA-A.30", "WFA-Q.8")
    def choose(f, g: ArrakisState) -> Flow:
        open_ = {seat: tuple(turn_choices(g, seat)) for seat in g.seats_of(f.side)}
        return Ask("any", {seat: choices for seat, choices in open_.items() if choices}, why="WFA-A.1", default=None)

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: TakeAction | UseSpecial | PlayCard | TakeDesertPower) -> Flow:
        f.seat = seat
        match act:
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

    @step("WFA-A.6", "WFA-D.10", "WFA-D.11")
    def spend(f, g: ArrakisState) -> Flow:
        g.use_die(g.dashboard(f.seat), f.die)

    @step("WFA-T.5", "WFA-T.6", "WFA-T.8")
    def tank_at_once(f, g: ArrakisState) -> Flow:
        advance_tank(g, g.dashboard(f.seat))

    @step("WFA-A.2", "WFA-A.3", "WFA-A.12")
    def carry_out(f, g: ArrakisState) -> Flow:
        if f.action:
            return start(f.action, f.seat)
        if f.leader:
            return SpecialAction(seat=f.seat, leader=f.leader, die=f.die)
        if f.card in g.content.prescience_card:
            return ClaimCard(seat=f.seat, card=f.card)
        return PlayPlanningCard(seat=f.seat, card=f.card) if f.card else DesertPower(seat=f.seat)

    @step("WFA-A.31")
    def spend_leader(f, g: ArrakisState) -> Flow:
        if f.leader and CARD[f.leader] in g.table:
            g.set_mark(CARD[f.leader], SPENT)

    @step("WFA-T.7", "WFA-T.9")
    def tank_at_the_end(f, g: ArrakisState) -> Flow:
        """Where the edition has the tank move now."""

    @step("WFA-F.1", "WFA-F.3")
    def free_actions(f, g: ArrakisState) -> Flow:
        return FreeActionPoint(seats=g.seats_of(f.side))

    @step("WFA-Q.5")
    def claims(f, g: ArrakisState) -> Flow:
        return ClaimMoment(phase="action_resolution")

    @step()
    def end(f, g: ArrakisState) -> Flow:
        return g.at(Timing.TURN_ENDS, f.side)


def turn_choices(g: ArrakisState, seat: int) -> Iterator[Choice]:
    """What a seat may do with its turn."""
    side = g.side(seat)
    dice = g.dice(g.dashboard(seat))
    cards = playable(g, seat)
    for die in dice:
        yield actions_for(side, die)
        if leaders := leaders_for(g, seat, die):
            yield Choice(UseSpecial, die=OneOf((die,)), leader=OneOf(leaders))
    if dice and cards:
        yield Choice(PlayCard, die=OneOf(tuple(dice)), card=OneOf(cards))
    if dice and (claims := claims_with_die(g, seat)):
        yield Choice(ClaimForDie, die=OneOf(tuple(dice)), card=OneOf(claims))
    if side == ATREIDES and g.unused(ATREIDES) < g.unused(HARKONNEN):
        yield Choice(TakeDesertPower)


FRAMES = (ActionResolution, ActionTurn)
