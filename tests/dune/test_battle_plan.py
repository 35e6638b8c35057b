"""The grammar of battle plans: strengths, leaders, cards, agreements, and what binds them."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import BattlePlan, Consent, OfferLeaderless, Pass
from landsraad_engine.dune.announcements import NoLeaderSent
from landsraad_engine.dune.battle.plan import PARTS
from landsraad_engine.dune.pieces import (
    ATREIDES,
    DEFENSES,
    EMPEROR,
    FREMEN,
    GUILD,
    HARKONNEN,
    LEADERS,
    WEAPONS,
    WORTHLESS,
)
from landsraad_engine.dune.promises import BATTLE, TRUTHS, Promise
from landsraad_engine.errors import Refused
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import clash, commit, duel, plan, stand


def harkonnen_plans(*hand: str, leaders: tuple[str, ...] = ("feyd_rautha", "umman_kudu"), **places: Any) -> Scenario:
    """The plans of Harkonnen with five tokens, these cards and leaders, against the Guild."""
    s = duel(HARKONNEN, GUILD).lay("hand/harkonnen", *hand).lay("leaders/harkonnen", *leaders)
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    return clash(s)


# ------------------------------------------------------------------------------------------------------- the dial


@covers("DUNE-6.9", "DUNE-6.10", "DUNE-6.11", "DUNE-6.36", "DUNE-R.33", "DUNE-R.35")
def test_a_side_dials_a_whole_number_up_to_what_its_tokens_are_worth() -> None:
    s = harkonnen_plans()
    assert {act.dial for act in s.legal(HARKONNEN, BattlePlan)} == {0, 1, 2, 3, 4, 5}
    refusal = s.refused(HARKONNEN, plan(9, "feyd_rautha"), "DUNE-6.10")
    assert refusal.nearest[0] == plan(5, "feyd_rautha"), "the book counts a dial too high as the full worth"


@covers("DUNE-X.1", "DUNE-X.2", "DUNE-FRE.15", "DUNE-FRE.16")
def test_three_troops_and_two_fedaykin_dial_seven_at_the_most_twelve_troops_twelve() -> None:
    s = duel(HARKONNEN, FREMEN)
    stand(s, FREMEN, "arrakeen:9", 3, 2)
    stand(s, HARKONNEN, "arrakeen:9", 12)
    clash(s)
    assert max(act.dial for act in s.legal(FREMEN, BattlePlan)) == 7
    assert max(act.dial for act in s.legal(HARKONNEN, BattlePlan)) == 12


@pytest.mark.parametrize(("opponent", "most"), [(GUILD, 7), (FREMEN, 5)])
@covers("DUNE-EMP.8", "DUNE-EMP.9", "DUNE-EMP.10")
def test_sardaukar_are_worth_two_but_one_against_fremen(opponent: str, most: int) -> None:
    s = clash(stand(duel(EMPEROR, opponent), EMPEROR, "arrakeen:9", 3, 2))
    assert max(act.dial for act in s.legal(EMPEROR, BattlePlan)) == most


def test_tokens_of_an_ally_who_is_secondary_add_nothing() -> None:
    s = duel(HARKONNEN, GUILD, EMPEROR)
    s.put("ally/guild", (EMPEROR,)).put("ally/emperor", (GUILD,)).put("primary/arrakeen:9", GUILD)
    clash(stand(s, EMPEROR, "arrakeen:9", 4))
    assert max(act.dial for act in s.legal(GUILD, BattlePlan)) == 5


# ------------------------------------------------------------------------------------------------------- leaders


@covers("DUNE-6.12", "DUNE-6.34", "DUNE-R.35", "DUNE-R.42")
def test_a_plan_needs_a_leader_and_without_an_answer_it_gets_the_weakest_and_dial_zero() -> None:
    s = harkonnen_plans()
    refusal = s.refused(HARKONNEN, plan(3), "DUNE-6.12")
    assert refusal.nearest[0] == plan(3, "umman_kudu")
    assert s.g.ask.default_for(s.seat(HARKONNEN)) == plan(0, "umman_kudu")


@covers("DUNE-6.15", "DUNE-6.16")
def test_who_has_no_leader_fights_leaderless_without_cards() -> None:
    s = harkonnen_plans("lasgun", "shield", leaders=())
    assert s.legal(HARKONNEN) == [plan(dial) for dial in range(6)]
    commit(s, plan(5), plan(0, "guild_rep"))
    assert s.announced(NoLeaderSent) == [NoLeaderSent(HARKONNEN)]


@covers("DUNE-6.13", "DUNE-6.50")
def test_a_leader_who_fought_elsewhere_stays_out_one_who_fought_here_may_fight_again() -> None:
    s = harkonnen_plans(
        leaders=("beast_rabban",),
        fought__harkonnen=("feyd_rautha", "umman_kudu"),
        battle_of__feyd_rautha="carthag:10",
        battle_of__umman_kudu="arrakeen:9",
    )
    assert {act.leader for act in s.legal(HARKONNEN, BattlePlan)} == {"umman_kudu", "beast_rabban"}
    assert "another territory" in s.refused(HARKONNEN, plan(0, "feyd_rautha"), "DUNE-6.13").message


@covers("DUNE-1.19", "DUNE-6.13")
def test_a_part_cut_off_by_the_storm_counts_as_elsewhere() -> None:
    s = duel(HARKONNEN, GUILD, storm=6)
    s.lay("leaders/harkonnen", "umman_kudu").lay("fought/harkonnen", "feyd_rautha")
    s.put("battle_of/feyd_rautha", "pasty_mesa:7")
    for faction in (HARKONNEN, GUILD):
        stand(s, faction, "pasty_mesa:4", 2)
    clash(s, "pasty_mesa:4", "pasty_mesa:5")
    assert {act.leader for act in s.legal(HARKONNEN, BattlePlan)} == {"umman_kudu"}


def test_a_leader_who_died_this_turn_and_came_back_does_not_fight() -> None:
    s = harkonnen_plans(died__feyd_rautha=2)
    s.refused(HARKONNEN, plan(0, "feyd_rautha"), "DUNE-T.28")
    s.refused(HARKONNEN, plan(0, "chani"), "DUNE-6.12")
    assert {act.leader for act in s.legal(HARKONNEN, BattlePlan)} == {"umman_kudu"}


# ------------------------------------------------------------------------------------------------------- cheap hero


@covers("DUNE-T.30", "DUNE-T.31", "DUNE-T.32")
def test_a_cheap_hero_leads_in_a_leaders_place_with_cards_but_nobody_has_to_play_one() -> None:
    s = harkonnen_plans("cheap_hero", "lasgun", "shield", leaders=())
    legal = s.legal(HARKONNEN, BattlePlan)
    assert plan(2, None, "lasgun", "shield", hero=True) in legal
    assert plan(2) in legal
    s.refused(HARKONNEN, plan(2, None, "lasgun"), "DUNE-6.16")
    s.refused(HARKONNEN, plan(2, None, None, "shield"), "DUNE-6.16")


@covers("DUNE-6.12", "DUNE-T.33")
def test_a_cheap_hero_stands_in_for_a_leader_or_beside_one() -> None:
    legal = harkonnen_plans("cheap_hero").legal(HARKONNEN, BattlePlan)
    assert plan(0, None, hero=True) in legal
    assert plan(0, "feyd_rautha", hero=True) in legal
    assert plan(0) not in legal


# ------------------------------------------------------------------------------------------------------- cards


@covers("DUNE-6.16", "DUNE-6.17", "DUNE-6.35", "DUNE-6.37", "DUNE-T.8", "DUNE-T.46")
def test_one_weapon_and_one_defense_or_worthless_cards_in_their_places() -> None:
    s = harkonnen_plans("baliset", "hajr", "kulon", "lasgun", "shield", "shield", leaders=("umman_kudu",))
    legal = s.legal(HARKONNEN, BattlePlan)
    assert {act.weapon for act in legal} == {None, "baliset", "kulon", "lasgun"}
    assert {act.defense for act in legal} == {None, "baliset", "kulon", "shield"}
    assert plan(0, "umman_kudu", "kulon", "baliset") in legal
    s.refused(HARKONNEN, plan(0, "umman_kudu", "kulon", "kulon"), "DUNE-T.46")
    refusal = s.refused(HARKONNEN, plan(0, "umman_kudu", "hajr", "shield"), "DUNE-6.16")
    assert refusal.nearest[0] == plan(0, "umman_kudu", None, "shield"), "what does not fit is taken out"


@covers("DUNE-T.2", "DUNE-T.5", "DUNE-T.45")
def test_every_weapon_defense_and_worthless_card_has_its_place() -> None:
    s = harkonnen_plans(*WEAPONS, *DEFENSES, *WORTHLESS, leaders=("umman_kudu",))
    legal = s.legal(HARKONNEN, BattlePlan)
    assert {act.weapon for act in legal} == {None, *WEAPONS, *WORTHLESS}
    assert {act.defense for act in legal} == {None, *DEFENSES, *WORTHLESS}
    poison = {"chaumas", "chaumurky", "ellaca_drug", "gom_jabbar"}
    assert set(WEAPONS) == poison | {"crysknife", "maula_pistol", "slip_tip", "stunner", "lasgun"}
    assert set(WORTHLESS) == {"baliset", "jubba_cloak", "kulon", "la_la_la", "trip_to_gamont"}


def test_cards_of_a_plan_must_be_in_the_hand() -> None:
    harkonnen_plans("shield").refused(HARKONNEN, plan(0, "umman_kudu", "lasgun"), "DUNE-6.16")


# ------------------------------------------------------------------------------------------------- leaderless battles


@covers("DUNE-6.14", "DUNE-R.103")
def test_the_sides_may_agree_in_public_that_one_or_both_fight_without_a_leader() -> None:
    s = harkonnen_plans("lasgun", "cheap_hero").play(HARKONNEN, OfferLeaderless(own=True, theirs=True))
    assert s.asked == (GUILD,)
    s.answer(GUILD, Consent(True))
    assert s.legal(HARKONNEN) == [plan(dial) for dial in range(6)]
    assert s.legal(GUILD) == [plan(dial) for dial in range(6)]


@covers("DUNE-6.14")
def test_an_agreement_may_cover_one_side_only_and_needs_consent() -> None:
    s = harkonnen_plans().play(HARKONNEN, OfferLeaderless(own=False, theirs=True)).answer(GUILD, Consent(False))
    s.refused(GUILD, plan(1), "DUNE-6.12")
    s.play(GUILD, OfferLeaderless(own=True, theirs=False)).answer(HARKONNEN, Consent(True))
    s.refused(GUILD, plan(1, "guild_rep"), "DUNE-6.12")
    s.answer(GUILD, plan(1)).refused(HARKONNEN, plan(1), "DUNE-6.12")


@covers("DUNE-6.14", "DUNE-R.103")
def test_a_second_agreement_adds_to_the_first() -> None:
    s = harkonnen_plans().play(HARKONNEN, OfferLeaderless(own=True, theirs=False)).answer(GUILD, Consent(True))
    s.play(GUILD, OfferLeaderless(own=True, theirs=False)).answer(HARKONNEN, Consent(True))
    s.refused(HARKONNEN, plan(1, "feyd_rautha"), "DUNE-6.12")
    s.refused(GUILD, plan(1, "guild_rep"), "DUNE-6.12")
    commit(s, plan(1), plan(1))


@pytest.mark.parametrize(
    ("kind", "value", "yes", "barred"),
    [
        ("leader", "feyd_rautha", True, True),
        ("leader", "chani", True, False),
        ("leader", "feyd_rautha", False, False),
        ("leader", "cheap_hero", True, True),
        ("weapon", "any", True, True),
        ("weapon", "any", False, False),
        ("dial", 3, True, False),
    ],
)
@covers("DUNE-R.125", "DUNE-T.19")
def test_nobody_agrees_away_what_was_told_under_truthtrance(kind: str, value: Any, yes: bool, barred: bool) -> None:
    promise = Promise(by=HARKONNEN, to=GUILD, kind=kind, value=value, yes=yes, scope=BATTLE)
    s = bound(promise, hand=("lasgun", "cheap_hero"))
    mine, both = OfferLeaderless(own=True, theirs=False), OfferLeaderless(own=True, theirs=True)
    assert [s.open_plays(HARKONNEN).contains(offer) for offer in (mine, both)] == [not barred] * 2
    assert s.open_plays(HARKONNEN).contains(OfferLeaderless(own=False, theirs=True))
    s.play(GUILD, both)
    assert (Consent(True) in s.legal(HARKONNEN)) is not barred
    s.answer(HARKONNEN, Consent(False))


def test_only_the_two_sides_may_offer_and_each_once() -> None:
    s = clash(duel(HARKONNEN, GUILD, EMPEROR))
    offer = OfferLeaderless(own=True, theirs=True)
    s.play(GUILD, offer).answer(HARKONNEN, Consent(False))
    for faction in (GUILD, EMPEROR):
        with pytest.raises(Refused, match="not open to this seat"):
            s.play(faction, offer)


# ------------------------------------------------------------------------------------------------------- what binds


def bound(*promises: Promise, hand: tuple[str, ...] = ("lasgun", "shield", "snooper")) -> Scenario:
    s = duel(HARKONNEN, GUILD).lay("hand/harkonnen", *hand).lay("leaders/harkonnen", "feyd_rautha", "umman_kudu")
    return clash(s.put(TRUTHS, tuple(tuple(p) for p in promises)))


def truth(kind: str, value: Any, yes: bool, valid: bool = True) -> Promise:
    return Promise(HARKONNEN, GUILD, kind, value, yes, BATTLE, valid)


@pytest.mark.parametrize(
    ("promise", "refused"),
    [
        (truth("dial", 3, True), plan(2, "umman_kudu")),
        (truth("dial", 3, False), plan(3, "umman_kudu")),
        (truth("leader", "feyd_rautha", True), plan(0, "umman_kudu")),
        (truth("leader", "feyd_rautha", False), plan(0, "feyd_rautha")),
        (truth("weapon", "any", True), plan(0, "umman_kudu")),
        (truth("weapon", "lasgun", False), plan(0, "umman_kudu", "lasgun")),
        (truth("defense", "poison", True), plan(0, "umman_kudu", None, "shield")),
    ],
)
@covers("DUNE-T.22", "DUNE-R.32")
def test_a_truthtrance_answer_about_the_plan_binds_it(promise: Promise, refused: BattlePlan) -> None:
    s = bound(promise)
    s.refused(HARKONNEN, refused, "DUNE-T.22")
    assert s.legal(HARKONNEN)


@covers("DUNE-T.22", "DUNE-R.32")
def test_an_answer_that_cannot_be_kept_is_declared_invalid_before_plans_are_committed() -> None:
    s = bound(truth("weapon", "poison", True), truth("defense", "any", True))
    assert [e.public for e in s.told("declare", rule="DUNE-T.20")] == [
        (0, "answer invalid", ("weapon", "poison", True))
    ]
    s.refused(HARKONNEN, plan(0, "umman_kudu", "lasgun"), "DUNE-T.22")
    s.answer(HARKONNEN, plan(0, "umman_kudu", "lasgun", "snooper"))


@covers("DUNE-T.22")
def test_an_answer_that_can_be_kept_again_is_valid_again() -> None:
    s = bound(truth("weapon", "lasgun", True, valid=False))
    assert [e.public for e in s.told("declare", rule="DUNE-T.20")] == [
        (0, "answer valid again", ("weapon", "lasgun", True))
    ]
    s.refused(HARKONNEN, plan(0, "umman_kudu"), "DUNE-T.22")


# ------------------------------------------------------------------------------------------------------- the grammar


@pytest.mark.parametrize(
    "hand", [(), ("cheap_hero",), ("baliset", "kulon", "lasgun"), ("cheap_hero", "kulon", "shield")]
)
@pytest.mark.parametrize("leaders", [(), ("umman_kudu",), LEADERS[HARKONNEN]])
def test_every_plan_follows_the_rules_and_every_such_plan_is_there(
    hand: tuple[str, ...], leaders: tuple[str, ...]
) -> None:
    s = harkonnen_plans(*hand, leaders=leaders)
    legal = set(s.legal(HARKONNEN, BattlePlan))
    weapons = [None, *(c for c in hand if c in WEAPONS + WORTHLESS)]
    defenses = [None, *(c for c in hand if c in DEFENSES + WORTHLESS)]
    expected = {
        plan(dial, leader, weapon, defense, hero=hero)
        for dial in range(6)
        for leader in (None, *leaders)
        for weapon in weapons
        for defense in defenses
        for hero in (False, True)
        if (hero <= ("cheap_hero" in hand))
        and (leader or hero or not leaders)
        and (leader or hero or not (weapon or defense))
        and (weapon is None or weapon != defense)
    }
    assert legal == expected


def test_the_parts_that_prescience_can_ask_for_are_fields_of_a_plan() -> None:
    assert set(PARTS) < set(BattlePlan.__struct_fields__)
    assert Pass() not in harkonnen_plans().legal(HARKONNEN)


@covers("DUNE-ATR.12", "DUNE-R.73")
def test_the_kwisatz_haderach_needs_somebody_to_go_with() -> None:
    s = duel(ATREIDES, GUILD).put("kh/state", "alive").lay("hand/atreides", "cheap_hero").lay("leaders/atreides")
    clash(s).answer(ATREIDES, Pass())
    s.refused(ATREIDES, plan(0, kh=True), "DUNE-ATR.12")
    assert plan(0, hero=True, kh=True) in s.legal(ATREIDES)
