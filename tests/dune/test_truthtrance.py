"""Truthtrance: which questions there are, who answers them, and how an answer binds."""

from collections.abc import Callable
from typing import Any

import pytest

from landsraad_engine.dune.acts import (
    AcceptDeal,
    AnswerTruth,
    BattlePlan,
    Bid,
    Pass,
    PlayCard,
    PlayCombatMedics,
    PlayGhola,
    PlayOpportunistic,
    PlayTruthtrance,
    ProposeDeal,
)
from landsraad_engine.dune.battle.battle import Battle
from landsraad_engine.dune.bidding import CardAuction
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.movement import MovementRound, MovementTurn
from landsraad_engine.dune.out_of_turn import OfferPlays
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN, LEADERS
from landsraad_engine.dune.promises import (
    NEXUS,
    Promise,
    alliance_answer,
    barred_territories,
    bid_cap,
    pledged_territories,
    promises,
)
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, stand

YES = AnswerTruth(True)
NO = AnswerTruth(False)


def ask(target: str, question: str, value: str | int | None = None) -> PlayTruthtrance:
    return PlayTruthtrance(target, question, value)


def holder(*factions: str, **places: Any) -> Scenario:
    """The first faction holds a Truthtrance. Places are written with __ for the slash."""
    s = at_table(*factions, orders=True).lay(f"hand/{factions[0]}", "truthtrance")
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    return s


def answered(s: Scenario) -> list[Any]:
    """What Truthtrance has made public: (question, (value, answer))."""
    return [e.public[1:] for e in s.told("declare", rule="DUNE-T.15") if e.public is not None]


# ------------------------------------------------------------------------------------------- questions about what is so


@covers("DUNE-T.14", "DUNE-T.15", "DUNE-T.13", "DUNE-R.14", "DUNE-R.15")
@pytest.mark.parametrize(
    ("question", "value", "truth"),
    [
        ("holds", "shield", True),
        ("holds", "lasgun", False),
        ("holds", "weapon", True),
        ("holds", "weapon_poison", True),
        ("holds", "weapon_projectile", False),
        ("holds", "worthless", False),
        ("traitor", "stilgar", True),
        ("traitor", "chani", False),
        ("predicted faction", FREMEN, True),
        ("predicted faction", GUILD, False),
        ("predicted turn", 6, True),
        ("predicted turn", 7, False),
        ("spice", 5, True),
        ("spice", 6, False),
    ],
)
def test_what_is_so_the_engine_answers_truthfully_and_publicly(question: str, value: str | int, truth: bool) -> None:
    s = holder(
        FREMEN,
        BENE_GESSERIT,
        GUILD,
        hand__bene_gesserit=("shield", "gom_jabbar"),
        traitors__bene_gesserit=("stilgar",),
        prediction=(FREMEN, 6),
        spice__bene_gesserit=5,
    )
    s.play(FREMEN, ask(BENE_GESSERIT, question, value))
    assert answered(s) == [(question, (value, truth))]
    assert s.g.table["treachery_discard"] == ("truthtrance",)
    assert "truths" not in s.g.table


@covers("DUNE-T.14")
def test_truthtrance_asks_one_other_player_and_needs_the_card() -> None:
    s = holder(FREMEN, GUILD)
    for faction, act in ((FREMEN, ask(FREMEN, "spice", 1)), (GUILD, ask(FREMEN, "spice", 1))):
        s.refused(faction, act, play=True)


@covers("DUNE-R.14", "DUNE-R.15")
def test_only_the_bene_gesserit_can_be_asked_for_a_prediction() -> None:
    s = holder(FREMEN, BENE_GESSERIT, GUILD, prediction=(FREMEN, 6))
    s.refused(FREMEN, ask(GUILD, "predicted turn", 6), play=True)


