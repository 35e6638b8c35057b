"""The Fremen in the Movement Round: shipments on the planet, manoeuvres of two territories, worms called."""

import pytest

from landsraad_engine.dune.acts import Manoeuvre, Pass, PlayCard, ShipNative
from landsraad_engine.dune.board import FREMEN_SHIPMENT, territory_of
from landsraad_engine.dune.manoeuvre import ManoeuvrePhase
from landsraad_engine.dune.movement import MovementRound, MovementTurn
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, HARKONNEN
from landsraad_engine.dune.shipment import ShipmentPhase
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, stand


def shipping(scenario: Scenario, tokens: int = 7, elites: int = 3) -> Scenario:
    return scenario.put("reserves/fremen", (tokens, elites, 0)).run(ShipmentPhase(faction=FREMEN))


def landings(scenario: Scenario) -> set[str]:
    return {act.to for act in scenario.legal(FREMEN, ShipNative)}


@covers("DUNE-FRE.18", "DUNE-FRE.19", "DUNE-R.84")
def test_fremen_ship_free_of_charge_to_the_sixteen_territories_around_the_great_flat() -> None:
    scenario = shipping(at_table(FREMEN, HARKONNEN))
    assert {territory_of[cell] for cell in landings(scenario)} == set(FREMEN_SHIPMENT)
    assert {type(act) for act in scenario.legal(FREMEN)} == {ShipNative, Pass}, "and in no other way"
    scenario.refused(FREMEN, ShipNative(1, 0, "arrakeen:9", 0), rule="DUNE-FRE.19")
    scenario.answer(FREMEN, ShipNative(4, 2, "sietch_tabr:13", 0))
    assert scenario.g.troops(FREMEN, "sietch_tabr:13") == (4, 2, 0)
    assert scenario.g.reserves(FREMEN) == (3, 1, 0)


@covers("DUNE-FRE.20")
@pytest.mark.parametrize("storm", [13, 14, 15])
def test_the_storm_does_not_change_how_far_that_is(storm: int) -> None:
    scenario = shipping(at_table(FREMEN, HARKONNEN, storm=storm))
    assert {territory_of[cell] for cell in landings(scenario)} == set(FREMEN_SHIPMENT)


@covers("DUNE-FRE.22", "DUNE-R.60")
def test_who_lands_under_the_storm_loses_half_rounded_up_of_either_kind() -> None:
    scenario = shipping(at_table(FREMEN, HARKONNEN, storm=13))
    scenario.refused(FREMEN, ShipNative(3, 2, "sietch_tabr:13", 3), rule="DUNE-FRE.22")
    scenario.refused(FREMEN, ShipNative(0, 3, "sietch_tabr:13", 1), rule="DUNE-FRE.22")
    scenario.answer(FREMEN, ShipNative(3, 2, "sietch_tabr:13", 1))
    assert scenario.g.troops(FREMEN, "sietch_tabr:13") == (1, 1, 0), "rock shelters nobody in landing"
    assert scenario.g.tanks(FREMEN) == (2, 1, 0)


@covers("DUNE-FRE.22", "DUNE-R.115")
def test_the_losses_that_can_be_named_are_exactly_the_halves() -> None:
    scenario = shipping(at_table(FREMEN, HARKONNEN, storm=14), tokens=4, elites=3)
    for act in scenario.legal(FREMEN, ShipNative):
        assert isinstance(act, ShipNative)
        half = (act.tokens + act.elites + 1) // 2 if act.to.endswith(":14") else 0
        assert 0 <= act.elites_lost <= act.elites
        assert 0 <= half - act.elites_lost <= act.tokens or not half
        assert half or not act.elites_lost
    losses = {act.elites_lost for act in scenario.legal(FREMEN, ShipNative) if act.to == "the_great_flat:14"}
    assert losses == {0, 1, 2, 3}


@covers("DUNE-FRE.22")
def test_a_single_token_under_the_storm_is_lost_and_meets_nobody() -> None:
    scenario = stand(at_table(FREMEN, BENE_GESSERIT, storm=13), BENE_GESSERIT, "sietch_tabr:13", 1)
    assert shipping(scenario).answer(FREMEN, ShipNative(1, 0, "sietch_tabr:13", 0)).done
    assert scenario.g.tanks(FREMEN) == (1, 0, 0)


@covers("DUNE-5.8", "DUNE-5.9")
def test_full_strongholds_and_allies_bar_fremen_shipments_too() -> None:
    scenario = at_table(FREMEN, HARKONNEN, EMPEROR, ATREIDES)
    scenario.put("ally/fremen", (ATREIDES,)).put("ally/atreides", (FREMEN,))
    stand(stand(scenario, HARKONNEN, "sietch_tabr:13", 1), EMPEROR, "sietch_tabr:13", 1)
    shipping(stand(scenario, ATREIDES, "wind_pass:14", 1))
    scenario.refused(FREMEN, ShipNative(1, 0, "sietch_tabr:13", 0), rule="DUNE-5.8")
    scenario.refused(FREMEN, ShipNative(1, 0, "wind_pass:13", 0), rule="DUNE-5.9")


