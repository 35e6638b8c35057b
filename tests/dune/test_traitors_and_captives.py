"""Traitors called in battle, by either side or the Harkonnen for an ally; leaders captured by the Harkonnen."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import (
    BattlePlan,
    CallTraitor,
    CaptureLeader,
    KeepCards,
    KillCaptive,
    Pass,
    PlayCard,
    PlayGhola,
)
from landsraad_engine.dune.announcements import NobodyCaptured, StrengthsCompared, TerritoryExploded, TraitorCalled
from landsraad_engine.dune.pieces import ATREIDES, EMPEROR, FREMEN, GUILD, HARKONNEN, LEADERS
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import clash, commit, duel, plan, stand
from landsraad_engine.testing.seat_knowledge import faces_known_to

PASS = Pass()


def battle(emperor: BattlePlan, guild: BattlePlan, *others: str, **places: Any) -> Scenario:
    """Emperor against Guild, up to the first question after the plans."""
    s = duel(EMPEROR, GUILD, *others)
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    return commit(clash(s), emperor, guild)


# ------------------------------------------------------------------------------------------------------- traitors


@covers("DUNE-6.38", "DUNE-6.39", "DUNE-6.40", "DUNE-6.42", "DUNE-R.89")
def test_a_sole_caller_wins_at_once_without_losses_and_keeps_the_traitor_card() -> None:
    s = battle(
        plan(5, "count_hasimir_fenring", "lasgun"),
        plan(4, "guild_rep"),
        hand__emperor=("lasgun",),
        traitors__guild=("count_hasimir_fenring",),
        traitors__emperor=("chani",),
    )
    assert s.asked == (GUILD,)
    s.answer(GUILD, CallTraitor("count_hasimir_fenring"))
    assert s.done
    assert s.announced(TraitorCalled) == [TraitorCalled(GUILD, "count_hasimir_fenring")]
    assert s.g.troops(GUILD, "arrakeen:9") == (5, 0, 0)
    assert s.g.troops(EMPEROR, "arrakeen:9") == (0, 0, 0)
    assert s.g.table["leader_tanks/emperor"] == ("count_hasimir_fenring",)
    assert s.g.spice(GUILD) == 6
    assert s.g.table["traitors/guild"] == ("count_hasimir_fenring",)
    assert faces_known_to(s.g, s.seat(EMPEROR), "traitors/guild") == ["count_hasimir_fenring"]
    assert s.g.table["fought/guild"] == ("guild_rep",), "the caller's own leader stays, though a lasgun was aimed at it"
    assert s.g.table["treachery_discard"] == ("lasgun",)


@covers("DUNE-6.41", "DUNE-T.12")
def test_a_traitor_call_prevents_the_explosion() -> None:
    s = battle(
        plan(1, "bashar", "lasgun"),
        plan(1, "guild_rep", None, "shield"),
        hand__emperor=("lasgun",),
        hand__guild=("shield",),
        traitors__emperor=("guild_rep",),
    )
    s.answer(EMPEROR, CallTraitor("guild_rep")).answer(EMPEROR, KeepCards(()))
    assert s.g.troops(EMPEROR, "arrakeen:9") == (5, 0, 0)
    assert s.announced(TerritoryExploded) == []
    assert s.g.table["fought/emperor"] == ("bashar",)


@covers("DUNE-R.91")
def test_who_wins_by_a_call_keeps_or_discards_cards_like_any_winner() -> None:
    s = battle(
        plan(0, "bashar", "lasgun"), plan(5, "guild_rep"), hand__emperor=("lasgun",), traitors__emperor=("guild_rep",)
    ).answer(EMPEROR, CallTraitor("guild_rep"))
    assert s.legal(EMPEROR) == [KeepCards(()), KeepCards(("lasgun",))]


@covers("DUNE-6.43", "DUNE-R.90")
def test_if_both_call_both_lose_everything_and_nobody_is_paid() -> None:
    s = battle(
        plan(5, "bashar", "lasgun"),
        plan(4, "guild_rep", None, "shield"),
        hand__emperor=("lasgun",),
        hand__guild=("shield",),
        traitors__guild=("bashar",),
        traitors__emperor=("guild_rep",),
    )
    s.answer(EMPEROR, CallTraitor("guild_rep")).answer(GUILD, CallTraitor("bashar"))
    assert s.done
    assert s.g.troops(GUILD, "arrakeen:9") == s.g.troops(EMPEROR, "arrakeen:9") == (0, 0, 0)
    assert s.g.table["leader_tanks/emperor"] == ("bashar",)
    assert s.g.table["leader_tanks/guild"] == ("guild_rep",)
    assert s.g.spice(EMPEROR) == s.g.spice(GUILD) == 0
    assert sorted(s.g.table["treachery_discard"]) == ["lasgun", "shield"]


def test_nobody_has_to_call() -> None:
    s = battle(plan(0, "bashar"), plan(5, "guild_rep"), traitors__emperor=("guild_rep",)).answer(EMPEROR, PASS)
    assert s.g.troops(EMPEROR, "arrakeen:9") == (0, 0, 0)


@covers("DUNE-6.38", "DUNE-R.11")
def test_everybody_who_could_hold_the_traitor_is_asked_who_could_not_is_not() -> None:
    s = duel(EMPEROR, GUILD).lay("traitors/emperor", "chani").lay("traitors/guild", "jamis")
    everybody = s.g.setting.everybody
    s.g.table["*traitors/guild"] = (everybody & ~s.g.eyes["traitors/guild"],)
    for faction in (EMPEROR, GUILD):
        s.put(f"orders/{s.seat(faction)}", None)
    commit(clash(s), plan(0, "bashar"), plan(5, "guild_rep"))
    assert s.asked == (EMPEROR,), "the one card of the Guild is known to be another"
    assert s.legal(EMPEROR) == [PASS]


@covers("DUNE-A.7", "DUNE-A.8")
def test_harkonnen_may_call_for_an_ally_who_wins_the_battle_and_the_spice() -> None:
    s = battle(
        plan(0, "bashar"),
        plan(5, "guild_rep"),
        HARKONNEN,
        ally__emperor=(HARKONNEN,),
        ally__harkonnen=(EMPEROR,),
        traitors__harkonnen=("guild_rep", "jamis", "chani", "alia"),
    )
    assert s.asked == (HARKONNEN,)
    s.answer(HARKONNEN, CallTraitor("guild_rep"))
    assert s.done
    assert s.g.troops(EMPEROR, "arrakeen:9") == (5, 0, 0)
    assert s.g.spice(EMPEROR) == 1
    assert s.g.spice(HARKONNEN) == 0


@covers("DUNE-A.8")
def test_a_call_for_the_ally_meets_a_call_by_the_other_side() -> None:
    s = battle(
        plan(0, "bashar"),
        plan(5, "guild_rep"),
        HARKONNEN,
        ally__emperor=(HARKONNEN,),
        ally__harkonnen=(EMPEROR,),
        traitors__harkonnen=("guild_rep",),
        traitors__guild=("bashar",),
    )
    s.answer(GUILD, CallTraitor("bashar")).answer(HARKONNEN, CallTraitor("guild_rep"))
    assert s.g.troops(EMPEROR, "arrakeen:9") == s.g.troops(GUILD, "arrakeen:9") == (0, 0, 0)


@covers("DUNE-HAR.12")
def test_all_four_traitors_of_the_harkonnen_serve_them() -> None:
    for leader in ("guild_rep", "staban_tuek", "esmar_tuek", "master_bewt"):
        s = duel(HARKONNEN, GUILD).lay("traitors/harkonnen", "guild_rep", "staban_tuek", "esmar_tuek", "master_bewt")
        commit(clash(s), plan(0, "umman_kudu"), plan(5, leader))
        s.answer(HARKONNEN, CallTraitor(leader))
        assert s.g.table["leader_tanks/guild"] == (leader,)


@covers("DUNE-ATR.16")
def test_a_leader_in_the_company_of_the_kwisatz_haderach_is_no_traitor() -> None:
    s = duel(ATREIDES, GUILD).put("kh/state", "alive").lay("traitors/guild", "lady_jessica")
    clash(s).answer(ATREIDES, PASS)
    commit(s, plan(0, "lady_jessica", kh=True), plan(0, "guild_rep"))
    assert s.done, "nobody is asked"
    assert s.g.troops(ATREIDES, "arrakeen:9") == (5, 0, 0)


@covers("DUNE-ATR.16")
def test_a_leader_without_that_company_is_one_even_while_he_lives() -> None:
    s = duel(ATREIDES, GUILD).put("kh/state", "alive").lay("traitors/guild", "lady_jessica")
    clash(s).answer(ATREIDES, PASS)
    commit(s, plan(0, "lady_jessica"), plan(0, "guild_rep"))
    s.answer(GUILD, CallTraitor("lady_jessica"))
    assert s.g.troops(ATREIDES, "arrakeen:9") == (0, 0, 0)


# ------------------------------------------------------------------------------------------------------- captives


def victory(*others: str, leaders: tuple[str, ...] = ("jamis",), played: str = "jamis", **places: Any) -> Scenario:
    """Harkonnen have beaten the Fremen, who had these leaders, and may capture one."""
    s = duel(HARKONNEN, FREMEN, *others).lay("leaders/fremen", *leaders)
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    return commit(clash(s), plan(5, "feyd_rautha"), plan(0, played))


@covers("DUNE-HAR.5", "DUNE-HAR.6")
def test_the_draw_is_among_leaders_at_home_and_those_used_here_not_elsewhere() -> None:
    drawn = set()
    for seed in range(40):
        s = duel(HARKONNEN, FREMEN, seed=str(seed)).lay("leaders/fremen", "jamis", "chani")
        s.lay("fought/fremen", "otheym", "stilgar").put("battle_of/otheym", "arrakeen:9")
        s.put("battle_of/stilgar", "carthag:10").lay("leader_tanks/fremen", "shadout_mapes")
        commit(clash(s), plan(5, "feyd_rautha"), plan(0, "jamis")).answer(HARKONNEN, CaptureLeader())
        drawn.add(s.g.table["just_captured/fremen"])
        s.answer(HARKONNEN, PASS)
    assert drawn == {("jamis",), ("chani",), ("otheym",)}


@covers("DUNE-HAR.6", "DUNE-R.107")
def test_a_leader_taken_up_in_another_territory_before_is_not_in_the_draw() -> None:
    s = victory(leaders=("chani", "jamis"), battle_of__chani="carthag:10").answer(HARKONNEN, CaptureLeader())
    assert s.g.table["just_captured/fremen"] == ("jamis",)
    s = duel(HARKONNEN, FREMEN).lay("leaders/fremen", "chani").put("battle_of/chani", "carthag:10")
    commit(clash(s), plan(5, "feyd_rautha"), plan(0)).answer(HARKONNEN, CaptureLeader())
    assert s.done
    assert s.announced(NobodyCaptured) == [NobodyCaptured(FREMEN)]


@covers("DUNE-HAR.5")
def test_who_was_captured_is_known_to_captor_and_owner_alone() -> None:
    s = victory(GUILD, leaders=("jamis", "chani", "otheym"))
    before = len(s.events)
    s.answer(HARKONNEN, CaptureLeader()).answer(HARKONNEN, PASS)
    (captive,) = s.g.table["captured/fremen"]
    assert places_seen(s.g, s.seat(HARKONNEN))["captured/fremen"] == (captive,)
    assert places_seen(s.g, s.seat(FREMEN))["captured/fremen"] == (captive,)
    assert places_seen(s.g, s.seat(GUILD))["captured/fremen"] == ("?",)
    bit = 1 << s.seat(GUILD)
    seen = [e.seen_by(bit) for e in s.events[before:] if e.verb == "move"]
    assert [e[-1] for e in seen if e is not None] == ["jamis", None, None], "jamis was picked up in the open"


@covers("DUNE-HAR.7")
def test_a_captive_may_be_killed_at_once_for_two_spice() -> None:
    s = victory().answer(HARKONNEN, CaptureLeader()).answer(HARKONNEN, KillCaptive())
    assert s.g.table["leader_tanks/fremen"] == ("jamis",)
    assert s.g.spice(HARKONNEN) == 2


def test_harkonnen_need_not_capture_anybody() -> None:
    s = victory().answer(HARKONNEN, PASS)
    assert s.done
    assert s.g.table["fought/fremen"] == ("jamis",)


def test_without_a_living_leader_of_the_loser_there_is_nothing_to_capture() -> None:
    s = duel(HARKONNEN, FREMEN).lay("leaders/fremen")
    assert commit(clash(s), plan(5, "feyd_rautha"), plan(0)).done


@covers("DUNE-HAR.6")
def test_a_beaten_leader_who_died_is_not_in_the_draw() -> None:
    s = duel(HARKONNEN, FREMEN).lay("leaders/fremen", "jamis").lay("hand/harkonnen", "lasgun")
    commit(clash(s), plan(5, "feyd_rautha", "lasgun"), plan(0, "jamis")).answer(HARKONNEN, KeepCards(()))
    assert s.done


def captive_fights(**plans: BattlePlan) -> Scenario:
    """Harkonnen hold Chani and fight the Guild with her."""
    s = duel(HARKONNEN, GUILD, FREMEN).lay("captured/fremen", "chani").lay("leaders/fremen", "jamis")
    return commit(clash(s), plans.get("harkonnen", plan(0, "chani")), plans.get("guild", plan(0, "guild_rep")))


@covers("DUNE-HAR.8", "DUNE-R.108")
def test_a_captive_fights_once_for_the_harkonnen_and_then_belongs_to_its_first_owner_again() -> None:
    s = captive_fights()
    assert s.announced(StrengthsCompared) == [StrengthsCompared(HARKONNEN, 6, GUILD, 1)]
    assert not s.g.table.get("captured/fremen")
    assert s.g.table["fought/fremen"] == ("chani",)
    assert s.g.table["battle_of/chani"] == "arrakeen:9"


@covers("DUNE-R.109")
def test_a_captive_has_to_be_played_if_no_other_leader_is_fit() -> None:
    s = duel(HARKONNEN, GUILD, FREMEN).lay("captured/fremen", "chani").lay("leaders/harkonnen")
    assert {act.leader for act in clash(s).legal(HARKONNEN, BattlePlan)} == {"chani"}


@covers("DUNE-HAR.10")
def test_a_captive_killed_in_battle_goes_to_the_tanks_of_its_first_owner() -> None:
    s = duel(HARKONNEN, GUILD, FREMEN).lay("captured/fremen", "chani").lay("hand/guild", "lasgun")
    commit(clash(s), plan(0, "chani"), plan(0, "guild_rep", "lasgun"))
    assert s.g.table["leader_tanks/fremen"] == ("chani",)
    assert s.g.spice(GUILD) == 6


@pytest.mark.parametrize("card", ["chani", "umman_kudu"])
@covers("DUNE-HAR.11")
def test_a_captive_is_a_traitor_for_its_first_owner_and_whether_by_a_card_too_is_not_told(card: str) -> None:
    s = duel(HARKONNEN, FREMEN).lay("captured/fremen", "chani").lay("leaders/fremen", "jamis")
    s.lay("traitors/fremen", card)
    commit(clash(s), plan(5, "chani"), plan(0, "jamis"))
    assert s.asked == (FREMEN,)
    s.answer(FREMEN, CallTraitor("chani"))
    assert s.g.troops(FREMEN, "arrakeen:9") == (5, 0, 0)
    assert s.g.table["leader_tanks/fremen"] == ("chani",)
    assert s.g.spice(FREMEN) == 6
    assert not s.told("reveal")


@covers("DUNE-HAR.9")
def test_without_own_leaders_alive_harkonnen_hand_back_every_captive_at_once() -> None:
    s = duel(HARKONNEN, GUILD).lay("captured/guild", "staban_tuek").lay("leaders/harkonnen", "umman_kudu")
    s.lay("leaders/guild", "guild_rep")
    s.lay("leader_tanks/harkonnen", *(leader for leader in LEADERS[HARKONNEN] if leader != "umman_kudu"))
    s.lay("hand/guild", "lasgun")
    commit(clash(s), plan(0, "umman_kudu"), plan(0, "guild_rep", "lasgun")).answer(GUILD, KeepCards(()))
    assert not s.g.table.get("captured/guild")
    assert s.g.leaders(GUILD) == ("staban_tuek",)


@pytest.mark.parametrize("card", ["lasgun", "traitor"])
@covers("DUNE-HAR.9")
def test_captives_are_gone_before_a_ghola_could_bring_back_a_leader(card: str) -> None:
    s = duel(HARKONNEN, GUILD).lay("captured/guild", "staban_tuek").lay("leaders/harkonnen", "umman_kudu")
    s.lay("leader_tanks/harkonnen", *(leader for leader in LEADERS[HARKONNEN] if leader != "umman_kudu"))
    s.lay("leaders/guild", "guild_rep").lay("hand/guild", "lasgun").lay("hand/harkonnen", "tleilaxu_ghola")
    s.lay("traitors/guild", "umman_kudu" if card == "traitor" else "chani")
    commit(clash(s), plan(0, "umman_kudu"), plan(0, "guild_rep", "lasgun"))
    if card == "traitor":
        s.answer(GUILD, CallTraitor("umman_kudu"))
    assert s.asked == (GUILD,), "the winner has cards to keep or to discard"
    s.play(HARKONNEN, PlayGhola(0, 0, "feyd_rautha")).answer(GUILD, KeepCards(()))
    assert s.g.leaders(HARKONNEN) == ("feyd_rautha",)
    assert not s.g.table.get("captured/guild")
    assert s.g.leaders(GUILD) == ("staban_tuek",)


@pytest.mark.parametrize("act", [PASS, KillCaptive()])
@covers("DUNE-HAR.9", "DUNE-R.121")
def test_a_new_captive_is_killed_at_once_or_goes_home_if_no_own_leader_lives(act: Act) -> None:
    s = duel(HARKONNEN, GUILD).lay("leaders/harkonnen").lay("leaders/guild", "guild_rep")
    s.lay("leader_tanks/harkonnen", *LEADERS[HARKONNEN])
    commit(clash(s), plan(5), plan(0, "guild_rep")).answer(HARKONNEN, CaptureLeader()).answer(HARKONNEN, act)
    assert s.g.leaders(GUILD) == (("guild_rep",) if act == PASS else ())
    assert s.g.spice(HARKONNEN) == (0 if act == PASS else 2)
    assert not s.g.table.get("captured/guild")


@covers("DUNE-K.36")
def test_a_karama_cancels_a_capture() -> None:
    s = victory(hand__fremen=("karama",)).answer(HARKONNEN, CaptureLeader())
    assert s.asked == (FREMEN,)
    s.answer(FREMEN, PlayCard("karama"))
    assert s.done
    assert s.g.table["fought/fremen"] == ("jamis",)
    assert "cancelled" not in s.g.table


def test_a_captive_beside_a_cheap_hero_stays_captive() -> None:
    s = duel(HARKONNEN, GUILD, FREMEN)
    s.lay("captured/fremen", "chani").lay("hand/harkonnen", "cheap_hero")
    commit(clash(s), plan(0, "chani", hero=True), plan(5, "guild_rep"))
    assert s.g.table["captured/fremen"] == ("chani",)
    assert faces_known_to(s.g, s.seat(GUILD), "captured/fremen") == ["chani"]


@pytest.mark.parametrize("where", ["arrakeen:9", "carthag:10"])
@covers("DUNE-HAR.8", "DUNE-6.13")
def test_a_captive_who_fought_elsewhere_this_turn_cannot_be_played(where: str) -> None:
    s = duel(HARKONNEN, GUILD, FREMEN).lay("captured/fremen", "chani").put("battle_of/chani", where)
    clash(stand(s, HARKONNEN, "arrakeen:9", 2))
    leaders = {act.leader for act in s.legal(HARKONNEN, BattlePlan)}
    assert ("chani" in leaders) is (where == "arrakeen:9")