@covers("DUNE-R.14", "DUNE-R.16", "DUNE-R.17")
def test_questions_come_from_a_closed_list_that_depends_on_the_moment() -> None:
    def kinds(s: Scenario) -> set[str]:
        found = s.open_plays(FREMEN).choices
        return {choice.domain("question").near(None) for choice in found if choice.act is PlayTruthtrance}

    anytime = {"holds", "traitor", "spice", "enter", "revive", "karama"}
    assert kinds(holder(FREMEN, GUILD, EMPEROR)) == anytime | {"ally"}
    assert kinds(holder(FREMEN, GUILD)) == anytime, "two players form no alliance (DUNE-R.128)"
    s = holder(FREMEN, GUILD, auction_row=("hajr",)).run(CardAuction(order=(GUILD, FREMEN), number=2))
    assert kinds(s) == anytime | {"bid"}
    about_the_plan = {"dial", "leader", "weapon", "defense", "card", "kwisatz_haderach"}
    assert kinds(fight()) == anytime | about_the_plan | {"ally", "calls traitor"}


# ------------------------------------------------------------------------------------------- answers about acts to come


@covers("DUNE-T.16", "DUNE-T.17")
def test_an_answer_about_the_future_comes_at_once_and_nothing_comes_between() -> None:
    s = holder(FREMEN, GUILD, EMPEROR, tanks__emperor=(1, 0, 0), hand__emperor=("tleilaxu_ghola",))
    s.play(FREMEN, ask(GUILD, "enter", "arrakeen"))
    assert s.asked == (GUILD,)
    assert not s.open_plays(EMPEROR).choices
    s.refused(EMPEROR, PlayGhola(tokens=1), play=True)
    s.answer(GUILD, NO)
    assert answered(s) == [("enter", ("arrakeen", False))]


@covers("DUNE-T.19", "DUNE-R.17")
@pytest.mark.parametrize("answer", [YES, NO])
def test_an_answer_about_a_territory_binds_for_the_turn(answer: AnswerTruth) -> None:
    s = holder(FREMEN, GUILD).play(FREMEN, ask(GUILD, "enter", "arrakeen")).answer(GUILD, answer)
    assert pledged_territories(s.g, GUILD) == (("arrakeen",) if answer.yes else ())
    assert barred_territories(s.g, GUILD) == (() if answer.yes else ("arrakeen",))
    s.run(s.g.at(Timing.TURN_ENDS))
    assert pledged_territories(s.g, GUILD) == barred_territories(s.g, GUILD) == ()


@covers("DUNE-T.15", "DUNE-R.17")
def test_nobody_may_promise_to_enter_a_territory_after_their_movement_turn_but_for_advisors() -> None:
    s = holder(FREMEN, GUILD, BENE_GESSERIT, reserves__bene_gesserit=(1, 0, 0), moved=(GUILD, BENE_GESSERIT))
    assert s.play(FREMEN, ask(GUILD, "enter", "arrakeen")).legal(GUILD) == [NO]
    s = holder(FREMEN, GUILD, BENE_GESSERIT, reserves__bene_gesserit=(1, 0, 0), moved=(GUILD, BENE_GESSERIT))
    assert s.play(FREMEN, ask(BENE_GESSERIT, "enter", "arrakeen")).legal(BENE_GESSERIT) == [NO, YES]
    s = holder(FREMEN, GUILD, reserves__guild=(5, 0, 0), spice__guild=9, moved=()).run(MovementTurn(faction=GUILD))
    assert s.play(FREMEN, ask(GUILD, "enter", "arrakeen")).legal(GUILD) == [NO, YES], "the turn is under way"


@covers("DUNE-T.20")
def test_a_promise_that_an_advisor_could_have_kept_is_declared_invalid_when_movement_is_over() -> None:
    s = at_table(BENE_GESSERIT, FREMEN, orders=True).put("reserves/bene_gesserit", (1, 0, 0))
    s.put("reserves/fremen", (1, 0, 0)).run(MovementRound()).answer(BENE_GESSERIT, Pass())
    assert s.asked == (FREMEN,), "the Bene Gesserit have had their turn"
    s.put("truths", ((BENE_GESSERIT, FREMEN, "enter", "arrakeen", True, 2, True),)).answer(FREMEN, Pass())
    assert s.done
    assert [e.public[1] for e in s.told("declare", rule="DUNE-T.20") if e.public] == ["answer invalid"]


@covers("DUNE-R.17")
@pytest.mark.parametrize("answer", [YES, NO])
def test_an_answer_about_an_alliance_binds_in_the_next_nexus(answer: AnswerTruth) -> None:
    s = holder(FREMEN, GUILD, EMPEROR).play(FREMEN, ask(GUILD, "ally", FREMEN)).answer(GUILD, answer)
    assert alliance_answer(s.g, GUILD, FREMEN) is answer.yes
    assert [p.scope for p in promises(s.g, GUILD, "ally")] == [NEXUS]


