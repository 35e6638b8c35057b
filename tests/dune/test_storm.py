"""The Storm Round: where the storm goes, what it destroys, who is first, who gets bonuses."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import DialStorm, LoseTokens, Pass, PlayCard
from landsraad_engine.dune.announcements import FirstPlayerFound
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN, STORM_CARDS
from landsraad_engine.dune.storm import StormRound
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, stand
from landsraad_engine.testing.seat_knowledge import faces_known_to


def storm_of(sectors: int, *factions: str, storm: int = 18, turn: int = 2, **options: Any) -> Scenario:
    """The turn before this one is over; the card with so many sectors lies ready, no other card has a say."""
    scenario = at_table(*factions, storm=storm, turn=turn - 1, **options)
    scenario.lay("treachery_discard", "weather_control", "family_atomics")
    card = f"storm_{sectors}"
    scenario.lay("storm_next", card)
    return scenario.lay("storm_deck", *(other for other in STORM_CARDS if other != card))


def first_storm(*factions: str) -> Scenario:
    return at_table(*factions, turn=1).lay("storm_deck", *STORM_CARDS)


# --- turn one


@covers("DUNE-1.3", "DUNE-R.24")
def test_the_players_on_either_side_of_storm_start_dial_the_first_storm() -> None:
    scenario = first_storm(ATREIDES, GUILD, FREMEN, HARKONNEN).run(StormRound())
    assert set(scenario.asked) == {ATREIDES, HARKONNEN}, "the first and the last dot from Storm Start on"
    scenario.refused(ATREIDES, DialStorm(21), rule="DUNE-1.3")
    scenario.refused(GUILD, DialStorm(1))


@covers("DUNE-1.3", "DUNE-1.4")
def test_the_dials_are_secret_until_both_are_in_and_then_added_up() -> None:
    scenario = first_storm(ATREIDES, GUILD, HARKONNEN).run(StormRound())
    scenario.answer(ATREIDES, DialStorm(20))
    assert not any("DialStorm" in str(entry) for entry in scenario.seen(GUILD))
    scenario.answer(HARKONNEN, DialStorm(3))
    opened = [entry[-1] for entry in scenario.seen(GUILD) if entry[0] == "open"]
    assert opened == [("DialStorm", 20), ("DialStorm", 3)]
    assert scenario.g.storm == 5, "23 sectors on from sector 18: once round and five more"


@covers("DUNE-1.5", "DUNE-1.1")
def test_the_first_storm_destroys_nothing() -> None:
    scenario = stand(first_storm(ATREIDES, HARKONNEN), ATREIDES, "meridian:1", 4)
    scenario.run(StormRound()).answer(ATREIDES, DialStorm(1)).answer(HARKONNEN, DialStorm(2))
    assert scenario.done
    assert scenario.g.storm == 3
    assert scenario.g.troops(ATREIDES, "meridian:1") == (4, 0, 0)
    assert scenario.g.turn == 1, "the turn token is already on one"


@covers("DUNE-1.6")
def test_after_the_first_storm_a_card_lies_ready_that_nobody_has_seen() -> None:
    scenario = first_storm(ATREIDES, HARKONNEN).run(StormRound())
    scenario.answer(ATREIDES, DialStorm(0)).answer(HARKONNEN, DialStorm(0))
    assert len(scenario.g.table["storm_next"]) == 1
    assert len(scenario.g.table["storm_deck"]) == 5
    assert "*storm_next" not in scenario.g.table


# --- later turns


@covers("DUNE-1.1", "DUNE-1.7", "DUNE-1.8")
def test_the_turn_begins_and_the_storm_moves_as_its_card_says() -> None:
    scenario = storm_of(4, ATREIDES, GUILD, storm=16).run(StormRound())
    assert scenario.done
    assert scenario.g.turn == 2
    assert scenario.g.storm == 2
    assert any(e.public and e.public[-1] == "storm_4" for e in scenario.told("move")), "the card is shown"


@covers("DUNE-1.12", "DUNE-1.18")
def test_the_used_card_goes_back_and_a_fresh_one_is_laid() -> None:
    scenario = storm_of(4, ATREIDES, GUILD).run(StormRound())
    table = scenario.g.table
    assert "storm_shown" not in table
    assert sorted((*table["storm_deck"], *table["storm_next"])) == sorted(STORM_CARDS)
    assert "*storm_next" not in table, "nobody knows what it is"
    verbs = [e.verb for e in scenario.events]
    assert verbs.index("set") < verbs.index("shuffle"), "only after the storm has moved"


@covers("DUNE-1.2", "DUNE-1.9")
def test_tokens_on_sand_die_where_the_storm_crosses_or_ends() -> None:
    scenario = storm_of(2, ATREIDES, GUILD)  # into sectors 1 and 2
    stand(scenario, ATREIDES, "meridian:1", 3)
    stand(scenario, GUILD, "cielago_depression:2", 2)
    stand(scenario, GUILD, "cielago_east:3", 5)
    scenario.run(StormRound())
    assert scenario.g.tanks(ATREIDES) == (3, 0, 0)
    assert scenario.g.tanks(GUILD) == (2, 0, 0)
    assert scenario.g.troops(GUILD, "cielago_east:3") == (5, 0, 0), "the storm has not come that far"


@covers("DUNE-R.62")
def test_the_sector_in_which_the_storm_starts_is_not_struck_again() -> None:
    scenario = stand(storm_of(1, ATREIDES, GUILD), ATREIDES, "meridian:18", 3).run(StormRound())
    assert scenario.g.troops(ATREIDES, "meridian:18") == (3, 0, 0)


@covers("DUNE-1.9", "DUNE-1.10", "DUNE-0.7")
def test_rock_strongholds_the_polar_sink_and_imperial_basin_give_shelter() -> None:
    scenario = storm_of(6, ATREIDES, GUILD, storm=6)  # sectors 7 to 12
    sheltered = ("false_wall_east:8", "arrakeen:9", "polar_sink", "imperial_basin:9")
    for cell in sheltered:
        stand(scenario, ATREIDES, cell, 2)
    stand(scenario, ATREIDES, "old_gap:9", 2)
    scenario.run(StormRound())
    assert [scenario.g.troops(ATREIDES, cell) for cell in sheltered] == [(2, 0, 0)] * 4
    assert scenario.g.tanks(ATREIDES) == (2, 0, 0)


@covers("DUNE-1.11")
def test_spice_in_the_storms_way_returns_to_the_bank() -> None:
    scenario = storm_of(2, ATREIDES, GUILD)
    scenario.put("blow/cielago_south:1", 12).put("blow/cielago_north:2", 8).put("blow/red_chasm:6", 8)
    scenario.put("bank", -28).run(StormRound())
    table = scenario.g.table
    assert (table.get("blow/cielago_south:1"), table.get("blow/cielago_north:2")) == (None, None)
    assert table["blow/red_chasm:6"] == 8
    assert table["bank"] == -8


@covers("DUNE-BG.19")
def test_the_storm_kills_coexisting_tokens_as_well() -> None:
    scenario = storm_of(1, BENE_GESSERIT, GUILD)
    stand(scenario, BENE_GESSERIT, "meridian:1", 0, coexisting=2)
    stand(scenario, GUILD, "meridian:1", 3).run(StormRound())
    assert scenario.g.tanks(BENE_GESSERIT) == (2, 0, 0)


# --- who is first, and bonuses


@covers("DUNE-1.13", "DUNE-1.14", "DUNE-1.15", "DUNE-R.80", "DUNE-0.27")
def test_the_owner_of_the_next_dot_is_first_player_from_then_on() -> None:
    scenario = storm_of(5, ATREIDES, GUILD, HARKONNEN)  # dots beside sectors 1, 4 and 7; the storm stops in 5
    assert scenario.g.dot_order() == (ATREIDES, GUILD, HARKONNEN)
    scenario.run(StormRound())
    assert scenario.g.dot_order() == (HARKONNEN, ATREIDES, GUILD)
    assert scenario.announced(FirstPlayerFound) == [FirstPlayerFound(HARKONNEN)]


@covers("DUNE-1.13", "DUNE-R.80")
def test_a_dot_in_the_storms_own_sector_has_been_passed() -> None:
    assert storm_of(4, ATREIDES, GUILD, HARKONNEN).run(StormRound()).g.dot_order()[0] == HARKONNEN


@covers("DUNE-1.16", "DUNE-1.17")
def test_the_holders_of_cities_get_bonuses_when_the_storm_round_ends() -> None:
    scenario = storm_of(1, ATREIDES, HARKONNEN, GUILD)
    for cell in ("arrakeen:9", "carthag:10"):
        stand(scenario, HARKONNEN, cell, 1)
    stand(scenario, ATREIDES, "tueks_sietch:4", 1).run(StormRound())
    assert scenario.g.has_bonus(HARKONNEN, "carryalls") == 2, "one for each city"
    assert scenario.g.has_bonus(HARKONNEN, "ornithopters") == 2
    assert scenario.g.table["bonus/smugglers"] == (ATREIDES,)
    assert not scenario.g.has_bonus(GUILD, "smugglers")


@covers("DUNE-1.16", "DUNE-BG.22", "DUNE-R.93")
def test_coexisting_tokens_and_empty_cities_earn_no_bonus() -> None:
    scenario = storm_of(1, BENE_GESSERIT, HARKONNEN)
    stand(scenario, BENE_GESSERIT, "arrakeen:9", 0, coexisting=1)
    stand(scenario, HARKONNEN, "arrakeen:9", 1).run(StormRound())
    assert scenario.g.table["bonus/ornithopters"] == (HARKONNEN,)
    assert "bonus/smugglers" not in scenario.g.table


# --- the Fremen


@covers("DUNE-FRE.1", "DUNE-1.18")
def test_the_fremen_alone_see_the_next_storm_card() -> None:
    scenario = storm_of(1, FREMEN, GUILD).run(StormRound())
    (card,) = scenario.g.table["storm_next"]
    assert faces_known_to(scenario.g, scenario.seat(FREMEN), "storm_next") == [card]
    assert faces_known_to(scenario.g, scenario.seat(GUILD), "storm_next") == []
    looks = [e for e in scenario.seen(GUILD) if e[0] == "look"]
    assert looks, "that they look is public"
    assert not any(card in entry for entry in looks)


@covers("DUNE-R.3")
def test_under_gf9_a_karama_keeps_the_fremen_from_looking() -> None:
    scenario = storm_of(1, FREMEN, GUILD, karama_reach="gf9").lay("hand/guild", "karama").run(StormRound())
    assert scenario.asked == (GUILD,)
    scenario.answer(GUILD, PlayCard("karama"))
    assert scenario.done
    assert faces_known_to(scenario.g, scenario.seat(FREMEN), "storm_next") == []
    assert "cancelled" not in scenario.g.table


@covers("DUNE-FRE.2", "DUNE-R.58", "DUNE-R.59")
def test_the_fremen_lose_half_rounded_up_of_a_sector_and_say_which() -> None:
    scenario = storm_of(1, FREMEN, GUILD)
    stand(scenario, FREMEN, "cielago_north:1", 2, elites=1)
    stand(scenario, FREMEN, "meridian:1", 2)
    scenario.run(StormRound())
    assert scenario.asked == (FREMEN,)
    scenario.refused(FREMEN, LoseTokens(tokens=(2, 0), elites=(0, 0)), rule="DUNE-FRE.2")  # two of five
    scenario.answer(FREMEN, LoseTokens(tokens=(1, 2), elites=(0, 0)))
    assert scenario.done
    assert scenario.g.troops(FREMEN, "cielago_north:1") == (1, 1, 0)
    assert scenario.g.tanks(FREMEN) == (3, 0, 0)


@covers("DUNE-R.58", "DUNE-0.29")
def test_two_territories_of_one_sector_are_halved_together() -> None:
    scenario = storm_of(1, FREMEN, GUILD)
    stand(scenario, FREMEN, "meridian:1", 1)
    stand(scenario, FREMEN, "cielago_south:1", 1)
    scenario.run(StormRound()).answer(FREMEN, LoseTokens(tokens=(1, 0), elites=(0, 0)))
    assert scenario.done
    assert scenario.g.tanks(FREMEN) == (1, 0, 0), "the almanac speaks of the sector, the summary of a territory"


@covers("DUNE-R.58", "DUNE-0.29")
def test_two_sectors_of_one_territory_are_halved_each_on_its_own() -> None:
    scenario = storm_of(2, FREMEN, GUILD)
    stand(scenario, FREMEN, "cielago_north:1", 1)
    stand(scenario, FREMEN, "cielago_north:2", 3)
    scenario.run(StormRound()).answer(FREMEN, LoseTokens(tokens=(1,), elites=(0,)))
    assert not scenario.done, "the storm enters the second sector after the first"
    scenario.refused(FREMEN, LoseTokens(tokens=(1,), elites=(0,)), rule="DUNE-FRE.2")
    scenario.answer(FREMEN, LoseTokens(tokens=(2,), elites=(0,)))
    assert scenario.g.tanks(FREMEN) == (3, 0, 0), "half of one and half of three, both rounded up"


@covers("DUNE-FRE.2")
def test_the_fremen_may_do_without_sandcraft_and_lose_less_by_default() -> None:
    for act, left in ((Pass(), (0, 0, 0)), (None, (1, 1, 0))):
        scenario = stand(storm_of(1, FREMEN, GUILD), FREMEN, "meridian:1", 3, elites=1).run(StormRound())
        scenario.answer(FREMEN, act or scenario.g.ask.default_for(0))
        assert scenario.g.troops(FREMEN, "meridian:1") == left


@pytest.mark.parametrize("reach", ["seed", "gf9"])
@covers("DUNE-R.2", "DUNE-R.3")
def test_sandcraft_can_be_cancelled_under_gf9_only(reach: str) -> None:
    scenario = storm_of(1, FREMEN, GUILD, karama_reach=reach).lay("hand/guild", "karama")
    stand(scenario, FREMEN, "meridian:1", 4).run(StormRound()).answer(FREMEN, LoseTokens(tokens=(2,), elites=(0,)))
    if reach == "gf9":
        scenario.answer(GUILD, PlayCard("karama"))
        assert scenario.g.tanks(FREMEN) == (4, 0, 0)
    else:
        assert scenario.g.tanks(FREMEN) == (2, 0, 0)


@covers("DUNE-1.9")
def test_other_factions_have_no_choice() -> None:
    scenario = stand(storm_of(1, EMPEROR, GUILD), EMPEROR, "meridian:1", 2, elites=2).run(StormRound())
    assert scenario.done
    assert scenario.g.tanks(EMPEROR) == (2, 2, 0)
