"""5: Movement Round, Manoeuvre Phase: groups, how far they get, what stops them; and the Hajr."""

import pytest

from landsraad_engine.dune.acts import Manoeuvre, Pass, PlayCard
from landsraad_engine.dune.board import part_of, territory_of
from landsraad_engine.dune.manoeuvre import ManoeuvrePhase
from landsraad_engine.dune.movement import MovementRound
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, HARKONNEN
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, shipment, stand


def moving(scenario: Scenario, faction: str = ATREIDES) -> Scenario:
    return scenario.run(ManoeuvrePhase(faction=faction))


def ends(scenario: Scenario, faction: str = ATREIDES, origin: str = "") -> set[str]:
    """The cells that a faction's groups can reach."""
    moves = scenario.legal(faction, Manoeuvre)
    return {act.to for act in moves if origin in ("", act.origin)}


def territories(cells: set[str]) -> set[str]:
    return {territory_of[cell] for cell in cells}


@covers("DUNE-5.12", "DUNE-5.16")
def test_any_number_of_tokens_move_as_a_group_to_an_adjacent_territory() -> None:
    scenario = moving(stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "arrakeen:9", 10))
    assert territories(ends(scenario)) == {"imperial_basin", "old_gap", "rim_wall_west"}
    scenario.refused(ATREIDES, Manoeuvre("arrakeen:9", (11,), "old_gap:9"), rule="DUNE-5.12")
    scenario.refused(ATREIDES, Manoeuvre("arrakeen:9", (0,), "old_gap:9"), rule="DUNE-5.12")
    scenario.refused(ATREIDES, Manoeuvre("arrakeen:9", (1,), "carthag:10"), rule="DUNE-5.12")
    scenario.answer(ATREIDES, Manoeuvre("arrakeen:9", (4,), "imperial_basin:10"))
    assert scenario.done, "there is one manoeuvre"
    assert scenario.g.troops(ATREIDES, "arrakeen:9") == (6, 0, 0)
    assert scenario.g.troops(ATREIDES, "imperial_basin:10") == (4, 0, 0)


@covers("DUNE-5.11")
def test_a_player_makes_one_manoeuvre_and_may_do_without() -> None:
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "arrakeen:9", 10).run(MovementRound())
    scenario.answer(ATREIDES, Manoeuvre("arrakeen:9", (1,), "old_gap:9"))
    assert scenario.done, "Harkonnen have nothing to ship or move"
    assert moving(stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "arrakeen:9", 1)).answer(ATREIDES, Pass()).done


@covers("DUNE-5.17")
def test_tokens_shipped_this_turn_may_move() -> None:
    scenario = at_table(ATREIDES, HARKONNEN).put("reserves/atreides", (3, 0, 0)).put("spice/atreides", 3)
    scenario.run(MovementRound()).answer(ATREIDES, shipment("arrakeen:9", 3))
    scenario.answer(ATREIDES, Manoeuvre("arrakeen:9", (3,), "rim_wall_west:8"))
    assert scenario.g.troops(ATREIDES, "rim_wall_west:8") == (3, 0, 0)


@covers("DUNE-5.14", "DUNE-R.86")
def test_sector_lines_do_not_matter_and_several_sectors_move_as_one_group() -> None:
    scenario = at_table(ATREIDES, HARKONNEN)
    stand(stand(scenario, ATREIDES, "wind_pass:13", 2), ATREIDES, "wind_pass:16", 3)
    moving(scenario).answer(ATREIDES, Manoeuvre("wind_pass:13", (1, 3), "cielago_west:17"))
    assert scenario.g.troops(ATREIDES, "cielago_west:17") == (4, 0, 0)
    assert scenario.g.troops(ATREIDES, "wind_pass:13") == (1, 0, 0)


@covers("DUNE-R.86", "DUNE-1.19")
def test_the_storm_parts_a_group() -> None:
    scenario = at_table(ATREIDES, HARKONNEN, storm=15)
    for cell in ("wind_pass:13", "wind_pass:14", "wind_pass:16"):
        stand(scenario, ATREIDES, cell, 1)
    moving(scenario)
    assert {act.origin for act in scenario.legal(ATREIDES, Manoeuvre)} == {"wind_pass:13", "wind_pass:16"}
    scenario.refused(ATREIDES, Manoeuvre("wind_pass:13", (1, 1, 1), "polar_sink"), rule="DUNE-5.12")


