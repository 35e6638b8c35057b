"""5: Movement Round, Shipment Phase: what a shipment costs, where it may land, how Karama changes it."""

import pytest

from landsraad_engine.dune.acts import Consent, GiveBack, Pass, PlayCard, PlayOpportunistic, Ship
from landsraad_engine.dune.movement import MovementRound
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN
from landsraad_engine.dune.shipment import ShipmentPhase
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, shipment, stand


def shipping(*factions: str, reserves: int = 10, spice: int = 10, storm: int = 18) -> Scenario:
    """The first of the factions has these reserves and is about to ship."""
    scenario = at_table(*factions, storm=storm)
    return scenario.put(f"reserves/{factions[0]}", (reserves, 0, 0)).put(f"spice/{factions[0]}", spice)


def cells(scenario: Scenario, faction: str) -> set[str]:
    """Where the faction can make a standard shipment to."""
    return {act.to for act in scenario.legal(faction, Ship)}


@covers("DUNE-5.3", "DUNE-5.5", "DUNE-5.10")
def test_a_standard_shipment_lands_and_is_paid_at_once() -> None:
    scenario = shipping(ATREIDES, HARKONNEN).run(ShipmentPhase(faction=ATREIDES))
    scenario.answer(ATREIDES, shipment("arrakeen:9", 7))
    g = scenario.g
    assert scenario.done
    assert g.troops(ATREIDES, "arrakeen:9") == (7, 0, 0)
    assert g.reserves(ATREIDES) == (3, 0, 0)
    assert (g.spice(ATREIDES), g.table["bank"]) == (3, 7), "one spice for each token into a stronghold"


@covers("DUNE-5.10")
def test_two_spice_for_each_token_shipped_elsewhere_than_into_a_stronghold() -> None:
    scenario = shipping(ATREIDES, HARKONNEN).run(ShipmentPhase(faction=ATREIDES))
    scenario.answer(ATREIDES, shipment("polar_sink", 3))
    assert scenario.g.spice(ATREIDES) == 4


@covers("DUNE-5.5")
def test_nobody_ships_more_than_they_can_pay_for() -> None:
    scenario = shipping(ATREIDES, HARKONNEN, spice=5).run(ShipmentPhase(faction=ATREIDES))
    ships = scenario.legal(ATREIDES, Ship)
    assert max(act.tokens for act in ships if act.to == "arrakeen:9") == 5
    assert max(act.tokens for act in ships if act.to == "basin:8") == 2
    scenario.refused(ATREIDES, shipment("basin:8", 3))


@covers("DUNE-5.2")
def test_a_player_makes_one_shipment_and_need_not_make_any() -> None:
    scenario = shipping(ATREIDES, HARKONNEN).run(MovementRound())
    scenario.answer(ATREIDES, shipment("arrakeen:9", 1))
    assert scenario.where == "ManoeuvrePhase.choose", "there is no second one"
    scenario = shipping(ATREIDES, HARKONNEN).run(ShipmentPhase(faction=ATREIDES)).answer(ATREIDES, Pass())
    assert scenario.done


@covers("DUNE-5.6", "DUNE-5.7")
def test_a_shipment_names_the_sector_and_it_must_be_clear_of_the_storm() -> None:
    scenario = shipping(ATREIDES, HARKONNEN, storm=9).run(ShipmentPhase(faction=ATREIDES))
    open_cells = cells(scenario, ATREIDES)
    assert {"imperial_basin:8", "imperial_basin:10"} <= open_cells
    assert not {"imperial_basin:9", "arrakeen:9", "old_gap:9"} & open_cells
    scenario.refused(ATREIDES, shipment("imperial_basin:9", 1), rule="DUNE-5.15")
    scenario.answer(ATREIDES, shipment("imperial_basin:10", 2))
    assert scenario.g.troops(ATREIDES, "imperial_basin:10") == (2, 0, 0)


@covers("DUNE-5.8")
def test_nobody_ships_into_a_stronghold_where_two_others_stand() -> None:
    scenario = shipping(ATREIDES, HARKONNEN, EMPEROR)
    stand(stand(scenario, HARKONNEN, "carthag:10", 3), EMPEROR, "carthag:10", 1)
    stand(stand(scenario, HARKONNEN, "basin:8", 3), EMPEROR, "basin:8", 1)
    stand(scenario, HARKONNEN, "arrakeen:9", 20)
    scenario.run(ShipmentPhase(faction=ATREIDES))
    scenario.refused(ATREIDES, shipment("carthag:10", 1), rule="DUNE-5.8")
    assert {"basin:8", "arrakeen:9"} <= cells(scenario, ATREIDES), "other tokens do not hinder elsewhere"


