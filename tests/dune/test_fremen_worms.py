"""The Fremen and the worms: riding, placing, calling; and what Karama does about it."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import Consent, Pass, PlaceWorm, PlayCard, RideWorm
from landsraad_engine.dune.announcements import WormAppeared
from landsraad_engine.dune.factions.fremen_worms import Thumper
from landsraad_engine.dune.hooks import Instead, Query
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN, SHAI_HULUD
from landsraad_engine.dune.spice_blow import SpiceBlowRound
from landsraad_engine.dune.worms import WormAttack
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import ally, at_table, stand


def worm(territory: str, *factions: str, **options: Any) -> Scenario:
    """A worm is about to appear; nobody holds a Karama unless told."""
    return at_table(*(factions or (FREMEN, GUILD)), **options)


def ride(to: str, tokens: tuple[int, ...] = (2,), elites: tuple[int, ...] = (0,)) -> RideWorm:
    return RideWorm(tokens=tokens, elites=elites, to=to)


# --- Sandriders


@covers("DUNE-FRE.3", "DUNE-FRE.12", "DUNE-2.9")
def test_a_worm_devours_everybody_but_the_fremen() -> None:
    scenario = stand(worm("red_chasm"), FREMEN, "red_chasm:6", 2, elites=1)
    stand(scenario, GUILD, "red_chasm:6", 4).put("blow/red_chasm:6", 8).put("bank", -8)
    scenario.run(WormAttack("red_chasm")).answer(FREMEN, Pass())
    assert scenario.done
    assert scenario.g.troops(FREMEN, "red_chasm:6") == (2, 1, 0)
    assert scenario.g.tanks(GUILD) == (4, 0, 0)
    assert "blow/red_chasm:6" not in scenario.g.table


@covers("DUNE-BG.19")
def test_a_worm_devours_coexisting_tokens_as_well() -> None:
    scenario = stand(worm("red_chasm", BENE_GESSERIT, GUILD), BENE_GESSERIT, "red_chasm:6", 0, coexisting=2)
    stand(scenario, GUILD, "red_chasm:6", 1).run(WormAttack("red_chasm"))
    assert scenario.g.tanks(BENE_GESSERIT) == (2, 0, 0)


@covers("DUNE-A.4", "DUNE-FRE.5")
def test_allies_of_the_fremen_are_spared_but_do_not_ride() -> None:
    scenario = stand(worm("red_chasm", FREMEN, ATREIDES, GUILD), ATREIDES, "red_chasm:6", 3)
    ally(stand(scenario, GUILD, "red_chasm:6", 1), FREMEN, ATREIDES).run(WormAttack("red_chasm"))
    assert scenario.done, "nobody is asked to ride"
    assert scenario.g.troops(ATREIDES, "red_chasm:6") == (3, 0, 0)
    assert scenario.g.tanks(GUILD) == (1, 0, 0)


@covers("DUNE-FRE.4", "DUNE-FRE.7", "DUNE-FRE.8", "DUNE-R.50")
def test_any_number_of_fremen_ride_the_worm_to_one_other_territory() -> None:
    scenario = worm("south_mesa", FREMEN, HARKONNEN)
    stand(scenario, FREMEN, "south_mesa:3", 2, elites=1)
    stand(scenario, FREMEN, "south_mesa:5", 4)
    stand(scenario, HARKONNEN, "carthag:10", 5)
    scenario.run(WormAttack("south_mesa"))
    scenario.refused(FREMEN, ride("south_mesa:4", (2, 0), (0, 0)), rule="DUNE-FRE.4")
    scenario.refused(FREMEN, ride("carthag:10", (0, 0), (0, 0)), rule="DUNE-FRE.4")
    for fewest in (ride("carthag:10", (0, 1), (0, 0)), ride("carthag:10", (0, 0), (1, 0))):
        assert scenario.options(FREMEN).contains(fewest)
    scenario.answer(FREMEN, ride("carthag:10", (1, 3), (1, 0)))
    assert scenario.done
    assert scenario.g.troops(FREMEN, "carthag:10") == (4, 1, 0)
    assert scenario.g.troops(HARKONNEN, "carthag:10") == (5, 0, 0), "nothing is destroyed there"
    assert scenario.g.troops(FREMEN, "south_mesa:3") == (1, 0, 0)
    assert scenario.g.troops(FREMEN, "south_mesa:5") == (1, 0, 0)


@covers("DUNE-FRE.6")
def test_no_ride_begins_or_ends_under_the_storm() -> None:
    scenario = worm("south_mesa", storm=4)
    stand(scenario, FREMEN, "south_mesa:4", 2)
    stand(scenario, FREMEN, "south_mesa:5", 2).run(WormAttack("south_mesa"))
    scenario.refused(FREMEN, ride("tueks_sietch:4"), rule="DUNE-FRE.6")
    scenario.answer(FREMEN, ride("red_chasm:6"))
    assert scenario.g.troops(FREMEN, "south_mesa:4") == (2, 0, 0)


@covers("DUNE-FRE.6")
def test_fremen_who_all_stand_under_the_storm_are_not_asked() -> None:
    scenario = stand(worm("red_chasm", storm=6), FREMEN, "red_chasm:6", 2).run(WormAttack("red_chasm"))
    assert scenario.done
    assert scenario.g.troops(FREMEN, "red_chasm:6") == (2, 0, 0)


@covers("DUNE-FRE.9")
def test_no_ride_to_a_stronghold_where_two_others_stand() -> None:
    scenario = stand(worm("red_chasm", FREMEN, GUILD, BENE_GESSERIT, HARKONNEN), FREMEN, "red_chasm:6", 2)
    stand(scenario, GUILD, "arrakeen:9", 1)
    stand(scenario, HARKONNEN, "arrakeen:9", 1)
    stand(scenario, GUILD, "carthag:10", 1)
    stand(scenario, BENE_GESSERIT, "carthag:10", 0, coexisting=1).run(WormAttack("red_chasm"))
    scenario.refused(FREMEN, ride("arrakeen:9"), rule="DUNE-FRE.9")
    assert scenario.options(FREMEN).contains(ride("carthag:10")), "coexisting tokens are not counted"


@covers("DUNE-FRE.10", "DUNE-1.19")
def test_no_ride_to_an_ally_but_to_the_polar_sink_and_parts_cut_off_by_the_storm() -> None:
    scenario = ally(stand(worm("red_chasm", FREMEN, ATREIDES, storm=17), FREMEN, "red_chasm:6", 2), FREMEN, ATREIDES)
    stand(scenario, ATREIDES, "false_wall_west:15", 1)  # sectors 15, 16 and, under the storm, 17
    stand(scenario, ATREIDES, "polar_sink", 1)
    scenario.run(WormAttack("red_chasm"))
    scenario.refused(FREMEN, ride("false_wall_west:16"), rule="DUNE-FRE.10")
    assert scenario.options(FREMEN).contains(ride("polar_sink"))
    cut_off = ally(stand(worm("red_chasm", FREMEN, ATREIDES, storm=16), FREMEN, "red_chasm:6", 2), FREMEN, ATREIDES)
    stand(cut_off, ATREIDES, "false_wall_west:15", 1).run(WormAttack("red_chasm"))
    assert cut_off.options(FREMEN).contains(ride("false_wall_west:17"))


@covers("DUNE-FRE.10", "DUNE-BG.14")
@pytest.mark.parametrize("agrees", [True, False])
def test_a_bene_gesserit_ally_may_let_the_riders_in_by_coexisting(agrees: bool) -> None:
    scenario = ally(worm("red_chasm", FREMEN, BENE_GESSERIT), FREMEN, BENE_GESSERIT)
    stand(scenario, FREMEN, "red_chasm:6", 2)
    stand(scenario, BENE_GESSERIT, "arrakeen:9", 3).run(WormAttack("red_chasm"))
    scenario.answer(FREMEN, ride("arrakeen:9"))
    assert scenario.asked == (BENE_GESSERIT,)
    scenario.answer(BENE_GESSERIT, Consent(yes=agrees))
    if agrees:
        assert scenario.g.troops(FREMEN, "arrakeen:9") == (2, 0, 0)
        assert scenario.g.troops(BENE_GESSERIT, "arrakeen:9") == (0, 0, 3)
    else:
        scenario.refused(FREMEN, ride("arrakeen:9"), rule="DUNE-BG.14")
        scenario.answer(FREMEN, ride("carthag:10"))
        assert scenario.g.troops(BENE_GESSERIT, "arrakeen:9") == (3, 0, 0)
    assert scenario.done
    assert "refused" not in scenario.g.table
    assert "declaration" not in scenario.g.table


@covers("DUNE-R.7", "DUNE-K.32")
def test_sandriders_cancelled_for_a_worm_no_fremen_is_spared_or_rides_but_an_ally_is() -> None:
    scenario = ally(worm("red_chasm", FREMEN, ATREIDES, GUILD), FREMEN, ATREIDES).lay("hand/guild", "karama")
    stand(scenario, FREMEN, "red_chasm:6", 2)
    stand(scenario, ATREIDES, "red_chasm:6", 3).run(WormAttack("red_chasm"))
    assert scenario.asked == (GUILD,)
    scenario.answer(GUILD, PlayCard("karama"))
    assert scenario.done
    assert scenario.g.tanks(FREMEN) == (2, 0, 0)
    assert scenario.g.troops(ATREIDES, "red_chasm:6") == (3, 0, 0)
    assert "cancelled" not in scenario.g.table, "the next worm finds the ability whole"


@covers("DUNE-R.7", "DUNE-R.5")
def test_nobody_is_asked_to_cancel_what_the_fremen_do_not_use() -> None:
    scenario = worm("red_chasm").lay("hand/guild", "karama").run(WormAttack("red_chasm"))
    assert scenario.done


# --- Bless the Maker


def two_worms(*factions: str) -> Scenario:
    """The second worm of a pile is about to have its Nexus."""
    scenario = at_table(*(factions or (FREMEN, GUILD, EMPEROR)))
    scenario.lay("spice_deck", "old_gap", "broken_land", "red_chasm", SHAI_HULUD, SHAI_HULUD)
    return to_the_end_of_nexus(scenario.lay("spice_discard/1", "south_mesa").run(SpiceBlowRound()))


def to_the_end_of_nexus(scenario: Scenario) -> Scenario:
    return scenario.until(lambda s: s.where != "Nexus.propose")


@covers("DUNE-FRE.11", "DUNE-R.48")
def test_the_fremen_place_a_second_worm_as_its_nexus_starts_and_it_attacks_as_it_ends() -> None:
    scenario = stand(two_worms(), GUILD, "gara_kulon:7", 3)
    assert scenario.where == "BlessTheMaker.place"
    scenario.answer(FREMEN, PlaceWorm("gara_kulon"))
    assert scenario.where == "Nexus.propose"
    assert scenario.g.table["worm_at"] == "gara_kulon", "everybody knows during the Nexus"
    assert scenario.g.troops(GUILD, "gara_kulon:7") == (3, 0, 0)
    to_the_end_of_nexus(scenario)
    assert scenario.g.tanks(GUILD) == (3, 0, 0)
    assert "worm_at" not in scenario.g.table


@covers("DUNE-FRE.12", "DUNE-FRE.13", "DUNE-FRE.11")
def test_a_worm_placed_on_rock_eats_nothing_but_can_be_ridden() -> None:
    scenario = stand(two_worms(), FREMEN, "sietch_tabr:13", 5, elites=2)
    stand(scenario, GUILD, "sietch_tabr:13", 3)
    to_the_end_of_nexus(scenario.answer(FREMEN, PlaceWorm("sietch_tabr")))
    assert scenario.g.troops(GUILD, "sietch_tabr:13") == (3, 0, 0)
    scenario.answer(FREMEN, ride("tueks_sietch:4", (5,), (2,)))
    assert scenario.g.troops(FREMEN, "tueks_sietch:4") == (5, 2, 0)


@covers("DUNE-R.51")
def test_a_worm_placed_in_imperial_basin_devours() -> None:
    scenario = stand(two_worms(), GUILD, "imperial_basin:9", 3)
    to_the_end_of_nexus(scenario.answer(FREMEN, PlaceWorm("imperial_basin")))
    assert scenario.g.tanks(GUILD) == (3, 0, 0)


@covers("DUNE-FRE.11", "DUNE-R.99")
def test_the_fremen_may_leave_a_further_worm_unplaced() -> None:
    scenario = to_the_end_of_nexus(two_worms().answer(FREMEN, Pass()))
    assert scenario.announced(WormAppeared) == [WormAppeared("south_mesa")]


@covers("DUNE-K.33", "DUNE-R.5")
def test_bless_the_maker_cancelled_the_worm_appears_nowhere() -> None:
    scenario = stand(two_worms(), GUILD, "gara_kulon:7", 3).lay("hand/guild", "karama")
    scenario.answer(FREMEN, PlaceWorm("gara_kulon")).answer(GUILD, PlayCard("karama"))
    to_the_end_of_nexus(scenario)
    assert scenario.g.troops(GUILD, "gara_kulon:7") == (3, 0, 0)
    assert "cancelled" not in scenario.g.table


@covers("DUNE-FRE.11")
def test_without_fremen_nobody_places_worms() -> None:
    scenario = two_worms(ATREIDES, GUILD)
    assert not [frame for frame, _ in scenario.g.path() if frame == "BlessTheMaker"]


# --- Thumpers


@covers("DUNE-K.12", "DUNE-K.13", "DUNE-R.11")
def test_by_karama_the_fremen_call_a_worm_in_the_spice_blow_round() -> None:
    scenario = at_table(FREMEN, GUILD).lay("spice_deck", "broken_land", "old_gap", "red_chasm")
    stand(scenario.lay("hand/fremen", "karama"), GUILD, "gara_kulon:7", 3).run(SpiceBlowRound())
    assert scenario.where == "ThumperWindow.window"
    scenario.answer(FREMEN, PlayCard("karama", "gara_kulon"))
    assert scenario.done, "no Nexus; with an empty hand the Fremen are not asked again"
    assert scenario.g.tanks(GUILD) == (3, 0, 0)
    assert scenario.g.table["treachery_discard"] == ("karama",)
    assert scenario.g.table["blow/red_chasm:6"] == 8, "nothing less is drawn"
    assert scenario.g.table["blow/old_gap:9"] == 6


@covers("DUNE-K.12")
def test_the_fremen_are_asked_before_every_card_and_after_the_last() -> None:
    scenario = at_table(FREMEN, GUILD).lay("spice_deck", "broken_land", "old_gap", "red_chasm")
    scenario.lay("hand/fremen", "shield").run(SpiceBlowRound())
    asked = 0
    while not scenario.done:
        assert scenario.legal(FREMEN) == [Pass()], "asked whatever they hold, as long as they could hold a Karama"
        scenario.answer(FREMEN, Pass())
        asked += 1
    assert asked == 3


@covers("DUNE-K.14", "DUNE-FRE.12")
def test_a_called_worm_devours_in_desert_only() -> None:
    scenario = stand(at_table(FREMEN, GUILD).lay("hand/fremen", "karama"), GUILD, "arrakeen:9", 3)
    scenario.run(Thumper("karama", "arrakeen"))
    assert scenario.done
    assert scenario.g.troops(GUILD, "arrakeen:9") == (3, 0, 0)


@covers("DUNE-FRE.4", "DUNE-K.12", "DUNE-K.17")
def test_a_called_worm_can_be_ridden() -> None:
    scenario = stand(at_table(FREMEN, GUILD).lay("hand/fremen", "karama"), FREMEN, "sietch_tabr:13", 4)
    scenario.run(Thumper("karama", "sietch_tabr")).answer(FREMEN, ride("arrakeen:9", (4,)))
    assert scenario.g.troops(FREMEN, "arrakeen:9") == (4, 0, 0)


@covers("DUNE-K.12")
def test_the_fremen_may_call_a_worm_in_their_own_movement_turn() -> None:
    scenario = at_table(FREMEN, GUILD).lay("hand/fremen", "karama").lay("hand/guild", "karama")
    (choice,) = scenario.g.query(Query.MOVEMENT_PLAYS, (), FREMEN)
    act = PlayCard("karama", "red_chasm")
    assert choice.fault(act) is None
    assert scenario.g.instead(Instead.MOVEMENT_PLAY, FREMEN, act) == Thumper("karama", "red_chasm")
    assert PlayCard not in [choice.act for choice in scenario.g.query(Query.MOVEMENT_PLAYS, (), GUILD)]


# --- the sixth worm


@covers("DUNE-V.10", "DUNE-V.11")
def test_with_the_sixth_worm_called_ones_included_the_shield_wall_counts() -> None:
    scenario = at_table(FREMEN, EMPEROR, shield_wall_stronghold=True).lay("hand/fremen", "karama").put("worms", 5)
    scenario.run(Thumper("karama", "red_chasm"))
    assert scenario.g.table["worms"] == 6
    assert scenario.g.table["shield_wall_stronghold"] is True


@covers("DUNE-V.10")
def test_the_shield_wall_counts_neither_earlier_nor_without_the_option() -> None:
    for worms, option in ((4, True), (5, False)):
        scenario = at_table(FREMEN, EMPEROR, shield_wall_stronghold=option).lay("hand/fremen", "karama")
        scenario.put("worms", worms).run(Thumper("karama", "red_chasm"))
        assert "shield_wall_stronghold" not in scenario.g.table


@covers("DUNE-V.13")
def test_worm_and_storm_spare_the_wall_as_before() -> None:
    scenario = at_table(FREMEN, EMPEROR, shield_wall_stronghold=True).put("shield_wall_stronghold", True)
    stand(scenario.put("worms", 6), EMPEROR, "shield_wall:8", 3).run(WormAttack("shield_wall"))
    assert scenario.g.troops(EMPEROR, "shield_wall:8") == (3, 0, 0)
