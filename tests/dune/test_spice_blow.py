"""The Spice Blow Round: two piles, a Nexus for each worm, decks that run out."""

from typing import Any

from landsraad_engine.dune.acts import PlaceWorm
from landsraad_engine.dune.announcements import WormAppeared
from landsraad_engine.dune.pieces import ATREIDES, EMPEROR, FREMEN, GUILD, SHAI_HULUD
from landsraad_engine.dune.setup import SPICE_CARDS
from landsraad_engine.dune.spice_blow import SpiceBlowRound
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, stand

ONE, TWO = "spice_discard/1", "spice_discard/2"
THREE = (ATREIDES, GUILD, EMPEROR)


def blow(
    *cards: str, factions: tuple[str, ...] = (ATREIDES, GUILD, EMPEROR), rest: bool = True, **options: Any
) -> Scenario:
    """The cards that will be turned up, first one first; ``rest``: more cards lie below."""
    scenario = at_table(*factions, **options)
    below = tuple(card for card in SPICE_CARDS if card not in cards and card != SHAI_HULUD) if rest else ()
    return scenario.lay("spice_deck", *below, *reversed(cards))


def pass_nexus(scenario: Scenario) -> Scenario:
    """Pass on everything, up to the next worm or the end."""
    worms = scenario.g.table.get("worms")
    return scenario.until(lambda s: s.done or s.g.table.get("worms") != worms)


@covers("DUNE-2.1", "DUNE-2.2", "DUNE-2.4", "DUNE-2.12")
def test_two_territories_blow_one_on_each_pile() -> None:
    scenario = blow("red_chasm", "old_gap").run(SpiceBlowRound())
    assert scenario.done
    table = scenario.g.table
    assert (table[ONE], table[TWO]) == (("red_chasm",), ("old_gap",))
    assert (table["blow/red_chasm:6"], table["blow/old_gap:9"], table["bank"]) == (8, 6, -14)


@covers("DUNE-2.4")
def test_a_blow_adds_to_the_spice_that_lies_there() -> None:
    scenario = blow("red_chasm", "old_gap").put("blow/red_chasm:6", 3).put("bank", -3).run(SpiceBlowRound())
    assert scenario.g.table["blow/red_chasm:6"] == 11


@covers("DUNE-2.5", "DUNE-R.66")
def test_a_symbol_under_the_storm_gets_nothing_but_its_card_heads_the_pile() -> None:
    scenario = blow("red_chasm", "old_gap", storm=6).run(SpiceBlowRound())
    assert "blow/red_chasm:6" not in scenario.g.table
    assert scenario.g.table[ONE] == ("red_chasm",)


@covers("DUNE-2.7", "DUNE-2A.2", "DUNE-R.52")
def test_worms_of_turn_one_do_nothing_and_are_shuffled_back_afterwards() -> None:
    cards = (SHAI_HULUD, SHAI_HULUD, "red_chasm", SHAI_HULUD, "old_gap")
    scenario = stand(blow(*cards, turn=1), ATREIDES, "red_chasm:6", 2).run(SpiceBlowRound())
    assert scenario.done, "no Nexus"
    table = scenario.g.table
    assert table["at/atreides/red_chasm:6"] == (2, 0, 0)
    assert (table[ONE], table[TWO]) == (("red_chasm",), ("old_gap",))
    assert table["spice_deck"].count(SHAI_HULUD) == 3
    assert "worms_aside" not in table
    assert "worms" not in table, "and they are not counted"


@covers("DUNE-2.6", "DUNE-2.3", "DUNE-2A.1")
def test_a_worm_stops_the_round_for_a_nexus_at_once() -> None:
    scenario = blow("red_chasm", SHAI_HULUD, "old_gap").run(SpiceBlowRound())
    assert scenario.where == "Nexus.propose"
    assert scenario.g.table["blow/red_chasm:6"] == 8, "the first card has been carried out in full"
    assert "blow/old_gap:9" not in scenario.g.table


@covers("DUNE-2A.1")
def test_without_a_worm_there_is_no_nexus() -> None:
    assert blow("red_chasm", "old_gap").run(SpiceBlowRound()).done


@covers("DUNE-2.8", "DUNE-2.9", "DUNE-2.10")
def test_after_its_nexus_a_worm_devours_the_territory_under_it() -> None:
    scenario = blow(SHAI_HULUD, "red_chasm", "old_gap").lay(ONE, "south_mesa")
    scenario.put("blow/south_mesa:4", 10).put("bank", -10)
    stand(scenario, ATREIDES, "south_mesa:3", 2)
    stand(scenario, GUILD, "south_mesa:5", 3)
    scenario.run(SpiceBlowRound())
    assert scenario.g.troops(ATREIDES, "south_mesa:3") == (2, 0, 0), "not before the Nexus is over"
    pass_nexus(scenario)
    table = scenario.g.table
    assert scenario.g.tanks(ATREIDES) == (2, 0, 0)
    assert scenario.g.tanks(GUILD) == (3, 0, 0)
    assert "blow/south_mesa:4" not in table
    assert (table[ONE], table[TWO]) == (("south_mesa", SHAI_HULUD, "red_chasm"), ("old_gap",))
    assert table["bank"] == -14


