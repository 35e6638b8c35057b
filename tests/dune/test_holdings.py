"""Who could hold a card, as far as everybody knows: windows go by that and by nothing else."""

from landsraad_engine.dune.karama import could_hold_karama
from landsraad_engine.dune.pieces import BENE_GESSERIT, FREMEN, GUILD, WORTHLESS
from landsraad_engine.dune.possible_holders import could_hold
from landsraad_engine.testing import covers
from landsraad_engine.testing.dune import at_table


@covers("DUNE-R.11")
def test_an_unknown_card_may_be_any_and_an_empty_hand_holds_none() -> None:
    g = at_table(FREMEN, GUILD).lay("hand/fremen", "shield").g
    assert could_hold(g, FREMEN, "weather_control")
    assert not could_hold(g, GUILD, "weather_control")


@covers("DUNE-R.11")
def test_a_hand_that_everybody_knows_holds_what_it_shows() -> None:
    g = at_table(FREMEN, GUILD).lay("hand/fremen", "hajr", "shield").g
    g.reveal("hand/fremen", "shield")
    assert could_hold(g, FREMEN, "shield")
    assert could_hold(g, FREMEN, "weather_control"), "the other card may be it"
    g.reveal("hand/fremen", "hajr")
    assert could_hold(g, FREMEN, "hajr")
    assert not could_hold(g, FREMEN, "weather_control")


@covers("DUNE-R.11")
def test_what_one_other_seat_has_seen_does_not_count() -> None:
    g = at_table(FREMEN, GUILD).lay("hand/fremen", "shield").g
    g.look("hand/fremen", 0b10)
    assert could_hold(g, FREMEN, "weather_control"), "spectators have not seen it, nor will anybody learn from this"


@covers("DUNE-R.11")
def test_nobody_holds_a_card_all_copies_of_which_lie_open() -> None:
    scenario = at_table(FREMEN, GUILD).lay("hand/fremen", "shield").lay("hand/guild", "karama")
    scenario.lay("treachery_discard", "karama")
    assert could_hold_karama(scenario.g, FREMEN), "there are two of them"
    scenario.g.reveal("hand/guild", "karama")
    assert not could_hold_karama(scenario.g, FREMEN)
    assert could_hold_karama(scenario.g, GUILD)


@covers("DUNE-R.11", "DUNE-BG.2")
def test_for_the_bene_gesserit_a_worthless_card_is_as_good() -> None:
    scenario = at_table(BENE_GESSERIT, GUILD).lay("hand/bene_gesserit", "shield").lay("hand/guild", "shield")
    scenario.lay("treachery_discard", "karama", "karama")
    assert could_hold_karama(scenario.g, BENE_GESSERIT)
    assert not could_hold_karama(scenario.g, GUILD)
    scenario.lay("treachery_discard", "karama", "karama", *WORTHLESS)
    assert not could_hold_karama(scenario.g, BENE_GESSERIT)
