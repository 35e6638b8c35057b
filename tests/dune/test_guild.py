"""The Spacing Guild in the Movement Round: its shipments, its fees, its choice of when to move; Control Shipping."""

from landsraad_engine.dune.acts import Manoeuvre, Pass, PlayCard, Ship, ShipAcross, ShipNative, ShipPrivileged, TakeTurn
from landsraad_engine.dune.movement import MovementRound
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN
from landsraad_engine.dune.shipment import ShipmentPhase
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import ally, at_table, shipment, stand


def shipping(scenario: Scenario, faction: str = GUILD, spice: int = 10, reserves: int = 10) -> Scenario:
    scenario.put(f"reserves/{faction}", (reserves, 0, 0)).put(f"spice/{faction}", spice)
    return scenario.run(ShipmentPhase(faction=faction))


# --- Privileged and Masters of Ships


@covers("DUNE-GUI.1", "DUNE-GUI.2", "DUNE-GUI.12")
def test_the_guild_ships_at_half_the_standard_rates_rounded_up_and_pays_the_bank() -> None:
    scenario = shipping(at_table(GUILD, HARKONNEN), spice=4)
    scenario.refused(GUILD, ShipPrivileged(9, 0, "carthag:10"))
    scenario.answer(GUILD, ShipPrivileged(7, 0, "carthag:10"))
    assert (scenario.g.spice(GUILD), scenario.g.table["bank"]) == (0, 4)
    scenario = shipping(at_table(GUILD, HARKONNEN), spice=4)
    scenario.refused(GUILD, ShipPrivileged(5, 0, "basin:8"))
    scenario.answer(GUILD, ShipPrivileged(4, 0, "basin:8"))
    assert scenario.g.spice(GUILD) == 0


@covers("DUNE-5.4")
def test_the_guild_may_make_a_special_shipment_instead_of_a_standard_one_but_not_both() -> None:
    scenario = shipping(stand(at_table(GUILD, HARKONNEN), GUILD, "basin:8", 1))
    assert {type(act) for act in scenario.legal(GUILD)} == {Pass, Ship, ShipPrivileged, ShipAcross}
    assert scenario.answer(GUILD, ShipPrivileged(1, 0, "carthag:10")).done


@covers("DUNE-GUI.12")
def test_the_guild_ships_from_one_territory_to_any_other() -> None:
    scenario = stand(at_table(GUILD, HARKONNEN), GUILD, "pasty_mesa:4", 3)
    shipping(stand(scenario, GUILD, "pasty_mesa:7", 2), spice=2)
    scenario.answer(GUILD, ShipAcross("pasty_mesa:4", (1, 2), "habbanya_sietch:16"))
    assert scenario.g.troops(GUILD, "habbanya_sietch:16") == (3, 0, 0)
    assert scenario.g.troops(GUILD, "pasty_mesa:4") == (2, 0, 0)
    assert scenario.g.spice(GUILD) == 0, "three halves, rounded up"


@covers("DUNE-GUI.13")
def test_the_guild_ships_back_to_the_reserves_at_the_stronghold_rate() -> None:
    scenario = shipping(stand(at_table(GUILD, HARKONNEN), GUILD, "basin:8", 4), spice=2)
    scenario.answer(GUILD, ShipAcross("basin:8", (4,), "reserves"))
    assert scenario.g.reserves(GUILD) == (14, 0, 0)
    assert scenario.g.spice(GUILD) == 0


@covers("DUNE-GUI.14", "DUNE-R.88")
def test_a_guild_shipment_neither_starts_nor_ends_under_the_storm() -> None:
    scenario = stand(at_table(GUILD, HARKONNEN, storm=9), GUILD, "imperial_basin:9", 3)
    shipping(stand(scenario, GUILD, "imperial_basin:8", 3))
    ships = scenario.legal(GUILD, ShipAcross)
    assert {act.origin for act in ships} == {"imperial_basin:8"}
    scenario.refused(GUILD, ShipAcross("imperial_basin:8", (1,), "arrakeen:9"), rule="DUNE-5.15")
    scenario.refused(GUILD, ShipPrivileged(1, 0, "arrakeen:9"), rule="DUNE-5.15")
    assert any(act.to == "imperial_basin:10" for act in ships), "across the storm is another territory"


def test_without_reserves_the_guild_may_still_ship_across() -> None:
    scenario = shipping(stand(at_table(GUILD, HARKONNEN), GUILD, "basin:8", 4), reserves=0)
    assert scenario.legal(GUILD, ShipAcross)
    assert shipping(at_table(GUILD, HARKONNEN), reserves=0).done


