"""Before and beside the shipments of others: Foresight, Spiritual and Combat Advisors."""

from landsraad_engine.dune.acts import Coexist, Pass, PlayCard, SendAdvisor, ShipAcross, ShipNative, ShipPrivileged
from landsraad_engine.dune.movement import MovementRound
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN
from landsraad_engine.dune.shipment import ShipmentPhase
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, shipment, stand
from landsraad_engine.testing.seat_knowledge import faces_known_to

BG = BENE_GESSERIT


# --- Foresight


@covers("DUNE-ATR.3")
def test_atreides_look_at_the_top_spice_card_and_nobody_learns_what_it_is() -> None:
    scenario = at_table(HARKONNEN, ATREIDES).lay("spice_deck", "wind_pass_north", "old_gap").run(MovementRound())
    assert faces_known_to(scenario.g, scenario.seat(ATREIDES), "spice_deck") == ["old_gap"]
    assert faces_known_to(scenario.g, scenario.seat(HARKONNEN), "spice_deck") == []
    assert not any("old_gap" in entry for entry in scenario.seen(HARKONNEN))


@covers("DUNE-K.28", "DUNE-R.5")
def test_a_karama_cancels_foresight() -> None:
    scenario = at_table(HARKONNEN, ATREIDES).lay("spice_deck", "old_gap").lay("hand/harkonnen", "karama")
    scenario.run(MovementRound()).answer(HARKONNEN, PlayCard("karama"))
    assert faces_known_to(scenario.g, scenario.seat(ATREIDES), "spice_deck") == []
    assert "cancelled" not in scenario.g.table, "it was one use"


# --- advisors


def shipped(to: str = "carthag:10", *, scenario: Scenario | None = None, reserves: int = 3) -> Scenario:
    """Harkonnen ship two tokens, the Bene Gesserit have reserves."""
    scenario = scenario or at_table(HARKONNEN, BG, EMPEROR)
    scenario.put("reserves/harkonnen", (5, 0, 0)).put("spice/harkonnen", 9)
    scenario.put("reserves/bene_gesserit", (reserves, 0, 0)).run(ShipmentPhase(faction=HARKONNEN))
    return scenario.answer(HARKONNEN, shipment(to, 2))


@covers("DUNE-BG.4")
def test_a_spiritual_advisor_follows_another_shipment_to_the_polar_sink_for_free() -> None:
    scenario = shipped()
    assert scenario.legal(BG) == [Pass(), SendAdvisor("polar_sink"), SendAdvisor("carthag:10")]
    assert scenario.answer(BG, SendAdvisor("polar_sink")).done
    assert scenario.g.troops(BG, "polar_sink") == (1, 0, 0)
    assert scenario.g.reserves(BG) == (2, 0, 0)


@covers("DUNE-BG.6", "DUNE-BG.7")
def test_a_combat_advisor_lands_coexisting_where_the_others_have() -> None:
    scenario = shipped()
    assert scenario.answer(BG, SendAdvisor("carthag:10")).done, "without a choice whether to coexist"
    assert scenario.g.troops(BG, "carthag:10") == (0, 0, 1)


@covers("DUNE-BG.7", "DUNE-R.67")
def test_a_territory_may_hold_both_kinds_after_an_advisor_has_landed() -> None:
    scenario = stand(at_table(HARKONNEN, BG, EMPEROR), BG, "carthag:10", 2)
    shipped(scenario=scenario)
    assert scenario.where == "TokensMeet.choose", "the shipment comes first"
    scenario.answer(BG, Coexist(())).answer(BG, SendAdvisor("carthag:10"))
    assert scenario.done
    assert scenario.g.troops(BG, "carthag:10") == (2, 0, 1)


@covers("DUNE-R.69")
def test_an_advisor_may_land_in_a_stronghold_with_two_others() -> None:
    scenario = shipped(scenario=stand(at_table(HARKONNEN, BG, EMPEROR), EMPEROR, "carthag:10", 2))
    scenario.answer(BG, SendAdvisor("carthag:10"))
    assert scenario.g.troops(BG, "carthag:10") == (0, 0, 1)


