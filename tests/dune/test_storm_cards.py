"""Weather Control and Family Atomics, in the order of the Storm Round."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import DialStorm, Pass, PlayCard
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN, STORM_CARDS
from landsraad_engine.dune.storm import StormRound
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, stand


def storm_with(card: str, holder: str, *factions: str, storm: int = 18, **options: Any) -> Scenario:
    """Turn 2 with storm card 3 ready, and a card in somebody's hand."""
    scenario = at_table(*factions, storm=storm, turn=1, **options).lay("storm_next", "storm_3")
    scenario.lay("storm_deck", *(other for other in STORM_CARDS if other != "storm_3"))
    return scenario.lay(f"hand/{holder}", card)


# --- Weather Control


@covers("DUNE-T.36", "DUNE-R.63", "DUNE-T.13")
def test_weather_control_takes_the_place_of_the_number_just_revealed() -> None:
    scenario = storm_with("weather_control", GUILD, ATREIDES, GUILD).run(StormRound())
    assert scenario.g.table["storm_move"] == 3, "the card has been revealed"
    scenario.refused(GUILD, PlayCard("weather_control", 11), rule="DUNE-T.36")
    scenario.answer(GUILD, PlayCard("weather_control", 10))
    assert scenario.done
    assert scenario.g.storm == 10
    assert scenario.g.table["treachery_discard"] == ("weather_control",)


@covers("DUNE-T.38", "DUNE-T.36")
def test_at_zero_the_storm_stays_and_kills_nothing() -> None:
    scenario = stand(storm_with("weather_control", GUILD, ATREIDES, GUILD), ATREIDES, "meridian:18", 3)
    stand(scenario, ATREIDES, "meridian:1", 2).put("blow/cielago_south:1", 6).put("bank", -6)
    scenario.run(StormRound()).answer(GUILD, PlayCard("weather_control", 0))
    assert scenario.g.storm == 18
    assert scenario.g.tanks(ATREIDES) == (0, 0, 0)
    assert scenario.g.table["blow/cielago_south:1"] == 6


@covers("DUNE-T.37", "DUNE-T.40")
def test_neither_card_can_be_played_in_turn_one() -> None:
    scenario = at_table(ATREIDES, GUILD, turn=1).lay("storm_deck", *STORM_CARDS)
    scenario.lay("hand/guild", "family_atomics", "weather_control")
    stand(scenario, GUILD, "shield_wall:8", 2).run(StormRound())
    scenario.refused(GUILD, PlayCard("weather_control", 2))
    scenario.answer(ATREIDES, DialStorm(1)).answer(GUILD, DialStorm(1))
    assert scenario.done


@covers("DUNE-R.11")
def test_everybody_who_could_hold_weather_control_is_asked_and_sees_no_answers() -> None:
    scenario = storm_with("weather_control", GUILD, ATREIDES, GUILD, HARKONNEN).lay("hand/atreides", "shield")
    scenario.run(StormRound())
    assert set(scenario.asked) == {ATREIDES, GUILD}, "Harkonnen hold no card"
    assert scenario.legal(ATREIDES) == [Pass()]
    before = scenario.seen(ATREIDES)
    scenario.answer(GUILD, Pass())
    assert scenario.seen(ATREIDES) == before


@covers("DUNE-R.11")
def test_nobody_is_asked_for_a_card_that_lies_open_elsewhere() -> None:
    scenario = (
        storm_with("shield", GUILD, ATREIDES, GUILD).lay("treachery_discard", "weather_control").run(StormRound())
    )
    assert scenario.done


# --- Family Atomics


def atomics(*factions: str, cell: str = "shield_wall:8", storm: int = 6, **options: Any) -> Scenario:
    """The first of the factions holds Family Atomics and has two tokens in a cell; the storm will move from 6 to 9."""
    scenario = storm_with("family_atomics", factions[0], *factions, storm=storm, **options)
    return stand(scenario, factions[0], cell, 2)


def explode(scenario: Scenario, holder: str) -> Scenario:
    """Run the round up to the explosion; whoever could hold Weather Control has been asked before."""
    scenario.run(StormRound())
    while scenario.where == "WeatherControl.window":
        scenario.answer(scenario.asked[0], Pass())
    return scenario.answer(holder, PlayCard("family_atomics"))


@covers("DUNE-T.40", "DUNE-1.18")
def test_family_atomics_come_after_weather_control_and_before_the_storm_moves() -> None:
    scenario = atomics(ATREIDES, GUILD).lay("hand/guild", "weather_control").run(StormRound())
    assert scenario.where == "WeatherControl.window"
    scenario.answer(ATREIDES, Pass()).answer(GUILD, PlayCard("weather_control", 1))
    assert scenario.where == "FamilyAtomics.window"
    assert (scenario.g.storm, scenario.g.table["storm_move"]) == (6, 1)


@pytest.mark.parametrize(
    "cell",
    [
        "false_wall_east:6",
        "gara_kulon:7",
        "hole_in_the_rock:8",
        "imperial_basin:10",
        "pasty_mesa:4",
        "sihaya_ridge:8",
        "the_minor_erg:5",
    ],
)
@covers("DUNE-T.39", "DUNE-R.83")
def test_family_atomics_reach_the_wall_from_each_of_its_neighbours(cell: str) -> None:
    scenario = explode(atomics(ATREIDES, GUILD, cell=cell, storm=12), ATREIDES)
    assert scenario.g.table["atomics"] is True