@covers("DUNE-A.5", "DUNE-A.6", "DUNE-R.94", "DUNE-R.10")
def test_guild_allies_ship_either_way_at_half_the_fee_and_no_karama_adds_to_that() -> None:
    scenario = ally(at_table(ATREIDES, GUILD, HARKONNEN), ATREIDES, GUILD).lay("hand/atreides", "karama")
    shipping(stand(scenario, ATREIDES, "basin:8", 2), ATREIDES, spice=3)
    assert {act.karama for act in scenario.legal(ATREIDES, Ship)} == {None}
    assert scenario.legal(ATREIDES, ShipAcross)
    scenario.refused(ATREIDES, shipment("carthag:10", 7))
    scenario.answer(ATREIDES, shipment("carthag:10", 5))
    assert (scenario.g.spice(ATREIDES), scenario.g.spice(GUILD)) == (0, 3), "half of five, rounded up as a whole"


@covers("DUNE-FRE.21", "DUNE-GUI.10", "DUNE-GUI.11")
def test_fremen_allied_with_the_guild_may_ship_its_way_and_pay_the_guild_for_that_only() -> None:
    scenario = shipping(ally(at_table(FREMEN, GUILD, HARKONNEN), FREMEN, GUILD), FREMEN, spice=3)
    scenario.answer(FREMEN, ShipPrivileged(3, 0, "arrakeen:9"))
    assert (scenario.g.spice(FREMEN), scenario.g.spice(GUILD)) == (1, 2)
    scenario = shipping(ally(at_table(FREMEN, GUILD, HARKONNEN), FREMEN, GUILD), FREMEN, spice=3)
    scenario.answer(FREMEN, ShipNative(3, 0, "sietch_tabr:13", 0))
    assert (scenario.g.spice(FREMEN), scenario.g.spice(GUILD)) == (3, 0)


# --- Monopoly


@covers("DUNE-GUI.10", "DUNE-5.5")
def test_others_pay_their_standard_shipments_to_the_guild() -> None:
    scenario = shipping(at_table(ATREIDES, GUILD), ATREIDES)
    scenario.answer(ATREIDES, shipment("arrakeen:9", 4))
    assert (scenario.g.spice(ATREIDES), scenario.g.spice(GUILD)) == (6, 4)


@covers("DUNE-R.3")
def test_option_gf9_a_karama_sends_the_fee_to_the_bank_or_takes_half_price_away() -> None:
    scenario = at_table(ATREIDES, GUILD, karama_reach="gf9").lay("hand/atreides", "karama")
    shipping(scenario, ATREIDES).answer(ATREIDES, shipment("arrakeen:9", 4))
    scenario.answer(ATREIDES, PlayCard("karama"))
    assert (scenario.g.spice(GUILD), scenario.g.table["bank"]) == (0, 4)
    scenario = at_table(GUILD, ATREIDES, karama_reach="gf9").lay("hand/atreides", "karama")
    shipping(scenario, spice=3).answer(GUILD, ShipPrivileged(6, 0, "carthag:10"))
    scenario.answer(ATREIDES, Pass()).answer(ATREIDES, PlayCard("karama"))
    assert max(act.tokens for act in scenario.legal(GUILD, ShipPrivileged)) == 3


@covers("DUNE-R.3", "DUNE-K.4", "DUNE-GUI.10")
def test_option_gf9_nobody_is_asked_about_a_shipment_that_pays_the_guild_nothing() -> None:
    scenario = at_table(ATREIDES, GUILD, HARKONNEN, karama_reach="gf9").lay("hand/atreides", "karama")
    shipping(scenario.lay("hand/harkonnen", "karama"), ATREIDES)
    scenario.answer(ATREIDES, shipment("arrakeen:9", 4, karama="karama"))
    assert not scenario.where.endswith(".window")
    assert scenario.g.spice(GUILD) == 0


# --- Karama against Masters of Ships


@covers("DUNE-K.35", "DUNE-R.8", "DUNE-R.5")
def test_with_masters_of_ships_cancelled_the_shipment_is_a_standard_one_at_the_full_fee() -> None:
    scenario = at_table(GUILD, HARKONNEN).lay("hand/harkonnen", "karama")
    shipping(stand(scenario, GUILD, "basin:8", 1)).answer(GUILD, ShipPrivileged(8, 0, "carthag:10"))
    scenario.answer(HARKONNEN, PlayCard("karama"))
    assert scenario.where == "ShipmentPhase.choose"
    assert not scenario.legal(GUILD, ShipPrivileged)
    assert not scenario.legal(GUILD, ShipAcross)
    scenario.answer(GUILD, shipment("carthag:10", 8))
    assert (scenario.g.spice(GUILD), scenario.g.table["bank"]) == (2, 8)
    assert "cancelled" not in scenario.g.table, "it was one use"