@covers("DUNE-5.8", "DUNE-BG.8")
def test_coexisting_tokens_do_not_fill_a_stronghold() -> None:
    scenario = shipping(ATREIDES, HARKONNEN, BENE_GESSERIT)
    stand(stand(scenario, HARKONNEN, "carthag:10", 3), BENE_GESSERIT, "carthag:10", 0, coexisting=2)
    scenario.run(ShipmentPhase(faction=ATREIDES))
    assert "carthag:10" in cells(scenario, ATREIDES)


@covers("DUNE-5.9", "DUNE-5.25", "DUNE-1.19")
def test_nobody_ships_to_their_ally_except_to_the_polar_sink_or_across_the_storm() -> None:
    scenario = shipping(ATREIDES, HARKONNEN, storm=9)
    scenario.put("ally/atreides", (HARKONNEN,)).put("ally/harkonnen", (ATREIDES,))
    for cell in ("carthag:10", "imperial_basin:8", "polar_sink"):
        stand(scenario, HARKONNEN, cell, 1)
    scenario.run(ShipmentPhase(faction=ATREIDES))
    scenario.refused(ATREIDES, shipment("carthag:10", 1), rule="DUNE-5.9")
    scenario.refused(ATREIDES, shipment("imperial_basin:8", 1), rule="DUNE-5.9")
    assert {"polar_sink", "imperial_basin:10"} <= cells(scenario, ATREIDES)


@covers("DUNE-5.1")
def test_without_reserves_nothing_is_asked_about_shipping() -> None:
    scenario = shipping(ATREIDES, HARKONNEN, reserves=0).run(ShipmentPhase(faction=ATREIDES))
    assert scenario.done


@covers("DUNE-5.1")
def test_with_reserves_and_no_spice_the_question_is_put_all_the_same() -> None:
    """Else everybody would see that the purse is empty."""
    scenario = shipping(ATREIDES, HARKONNEN, spice=0).run(ShipmentPhase(faction=ATREIDES))
    assert scenario.legal(ATREIDES) == [Pass()]


def test_elites_and_ordinary_tokens_are_shipped_as_the_player_says() -> None:
    scenario = at_table(EMPEROR, HARKONNEN).put("reserves/emperor", (15, 5, 0)).put("spice/emperor", 4)
    scenario.run(ShipmentPhase(faction=EMPEROR))
    scenario.refused(EMPEROR, shipment("arrakeen:9", 3, elites=2), rule="DUNE-5.5")
    scenario.refused(EMPEROR, shipment("arrakeen:9"), rule="DUNE-5.5")
    scenario.answer(EMPEROR, shipment("arrakeen:9", 1, elites=3))
    assert scenario.g.troops(EMPEROR, "arrakeen:9") == (1, 3, 0)


# --- half the fee by Karama


@covers("DUNE-K.3", "DUNE-K.4", "DUNE-GUI.10")
def test_a_karama_halves_the_fee_and_the_half_goes_to_the_bank() -> None:
    scenario = shipping(HARKONNEN, GUILD, spice=5).lay("hand/harkonnen", "karama")
    scenario.run(ShipmentPhase(faction=HARKONNEN))
    scenario.refused(HARKONNEN, shipment("carthag:10", 6))
    scenario.answer(HARKONNEN, shipment("carthag:10", 9, karama="karama"))
    g = scenario.g
    assert g.troops(HARKONNEN, "carthag:10") == (9, 0, 0)
    assert (g.spice(HARKONNEN), g.spice(GUILD), g.table["bank"]) == (0, 0, 5), "nine halves, rounded up"
    assert g.table["treachery_discard"] == ("karama",)


@covers("DUNE-K.29", "DUNE-BG.2", "DUNE-R.117")
def test_a_worthless_card_for_half_the_fee_may_be_cancelled_and_the_shipment_is_declared_anew() -> None:
    scenario = shipping(BENE_GESSERIT, HARKONNEN, spice=5)
    scenario.lay("hand/bene_gesserit", "kulon").lay("hand/harkonnen", "karama").run(
        ShipmentPhase(faction=BENE_GESSERIT)
    )
    scenario.answer(BENE_GESSERIT, shipment("carthag:10", 8, karama="kulon"))
    scenario.answer(HARKONNEN, PlayCard("karama"))
    assert scenario.where == "ShipmentPhase.choose"
    assert sorted(scenario.g.table["treachery_discard"]) == ["karama", "kulon"]
    assert scenario.g.spice(BENE_GESSERIT) == 5
    scenario.answer(BENE_GESSERIT, shipment("carthag:10", 5))
    assert scenario.g.troops(BENE_GESSERIT, "carthag:10") == (5, 0, 0)