@covers("DUNE-R.49")
def test_a_worm_takes_the_whole_territory_storm_or_not() -> None:
    scenario = blow(SHAI_HULUD, "red_chasm", "old_gap", storm=4).lay(ONE, "south_mesa")
    for cell in ("south_mesa:3", "south_mesa:4", "south_mesa:5"):
        stand(scenario, ATREIDES, cell, 1)
    pass_nexus(scenario.run(SpiceBlowRound()))
    assert scenario.g.tanks(ATREIDES) == (3, 0, 0)


@covers("DUNE-2.11")
def test_every_worm_has_a_nexus_of_its_own() -> None:
    scenario = blow(SHAI_HULUD, "red_chasm", SHAI_HULUD, SHAI_HULUD, "old_gap").run(SpiceBlowRound())
    nexuses = 0
    while not scenario.done:
        assert scenario.where == "Nexus.propose"
        nexuses += 1
        pass_nexus(scenario)
    assert nexuses == 3
    assert scenario.g.table["worms"] == 3


@covers("DUNE-R.47")
def test_a_first_worm_with_nothing_under_it_eats_nothing() -> None:
    scenario = pass_nexus(blow(SHAI_HULUD, "red_chasm", "old_gap").run(SpiceBlowRound()))
    assert scenario.done
    assert scenario.announced(WormAppeared) == []


@covers("DUNE-R.99")
def test_a_further_worm_that_nobody_places_appears_nowhere() -> None:
    scenario = blow(SHAI_HULUD, SHAI_HULUD, "red_chasm", "old_gap").lay(ONE, "south_mesa").run(SpiceBlowRound())
    pass_nexus(scenario)
    stand(scenario, ATREIDES, "south_mesa:4", 2)
    pass_nexus(scenario)
    assert scenario.done
    assert scenario.g.troops(ATREIDES, "south_mesa:4") == (2, 0, 0)


@covers("DUNE-R.48")
def test_worms_are_counted_for_each_pile() -> None:
    scenario = blow(SHAI_HULUD, "red_chasm", SHAI_HULUD, SHAI_HULUD, "old_gap", factions=(FREMEN, GUILD, EMPEROR))
    pass_nexus(scenario.run(SpiceBlowRound()))
    assert scenario.where == "Nexus.propose", "the first worm of the second pile cannot be placed"
    pass_nexus(scenario)
    assert scenario.where == "BlessTheMaker.place", "but the second one can"
    scenario.refused(FREMEN, PlaceWorm("nowhere"), rule="DUNE-FRE.11")


# --- a deck that runs out


@covers("DUNE-2.13", "DUNE-2.14", "DUNE-R.75")
def test_an_exhausted_deck_is_renewed_with_all_cards_and_a_territory_may_blow_again() -> None:
    scenario = blow("red_chasm", rest=False).run(SpiceBlowRound())
    assert scenario.done
    table = scenario.g.table
    assert table["blow/red_chasm:6"] == 16, "the only card there is came up twice"
    assert table["spice_deck"] == ("red_chasm",), "and the deck was renewed again as soon as it was empty"


@covers("DUNE-R.76")
def test_a_worm_right_after_the_renewal_finds_no_territory_below() -> None:
    scenario = blow(SHAI_HULUD, rest=False).lay(ONE, "south_mesa", "red_chasm").lay(TWO, "old_gap")
    attacks = scenario.run(SpiceBlowRound()).finish().announced(WormAppeared)
    assert attacks[0] == WormAppeared("red_chasm"), "the worm before it had one"
    piles = (*scenario.g.table.get(ONE, ()), *scenario.g.table.get(TWO, ()), *scenario.g.table.get("spice_deck", ()))
    assert sorted(piles) == sorted((SHAI_HULUD, "south_mesa", "red_chasm", "old_gap"))


@covers("DUNE-2.13")
def test_after_the_renewal_nobody_knows_the_order_of_the_deck() -> None:
    scenario = blow("old_gap", rest=False).lay(ONE, "red_chasm").lay(TWO, "south_mesa")
    scenario.run(SpiceBlowRound())
    assert "*spice_deck" not in scenario.g.table


@covers("DUNE-R.77")
def test_the_spice_deck_has_a_card_for_each_symbol_and_six_worms() -> None:
    assert len(SPICE_CARDS) == 21
    assert SPICE_CARDS.count(SHAI_HULUD) == 6