@covers("DUNE-T.39")
def test_no_token_near_the_wall_no_family_atomics() -> None:
    scenario = atomics(ATREIDES, GUILD, cell="basin:8").run(StormRound())
    scenario.answer(ATREIDES, Pass())
    assert scenario.done, "only Weather Control was offered"


@covers("DUNE-T.39")
def test_coexisting_tokens_do_not_reach_the_wall() -> None:
    scenario = atomics(BENE_GESSERIT, GUILD)
    stand(scenario, BENE_GESSERIT, "shield_wall:8", 0, coexisting=2)
    stand(scenario, GUILD, "shield_wall:8", 1).run(StormRound()).answer(BENE_GESSERIT, Pass())
    assert scenario.done


@covers("DUNE-T.39", "DUNE-5.21")
def test_tokens_of_a_secondary_do_not_reach_the_wall() -> None:
    scenario = atomics(ATREIDES, GUILD)
    stand(scenario, GUILD, "shield_wall:8", 1).put("ally/atreides", (GUILD,)).put("ally/guild", (ATREIDES,))
    scenario.put("primary/shield_wall:7", GUILD).run(StormRound()).answer(ATREIDES, Pass())
    assert scenario.done


@covers("DUNE-R.65")
def test_a_storm_over_the_wall_and_the_players_own_sector_is_no_obstacle() -> None:
    scenario = explode(atomics(ATREIDES, GUILD, cell="sihaya_ridge:8", storm=8), ATREIDES)
    assert scenario.g.table["infamy"] == ("family_atomics",)


@covers("DUNE-T.41", "DUNE-BG.19", "DUNE-V.14")
def test_everything_on_the_wall_dies_wherever_the_storm_is() -> None:
    scenario = atomics(ATREIDES, BENE_GESSERIT, EMPEROR, storm=7, shield_wall_stronghold=True)
    scenario.put("worms", 6).put("shield_wall_stronghold", True)
    stand(scenario, BENE_GESSERIT, "shield_wall:7", 0, coexisting=2)
    stand(scenario, EMPEROR, "shield_wall:7", 1, elites=3)
    scenario.lay("fought/emperor", "bashar").put("battle_of/bashar", "shield_wall:7")
    explode(scenario, ATREIDES)
    assert scenario.g.occupants(("shield_wall:7", "shield_wall:8")) == ()
    assert scenario.g.tanks(ATREIDES) == (2, 0, 0)
    assert scenario.g.tanks(BENE_GESSERIT) == (2, 0, 0)
    assert scenario.g.tanks(EMPEROR) == (1, 3, 0)
    assert scenario.g.table["leader_tanks/emperor"] == ("bashar",)
    assert scenario.g.table["shield_wall_stronghold"] is True, "the wall still counts"


@covers("DUNE-T.42", "DUNE-T.43")
def test_from_then_on_the_storm_gets_into_the_basin_and_its_cities() -> None:
    scenario = atomics(ATREIDES, HARKONNEN)  # the storm goes on from 6 to 9 at once
    for cell in ("imperial_basin:9", "arrakeen:9"):
        stand(scenario, HARKONNEN, cell, 2)
    stand(scenario, HARKONNEN, "carthag:10", 5)
    explode(scenario, ATREIDES)
    assert scenario.g.tanks(HARKONNEN) == (4, 0, 0)
    assert scenario.g.table["bonus/ornithopters"] == (HARKONNEN,), "a city is a city still"
    scenario.lay("storm_next", "storm_1").run(StormRound())
    assert scenario.g.tanks(HARKONNEN) == (9, 0, 0), "in later turns Carthag falls to the storm, too"


@covers("DUNE-R.64")
def test_what_stands_under_the_storm_already_is_not_struck() -> None:
    scenario = stand(atomics(ATREIDES, HARKONNEN, storm=9), HARKONNEN, "arrakeen:9", 4)
    explode(scenario, ATREIDES)
    assert scenario.g.troops(HARKONNEN, "arrakeen:9") == (4, 0, 0)


@covers("DUNE-FRE.2", "DUNE-T.42")
def test_sandcraft_works_in_the_laid_open_cities() -> None:
    scenario = stand(atomics(ATREIDES, FREMEN), FREMEN, "arrakeen:9", 4)
    explode(scenario, ATREIDES)
    assert scenario.asked == (FREMEN,)


@covers("DUNE-T.44", "DUNE-3.21")
def test_the_card_lies_open_for_good_and_is_never_reshuffled() -> None:
    scenario = explode(atomics(ATREIDES, GUILD), ATREIDES)
    scenario.lay("treachery_deck").lay("treachery_discard", "shield")
    scenario.g.draw_treachery("hand/guild")
    assert scenario.g.table["infamy"] == ("family_atomics",)
    scenario.lay("storm_next", "storm_1").run(StormRound())
    assert "FamilyAtomics" not in scenario.where
    assert "family_atomics" not in scenario.g.table["hand/guild"]


@covers("DUNE-T.40")
def test_both_card_windows_belong_to_the_storm_round_alone() -> None:
    assert {"WeatherControl", "FamilyAtomics"} <= {frame.__name__ for frame in DUNE.frames}
    scenario = atomics(ATREIDES, GUILD).run(StormRound())
    assert [frame for frame, _ in scenario.g.path()][1:] == ["StormRound", "StormMove", "Moment", "WeatherControl"]