@covers("DUNE-BG.12", "DUNE-BG.4")
def test_a_spiritual_advisor_who_meets_others_may_coexist() -> None:
    scenario = shipped(scenario=stand(at_table(HARKONNEN, BG, EMPEROR), EMPEROR, "polar_sink", 2))
    scenario.answer(BG, SendAdvisor("polar_sink")).answer(BG, Coexist(("polar_sink",)))
    assert scenario.g.troops(BG, "polar_sink") == (0, 0, 1)


@covers("DUNE-BG.5")
def test_no_advisor_follows_fremen_shipments_nor_shipments_that_start_on_the_planet() -> None:
    scenario = at_table(FREMEN, BG).put("reserves/bene_gesserit", (3, 0, 0)).put("reserves/fremen", (3, 0, 0))
    scenario.run(ShipmentPhase(faction=FREMEN))
    assert scenario.answer(FREMEN, ShipNative(1, 0, "sietch_tabr:13", 0)).done
    scenario = stand(at_table(GUILD, BG), GUILD, "basin:8", 3).put("reserves/bene_gesserit", (3, 0, 0))
    scenario.put("spice/guild", 9).run(ShipmentPhase(faction=GUILD))
    assert scenario.answer(GUILD, ShipAcross("basin:8", (1,), "carthag:10")).done
    scenario = at_table(FREMEN, BG, GUILD).put("ally/fremen", (GUILD,)).put("ally/guild", (FREMEN,))
    scenario.put("reserves/bene_gesserit", (3, 0, 0)).put("reserves/fremen", (3, 0, 0)).put("spice/fremen", 9)
    scenario.run(ShipmentPhase(faction=FREMEN))
    assert scenario.answer(FREMEN, ShipPrivileged(1, 0, "carthag:10")).done, "Fremen reserves are on the planet"


@covers("DUNE-BG.4")
def test_an_advisor_follows_the_guild_from_off_planet_and_nobody_if_there_are_no_reserves() -> None:
    scenario = at_table(GUILD, BG).put("reserves/bene_gesserit", (3, 0, 0)).put("reserves/guild", (3, 0, 0))
    scenario.put("spice/guild", 9).run(ShipmentPhase(faction=GUILD)).answer(GUILD, ShipPrivileged(1, 0, "basin:8"))
    assert scenario.asked == (BG,)
    assert shipped(reserves=0).done


@covers("DUNE-R.17", "DUNE-0.21")
def test_an_advisor_keeps_out_of_where_the_bene_gesserit_promised_not_to_ship() -> None:
    scenario = at_table(HARKONNEN, BG, EMPEROR)
    scenario.put("deals", ((BG, EMPEROR, "enter", "carthag", False, 2, True),))
    assert shipped(scenario=scenario).legal(BG) == [Pass(), SendAdvisor("polar_sink")]


@covers("DUNE-K.30")
def test_a_karama_cancels_a_spiritual_advisor() -> None:
    scenario = shipped(scenario=at_table(HARKONNEN, BG, EMPEROR).lay("hand/emperor", "karama"))
    scenario.answer(BG, SendAdvisor("polar_sink")).answer(EMPEROR, PlayCard("karama"))
    assert scenario.done
    assert scenario.g.reserves(BG) == (3, 0, 0)
    assert "cancelled" not in scenario.g.table


@covers("DUNE-K.31")
def test_a_karama_cancels_a_combat_advisor() -> None:
    scenario = shipped(scenario=at_table(HARKONNEN, BG, EMPEROR).lay("hand/emperor", "karama"))
    scenario.answer(BG, SendAdvisor("carthag:10")).answer(EMPEROR, PlayCard("karama"))
    assert scenario.done
    assert scenario.g.reserves(BG) == (3, 0, 0)
