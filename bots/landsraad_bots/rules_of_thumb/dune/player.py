"""The rule-of-thumb player of classic Dune: a rule for each act type, in the order of the rulebook.

The docstrings of rules state the heuristic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.dune import abilities, battles, diplomacy, movement, spending
from landsraad_bots.rules_of_thumb.dune.cards import keeping
from landsraad_bots.rules_of_thumb.priorities import ByPriority, Proposal, Rule, Urgency, always, never
from landsraad_engine.dune import acts
from landsraad_engine.dune.board import territory_of
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.domains import Alloc
from landsraad_engine.kernel.grammar import Act, Choice

#: The home of the Fremen, where most of them begin.
_HOME: Final = "sietch_tabr"
#: Questions at which passing is weighed like any move.
_MOVING: Final = ("ShipmentPhase", "ManoeuvrePhase", "Sandriders")


def passing(view: DuneSeatView, act: acts.Pass) -> Urgency:
    """Weigh staying against moving; elsewhere pass if nothing is worth doing."""
    if view.frames and view.frames[-1]["frame"] in _MOVING:
        return movement.stay(view, act)
    return (0.0,)


def propose_losses(view: DuneSeatView, choice: Choice) -> Iterator[Act]:
    """Lose tokens that stand where no spice lies first."""
    allocations = []
    for field in ("tokens", "elites"):
        domain = choice.domain(field)
        assert isinstance(domain, Alloc)
        order = sorted(range(len(domain.slots)), key=lambda at: view.table.get(f"blow/{domain.slots[at]}", 0))
        filled = movement.fill([domain.caps[at] for at in order], domain.low)
        back = dict(zip(order, filled, strict=True))
        allocations.append(tuple(back[at] for at in range(len(order))))
    yield acts.LoseTokens(*allocations)


def propose_forces(view: DuneSeatView, choice: Choice) -> Iterator[Act]:
    """Begin with all tokens at home."""
    allocations = []
    for field in ("tokens", "elites"):
        domain = choice.domain(field)
        assert isinstance(domain, Alloc)
        allocations.append(
            tuple(
                domain.low * int(slot == next(each for each in domain.slots if territory_of[each] == _HOME))
                for slot in domain.slots
            )
        )
    yield acts.PlaceForces(*allocations)


def keep_cards(view: DuneSeatView, act: acts.KeepCards) -> Urgency:
    """Keep what is good for something; worthless cards only fill the hand."""
    me = side_of(view)
    return (sum(keeping(card, view.hand(me), me) - 0.5 for card in act.cards),)


def give_back(view: DuneSeatView, act: acts.GiveBack) -> Urgency:
    me = side_of(view)
    return (-sum(keeping(card, view.hand(me), me) for card in act.cards),)


RULES: Final[Mapping[type[Act], Rule]] = {
    acts.Pass: passing,
    acts.PlayCard: abilities.play_card,
    acts.Consent: diplomacy.consent,
    acts.TakeFaction: always(0.0),
    acts.WishFaction: never,
    acts.Predict: diplomacy.predict,
    acts.PlaceForces: lambda view, act: (float(sum(act.elites)),),
    acts.PlaceToken: abilities.place_token,
    acts.HandBackTraitors: always(1.0),
    acts.KeepTraitor: diplomacy.keep_traitor,
    acts.DialStorm: always(0.0),
    acts.LoseTokens: lambda view, act: (1.0, -float(sum(act.elites))),
    acts.PlaceWorm: abilities.place_worm,
    acts.RideWorm: movement.ride,
    acts.BreakAlliance: diplomacy.leave,
    acts.ProposeAlliance: diplomacy.propose,
    acts.TakeTurn: never,
    acts.Ship: movement.ship,
    acts.ShipNative: movement.ship,
    acts.ShipPrivileged: movement.ship,
    acts.ShipAcross: movement.ship_across,
    acts.Manoeuvre: movement.manoeuvre,
    acts.SendAdvisor: abilities.send_advisor,
    acts.Coexist: abilities.coexist,
    acts.NamePrimary: lambda view, act: (float(act.faction == view.side),),
    acts.ChooseBattle: abilities.choose_battle,
    acts.OfferLeaderless: never,
    acts.SpeakVoice: abilities.speak_voice,
    acts.AskPrescience: abilities.ask_prescience,
    acts.AnswerPrescience: abilities.answer_prescience,
    acts.BattleKarama: abilities.battle_karama,
    acts.BattlePlan: always(1.0),
    acts.CallTraitor: always(1.0),
    acts.KeepCards: keep_cards,
    acts.CaptureLeader: always(1.0),
    acts.KillCaptive: abilities.kill_captive,
    acts.Collect: abilities.keep_most,
    acts.ClaimCharity: always(1.0),
    acts.Bid: spending.bid,
    acts.BidInfinity: never,
    acts.PayWithSpice: always(1.0),
    acts.Revive: spending.revive,
    acts.PlayGhola: spending.play_revival,
    acts.PlayCombatMedics: spending.play_revival,
    acts.GiveBack: give_back,
    acts.TakeSpice: always(1.0),
    acts.ProposeDeal: never,
    acts.AcceptDeal: never,
    acts.WithdrawDeal: never,
    acts.GiveSpice: never,
    acts.PlayTruthtrance: never,
    acts.AnswerTruth: always(0.0),
    acts.PlayOpportunistic: never,
}

PROPOSALS: Final[Mapping[type[Act], Proposal]] = {
    acts.PlaceForces: propose_forces,
    acts.LoseTokens: propose_losses,
    acts.RideWorm: movement.propose_rides,
    acts.Ship: movement.propose_shipments,
    acts.ShipNative: movement.propose_shipments,
    acts.ShipPrivileged: movement.propose_shipments,
    acts.ShipAcross: movement.propose_crossings,
    acts.Manoeuvre: movement.propose_manoeuvres,
    acts.BattlePlan: battles.propose_plan,
}


class RulesOfThumbDune(ByPriority):
    """Classic Dune by rules of thumb, for all factions."""

    game: ClassVar[str] = "dune"
    rules: ClassVar[Mapping[type[Act], Rule]] = RULES
    proposals: ClassVar[Mapping[type[Act], Proposal]] = PROPOSALS