@covers("DUNE-5.15", "DUNE-R.85")
def test_nothing_enters_leaves_or_crosses_the_storm() -> None:
    scenario = at_table(ATREIDES, HARKONNEN, storm=9)
    stand(stand(scenario, ATREIDES, "imperial_basin:8", 1), ATREIDES, "imperial_basin:9", 1)
    moving(scenario)
    scenario.refused(ATREIDES, Manoeuvre("imperial_basin:8", (1,), "arrakeen:9"), rule="DUNE-5.15")
    scenario.refused(ATREIDES, Manoeuvre("imperial_basin:8", (1,), "carthag:10"))
    assert ends(scenario, origin="imperial_basin:9") == set(), "who is under the storm stays there"
    assert "old_gap:8" not in ends(scenario), "Imperial Basin touches Old Gap in the storm's sector and beyond only"


@covers("DUNE-5.13", "DUNE-R.81")
def test_ornithopters_carry_a_group_through_three_territories() -> None:
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "tueks_sietch:4", 5)
    stand(scenario, ATREIDES, "arrakeen:9", 1).put("bonus/ornithopters", (ATREIDES,))
    moving(scenario)
    reached = territories(ends(scenario, origin="tueks_sietch:4"))
    assert {"pasty_mesa", "shield_wall", "imperial_basin"} <= reached
    assert "arrakeen" not in reached, "that is four territories away"


@covers("DUNE-R.82")
def test_ornithopters_stay_for_the_turn_though_the_city_has_fallen() -> None:
    scenario = stand(at_table(ATREIDES, HARKONNEN), HARKONNEN, "arrakeen:9", 5)
    stand(scenario, ATREIDES, "tueks_sietch:4", 1).put("bonus/ornithopters", (ATREIDES,))
    assert "imperial_basin" in territories(ends(moving(scenario)))


@covers("DUNE-X.4")
def test_with_ornithopters_twelve_harkonnen_get_from_carthag_to_sietch_tabr() -> None:
    """Example of battle, the move before it."""
    scenario = stand(at_table(HARKONNEN, FREMEN, BENE_GESSERIT), HARKONNEN, "carthag:10", 12)
    stand(scenario, FREMEN, "sietch_tabr:13", 3, elites=2)
    stand(scenario, BENE_GESSERIT, "sietch_tabr:13", 0, coexisting=1)
    scenario.put("ally/fremen", (BENE_GESSERIT,)).put("ally/bene_gesserit", (FREMEN,))
    scenario.put("bonus/ornithopters", (HARKONNEN,))
    moving(scenario, HARKONNEN).answer(HARKONNEN, Manoeuvre("carthag:10", (12,), "sietch_tabr:13"))
    assert scenario.done, "the Bene Gesserit were with the Fremen before, so there is nothing to choose"
    assert scenario.g.troops(HARKONNEN, "sietch_tabr:13") == (12, 0, 0)
    assert scenario.g.troops(BENE_GESSERIT, "sietch_tabr:13") == (0, 0, 1)


@covers("DUNE-5.18")
def test_no_group_goes_into_or_through_a_stronghold_where_two_others_stand() -> None:
    scenario = stand(at_table(ATREIDES, HARKONNEN, EMPEROR), ATREIDES, "arsunt:10", 2)
    stand(stand(scenario, HARKONNEN, "carthag:10", 1), EMPEROR, "carthag:10", 1)
    stand(stand(scenario, HARKONNEN, "imperial_basin:9", 1), EMPEROR, "imperial_basin:9", 1)
    moving(scenario)
    scenario.refused(ATREIDES, Manoeuvre("arsunt:10", (1,), "carthag:10"), rule="DUNE-5.8")
    assert "imperial_basin:9" in ends(scenario), "other tokens do not hinder elsewhere"


@covers("DUNE-5.18")
@pytest.mark.parametrize("others", [1, 2])
def test_a_full_stronghold_cannot_be_crossed(others: int) -> None:
    """The Fremen's ally shuts the other two ways from Arsunt to Tsimpo."""
    scenario = stand(at_table(FREMEN, HARKONNEN, EMPEROR, ATREIDES), FREMEN, "arsunt:10", 2)
    scenario.put("ally/fremen", (ATREIDES,)).put("ally/atreides", (FREMEN,))
    stand(stand(scenario, ATREIDES, "imperial_basin:9", 1), ATREIDES, "hagga_basin:11", 1)
    for faction in (HARKONNEN, EMPEROR)[:others]:
        stand(scenario, faction, "carthag:10", 1)
    assert ("tsimpo:10" in ends(moving(scenario, FREMEN), FREMEN)) is (others == 1)