@covers("DUNE-R.5", "DUNE-K.35")
def test_masters_of_ships_is_cancelled_once_also_if_nothing_is_left_to_be_shipped_then() -> None:
    scenario = at_table(GUILD, ATREIDES, HARKONNEN).lay("hand/harkonnen", "karama")
    shipping(stand(ally(scenario, GUILD, ATREIDES), GUILD, "basin:8", 4), reserves=0)
    scenario.answer(GUILD, ShipAcross("basin:8", (4,), "carthag:10")).answer(HARKONNEN, PlayCard("karama"))
    assert scenario.done, "no reserves, and no ship for what is on the board"
    shipping(scenario, ATREIDES)
    assert scenario.legal(ATREIDES, ShipPrivileged), "the ally's shipment is another use"


# --- Control Shipping


def stopped(*, karama: str | None = None) -> Scenario:
    """Harkonnen have shipped and the Guild stops them."""
    scenario = at_table(HARKONNEN, GUILD).lay("hand/guild", "karama").put("reserves/harkonnen", (5, 0, 0))
    scenario.put("spice/harkonnen", 5).lay("hand/harkonnen", *([karama] if karama else []))
    stand(scenario, HARKONNEN, "carthag:10", 4).run(MovementRound()).answer(GUILD, Pass())
    scenario.answer(HARKONNEN, shipment("arrakeen:9", 5, karama=karama))
    assert scenario.where == "ControlShipping.window"
    return scenario.answer(GUILD, PlayCard("karama"))


@covers("DUNE-K.15", "DUNE-K.16")
def test_a_stopped_shipment_costs_nothing_and_was_the_one_of_this_turn() -> None:
    scenario = stopped()
    g = scenario.g
    assert g.troops(HARKONNEN, "arrakeen:9") == (0, 0, 0)
    assert (g.spice(HARKONNEN), g.reserves(HARKONNEN)) == (5, (5, 0, 0))
    assert scenario.where == "ManoeuvrePhase.choose"


@covers("DUNE-K.17")
def test_the_stopped_player_may_still_manoeuvre() -> None:
    scenario = stopped().answer(HARKONNEN, Manoeuvre("carthag:10", (4,), "arsunt:10"))
    assert scenario.g.troops(HARKONNEN, "arsunt:10") == (4, 0, 0)


@covers("DUNE-K.18")
def test_a_karama_that_halved_the_stopped_shipment_goes_back_to_the_hand() -> None:
    scenario = stopped(karama="karama")
    assert scenario.g.hand(HARKONNEN) == ("karama",)
    assert scenario.g.table["treachery_discard"] == ("karama",), "the Guild's own"


@covers("DUNE-K.15", "DUNE-R.11")
def test_the_guild_is_asked_only_where_it_could_hold_a_karama_and_never_about_fremen_shipments() -> None:
    scenario = shipping(at_table(HARKONNEN, GUILD).lay("hand/guild", "shield"), HARKONNEN)
    scenario.answer(HARKONNEN, shipment("arrakeen:9", 1))
    assert scenario.legal(GUILD) == [Pass()], "who holds none is asked as well"
    scenario = shipping(at_table(HARKONNEN, GUILD), HARKONNEN).answer(HARKONNEN, shipment("arrakeen:9", 1))
    assert scenario.done, "everybody sees the empty hand"
    scenario = shipping(at_table(FREMEN, GUILD).lay("hand/guild", "karama"), FREMEN)
    assert scenario.answer(FREMEN, ShipNative(1, 0, "sietch_tabr:13", 0)).done


@covers("DUNE-K.15")
def test_the_guild_may_stop_the_guild_shipment_of_its_ally() -> None:
    scenario = ally(at_table(ATREIDES, GUILD, HARKONNEN), ATREIDES, GUILD).lay("hand/guild", "karama")
    shipping(scenario, ATREIDES).answer(ATREIDES, ShipPrivileged(1, 0, "arrakeen:9"))
    scenario.answer(GUILD, Pass())  # against Masters of Ships
    assert scenario.where == "ControlShipping.window"


# --- See Danger


def in_turns(*answers: Act, karama: bool = False) -> Scenario:
    """A Movement Round of Emperor, Guild and Harkonnen in which the Guild answers so before the turns of others."""
    scenario = at_table(EMPEROR, GUILD, HARKONNEN)
    for faction, cell in ((EMPEROR, "arrakeen:9"), (GUILD, "tueks_sietch:4"), (HARKONNEN, "carthag:10")):
        stand(scenario, faction, cell, 1)
    if karama:
        scenario.lay("hand/harkonnen", "karama")
    scenario.run(MovementRound())
    for act in answers:
        assert scenario.where == "SeeDanger.choose"
        scenario.answer(GUILD, act)
        if not scenario.where.endswith(".window"):
            finish_turn(scenario)
    return scenario