@covers("DUNE-T.19", "DUNE-FRE.22")
def test_who_promised_to_ship_there_and_loses_all_of_it_to_the_storm_has_kept_the_promise() -> None:
    scenario = stand(at_table(FREMEN, HARKONNEN, storm=15), FREMEN, "habbanya_ridge_flat:16", 2).put("moved", ())
    scenario.put("truths", ((FREMEN, HARKONNEN, "enter", "habbanya_erg", True, 2, True),))
    scenario.put("reserves/fremen", (5, 0, 0)).run(MovementTurn(faction=FREMEN))
    scenario.answer(FREMEN, ShipNative(1, 0, "habbanya_erg:15", 0))
    assert scenario.g.tanks(FREMEN) == (1, 0, 0)
    assert Pass() in scenario.legal(FREMEN), "no manoeuvre has to follow"
    assert "truths" not in scenario.g.table


@covers("DUNE-FRE.23")
def test_a_fremen_manoeuvre_reaches_two_territories() -> None:
    scenario = stand(at_table(FREMEN, HARKONNEN), FREMEN, "sietch_tabr:13", 3).run(ManoeuvrePhase(faction=FREMEN))
    scenario.refused(FREMEN, Manoeuvre("sietch_tabr:13", (1,), "carthag:10"), rule="DUNE-5.12")
    scenario.answer(FREMEN, Manoeuvre("sietch_tabr:13", (3,), "the_great_flat:14"))
    assert scenario.g.troops(FREMEN, "the_great_flat:14") == (3, 0, 0)


@covers("DUNE-FRE.23", "DUNE-R.81")
def test_fremen_with_ornithopters_go_as_far_as_anybody() -> None:
    scenario = stand(at_table(FREMEN, HARKONNEN), FREMEN, "sietch_tabr:13", 3).put("bonus/ornithopters", (FREMEN,))
    scenario.run(ManoeuvrePhase(faction=FREMEN)).answer(FREMEN, Manoeuvre("sietch_tabr:13", (3,), "carthag:10"))
    assert scenario.g.troops(FREMEN, "carthag:10") == (3, 0, 0)


@covers("DUNE-R.3", "DUNE-R.5")
def test_option_gf9_a_karama_takes_the_second_territory_away() -> None:
    scenario = stand(at_table(FREMEN, HARKONNEN, karama_reach="gf9"), FREMEN, "sietch_tabr:13", 3)
    scenario.lay("hand/harkonnen", "karama").run(ManoeuvrePhase(faction=FREMEN))
    scenario.answer(FREMEN, Manoeuvre("sietch_tabr:13", (3,), "the_great_flat:14"))
    scenario.answer(HARKONNEN, PlayCard("karama"))
    scenario.refused(FREMEN, Manoeuvre("sietch_tabr:13", (3,), "the_great_flat:14"))
    scenario.answer(FREMEN, Manoeuvre("sietch_tabr:13", (3,), "plastic_basin:13"))
    assert scenario.done
    assert "cancelled" not in scenario.g.table


@covers("DUNE-R.5")
def test_the_second_territory_is_back_although_the_manoeuvre_came_to_nothing() -> None:
    scenario = at_table(FREMEN, HARKONNEN, BENE_GESSERIT, orders=True, karama_reach="gf9")
    scenario.lay("hand/harkonnen", "karama").lay("hand/fremen", "karama").lay("hand/bene_gesserit", "kulon")
    stand(scenario, FREMEN, "the_great_flat:14", 3).run(ManoeuvrePhase(faction=FREMEN))
    scenario.answer(FREMEN, Manoeuvre("the_great_flat:14", (3,), "sietch_tabr:13"))
    scenario.answer(HARKONNEN, PlayCard("karama")).answer(BENE_GESSERIT, Pass())
    scenario.answer(FREMEN, PlayCard("karama", "the_great_flat")).answer(BENE_GESSERIT, PlayCard("kulon"))
    assert scenario.done, "the worm has eaten all who could move"
    assert "cancelled" not in scenario.g.table


@covers("DUNE-R.4")
def test_the_free_shipment_cannot_be_cancelled() -> None:
    scenario = at_table(FREMEN, HARKONNEN, karama_reach="gf9").lay("hand/harkonnen", "karama")
    assert shipping(scenario).answer(FREMEN, ShipNative(1, 0, "sietch_tabr:13", 0)).done


@covers("DUNE-K.12", "DUNE-K.13", "DUNE-K.17")
def test_fremen_may_call_a_worm_in_their_own_movement_turn_only() -> None:
    scenario = stand(at_table(HARKONNEN, FREMEN), HARKONNEN, "basin:8", 3).lay("hand/fremen", "karama")
    stand(scenario, FREMEN, "sietch_tabr:13", 1).run(MovementRound())
    assert scenario.asked == (HARKONNEN,)
    scenario.answer(HARKONNEN, Pass())
    scenario.answer(FREMEN, PlayCard("karama", "basin"))
    assert scenario.g.troops(HARKONNEN, "basin:8") == (0, 0, 0)
    assert scenario.where == "ManoeuvrePhase.choose", "the turn goes on"