@covers("DUNE-5.19")
def test_no_group_goes_into_or_through_where_an_ally_stands() -> None:
    scenario = stand(at_table(FREMEN, HARKONNEN, storm=5), FREMEN, "habbanya_sietch:16", 2)
    scenario.put("ally/fremen", (HARKONNEN,)).put("ally/harkonnen", (FREMEN,))
    stand(scenario, HARKONNEN, "habbanya_ridge_flat:17", 1)
    moving(scenario, FREMEN)
    assert ends(scenario, FREMEN) == set(), "the ally holds the only way out"
    scenario.refused(FREMEN, Manoeuvre("habbanya_sietch:16", (1,), "habbanya_ridge_flat:16"))


@covers("DUNE-5.19", "DUNE-5.25")
def test_allies_may_meet_in_the_polar_sink_and_where_the_storm_is_between_them() -> None:
    scenario = at_table(ATREIDES, HARKONNEN, storm=9)
    scenario.put("ally/atreides", (HARKONNEN,)).put("ally/harkonnen", (ATREIDES,))
    stand(stand(scenario, HARKONNEN, "polar_sink", 1), HARKONNEN, "imperial_basin:8", 1)
    stand(scenario, ATREIDES, "arsunt:10", 1)
    reached = ends(moving(scenario))
    assert {"polar_sink", "imperial_basin:10"} <= reached
    assert "imperial_basin:8" not in reached


@covers("DUNE-R.87")
def test_going_to_another_sector_of_the_same_territory_is_the_manoeuvre() -> None:
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "pasty_mesa:4", 2)
    stand(scenario, ATREIDES, "pasty_mesa:6", 1)
    moving(scenario)
    scenario.refused(ATREIDES, Manoeuvre("pasty_mesa:4", (0, 1), "pasty_mesa:6"))
    scenario.answer(ATREIDES, Manoeuvre("pasty_mesa:4", (2, 0), "pasty_mesa:6"))
    assert scenario.done
    assert scenario.g.troops(ATREIDES, "pasty_mesa:6") == (3, 0, 0)


def test_elites_move_as_the_player_says() -> None:
    scenario = stand(at_table(EMPEROR, HARKONNEN), EMPEROR, "carthag:10", 4, elites=3)
    moving(scenario, EMPEROR).answer(EMPEROR, Manoeuvre("carthag:10", (1, 3), "arsunt:11"))
    assert scenario.g.troops(EMPEROR, "arsunt:11") == (1, 3, 0)
    assert scenario.g.troops(EMPEROR, "carthag:10") == (3, 0, 0)


@covers("DUNE-5.14")
@pytest.mark.parametrize("storm", range(1, 19))
def test_every_listed_manoeuvre_is_one_step_clear_of_the_storm(storm: int) -> None:
    scenario = at_table(ATREIDES, HARKONNEN, storm=storm)
    for cell in ("imperial_basin:8", "imperial_basin:10", "wind_pass:13", "wind_pass:16", "cielago_north:1"):
        stand(scenario, ATREIDES, cell, 1)
    listed = moving(scenario).legal(ATREIDES, Manoeuvre)
    assert len({act.origin for act in listed}) >= 2
    for act in listed:
        assert not act.origin.endswith(f":{storm}")
        assert not act.to.endswith(f":{storm}")
        assert part_of(act.to, storm) != part_of(act.origin, storm) or len(part_of(act.to, storm)) > 1


# --- promises


@covers("DUNE-R.17", "DUNE-R.18", "DUNE-T.19", "DUNE-T.20")
def test_who_said_yes_to_entering_must_move_there_if_they_can_and_else_says_so() -> None:
    truth = (ATREIDES, HARKONNEN, "enter", "old_gap", True, 2, True)
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "arrakeen:9", 2).put("truths", (truth,))
    moving(scenario)
    assert territories(ends(scenario)) == {"old_gap"}
    assert Pass() not in scenario.legal(ATREIDES)
    scenario.answer(ATREIDES, Manoeuvre("arrakeen:9", (1,), "old_gap:10"))
    assert "truths" not in scenario.g.table
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "carthag:10", 2).put("truths", (truth,))
    moving(scenario)
    assert Pass() in scenario.legal(ATREIDES)
    assert [event.public for event in scenario.told("declare")] == [(0, "answer invalid", ("enter", "old_gap", True))]


