"""The Kwisatz Haderach: how he comes, what he adds, how he dies and returns."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import BattlePlan, Pass
from landsraad_engine.dune.announcements import StrengthsCompared
from landsraad_engine.dune.battle.battle import Battle
from landsraad_engine.dune.pieces import ATREIDES, GUILD
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import clash, commit, duel, plan, stand

PASS = Pass()


def awake(**places: Any) -> Scenario:
    """Atreides have him and fight the Guild, five tokens a side."""
    s = duel(ATREIDES, GUILD).put("kh/state", "alive").put("kh/losses", 7)
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    return s


def fight(s: Scenario, atreides: BattlePlan, guild: BattlePlan, *cells: str) -> Scenario:
    return commit(clash(s, *cells).answer(ATREIDES, PASS), atreides, guild)


@pytest.mark.parametrize(("before", "state"), [(1, None), (2, "alive"), (6, "alive")])
@covers("DUNE-ATR.10")
def test_he_comes_once_seven_atreides_tokens_in_all_have_died_in_battles(before: int, state: str | None) -> None:
    s = duel(ATREIDES, GUILD).put("kh/losses", before)
    fight(s, plan(0, "dr_wellington_yueh"), plan(5, "guild_rep"))
    assert s.g.table["kh/losses"] == before + 5
    assert s.g.table.get("kh/state") == state


@covers("DUNE-ATR.10")
def test_what_atreides_pay_for_a_victory_counts_as_well() -> None:
    s = duel(ATREIDES, GUILD)
    fight(s, plan(3, "lady_jessica"), plan(0, "guild_rep"))
    assert s.g.table["kh/losses"] == 3


@covers("DUNE-ATR.11")
def test_he_serves_in_battles_of_the_turn_in_which_he_came() -> None:
    s = duel(ATREIDES, GUILD).put("kh/losses", 2)
    for faction in (ATREIDES, GUILD):
        stand(s, faction, "carthag:10", 2)
    fight(s, plan(0, "dr_wellington_yueh"), plan(5, "guild_rep"))
    s.run(Battle(("carthag:10",), ATREIDES, GUILD)).answer(ATREIDES, PASS)
    assert plan(0, "lady_jessica", kh=True) in s.legal(ATREIDES)


@covers("DUNE-ATR.13")
def test_he_adds_two_to_a_leader_or_to_a_cheap_hero() -> None:
    s = fight(awake(), plan(1, "duncan_idaho", kh=True), plan(5, "guild_rep"))
    assert s.announced(StrengthsCompared) == [StrengthsCompared(ATREIDES, 5, GUILD, 6)]
    s = fight(awake(hand__atreides=("cheap_hero",)), plan(1, hero=True, kh=True), plan(5, "guild_rep"))
    assert s.announced(StrengthsCompared) == [StrengthsCompared(ATREIDES, 3, GUILD, 6)]


@pytest.mark.parametrize("hero", [False, True])
@covers("DUNE-ATR.14", "DUNE-ATR.15")
def test_with_a_leader_who_is_killed_he_adds_nothing_and_lives(hero: bool) -> None:
    s = awake(hand__atreides=("cheap_hero",), hand__guild=("lasgun",))
    leader = None if hero else "duncan_idaho"
    fight(s, plan(1, leader, hero=hero, kh=True), plan(5, "guild_rep", "lasgun"))
    assert s.announced(StrengthsCompared) == [StrengthsCompared(ATREIDES, 1, GUILD, 6)]
    assert s.g.table["kh/state"] == "alive"


@covers("DUNE-ATR.13", "DUNE-R.73")
def test_he_goes_with_one_leader_a_turn_in_one_territory() -> None:
    s = awake()
    for faction in (ATREIDES, GUILD):
        stand(s, faction, "carthag:10", 2)
    fight(s, plan(1, "lady_jessica", kh=True), plan(0, "guild_rep"))
    s.run(Battle(("carthag:10",), ATREIDES, GUILD)).answer(ATREIDES, PASS)
    assert {act.kwisatz_haderach for act in s.legal(ATREIDES, BattlePlan)} == {False}
    commit(s, plan(0, "gurney_halleck"), plan(2, "staban_tuek"))
    s = stand(s, GUILD, "arrakeen:9", 2).lay("leaders/guild", "soo_soo_sook").lay("hand/atreides", "cheap_hero")
    clash(s).answer(ATREIDES, PASS)
    with_him = [act for act in s.legal(ATREIDES, BattlePlan) if act.kwisatz_haderach]
    assert {(act.leader, act.cheap_hero) for act in with_him} == {("lady_jessica", False)}
    s.refused(ATREIDES, plan(0, "lady_jessica", hero=True, kh=True), "DUNE-R.73")
    s.refused(ATREIDES, plan(0, "thufir_hawat", kh=True), "DUNE-ATR.12")


@covers("DUNE-R.73")
def test_another_cheap_hero_is_somebody_else() -> None:
    s = awake(hand__atreides=("cheap_hero",), kh__used=(2, "arrakeen:9", "cheap_hero"))
    clash(s).answer(ATREIDES, PASS)
    assert {act.kwisatz_haderach for act in s.legal(ATREIDES, BattlePlan)} == {False}


@covers("DUNE-R.73")
def test_in_the_next_turn_he_is_free_again() -> None:
    s = awake(kh__used=(1, "carthag:10", "lady_jessica"))
    clash(s).answer(ATREIDES, PASS)
    assert plan(0, "thufir_hawat", kh=True) in s.legal(ATREIDES)


@covers("DUNE-ATR.12")
def test_he_never_fights_by_himself() -> None:
    s = awake(leaders__atreides=())
    clash(s).answer(ATREIDES, PASS)
    assert {act.kwisatz_haderach for act in s.legal(ATREIDES, BattlePlan)} == {False}


@pytest.mark.parametrize(("kh", "state"), [(True, "dead"), (False, "alive")])
@covers("DUNE-ATR.15", "DUNE-R.57")
def test_an_explosion_kills_him_if_he_is_there(kh: bool, state: str) -> None:
    s = awake(hand__atreides=("shield",), hand__guild=("lasgun",))
    fight(s, plan(0, "lady_jessica", None, "shield", kh=kh), plan(0, "guild_rep", "lasgun"))
    assert s.g.table["kh/state"] == state
    assert s.g.table["leader_tanks/atreides"] == ("lady_jessica",)


@covers("DUNE-ATR.15")
def test_dead_he_does_not_come_and_no_loss_brings_him_back() -> None:
    s = awake(kh__state="dead")
    clash(s).answer(ATREIDES, PASS)
    assert {act.kwisatz_haderach for act in s.legal(ATREIDES, BattlePlan)} == {False}
    commit(s, plan(0, "dr_wellington_yueh"), plan(5, "guild_rep"))
    assert s.g.table["kh/state"] == "dead"


@covers("DUNE-ATR.19")
def test_his_losses_and_state_lie_open() -> None:
    s = awake()
    for key in ("kh/losses", "kh/state"):
        assert s.g.eyes[key] & s.g.setting.everybody == s.g.setting.everybody