def sale(**places: Any) -> Scenario:
    """The Fremen ask the Guild, who bid first and have 6 spice."""
    s = holder(FREMEN, GUILD, EMPEROR, auction_row=("hajr",), spice__guild=6, spice__emperor=9, **places)
    return s.run(CardAuction(order=(GUILD, FREMEN, EMPEROR), number=2))


@covers("DUNE-R.17", "DUNE-T.19")
def test_who_says_no_bids_no_higher() -> None:
    s = sale().play(FREMEN, ask(GUILD, "bid", 3)).answer(GUILD, NO)
    assert bid_cap(s.g, GUILD) == 3
    s.refused(GUILD, Bid(4), rule="DUNE-T.19")
    assert s.legal(GUILD) == [Pass(), Bid(1), Bid(2), Bid(3)]


@covers("DUNE-R.17", "DUNE-T.19")
def test_who_says_yes_bids_above_it_at_the_next_turn_and_is_free_then() -> None:
    s = sale().play(FREMEN, ask(GUILD, "bid", 3)).answer(GUILD, YES)
    s.refused(GUILD, Bid(2), rule="DUNE-T.19")
    assert s.legal(GUILD) == [Bid(4), Bid(5), Bid(6)]
    s.answer(GUILD, Bid(4)).answer(FREMEN, Pass()).answer(EMPEROR, Bid(5))
    assert s.legal(GUILD) == [Pass(), Bid(6)]


@covers("DUNE-R.124", "DUNE-T.19")
def test_the_spice_for_a_promised_bid_is_given_to_nobody_before_it() -> None:
    s = sale().play(FREMEN, ProposeDeal(GUILD, you_pay=3)).play(FREMEN, ask(GUILD, "bid", 3)).answer(GUILD, YES)
    s.refused(GUILD, ProposeDeal(EMPEROR, i_pay=3), play=True)
    s.refused(GUILD, AcceptDeal(1), play=True)
    s.play(GUILD, ProposeDeal(EMPEROR, i_pay=2)).play(EMPEROR, AcceptDeal(2))
    assert (s.g.spice(GUILD), s.legal(GUILD)) == (4, [Bid(4)])
    s.answer(GUILD, Bid(4)).answer(FREMEN, Pass()).answer(EMPEROR, Bid(5))
    s.play(GUILD, AcceptDeal(1))
    assert s.g.spice(GUILD) == 1


@covers("DUNE-R.124")
def test_no_spice_is_kept_for_a_bid_that_only_a_karama_can_make_or_nothing_can() -> None:
    s = sale(hand__guild=("karama",)).play(FREMEN, ask(GUILD, "bid", 6)).answer(GUILD, YES)
    s.play(GUILD, ProposeDeal(EMPEROR, i_pay=6)).play(EMPEROR, AcceptDeal(1))
    assert s.legal(GUILD, Bid)[0] == Bid(7)
    s = sale().put("spice/guild", 3).again().play(FREMEN, ask(GUILD, "bid", 2)).answer(GUILD, YES)
    s.put("spice/guild", 2).again().play(GUILD, ProposeDeal(EMPEROR, i_pay=2))


@covers("DUNE-T.15")
def test_nobody_may_promise_a_bid_that_is_out_of_reach() -> None:
    s = sale().play(FREMEN, ask(GUILD, "bid", 6))
    assert s.legal(GUILD) == [NO]
    s = sale(hand__guild=("karama",)).play(FREMEN, ask(GUILD, "bid", 6))
    assert s.legal(GUILD) == [NO, YES]