@covers("DUNE-T.20", "DUNE-R.18")
def test_a_promise_that_the_turn_has_left_unkept_is_declared_invalid() -> None:
    truths = tuple((ATREIDES, HARKONNEN, "enter", territory, True, 2, True) for territory in ("old_gap", "arsunt"))
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "imperial_basin:9", 2).put("truths", truths)
    scenario.run(MovementRound()).answer(ATREIDES, Manoeuvre("imperial_basin:9", (2,), "arsunt:10"))
    assert [event.public for event in scenario.told("declare")] == [(0, "answer invalid", ("enter", "old_gap", True))]


# --- Hajr


@covers("DUNE-T.34", "DUNE-T.35", "DUNE-T.13")
def test_hajr_gives_one_manoeuvre_more_for_the_same_group_or_another() -> None:
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "arrakeen:9", 3).lay("hand/atreides", "hajr")
    scenario.run(MovementRound())
    scenario.answer(ATREIDES, PlayCard("hajr"))
    assert scenario.g.table["treachery_discard"] == ("hajr",)
    scenario.refused(ATREIDES, Manoeuvre("arrakeen:9", (1,), "carthag:10"), rule="DUNE-5.12")
    scenario.answer(ATREIDES, Manoeuvre("arrakeen:9", (3,), "old_gap:9"))
    scenario.answer(ATREIDES, Manoeuvre("old_gap:9", (3,), "broken_land:10"))
    assert scenario.g.troops(ATREIDES, "broken_land:10") == (3, 0, 0)


@covers("DUNE-T.34")
def test_hajr_may_be_played_at_any_point_of_the_own_turn() -> None:
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "arrakeen:9", 3).lay("hand/atreides", "hajr")
    scenario.put("reserves/atreides", (5, 0, 0)).run(MovementRound())
    assert PlayCard("hajr") in scenario.legal(ATREIDES), "before shipping"
    scenario.answer(ATREIDES, Pass())
    assert PlayCard("hajr") in scenario.legal(ATREIDES), "before moving"
    scenario.answer(ATREIDES, Pass())
    assert PlayCard("hajr") in scenario.legal(ATREIDES), "after moving"
    scenario.answer(ATREIDES, PlayCard("hajr")).answer(ATREIDES, Manoeuvre("arrakeen:9", (1,), "old_gap:9"))
    assert scenario.g.troops(ATREIDES, "old_gap:9") == (1, 0, 0)


@covers("DUNE-R.119", "DUNE-T.20")
def test_a_promise_that_a_later_act_can_keep_is_not_declared_invalid_at_a_hajr() -> None:
    truth = (ATREIDES, HARKONNEN, "enter", "carthag", True, 2, True)
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "pasty_mesa:4", 2).lay("hand/atreides", "hajr")
    scenario.put("reserves/atreides", (5, 0, 0)).put("spice/atreides", 5).put("truths", (truth,))
    scenario.run(MovementRound()).answer(ATREIDES, PlayCard("hajr"))
    scenario.answer(ATREIDES, Manoeuvre("pasty_mesa:4", (2,), "south_mesa:4"))
    assert scenario.where == "ShipmentPhase.choose"
    assert not scenario.told("declare")
    scenario.answer(ATREIDES, shipment("carthag:10", 1))
    assert not scenario.told("declare")
    assert "truths" not in scenario.g.table


@covers("DUNE-T.34")
def test_the_question_after_the_manoeuvre_says_nothing_about_the_hand() -> None:
    """It is put to everybody who holds cards; who has no Hajr can only pass."""
    scenario = stand(at_table(ATREIDES, HARKONNEN), ATREIDES, "arrakeen:9", 3).lay("hand/atreides", "shield")
    scenario.run(MovementRound()).answer(ATREIDES, Pass())
    assert scenario.where == "MovementTurn.anything_more"
    assert scenario.legal(ATREIDES) == [Pass()]


@covers("DUNE-R.17")
def test_who_promised_to_keep_out_of_where_they_stand_may_still_leave() -> None:
    scenario = stand(at_table(ATREIDES, HARKONNEN, storm=5), ATREIDES, "habbanya_sietch:16", 2)
    scenario.put("deals", ((ATREIDES, HARKONNEN, "enter", "habbanya_sietch", False, 2, True),))
    assert ends(moving(scenario)) == {"habbanya_ridge_flat:16", "habbanya_ridge_flat:17"}
