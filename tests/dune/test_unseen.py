"""Sampled worlds of classic Dune: what a seat cannot see may lie there, and adds up."""

from collections import Counter
from random import Random
from typing import Any

from landsraad_engine.dune.acts import Bid, Pass
from landsraad_engine.dune.bidding import CardAuction
from landsraad_engine.dune.deals import Gift
from landsraad_engine.dune.invariants import problems
from landsraad_engine.dune.out_of_turn import OfferPlays
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN, LEADERS
from landsraad_engine.dune.shipment import STANDARD, Shipment
from landsraad_engine.dune.spending import committed, known_to_hold, spare
from landsraad_engine.dune.unseen import census
from landsraad_engine.dune.words import SPICE
from landsraad_engine.knowledge.information import view_of
from landsraad_engine.knowledge.worlds import sample_world
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table


def purses(**spice: int) -> Scenario:
    """Some factions with so much spice behind their screens."""
    scenario = at_table(*spice)
    for faction, amount in spice.items():
        scenario.put(f"spice/{faction}", amount)
    return scenario.put("bank", -sum(spice.values()))


def still(scenario: Scenario) -> Any:
    """The position, with nothing under way."""
    scenario.g.stack.clear()
    scenario.g.ask, scenario.g.waiting = None, ()
    return scenario.put("result", ("over", ())).g


@covers("DUNE-0.10")
def test_hidden_purses_hold_together_what_the_bank_has_paid_out() -> None:
    g = still(purses(guild=7, fremen=4, emperor=9))
    shares = []
    for seed in range(300):
        world = sample_world(g.setting, view_of(g, 0), Random(seed))
        assert world.table.get("spice/guild") == 7, "its own purse a seat sees"
        shares.append(world.table.get("spice/fremen", 0))
        assert shares[-1] + world.table.get("spice/emperor", 0) == 13
    seen = Counter(shares)
    assert set(seen) == set(range(14)), "every division comes up"
    assert max(seen.values()) < 3 * min(seen.values()) + 20, "and about as often as any other"


def test_factions_that_nobody_plays_have_neither_spice_nor_pieces() -> None:
    g = still(purses(guild=7, fremen=4))
    world = sample_world(g.setting, view_of(g, 0), Random(1))
    assert world.table.get("spice/emperor", 0) == 0
    pieces = census(g)
    assert set(pieces["traitor"]) == {*LEADERS[GUILD], *LEADERS[FREMEN]}
    assert "leader/emperor" not in pieces


@covers("DUNE-BG.29")
def test_a_prediction_that_is_not_seen_may_name_any_faction_in_play_and_any_turn() -> None:
    g = still(at_table(BENE_GESSERIT, GUILD, length=10).put("prediction", (GUILD, 3)))
    guesses = {sample_world(g.setting, view_of(g, 1), Random(seed)).table["prediction"] for seed in range(400)}
    assert guesses == {(faction, turn) for faction in (BENE_GESSERIT, GUILD) for turn in range(1, 11)}
    assert sample_world(g.setting, view_of(g, 0), Random(0)).table["prediction"] == (GUILD, 3)


def test_the_cards_a_seat_knows_stay_where_it_knows_them() -> None:
    g = still(at_table(ATREIDES, HARKONNEN).lay("treachery_deck", "shield", "hajr", "karama", "snooper"))
    for _ in range(2):
        g.draw("treachery_deck", "hand/harkonnen")
    g.look("hand/harkonnen", 1)
    g.reveal("hand/harkonnen", "karama")
    for seed in range(5):
        world = sample_world(g.setting, view_of(g, 0), Random(seed))
        assert world.table["hand/harkonnen"] == ("karama", "snooper")
        assert view_of(world, 0) == view_of(g, 0)
        assert view_of(world, None).shown == {"hand/harkonnen": ("karama", "?")}, "and what everybody knows"


# --- spice that is spoken for