@covers("DUNE-5.4", "DUNE-K.3")
def test_a_declared_karama_is_known_to_all_though_it_stays_in_the_hand() -> None:
    scenario = shipping(EMPEROR, HARKONNEN, BENE_GESSERIT, spice=4).lay("hand/emperor", "karama", "shield")
    scenario.put("ally/emperor", (BENE_GESSERIT,)).put("ally/bene_gesserit", (EMPEROR,))
    stand(scenario, BENE_GESSERIT, "carthag:10", 1)
    scenario.run(ShipmentPhase(faction=EMPEROR)).answer(EMPEROR, shipment("carthag:10", 8, karama="karama"))
    assert "karama" in scenario.g.table["hand/emperor"], "the ally has not consented yet"
    for faction in (HARKONNEN, BENE_GESSERIT):
        shown = [entry for entry in scenario.seen(faction) if "hand/emperor" in entry]
        assert "karama" in repr(shown)
        assert "shield" not in repr(shown)


# --- promises


@covers("DUNE-R.17", "DUNE-0.21")
def test_a_promise_to_keep_out_of_a_territory_bars_shipments_there() -> None:
    scenario = shipping(ATREIDES, HARKONNEN)
    scenario.put("deals", ((ATREIDES, HARKONNEN, "enter", "carthag", False, 2, True),))
    scenario.run(ShipmentPhase(faction=ATREIDES))
    scenario.refused(ATREIDES, shipment("carthag:10", 1), rule="DUNE-0.21")


@covers("DUNE-R.17", "DUNE-R.119", "DUNE-T.19")
@pytest.mark.parametrize("in_reach", [False, True])
def test_who_said_yes_to_entering_must_ship_there_unless_a_manoeuvre_could_still_keep_it(in_reach: bool) -> None:
    scenario = shipping(ATREIDES, HARKONNEN)
    scenario.put("truths", ((ATREIDES, HARKONNEN, "enter", "carthag", True, 2, True),))
    stand(scenario, ATREIDES, "arsunt:10" if in_reach else "tueks_sietch:4", 2)
    scenario.run(ShipmentPhase(faction=ATREIDES))
    assert (Pass() in scenario.legal(ATREIDES)) is in_reach
    if not in_reach:
        assert cells(scenario, ATREIDES) == {"carthag:10"}
        scenario.answer(ATREIDES, shipment("carthag:10", 1))
        assert "truths" not in scenario.g.table, "the promise is kept"


def test_fremen_have_no_standard_shipment_to_be_asked_for() -> None:
    scenario = shipping(FREMEN, HARKONNEN).run(ShipmentPhase(faction=FREMEN))
    assert not scenario.legal(FREMEN, Ship)


@covers("DUNE-K.3", "DUNE-K.19", "DUNE-R.117")
def test_a_karama_stolen_between_declaration_and_play_makes_the_shipment_void() -> None:
    """The Bene Gesserit have to consent first; in the meantime the Harkonnen help themselves."""
    scenario = shipping(EMPEROR, HARKONNEN, BENE_GESSERIT, spice=4).lay("hand/emperor", "karama")
    scenario.put("ally/emperor", (BENE_GESSERIT,)).put("ally/bene_gesserit", (EMPEROR,))
    stand(scenario, BENE_GESSERIT, "carthag:10", 1).lay("hand/harkonnen", "karama", "shield")
    scenario.run(ShipmentPhase(faction=EMPEROR)).answer(EMPEROR, shipment("carthag:10", 8, karama="karama"))
    scenario.play(HARKONNEN, PlayOpportunistic(EMPEROR, 1)).answer(HARKONNEN, GiveBack(("shield",)))
    scenario.answer(BENE_GESSERIT, Consent(yes=True))
    assert scenario.where == "ShipmentPhase.choose"
    assert scenario.g.spice(EMPEROR) == 4
    assert scenario.g.troops(BENE_GESSERIT, "carthag:10") == (1, 0, 0), "alone, they do not coexist"
    scenario.answer(EMPEROR, shipment("arrakeen:9", 4))
    assert scenario.done
