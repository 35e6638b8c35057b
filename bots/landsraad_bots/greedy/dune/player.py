"""The greedy player of classic Dune: a scoring function for each act type, in the order of the rulebook.

The docstrings of scoring functions state the heuristic.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from landsraad_bots.greedy.candidates import slots_of
from landsraad_bots.greedy.dune import position
from landsraad_bots.greedy.dune.battle_plans import estimate_battle, plan_worth
from landsraad_bots.greedy.dune.cards import card_worth, keep_worth, unseen_worth
from landsraad_bots.greedy.scorer import Score, Scorer, constant, unscored
from landsraad_bots.players import side_of
from landsraad_engine.dune import acts
from landsraad_engine.dune.board import STRONGHOLDS, sector_after, sector_of, storm_protected, territory_of
from landsraad_engine.dune.pieces import (
    FACTION,
    FAMILY_ATOMICS,
    HAJR,
    KARAMA,
    KWISATZ_HADERACH,
    LOYAL_TO,
    STRENGTH,
    WEATHER_CONTROL,
    WORTHLESS,
)
from landsraad_engine.dune.words import Counts, DuneSeatView
from landsraad_engine.kernel.grammar import Act, Choice

#: The question to join an alliance, one of those that `Consent` answers.
_JOIN_ALLIANCE: Final = "DUNE-R.28"
#: The question how to pay for a card.
_PAYMENT: Final = "DUNE-3.14"
#: the worth of a Karama card in spice
KARAMA_PRICE: Final = 4


#: Scores of acts that are as good as passing, always worth it, or never worth it.
NOTHING: Final = constant(0.0)
ALWAYS: Final = constant(1.0)
NEVER: Final = constant(-1.0)


# --- setting up


def predict(view: DuneSeatView, act: acts.Predict, choice: Choice, why: str) -> float:
    """Prefer another faction, and a turn in the middle of the game."""
    return (act.faction != view.side) - abs(act.turn - 6) / 10


def place_forces(view: DuneSeatView, act: acts.PlaceForces, choice: Choice, why: str) -> float:
    cells = slots_of(choice, "tokens")
    troops = {cell: (n, elite, 0) for cell, n, elite in zip(cells, act.tokens, act.elites, strict=True)}
    return position.worth(view, troops)


def place_token(view: DuneSeatView, act: acts.PlaceToken, choice: Choice, why: str) -> float:
    return position.worth(view, {act.cell: (1, 0, 0)})


def keep_traitor(view: DuneSeatView, act: acts.KeepTraitor, choice: Choice, why: str) -> float:
    """Prefer a strong leader of another faction."""
    return float(STRENGTH[act.leader]) * bool(LOYAL_TO[act.leader] != view.side)


# --- storm, worms, alliances


def play_card(view: DuneSeatView, act: acts.PlayCard, choice: Choice, why: str) -> float:
    """Score the card; a Karama pays for a card bought, if there is not the spice for it."""
    if why == _PAYMENT:
        return 0.0
    score = CARD_SCORES.get(act.card)
    return score(view, act, choice, why) if score else unscored("GreedyDune", act.card)


def weather_control(view: DuneSeatView, act: acts.PlayCard, choice: Choice, why: str) -> float:
    """Kill tokens of others and spare those of the own side."""
    assert isinstance(act.target, int)
    swept = {sector_after(view.storm, step) for step in range(1, act.target + 1)}
    atomics = bool(view.table.get("atomics"))
    worth = -2.0  # the card
    for faction in view.factions():
        for cell, counts in view.on_board(faction):
            if sector_of[cell] in swept and not storm_protected(territory_of[cell], atomics):
                worth += sum(counts) * (-1.0 if _own_side(view, faction) else 0.5)
    return worth


def lose_tokens(view: DuneSeatView, act: acts.LoseTokens, choice: Choice, why: str) -> float:
    """Keep elites, and tokens in better places."""
    cells = slots_of(choice, "tokens")
    after = position.own_troops(view)
    for cell, tokens, elites in zip(cells, act.tokens, act.elites, strict=True):
        have = after.get(cell, (0, 0, 0))
        after[cell] = (have[0] - tokens, have[1] - elites, have[2])
    return position.worth(view, after)


def place_worm(view: DuneSeatView, act: acts.PlaceWorm, choice: Choice, why: str) -> float:
    """Prefer the territory where the worm devours most tokens of others."""
    return sum(
        sum(view.tokens_at(faction, act.territory)) * (-1.5 if _own_side(view, faction) else 1.0)
        for faction in view.factions()
    )


def ride_worm(view: DuneSeatView, act: acts.RideWorm, choice: Choice, why: str) -> float:
    cells = slots_of(choice, "tokens")
    units = [(cell, (n, elite, 0)) for cell, n, elite in zip(cells, act.tokens, act.elites, strict=True) if n or elite]
    return _gain(view, position.moved(position.own_troops(view), units, act.to))


def propose_alliance(view: DuneSeatView, act: acts.ProposeAlliance, choice: Choice, why: str) -> float:
    return sum(_partner_worth(view, partner) for partner in act.partners) + (act.primary == view.side) / 10


def consent(view: DuneSeatView, act: acts.Consent, choice: Choice, why: str) -> float:
    """Accept alliances while holding few strongholds; decline all other requests."""
    if why == _JOIN_ALLIANCE:
        return act.yes * (1.0 if _held(view, side_of(view)) < 2 else -1.0)
    return -float(act.yes)


def break_alliance(view: DuneSeatView, act: acts.BreakAlliance, choice: Choice, why: str) -> float:
    """Leave allies without strongholds when holding two alone."""
    return 1.0 if _held(view, side_of(view)) >= 2 and not any(_held(view, ally) for ally in _allies(view)) else -1.0


# --- bidding and revival


def bid(view: DuneSeatView, act: acts.Bid, choice: Choice, why: str) -> float:
    """Bid up to the worth of the card, and at most half of the spice plus 2."""
    me = side_of(view)
    spice = view.spice(me)
    row = view.table.get("auction_row", ("?",))
    worth = card_worth(row[0], view.hand(me)) if row else unseen_worth(view.hand(me))
    if act.amount > min(spice, spice // 2 + 2):
        return -1.0
    return worth - position.spice_cost(view, act.amount)


def revive(view: DuneSeatView, act: Any, choice: Choice, why: str) -> float:
    """Revive for free and cheaply, and leaders before they run out."""
    me = side_of(view)
    free: int = FACTION[me]["free_revivals"]
    paid = max(0, act.tokens + act.elites - free) * 2
    worth = act.tokens + 1.8 * act.elites
    if act.leader is not None:
        price = 2 if act.leader == KWISATZ_HADERACH else STRENGTH[act.leader]
        paid += price
        worth += 1.0 + price * (1.0 if len(view.leaders(me)) < 3 else 0.4)
    return float(worth - position.spice_cost(view, paid))


# --- movement


def ship(view: DuneSeatView, act: Any, choice: Choice, why: str) -> float:
    """Weigh the gain on the board against the fee and the worth of tokens in reserve."""
    lost = getattr(act, "elites_lost", 0)
    troops = position.landed(position.own_troops(view), act.to, act.tokens, act.elites - lost)
    reserve = position.IN_RESERVE * (act.tokens + 2 * act.elites)
    return float(_gain(view, troops) - reserve - position.spice_cost(view, shipment_fee(view, act)))


def manoeuvre(view: DuneSeatView, act: acts.Manoeuvre, choice: Choice, why: str) -> float:
    return _gain(view, position.moved(position.own_troops(view), units_of(act, choice), act.to))


def ship_across(view: DuneSeatView, act: acts.ShipAcross, choice: Choice, why: str) -> float:
    units = units_of(act, choice)
    number = sum(sum(counts) for _, counts in units)
    fee = position.spice_cost(view, number)
    if act.to == "reserves":
        after = position.own_troops(view)
        for cell, counts in units:
            after[cell] = (after[cell][0] - counts[0], after[cell][1] - counts[1], after[cell][2] - counts[2])
        return _gain(view, after) + position.IN_RESERVE * number - fee
    return _gain(view, position.moved(position.own_troops(view), units, act.to)) - fee


def coexist(view: DuneSeatView, act: acts.Coexist, choice: Choice, why: str) -> float:
    """Do not coexist in strongholds, which only fighters can hold."""
    return -float(sum(territory_of[cell] in STRONGHOLDS for cell in act.places))


def send_advisor(view: DuneSeatView, act: acts.SendAdvisor, choice: Choice, why: str) -> float:
    return 0.5 + (territory_of[act.to] in STRONGHOLDS)


def name_primary(view: DuneSeatView, act: acts.NamePrimary, choice: Choice, why: str) -> float:
    return float(act.faction == view.side)


# --- battle


def choose_battle(view: DuneSeatView, act: acts.ChooseBattle, choice: Choice, why: str) -> float:
    """Fight the easiest battle first: it may bring spice and cost the enemy leaders."""
    territory = territory_of[act.place]
    own = position.strength(side_of(view), view.tokens_at(side_of(view), territory))
    rival = position.strength(act.opponent, view.tokens_at(act.opponent, territory))
    return position.chance(own, position.best_leader(view, side_of(view)), rival, 4)


def battle_plan(view: DuneSeatView, act: acts.BattlePlan, choice: Choice, why: str) -> float:
    return plan_worth(view, act, max(choice.domain("dial").values()))


def ask_prescience(view: DuneSeatView, act: acts.AskPrescience, choice: Choice, why: str) -> float:
    """Ask for the dial, which decides most battles."""
    return {"dial": 2.0, "leader": 1.0}.get(act.part, 0.5)


def answer_prescience(view: DuneSeatView, act: acts.AnswerPrescience, choice: Choice, why: str) -> float:
    """Announce a plan that would be played anyway: a high dial, a strong leader, good cards."""
    if isinstance(act.value, int):
        known = estimate_battle(view)
        return -abs(act.value - (0.7 * known.tokens + 2 if known is not None else act.value))
    if act.value is None:
        return 0.0
    return float(STRENGTH.get(act.value) or keep_worth(act.value))


def speak_voice(view: DuneSeatView, act: acts.SpeakVoice, choice: Choice, why: str) -> float:
    """Forbid the kind of weapon without an own defense against it."""
    if act.must or not act.kind.endswith("_weapon"):
        return -1.0
    kind = act.kind.partition("_")[0]
    return 2.0 - any(card.startswith({"projectile": "shield", "poison": "snooper"}[kind]) for card in _hand(view))


def keep_cards(view: DuneSeatView, act: acts.KeepCards, choice: Choice, why: str) -> float:
    return sum(map(keep_worth, act.cards))


def give_back(view: DuneSeatView, act: acts.GiveBack, choice: Choice, why: str) -> float:
    return -sum(map(keep_worth, act.cards))


def collect(view: DuneSeatView, act: acts.Collect, choice: Choice, why: str) -> float:
    return float(sum(act.amounts))


# --- helpers


def _gain(view: DuneSeatView, after: Mapping[str, Counts]) -> float:
    """Return the worth of a changed position minus that of the present one."""
    now = view.memo.get("worth")
    if now is None:
        now = view.memo["worth"] = position.worth(view, position.own_troops(view))
    return position.worth(view, after) - float(now)


def shipment_fee(view: DuneSeatView, act: Any) -> float:
    """Return the fee of a shipment: 1 per token into a stronghold and 2 elsewhere, half of it with a Karama."""
    if isinstance(act, acts.ShipNative):
        return 0.0
    each = 1 if territory_of[act.to] in STRONGHOLDS else 2
    fee: int = each * (act.tokens + act.elites)
    if isinstance(act, acts.ShipPrivileged):
        return (fee + 1) // 2
    return (fee + 1) // 2 + KARAMA_PRICE if act.karama else fee


def units_of(act: Any, choice: Choice) -> list[tuple[str, Counts]]:
    """Return the tokens that leave each cell: the slots are named "cell/kind of unit"."""
    kinds = {"tokens": (1, 0, 0), "elites": (0, 1, 0), "coexisting": (1, 0, 0)}
    units = []
    for slot, number in zip(slots_of(choice, "units"), act.units, strict=True):
        cell, _, kind = slot.rpartition("/")
        a, b, c = kinds[kind]
        if number:
            units.append((cell, (a * number, b * number, c * number)))
    return units


def _allies(view: DuneSeatView) -> tuple[str, ...]:
    return view.allies(side_of(view))


def _own_side(view: DuneSeatView, faction: str) -> bool:
    return faction == view.side or faction in _allies(view)


def _held(view: DuneSeatView, faction: str) -> int:
    return sum(view.holder(place) == faction for place in STRONGHOLDS)


def _partner_worth(view: DuneSeatView, faction: str) -> float:
    """Prefer a partner with strongholds, the more so the fewer own ones there are."""
    return _held(view, faction) - 0.5 - _held(view, side_of(view))


def _hand(view: DuneSeatView) -> tuple[str, ...]:
    return view.hand(side_of(view))


#: Scores of cards that are played with `acts.PlayCard`.
CARD_SCORES: Final[Mapping[str, Score]] = {
    **dict.fromkeys((KARAMA, *WORTHLESS, HAJR, FAMILY_ATOMICS), NEVER),
    WEATHER_CONTROL: weather_control,
}

SCORES: Final[Mapping[type[Act], Score]] = {
    acts.Pass: NOTHING,
    acts.PlayCard: play_card,
    acts.Consent: consent,
    acts.TakeFaction: NOTHING,
    acts.WishFaction: NEVER,
    acts.Predict: predict,
    acts.PlaceForces: place_forces,
    acts.PlaceToken: place_token,
    acts.HandBackTraitors: NEVER,
    acts.KeepTraitor: keep_traitor,
    acts.DialStorm: NOTHING,
    acts.LoseTokens: lose_tokens,
    acts.PlaceWorm: place_worm,
    acts.RideWorm: ride_worm,
    acts.BreakAlliance: break_alliance,
    acts.ProposeAlliance: propose_alliance,
    acts.TakeTurn: NEVER,
    acts.Ship: ship,
    acts.ShipNative: ship,
    acts.ShipPrivileged: ship,
    acts.ShipAcross: ship_across,
    acts.Manoeuvre: manoeuvre,
    acts.SendAdvisor: send_advisor,
    acts.Coexist: coexist,
    acts.NamePrimary: name_primary,
    acts.ChooseBattle: choose_battle,
    acts.OfferLeaderless: NEVER,
    acts.SpeakVoice: speak_voice,
    acts.AskPrescience: ask_prescience,
    acts.AnswerPrescience: answer_prescience,
    acts.BattleKarama: NEVER,
    acts.BattlePlan: battle_plan,
    acts.CallTraitor: ALWAYS,
    acts.KeepCards: keep_cards,
    acts.CaptureLeader: ALWAYS,
    acts.KillCaptive: ALWAYS,
    acts.Collect: collect,
    acts.ClaimCharity: ALWAYS,
    acts.Bid: bid,
    acts.BidInfinity: NEVER,
    acts.PayWithSpice: ALWAYS,
    acts.Revive: revive,
    acts.PlayGhola: revive,
    acts.PlayCombatMedics: revive,
    acts.GiveBack: give_back,
    acts.TakeSpice: ALWAYS,
    # Out-of-turn plays are offered to seats whose standing orders ask for them. This player makes none of these.
    acts.ProposeDeal: NEVER,
    acts.AcceptDeal: NEVER,
    acts.WithdrawDeal: NEVER,
    acts.GiveSpice: NEVER,
    acts.PlayTruthtrance: NEVER,
    acts.AnswerTruth: NOTHING,
    acts.PlayOpportunistic: NEVER,
}


class GreedyDune(Scorer):
    """Classic Dune by a one-step evaluation of the candidate acts."""

    game: ClassVar[str] = "dune"
    scores: ClassVar[Mapping[type[Act], Score]] = SCORES