@covers("DUNE-T.23")
def test_the_karama_that_a_promised_bid_counts_on_is_played_for_nothing_else() -> None:
    def plays(promise: int, **hands: str) -> set[type[Act]]:
        """What two of the players could play out of turn once each has promised such a bid."""
        s = holder(FREMEN, EMPEROR, HARKONNEN, auction_row=("hajr",), spice__emperor=6, spice__harkonnen=6)
        s.lay("hand/fremen", "truthtrance", "truthtrance").put("tanks/emperor", (3, 0, 0))
        for faction, cards in hands.items():
            s.lay(f"hand/{faction}", *cards.split())
        s.run(CardAuction(order=(FREMEN, EMPEROR, HARKONNEN), number=2))
        for faction in hands:
            s.play(FREMEN, ask(faction, "bid", promise)).answer(faction, YES)
        return {c.act for f in hands for c in s.open_plays(f).choices}

    emperor = {"emperor": "karama hajr"}
    assert PlayCombatMedics not in plays(6, **emperor)
    assert PlayCombatMedics in plays(5, **emperor), "the purse can keep that promise"
    assert PlayCombatMedics in plays(6, emperor="karama karama")
    harkonnen = {"harkonnen": "karama hajr", "emperor": "karama hajr"}
    assert PlayOpportunistic not in plays(6, **harkonnen)
    assert PlayOpportunistic in plays(5, **harkonnen)


@covers("DUNE-T.23", "DUNE-K.1")
def test_nor_is_it_played_for_anything_else_while_the_promised_bid_stands_on_it() -> None:
    def leads(faction: str, promise: int, bid: int, **hands: str) -> Scenario:
        s = holder(FREMEN, EMPEROR, HARKONNEN, auction_row=("hajr",))
        for other, cards in hands.items():
            s.put(f"hand/{other}", tuple(cards.split()))
        s.put(f"spice/{faction}", 6).put("tanks/emperor", (3, 0, 0))
        s.run(CardAuction(order=(faction, *s.g.after(faction)), number=2))
        s.play(FREMEN, ask(faction, "bid", promise)).answer(faction, YES)
        return s.answer(faction, Bid(bid))

    def plays(s: Scenario, faction: str) -> set[type[Act]]:
        return {choice.act for choice in s.open_plays(faction).choices}

    # Without the Karama the sale would go on from the 6 spice that the Emperor has.
    s = leads(EMPEROR, 6, 20, emperor="karama")
    assert PlayCombatMedics not in plays(s, EMPEROR)
    assert PlayCombatMedics in plays(leads(EMPEROR, 5, 20, emperor="karama"), EMPEROR), "6 are above 5"
    assert PlayCombatMedics in plays(leads(EMPEROR, 6, 20, emperor="karama karama"), EMPEROR)
    harkonnen = {"harkonnen": "karama kulon", "emperor": "hajr"}
    assert PlayOpportunistic not in plays(leads(HARKONNEN, 6, 20, **harkonnen), HARKONNEN)
    assert PlayOpportunistic in plays(leads(HARKONNEN, 5, 20, **harkonnen), HARKONNEN)
    # Whoever is outbid has kept the promise and is free.
    s.put("spice/harkonnen", 50).again().answer(HARKONNEN, Bid(21))
    assert PlayCombatMedics in plays(s, EMPEROR)


@covers("DUNE-T.23", "DUNE-3.9")
def test_a_promised_bid_counts_on_the_karama_if_the_purse_does_not_reach_beyond_the_bid_to_beat() -> None:
    s = holder(FREMEN, EMPEROR, auction_row=("hajr",), spice__fremen=9, spice__emperor=6, tanks__emperor=(3, 0, 0))
    s.put("hand/emperor", ("karama",)).run(CardAuction(order=(FREMEN, EMPEROR), number=2))
    s.play(FREMEN, ask(EMPEROR, "bid", 3)).answer(EMPEROR, YES)
    medics = PlayCombatMedics(tokens=1)
    assert s.open_plays(EMPEROR).contains(medics), "6 spice are above 3"
    s.answer(FREMEN, Bid(6))
    assert not s.open_plays(EMPEROR).contains(medics), "and not above the 6 that are bid now"
    assert s.legal(EMPEROR, Bid)[0] == Bid(7)


@covers("DUNE-T.23")
def test_nor_does_it_cancel_what_another_does_before_the_bid() -> None:
    s = holder(FREMEN, GUILD, ATREIDES, auction_row=("hajr",), spice__guild=6, hand__guild=("karama",))
    s.run(CardAuction(order=(GUILD, FREMEN, ATREIDES), number=1))
    assert s.where == "SpyNetwork.window"
    assert s.legal(GUILD) == [Pass(), PlayCard("karama")]
    s.play(FREMEN, ask(GUILD, "bid", 6)).answer(GUILD, YES)
    assert s.where == "CardAuction.bid"
    assert s.legal(GUILD, Bid)[0] == Bid(7)


