"""Co-Exist, in both readings: tokens that coexist (bernard) and territories that do (wbc)."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import Coexist, Consent, Manoeuvre, Pass, PlayCard, RideWorm, SendAdvisor
from landsraad_engine.dune.board import cells_of
from landsraad_engine.dune.bonuses import hand_out
from landsraad_engine.dune.collection import within_reach
from landsraad_engine.dune.control import ControlRound
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.manoeuvre import ManoeuvrePhase
from landsraad_engine.dune.movement import MovementRound
from landsraad_engine.dune.pieces import BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN
from landsraad_engine.dune.shipment import ShipmentPhase
from landsraad_engine.dune.worms import WormAttack
from landsraad_engine.kernel.overrides import Moment
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import ally, at_table, shipment, stand

BG = BENE_GESSERIT


def sisters(scenario: Scenario, cell: str) -> tuple[int, int, int]:
    counts: tuple[int, int, int] = scenario.g.troops(BG, cell)
    return counts


def movement_begins(scenario: Scenario) -> Scenario:
    """Only what happens before anybody ships or moves."""
    return scenario.put("moved", ()).run(Moment(Timing.MOVEMENT_BEGINS.name))


def arriving(scenario: Scenario, faction: str, origin: str, tokens: int, to: str) -> Scenario:
    """A faction moves tokens in its movement turn."""
    scenario.put("moved", (faction,)).run(ManoeuvrePhase(faction=faction))
    return scenario.answer(faction, Manoeuvre(origin, (tokens,), to))


# --- as Movement begins


@covers("DUNE-BG.9", "DUNE-BG.34", "DUNE-R.68")
def test_before_anybody_ships_the_bene_gesserit_say_for_every_shared_territory_whether_they_coexist() -> None:
    scenario = at_table(HARKONNEN, EMPEROR, BG)
    stand(stand(scenario, BG, "basin:8", 2, coexisting=1), HARKONNEN, "basin:8", 1)
    stand(stand(scenario, BG, "carthag:10", 0, coexisting=1), EMPEROR, "carthag:10", 1)
    stand(stand(scenario, BG, "pasty_mesa:4", 1), HARKONNEN, "pasty_mesa:6", 1)
    stand(scenario, BG, "arrakeen:9", 3).run(MovementRound())
    assert (scenario.asked, scenario.where) == ((BG,), "CoexistenceDeclared.choose")
    assert scenario.g.table["moved"] == ()
    scenario.refused(BG, Coexist(("arrakeen:9",)), rule="DUNE-BG.9")
    scenario.answer(BG, Coexist(("basin:8",)))
    assert sisters(scenario, "basin:8") == (0, 0, 3), "all tokens of the territory go together"
    assert sisters(scenario, "carthag:10") == (1, 0, 0)
    assert sisters(scenario, "pasty_mesa:4") == (1, 0, 0)


@covers("DUNE-BG.9")
def test_tokens_that_the_storm_parts_are_not_shared() -> None:
    scenario = stand(at_table(HARKONNEN, BG, storm=9), BG, "imperial_basin:8", 1)
    assert movement_begins(stand(scenario, HARKONNEN, "imperial_basin:10", 1)).done


@covers("DUNE-BG.11")
def test_in_a_stronghold_with_two_others_there_is_no_choice() -> None:
    scenario = at_table(HARKONNEN, EMPEROR, BG)
    stand(stand(scenario, BG, "carthag:10", 0, coexisting=1), HARKONNEN, "carthag:10", 1)
    movement_begins(stand(scenario, EMPEROR, "carthag:10", 1))
    assert scenario.done
    assert sisters(scenario, "carthag:10") == (0, 0, 1)


def beside_a_primary(cell: str = "carthag:10", **options: Any) -> Scenario:
    """Harkonnen and the Emperor, who are allies, stand beside the Bene Gesserit; Harkonnen is Primary."""
    scenario = ally(at_table(HARKONNEN, EMPEROR, FREMEN, BG, **options), HARKONNEN, EMPEROR)
    for faction in (HARKONNEN, EMPEROR, BG):
        stand(scenario, faction, cell, 1)
    return scenario.put(f"primary/{cell}", HARKONNEN)


@covers("DUNE-R.127", "DUNE-5.21")
@pytest.mark.parametrize("coexist", [True, False])
def test_a_primary_and_a_secondary_leave_the_choice(coexist: bool) -> None:
    scenario = movement_begins(beside_a_primary())
    assert (scenario.asked, scenario.where) == ((BG,), "CoexistenceDeclared.choose")
    scenario.answer(BG, Coexist(("carthag:10",) if coexist else ()))
    assert sisters(scenario, "carthag:10") == ((0, 0, 1) if coexist else (1, 0, 0))


@covers("DUNE-BG.11", "DUNE-R.127")
def test_once_they_are_no_allies_both_count_and_the_choice_is_gone() -> None:
    scenario = beside_a_primary().put("ally/harkonnen", None).put("ally/emperor", None)
    assert movement_begins(scenario.put("primary/carthag:10", None)).done
    assert sisters(scenario, "carthag:10") == (0, 0, 1)


@covers("DUNE-V.4", "DUNE-R.127")
def test_wbc_a_secondary_who_was_there_keeps_the_refusal_alive() -> None:
    scenario = movement_begins(beside_a_primary("old_gap:9", coexistence="wbc")).answer(BG, Coexist(()))
    arriving(scenario, HARKONNEN, "old_gap:9", 1, "broken_land:10")
    arriving(stand(scenario, FREMEN, "rim_wall_west:8", 1), FREMEN, "rim_wall_west:8", 1, "old_gap:9")
    assert scenario.done, "the Emperor was there all the time"
    assert sisters(scenario, "old_gap:9") == (1, 0, 0)


@covers("DUNE-BG.10")
def test_beside_their_ally_the_bene_gesserit_coexist_as_movement_begins() -> None:
    scenario = ally(at_table(HARKONNEN, BG), BG, HARKONNEN)
    movement_begins(stand(stand(scenario, BG, "basin:8", 1), HARKONNEN, "basin:8", 1))
    assert scenario.done
    assert sisters(scenario, "basin:8") == (0, 0, 1)


@covers("DUNE-R.3")
def test_option_gf9_a_karama_leaves_everything_as_it_was() -> None:
    scenario = at_table(HARKONNEN, BG, karama_reach="gf9").lay("hand/harkonnen", "karama")
    movement_begins(stand(stand(scenario, BG, "basin:8", 1), HARKONNEN, "basin:8", 1))
    scenario.answer(BG, Coexist(("basin:8",))).answer(HARKONNEN, PlayCard("karama"))
    assert sisters(scenario, "basin:8") == (1, 0, 0)
    assert "cancelled" not in scenario.g.table


# --- when tokens come together


@covers("DUNE-BG.12", "DUNE-BG.13")
@pytest.mark.parametrize("coexist", [True, False])
def test_another_player_comes_to_tokens_that_stood_alone(coexist: bool) -> None:
    scenario = stand(at_table(HARKONNEN, BG), BG, "old_gap:9", 2)
    arriving(stand(scenario, HARKONNEN, "arrakeen:9", 3), HARKONNEN, "arrakeen:9", 2, "old_gap:10")
    scenario.answer(BG, Coexist(("old_gap:8",) if coexist else ()))
    assert sisters(scenario, "old_gap:9") == ((0, 0, 2) if coexist else (2, 0, 0))


@covers("DUNE-BG.12", "DUNE-BG.13")
def test_the_bene_gesserit_come_to_where_they_had_nobody() -> None:
    scenario = stand(at_table(HARKONNEN, BG), HARKONNEN, "old_gap:9", 2)
    arriving(stand(scenario, BG, "arrakeen:9", 3), BG, "arrakeen:9", 2, "old_gap:9")
    scenario.answer(BG, Coexist(("old_gap:8",)))
    assert sisters(scenario, "old_gap:9") == (0, 0, 2)


@covers("DUNE-BG.13", "DUNE-R.67", "DUNE-R.112")
def test_whoever_shared_the_territory_before_has_no_choice_and_newcomers_do_not_coexist() -> None:
    scenario = stand(stand(at_table(HARKONNEN, BG), HARKONNEN, "old_gap:9", 2), BG, "old_gap:9", 0, coexisting=1)
    arriving(stand(scenario, BG, "arrakeen:9", 3), BG, "arrakeen:9", 2, "old_gap:9")
    assert scenario.done
    assert sisters(scenario, "old_gap:9") == (2, 0, 1)


@covers("DUNE-BG.13")
def test_a_third_player_gives_no_new_choice() -> None:
    scenario = stand(stand(at_table(HARKONNEN, EMPEROR, BG), HARKONNEN, "old_gap:9", 2), BG, "old_gap:9", 1)
    arriving(stand(scenario, EMPEROR, "arrakeen:9", 3), EMPEROR, "arrakeen:9", 2, "old_gap:9")
    assert scenario.done
    assert sisters(scenario, "old_gap:9") == (1, 0, 0)


@covers("DUNE-BG.12")
def test_shipments_and_worm_rides_bring_tokens_together_too() -> None:
    scenario = stand(at_table(HARKONNEN, BG), BG, "carthag:10", 1)
    scenario.put("reserves/harkonnen", (5, 0, 0)).put("spice/harkonnen", 5)
    scenario.run(ShipmentPhase(faction=HARKONNEN)).answer(HARKONNEN, shipment("carthag:10", 2))
    assert (scenario.asked, scenario.where) == ((BG,), "TokensMeet.choose")
    scenario = stand(stand(at_table(FREMEN, BG), BG, "carthag:10", 1), FREMEN, "basin:8", 2).run(WormAttack("basin"))
    scenario.answer(FREMEN, RideWorm((2,), (0,), "carthag:10"))
    assert (scenario.asked, scenario.where) == ((BG,), "TokensMeet.choose")


@covers("DUNE-BG.17")
def test_tokens_left_alone_cease_to_coexist() -> None:
    scenario = stand(stand(at_table(HARKONNEN, BG), HARKONNEN, "old_gap:9", 2), BG, "old_gap:10", 0, coexisting=1)
    arriving(scenario, HARKONNEN, "old_gap:9", 1, "arrakeen:9")
    assert sisters(scenario, "old_gap:10") == (0, 0, 1), "one is still there"
    arriving(scenario, HARKONNEN, "old_gap:9", 1, "arrakeen:9")
    assert sisters(scenario, "old_gap:10") == (1, 0, 0)


@covers("DUNE-BG.17", "DUNE-1.19")
def test_the_storm_can_leave_them_alone() -> None:
    scenario = stand(at_table(HARKONNEN, BG, storm=9), BG, "imperial_basin:8", 0, coexisting=1)
    stand(scenario, HARKONNEN, "imperial_basin:10", 1).run(Moment(Timing.STORM_MOVED.name))
    assert sisters(scenario, "imperial_basin:8") == (1, 0, 0)


def test_another_sector_of_the_same_territory_is_no_arrival() -> None:
    scenario = stand(stand(at_table(HARKONNEN, BG), HARKONNEN, "old_gap:9", 2), BG, "old_gap:10", 0, coexisting=2)
    arriving(scenario, BG, "old_gap:10", 1, "old_gap:8")
    assert scenario.done
    assert (sisters(scenario, "old_gap:8"), sisters(scenario, "old_gap:10")) == ((0, 0, 1), (0, 0, 1))


# --- allies


@covers("DUNE-BG.14")
@pytest.mark.parametrize("agreed", [True, False])
def test_an_ally_may_come_if_the_bene_gesserit_agree_to_coexist(agreed: bool) -> None:
    scenario = stand(ally(at_table(HARKONNEN, BG), BG, HARKONNEN), BG, "old_gap:9", 2)
    arriving(stand(scenario, HARKONNEN, "arrakeen:9", 3), HARKONNEN, "arrakeen:9", 2, "old_gap:9")
    assert (scenario.asked, scenario.where) == ((BG,), "AllyEnters.consent")
    scenario.answer(BG, Consent(agreed))
    if agreed:
        assert scenario.done
        assert sisters(scenario, "old_gap:9") == (0, 0, 2)
        assert scenario.g.troops(HARKONNEN, "old_gap:9") == (2, 0, 0)
    else:
        assert scenario.where == "ManoeuvrePhase.choose"
        scenario.refused(HARKONNEN, Manoeuvre("arrakeen:9", (2,), "old_gap:9"), rule="DUNE-BG.14")
        assert sisters(scenario, "old_gap:9") == (2, 0, 0)


@covers("DUNE-BG.15")
def test_an_ally_may_neither_enter_nor_cross_where_they_stand_against_a_third_player() -> None:
    scenario = ally(at_table(FREMEN, HARKONNEN, BG, storm=5), BG, FREMEN)
    stand(stand(scenario, BG, "habbanya_ridge_flat:17", 1), HARKONNEN, "habbanya_ridge_flat:17", 1)
    stand(scenario, FREMEN, "habbanya_sietch:16", 2).run(ManoeuvrePhase(faction=FREMEN))
    assert scenario.legal(FREMEN) == [Pass()]
    scenario = ally(at_table(FREMEN, HARKONNEN, BG, storm=5), BG, FREMEN)
    stand(stand(scenario, BG, "habbanya_ridge_flat:17", 0, coexisting=1), HARKONNEN, "habbanya_ridge_flat:17", 1)
    stand(scenario, FREMEN, "habbanya_sietch:16", 2).run(ManoeuvrePhase(faction=FREMEN))
    scenario.answer(FREMEN, Manoeuvre("habbanya_sietch:16", (2,), "meridian:1"))
    assert scenario.g.troops(FREMEN, "meridian:1") == (2, 0, 0)


def crossing(*guarded: str) -> Scenario:
    """The Fremen go from their sietch across the ridge; the Bene Gesserit, their ally, stand alone in some cells."""
    scenario = ally(at_table(FREMEN, BG, storm=5), BG, FREMEN)
    for cell in guarded:
        stand(scenario, BG, cell, 1)
    return arriving(stand(scenario, FREMEN, "habbanya_sietch:16", 2), FREMEN, "habbanya_sietch:16", 2, "meridian:1")


@covers("DUNE-R.118", "DUNE-5.19", "DUNE-BG.17")
def test_an_ally_crosses_where_they_stand_alone_if_they_consent_and_leaves_them_alone_again() -> None:
    scenario = crossing("habbanya_ridge_flat:17")
    assert (scenario.asked, scenario.where) == ((BG,), "AllyEnters.consent")
    assert scenario.g.troops(FREMEN, "meridian:1") == (0, 0, 0)
    scenario.answer(BG, Consent(yes=True))
    assert scenario.done
    assert scenario.g.troops(FREMEN, "meridian:1") == (2, 0, 0)
    assert sisters(scenario, "habbanya_ridge_flat:17") == (1, 0, 0)
    assert len(scenario.told("exchange")) == 2, "they coexisted in between"


@covers("DUNE-R.118", "DUNE-BG.14")
def test_without_their_consent_there_is_no_way_across_this_turn() -> None:
    scenario = crossing("habbanya_ridge_flat:17").answer(BG, Consent(yes=False))
    assert (scenario.asked, scenario.where) == ((FREMEN,), "ManoeuvrePhase.choose")
    assert scenario.g.troops(FREMEN, "habbanya_sietch:16") == (2, 0, 0)
    assert sisters(scenario, "habbanya_ridge_flat:17") == (1, 0, 0)
    scenario.refused(FREMEN, Manoeuvre("habbanya_sietch:16", (2,), "meridian:1"))
    scenario.refused(FREMEN, Manoeuvre("habbanya_sietch:16", (2,), "habbanya_ridge_flat:17"), rule="DUNE-BG.14")


@covers("DUNE-R.118", "DUNE-BG.14")
def test_whoever_crosses_to_another_of_their_territories_asks_for_both() -> None:
    scenario = crossing("habbanya_ridge_flat:17", "meridian:1").answer(BG, Consent(yes=True))
    assert (scenario.asked, scenario.where) == ((BG,), "AllyEnters.consent")
    assert scenario.g.table["at/bene_gesserit/habbanya_ridge_flat:17"] == (0, 0, 1)
    refusing = scenario.fork().answer(BG, Consent(yes=False))
    assert refusing.where == "ManoeuvrePhase.choose"
    assert sisters(refusing, "habbanya_ridge_flat:17") == (1, 0, 0), "nobody has come, they are alone as before"
    scenario.answer(BG, Consent(yes=True))
    assert scenario.done
    assert (sisters(scenario, "habbanya_ridge_flat:17"), sisters(scenario, "meridian:1")) == ((1, 0, 0), (0, 0, 1))


def two_ways(*guarded: str) -> Scenario:
    """The Fremen go from the Basin to Arrakeen, by the Old Gap or by the Rim Wall West."""
    scenario = ally(at_table(FREMEN, BG, storm=1), BG, FREMEN)
    for cell in guarded:
        stand(scenario, BG, cell, 1)
    return arriving(stand(scenario, FREMEN, "basin:8", 2), FREMEN, "basin:8", 2, "arrakeen:9")


@covers("DUNE-R.118")
@pytest.mark.parametrize("guarded", ["old_gap:9", "rim_wall_west:8"])
def test_who_can_go_around_asks_nobody(guarded: str) -> None:
    scenario = two_ways(guarded)
    assert scenario.done
    assert scenario.g.troops(FREMEN, "arrakeen:9") == (2, 0, 0)
    assert sisters(scenario, guarded) == (1, 0, 0)


@covers("DUNE-R.118")
@pytest.mark.parametrize("second", [True, False])
def test_of_two_ways_the_second_is_asked_for_if_the_first_stays_closed(second: bool) -> None:
    scenario = two_ways("old_gap:9", "rim_wall_west:8").answer(BG, Consent(yes=False))
    assert (scenario.asked, scenario.where) == ((BG,), "AllyEnters.consent")
    scenario.answer(BG, Consent(yes=second))
    assert scenario.g.troops(FREMEN, "arrakeen:9") == ((2, 0, 0) if second else (0, 0, 0))
    assert scenario.where != "AllyEnters.consent", "there is no third way"


@covers("DUNE-BG.16", "DUNE-R.118")
def test_they_cross_where_their_ally_stands_without_asking() -> None:
    scenario = ally(at_table(HARKONNEN, BG, storm=1), BG, HARKONNEN).put("bonus/ornithopters", (BG,))
    stand(stand(scenario, HARKONNEN, "old_gap:9", 1), HARKONNEN, "rim_wall_west:8", 1)
    arriving(stand(scenario, BG, "basin:8", 2), BG, "basin:8", 2, "arrakeen:9")
    assert scenario.done
    assert sisters(scenario, "arrakeen:9") == (2, 0, 0)


@covers("DUNE-BG.16")
def test_the_bene_gesserit_may_go_to_their_ally_and_coexist_at_once() -> None:
    scenario = stand(ally(at_table(HARKONNEN, BG), BG, HARKONNEN), HARKONNEN, "old_gap:9", 2)
    arriving(stand(scenario, BG, "arrakeen:9", 3), BG, "arrakeen:9", 2, "old_gap:9")
    assert scenario.done
    assert sisters(scenario, "old_gap:9") == (0, 0, 2)


@covers("DUNE-R.70", "DUNE-5.8", "DUNE-5.18")
def test_bene_gesserit_tokens_do_not_go_where_two_others_fill_a_stronghold() -> None:
    scenario = at_table(HARKONNEN, EMPEROR, BG).put("reserves/bene_gesserit", (5, 0, 0)).put("spice/bene_gesserit", 5)
    stand(stand(scenario, HARKONNEN, "carthag:10", 1), EMPEROR, "carthag:10", 1)
    stand(scenario, BG, "arsunt:10", 1).run(ShipmentPhase(faction=BG))
    scenario.refused(BG, shipment("carthag:10", 1), rule="DUNE-5.8")
    scenario.answer(BG, Pass()).run(ManoeuvrePhase(faction=BG))
    scenario.refused(BG, Manoeuvre("arsunt:10", (1,), "carthag:10"), rule="DUNE-5.8")


# --- what coexisting tokens are not


def beside_harkonnen(cell: str) -> Scenario:
    scenario = stand(at_table(HARKONNEN, BG, EMPEROR), BG, cell, 0, coexisting=4)
    return stand(scenario, HARKONNEN, cell, 1)


@covers("DUNE-BG.8", "DUNE-BG.18", "DUNE-BG.21")
def test_coexisting_tokens_hold_no_stronghold_and_spoil_nobodys_hold() -> None:
    scenario = beside_harkonnen("carthag:10")
    assert scenario.g.present(cells_of["carthag"]) == (HARKONNEN,)
    assert scenario.g.holder("carthag") == HARKONNEN


@covers("DUNE-BG.20")
def test_coexisting_tokens_collect_no_spice() -> None:
    scenario = beside_harkonnen("old_gap:9").put("blow/old_gap:9", 6)
    assert within_reach(scenario.g, BG) == []
    assert within_reach(scenario.g, HARKONNEN) == [("old_gap:9", 2)]


@covers("DUNE-BG.22")
def test_coexisting_tokens_earn_no_bonus() -> None:
    scenario = beside_harkonnen("carthag:10")
    hand_out(scenario.g)
    assert scenario.g.table["bonus/carryalls"] == (HARKONNEN,)


@covers("DUNE-BG.19")
def test_what_kills_all_tokens_kills_coexisting_ones_as_well() -> None:
    scenario = beside_harkonnen("old_gap:9").run(WormAttack("old_gap"))
    assert scenario.g.tanks(BG) == (4, 0, 0)


# --- the WBC reading


def wbc(*factions: str, **options: Any) -> Scenario:
    return at_table(*factions, coexistence="wbc", **options)


@covers("DUNE-V.1", "DUNE-V.2", "DUNE-V.3")
def test_wbc_a_declared_territory_holds_all_tokens_that_come_to_it() -> None:
    scenario = stand(stand(wbc(HARKONNEN, BG), HARKONNEN, "old_gap:9", 1), BG, "old_gap:9", 1)
    stand(movement_begins(scenario).answer(BG, Coexist(("old_gap:8",))), BG, "arrakeen:9", 3)
    arriving(scenario, BG, "arrakeen:9", 3, "old_gap:10")
    assert scenario.done
    assert (sisters(scenario, "old_gap:9"), sisters(scenario, "old_gap:10")) == ((0, 0, 1), (0, 0, 3))


@covers("DUNE-V.1", "DUNE-V.2", "DUNE-V.3")
def test_wbc_what_is_said_when_tokens_meet_holds_for_all_that_come_later() -> None:
    scenario = stand(stand(wbc(HARKONNEN, BG), HARKONNEN, "old_gap:9", 1), BG, "arrakeen:9", 3)
    arriving(movement_begins(scenario), BG, "arrakeen:9", 1, "old_gap:10")
    arriving(scenario.answer(BG, Coexist(("old_gap:8",))), BG, "arrakeen:9", 2, "old_gap:10")
    assert scenario.done, "nobody is asked again"
    assert sisters(scenario, "old_gap:10") == (0, 0, 3)


@covers("DUNE-V.2", "DUNE-V.3")
def test_wbc_nothing_is_declared_outside_the_movement_round() -> None:
    scenario = stand(stand(wbc(FREMEN, BG), BG, "carthag:10", 1), FREMEN, "basin:8", 2).run(WormAttack("basin"))
    scenario.answer(FREMEN, RideWorm((2,), (0,), "carthag:10"))
    assert scenario.done
    assert sisters(scenario, "carthag:10") == (1, 0, 0)


@covers("DUNE-V.2", "DUNE-R.114")
def test_wbc_what_was_declared_lapses_with_the_turn() -> None:
    scenario = stand(stand(wbc(HARKONNEN, BG), HARKONNEN, "old_gap:9", 1), BG, "old_gap:9", 1)
    movement_begins(scenario).answer(BG, Coexist(("old_gap:8",))).put("moved", None).run(ControlRound())
    assert sisters(scenario, "old_gap:9") == (1, 0, 0)
    assert "coexistence/old_gap:8" not in scenario.g.table


@covers("DUNE-V.4")
def test_wbc_a_refused_territory_may_change_only_for_another_faction_after_all_have_left() -> None:
    scenario = stand(wbc(HARKONNEN, EMPEROR, FREMEN, BG), HARKONNEN, "old_gap:9", 1)
    movement_begins(stand(scenario, BG, "old_gap:9", 1)).answer(BG, Coexist(()))
    stand(stand(scenario, EMPEROR, "arrakeen:9", 1), FREMEN, "rim_wall_west:8", 1)
    arriving(scenario, EMPEROR, "arrakeen:9", 1, "old_gap:9")
    assert scenario.done, "somebody was there all the time"
    arriving(scenario, HARKONNEN, "old_gap:9", 1, "broken_land:10")
    arriving(scenario, EMPEROR, "old_gap:9", 1, "arrakeen:9")
    arriving(scenario, HARKONNEN, "broken_land:10", 1, "old_gap:9")
    assert scenario.done, "one of those who have left comes back"
    arriving(scenario, HARKONNEN, "old_gap:9", 1, "broken_land:10")
    arriving(scenario, FREMEN, "rim_wall_west:8", 1, "old_gap:9")
    scenario.answer(BG, Coexist(("old_gap:8",)))
    assert sisters(scenario, "old_gap:9") == (0, 0, 1)


@covers("DUNE-V.5", "DUNE-R.95")
def test_wbc_a_coexisting_territory_stays_so_and_counts_for_nobody_left_alone_in_it() -> None:
    scenario = stand(stand(wbc(HARKONNEN, BG), HARKONNEN, "carthag:10", 1), BG, "carthag:10", 1)
    movement_begins(scenario).answer(BG, Coexist(("carthag:10",)))
    arriving(scenario, HARKONNEN, "carthag:10", 1, "arsunt:10")
    assert sisters(scenario, "carthag:10") == (0, 0, 1)
    assert scenario.g.holder("carthag") is None


@covers("DUNE-V.6", "DUNE-R.114")
def test_wbc_where_their_ally_stands_they_always_declare_coexistence() -> None:
    scenario = ally(wbc(HARKONNEN, BG), BG, HARKONNEN)
    movement_begins(stand(stand(scenario, BG, "basin:8", 1), HARKONNEN, "basin:8", 1))
    assert scenario.done
    assert sisters(scenario, "basin:8") == (0, 0, 1)
    scenario.put("moved", None).run(ControlRound())
    assert sisters(scenario, "basin:8") == (0, 0, 1), "they have to"


@covers("DUNE-V.4", "DUNE-BG.7")
def test_wbc_no_combat_advisor_goes_where_coexistence_was_refused() -> None:
    scenario = stand(stand(wbc(HARKONNEN, BG), HARKONNEN, "carthag:10", 1), BG, "carthag:10", 1)
    scenario.put("reserves/harkonnen", (5, 0, 0)).put("spice/harkonnen", 5).put("reserves/bene_gesserit", (5, 0, 0))
    movement_begins(scenario).answer(BG, Coexist(())).run(ShipmentPhase(faction=HARKONNEN))
    scenario.answer(HARKONNEN, shipment("carthag:10", 1))
    assert scenario.legal(BG) == [Pass(), SendAdvisor("polar_sink")]


@covers("DUNE-V.5", "DUNE-BG.7")
def test_wbc_with_a_combat_advisor_the_territory_coexists() -> None:
    scenario = stand(wbc(HARKONNEN, BG), BG, "arsunt:10", 1)
    scenario.put("reserves/harkonnen", (5, 0, 0)).put("spice/harkonnen", 5).put("reserves/bene_gesserit", (5, 0, 0))
    movement_begins(scenario).run(ShipmentPhase(faction=HARKONNEN))
    scenario.answer(HARKONNEN, shipment("carthag:10", 1)).answer(BG, SendAdvisor("carthag:10"))
    arriving(scenario, BG, "arsunt:10", 1, "carthag:10")
    assert scenario.done, "nobody is asked again"
    assert sisters(scenario, "carthag:10") == (0, 0, 2)


@covers("DUNE-BG.14", "DUNE-BG.17", "DUNE-K.16")
def test_an_ally_whose_shipment_is_stopped_leaves_them_alone_after_all() -> None:
    scenario = stand(ally(at_table(HARKONNEN, BG, GUILD), BG, HARKONNEN), BG, "old_gap:9", 2)
    scenario.put("reserves/harkonnen", (5, 0, 0)).put("spice/harkonnen", 5).lay("hand/guild", "karama")
    scenario.run(ShipmentPhase(faction=HARKONNEN)).answer(HARKONNEN, shipment("old_gap:9", 2))
    scenario.answer(BG, Consent(yes=True))
    assert sisters(scenario, "old_gap:9") == (0, 0, 2)
    scenario.answer(GUILD, PlayCard("karama"))
    assert sisters(scenario, "old_gap:9") == (2, 0, 0)