def mover(scenario: Scenario) -> str:
    """Whose movement turn is under way."""
    assert scenario.where in ("ShipmentPhase.choose", "ManoeuvrePhase.choose", "MovementTurn.anything_more")
    (faction,) = scenario.asked
    assert scenario.g.table["moved"][-1] == faction
    return faction


def finish_turn(scenario: Scenario) -> None:
    """The faction whose turn it is ships and moves nothing."""
    faction = mover(scenario)
    while not scenario.done and scenario.where != "SeeDanger.choose" and scenario.g.table["moved"][-1] == faction:
        scenario.answer(faction, Pass())


@covers("DUNE-GUI.3", "DUNE-GUI.4", "DUNE-GUI.6", "DUNE-GUI.7")
def test_before_each_other_turn_the_guild_may_take_its_own_and_the_rest_keep_their_order() -> None:
    scenario = in_turns(Pass())
    assert scenario.g.table["moved"] == (EMPEROR,)
    assert (scenario.asked, scenario.where) == ((GUILD,), "SeeDanger.choose")
    scenario.answer(GUILD, TakeTurn())
    assert mover(scenario) == GUILD
    finish_turn(scenario)
    assert mover(scenario) == HARKONNEN, "the Guild is not asked again"


@covers("DUNE-GUI.3")
def test_the_guild_may_move_first_of_all() -> None:
    scenario = in_turns(TakeTurn())
    assert mover(scenario) == EMPEROR
    finish_turn(scenario)
    assert mover(scenario) == HARKONNEN


@covers("DUNE-GUI.5")
def test_if_all_others_are_done_the_guild_moves_last() -> None:
    scenario = in_turns(Pass(), Pass())
    assert scenario.g.table["moved"] == (EMPEROR, HARKONNEN, GUILD)
    assert mover(scenario) == GUILD


@covers("DUNE-GUI.8")
def test_the_guild_cannot_cut_into_a_turn() -> None:
    scenario = in_turns()
    scenario.put("reserves/emperor", (1, 0, 0)).put("spice/emperor", 9).answer(GUILD, Pass())
    scenario.answer(EMPEROR, shipment("polar_sink", 1))
    assert mover(scenario) == EMPEROR, "between shipment and manoeuvre nobody else has a turn"


@covers("DUNE-K.34", "DUNE-R.9")
def test_cancelled_when_it_moves_early_the_guild_waits_for_its_proper_place() -> None:
    scenario = in_turns(TakeTurn(), karama=True)
    assert scenario.where == "SeeDanger.window"
    scenario.answer(HARKONNEN, PlayCard("karama"))
    order = []
    while not scenario.done:
        order.append(mover(scenario))
        finish_turn(scenario)
    assert order == [EMPEROR, GUILD, HARKONNEN]
    assert "cancelled" not in scenario.g.table, "it was for this round"


@covers("DUNE-K.34", "DUNE-R.9")
def test_cancelled_when_it_lets_its_place_pass_the_guild_moves_at_once() -> None:
    scenario = in_turns(Pass(), karama=True)
    assert scenario.where == "SeeDanger.choose", "waiting for its place was no use of the ability"
    scenario.answer(GUILD, Pass()).answer(HARKONNEN, PlayCard("karama"))
    assert mover(scenario) == GUILD


@covers("DUNE-R.9", "DUNE-R.111")
def test_moving_at_its_proper_place_uses_no_ability() -> None:
    assert mover(in_turns(Pass(), karama=True).answer(GUILD, TakeTurn())) == GUILD


@covers("DUNE-1.14", "DUNE-5.1")
def test_without_the_guild_all_move_in_dot_order_from_the_first_player() -> None:
    scenario = at_table(ATREIDES, BENE_GESSERIT, HARKONNEN, storm=2)
    for faction, cell in ((ATREIDES, "arrakeen:9"), (BENE_GESSERIT, "polar_sink"), (HARKONNEN, "carthag:10")):
        stand(scenario, faction, cell, 1)
    scenario.run(MovementRound())
    order: list[str] = []
    while not scenario.done:
        order += scenario.asked
        scenario.answer(scenario.asked[0], Pass())
    assert order == [BENE_GESSERIT, HARKONNEN, ATREIDES]
    assert "moved" not in scenario.g.table