@covers("DUNE-T.18", "DUNE-T.20", "DUNE-T.21", "DUNE-R.18")
def test_an_answer_that_can_no_longer_be_kept_is_declared_invalid_and_valid_again() -> None:
    s = sale().play(FREMEN, ask(GUILD, "bid", 5)).answer(GUILD, YES)
    s.put("spice/guild", 4).again()
    declared = ("bid", 5, True)
    assert [e.public for e in s.told("declare", rule="DUNE-T.20")] == [(1, "answer invalid", declared)]
    assert s.legal(GUILD) == [Pass(), Bid(1), Bid(2), Bid(3), Bid(4)]
    # The Guild come into spice before their next turn to bid.
    s.answer(GUILD, Bid(2)).answer(FREMEN, Pass()).put("spice/guild", 9).answer(EMPEROR, Bid(3))
    assert s.told("declare", rule="DUNE-T.20")[-1].public == (1, "answer valid again", declared)
    assert s.legal(GUILD) == [Bid(6), Bid(7), Bid(8), Bid(9)]


@covers("DUNE-T.19")
def test_later_answers_agree_with_earlier_ones() -> None:
    s = sale(hand__fremen=("truthtrance", "truthtrance"))
    s.play(FREMEN, ask(GUILD, "bid", 2)).answer(GUILD, NO)
    s.play(FREMEN, ask(GUILD, "bid", 4))
    assert s.legal(GUILD) == [NO]


@covers("DUNE-T.19")
def test_a_later_answer_may_be_any_that_agrees_with_the_earlier_ones() -> None:
    s = sale(hand__fremen=("truthtrance", "truthtrance"))
    s.play(FREMEN, ask(GUILD, "bid", 4)).answer(GUILD, NO).play(FREMEN, ask(GUILD, "bid", 3))
    assert s.legal(GUILD) == [NO, YES], "to bid four is above three and not above four"
    s = sale(hand__fremen=("truthtrance", "truthtrance"))
    s.play(FREMEN, ask(GUILD, "bid", 4)).answer(GUILD, NO).play(FREMEN, ask(GUILD, "bid", 2))
    s.answer(GUILD, NO)
    assert bid_cap(s.g, GUILD) == 2


@covers("DUNE-X.23", "DUNE-0.27")
def test_x23_truthtrance_and_karama_at_the_same_moment_go_in_dot_order() -> None:
    # The storm has passed the Emperor's dot, so the Fremen's comes first.
    s = at_table(EMPEROR, FREMEN, GUILD, storm=1).put("tanks/emperor", (1, 0, 0))
    s.lay("hand/emperor", "karama").lay("hand/fremen", "truthtrance")
    s.put("orders/0", ("ask:combat_medics",)).put("orders/1", ("ask:truthtrance",))
    s.run(OfferPlays())
    s.answer(EMPEROR, PlayCombatMedics(tokens=1)).answer(FREMEN, ask(EMPEROR, "holds", "karama"))
    assert answered(s) == [("holds", ("karama", True))]
    # The Emperor is asked again, and may still play the card that everybody now knows of.
    s.answer(EMPEROR, PlayCombatMedics(tokens=1)).answer(FREMEN, Pass())
    assert s.g.reserves(EMPEROR) == (1, 0, 0)


# ------------------------------------------------------------------------------------------------------ battle plans


def fight(**places: Any) -> Scenario:
    """The Harkonnen attack the Guild in Tuek's Sietch; the Fremen ask, neither side has anything else to decide."""
    s = at_table(FREMEN, HARKONNEN, GUILD, orders=True).lay(f"hand/{FREMEN}", "truthtrance", "truthtrance")
    for faction in (FREMEN, HARKONNEN, GUILD):
        s.lay(f"leaders/{faction}", *LEADERS[faction])
    stand(s, HARKONNEN, "tueks_sietch:4", 5)
    stand(s, GUILD, "tueks_sietch:4", 3)
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    s.run(Battle(("tueks_sietch:4",), HARKONNEN, GUILD))
    return s.until("Battle.commit")


def plans(s: Scenario, faction: str) -> list[BattlePlan]:
    return [act for act in s.legal(faction) if isinstance(act, BattlePlan)]