@covers("DUNE-3.12")
def test_spice_for_a_payment_under_way_is_not_spare() -> None:
    g = purses(guild=9, fremen=4).g
    g.stack.append(CardAuction(order=(GUILD, FREMEN), number=1, high=6, leader=GUILD, pc="bid"))
    assert (committed(g, GUILD), spare(g, GUILD)) == (6, 3)
    assert known_to_hold(g, GUILD) == 0, "the bid may be meant for a Karama"
    g.stack[-1].pc = "charge"
    assert known_to_hold(g, GUILD) == 6
    g.stack[-1].pc = "over"
    assert spare(g, GUILD) == 9, "it has been paid"


@covers("DUNE-3.12", "DUNE-3.11")
def test_who_cannot_hold_a_karama_has_what_it_bids() -> None:
    """As long as a card of the hand is unknown it may be one; then the bid proves nothing."""
    for known in (False, True):
        scenario = purses(guild=9, fremen=4, emperor=7).lay("hand/guild", "shield").lay("auction_row", "hajr", "karama")
        if known:
            scenario.g.reveal("hand/guild", "shield")
        scenario.run(CardAuction(order=(GUILD, FREMEN, EMPEROR), number=1)).answer(GUILD, Bid(8))
        del scenario.g.stack[0]  # what lies below a scenario is not of the game
        assert known_to_hold(scenario.g, GUILD) == (8 if known else 0)
        rng = Random(2)
        purse = {
            sample_world(scenario.g.setting, view_of(scenario.g, 1), rng).table.get(SPICE[GUILD], 0) for _ in range(80)
        }
        assert purse == set(range(8 if known else 0, 17))
        scenario.g.table[SPICE[GUILD]] = 7
        assert (f"{GUILD} cannot pay what everybody knows it can" in problems(scenario.g)) is known


@covers("DUNE-3.19")
def test_who_has_told_its_purse_is_known_to_have_that() -> None:
    scenario = purses(guild=9, fremen=4).lay("hand/guild", "karama").lay("auction_row", "hajr")
    scenario.run(CardAuction(order=(GUILD, FREMEN), number=1)).answer(GUILD, Bid(30)).answer(FREMEN, Pass())
    scenario.lay("hand/guild").again()
    assert scenario.told("declare", rule="DUNE-3.19")
    assert known_to_hold(scenario.g, GUILD) == 9


@covers("DUNE-5.5", "DUNE-0.26")
def test_the_fee_of_a_shipment_and_a_gift_held_out_are_kept_as_well() -> None:
    g = purses(guild=9, emperor=8).g
    g.stack.append(Shipment(faction=GUILD, kind=STANDARD, counts=(4, 0, 0), to="red_chasm:6", fee=8, pc="stopped"))
    assert spare(g, GUILD) == 1
    g.stack[-1] = Gift(faction=EMPEROR, ally=GUILD, amount=5, pc="offered")
    assert (spare(g, EMPEROR), spare(g, GUILD)) == (3, 9)


def test_in_every_world_the_shipper_can_pay_what_is_about_to_be_paid() -> None:
    scenario = purses(guild=5, fremen=2, harkonnen=11)
    scenario.run(Gift(faction=HARKONNEN, ally=GUILD, amount=10))
    del scenario.g.stack[0]  # what lies below a scenario is not of the game
    for seed in range(20):
        world = sample_world(scenario.g.setting, view_of(scenario.g, 1), Random(seed))
        assert world.table["spice/harkonnen"] >= 10


@covers("DUNE-0.27")
def test_where_plays_are_offered_somebody_has_wished_for_it() -> None:
    """A seat sees that they are, and not to whom: in its world, too, somebody is waited for."""
    s = at_table(EMPEROR, FREMEN, GUILD).lay("hand/fremen", "truthtrance").put("orders/1", ("ask:truthtrance",))
    g = s.run(OfferPlays()).g
    del g.stack[:-1]  # what the scenario stands on is no frame of the game
    assert g.waiting == (1,)
    worlds = [sample_world(g.setting, view_of(g, 0), Random(seed)) for seed in range(20)]
    assert {world.waiting for world in worlds} == {(1,), (2,)}
    assert all(view_of(world, 0) == view_of(g, 0) for world in worlds)
    [own] = {sample_world(g.setting, view_of(g, 1), Random(seed)).waiting for seed in range(5)}
    assert own == (1,), "who has wished for it itself knows of no other"