@covers("DUNE-R.16", "DUNE-T.22", "DUNE-T.19")
@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("dial", 3),
        ("leader", "umman_kudu"),
        ("leader", "cheap_hero"),
        ("weapon", "poison"),
        ("weapon", "any"),
        ("defense", "projectile"),
        ("card", "chaumas"),
        ("card", "shield"),
        ("card", "cheap_hero"),
    ],
)
def test_an_answer_about_the_plan_binds_the_plan_both_ways(question: str, value: Any, yes: bool) -> None:
    s = fight(hand__harkonnen=("chaumas", "lasgun", "shield", "cheap_hero"))
    s.play(FREMEN, ask(HARKONNEN, question, value)).answer(HARKONNEN, AnswerTruth(yes))
    kept: Callable[[BattlePlan], bool] = {
        "dial": lambda plan: plan.dial >= 3,
        "leader": lambda plan: plan.cheap_hero if value == "cheap_hero" else plan.leader == "umman_kudu",
        "weapon": lambda plan: plan.weapon == "chaumas" or (value == "any" and plan.weapon == "lasgun"),
        "defense": lambda plan: plan.defense == "shield",
        "card": lambda plan: value in (plan.weapon, plan.defense, "cheap_hero" if plan.cheap_hero else None),
    }[question]
    assert plans(s, HARKONNEN)
    assert {kept(plan) for plan in plans(s, HARKONNEN)} == {yes}


@covers("DUNE-T.15", "DUNE-T.22")
def test_nobody_may_promise_a_card_that_the_hand_does_not_hold() -> None:
    s = fight(hand__harkonnen=("shield",)).play(FREMEN, ask(HARKONNEN, "weapon", "poison"))
    assert s.legal(HARKONNEN) == [NO]


@covers("DUNE-R.32")
def test_a_second_answer_about_the_plan_must_leave_the_first_one_keepable() -> None:
    s = fight(hand__harkonnen=("chaumas", "slip_tip"))
    s.play(FREMEN, ask(HARKONNEN, "weapon", "poison")).answer(HARKONNEN, YES)
    s.play(FREMEN, ask(HARKONNEN, "weapon", "projectile"))
    assert s.legal(HARKONNEN) == [NO]


@covers("DUNE-T.20", "DUNE-T.21", "DUNE-T.22", "DUNE-R.18")
def test_a_plan_that_can_no_longer_keep_an_answer_says_so_before_it_is_committed() -> None:
    s = fight(hand__harkonnen=("chaumas",)).play(FREMEN, ask(HARKONNEN, "weapon", "poison")).answer(HARKONNEN, YES)
    s.lay("hand/harkonnen", "shield").again()
    seat = s.seat(HARKONNEN)
    declared = ("weapon", "poison", True)
    assert [e.public for e in s.told("declare", rule="DUNE-T.20")] == [(seat, "answer invalid", declared)]
    assert plans(s, HARKONNEN)
    s.lay("hand/harkonnen", "chaumas", "shield").again()
    assert s.told("declare", rule="DUNE-T.20")[-1].public == (seat, "answer valid again", declared)
    assert {plan.weapon for plan in plans(s, HARKONNEN)} == {"chaumas"}


@covers("DUNE-R.16")
def test_a_promise_about_a_battle_ends_with_it() -> None:
    s = fight().play(FREMEN, ask(HARKONNEN, "dial", 2)).answer(HARKONNEN, YES)
    assert s.g.table["truths"]
    s.finish()
    assert "truths" not in s.g.table
    assert "battle" not in s.g.table


def test_a_plan_that_lies_open_is_no_longer_asked_about() -> None:
    s = fight().put("plan/harkonnen", (0, None, None, None, False, False))
    choices = s.open_plays(FREMEN).choices
    assert not [c for c in choices if c.act is PlayTruthtrance and c.domain("question").has("dial")]


def test_promises_are_plain_rows_in_an_open_place() -> None:
    s = holder(FREMEN, GUILD).play(FREMEN, ask(GUILD, "enter", "arrakeen")).answer(GUILD, NO)
    assert s.g.table["truths"] == (tuple(Promise(GUILD, FREMEN, "enter", "arrakeen", False, 2)),)
