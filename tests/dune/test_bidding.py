"""The Bidding Round: charity, the auction card by card, and what factions and Karama change in it."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import (
    Bid,
    BidInfinity,
    ClaimCharity,
    GiveBack,
    GiveSpice,
    Pass,
    PayWithSpice,
    PlayCard,
    PlayCombatMedics,
    PlayOpportunistic,
    TakeSpice,
)
from landsraad_engine.dune.announcements import CardPaid, CardSold, HandsCounted
from landsraad_engine.dune.bidding import BiddingRound, CardAuction
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN, TREACHERY
from landsraad_engine.dune.spending import spare
from landsraad_engine.errors import Refused
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table

FOUR = ("shield", "shield", "snooper", "snooper")
EIGHT = (*FOUR, "baliset", "kulon", "hajr", "lasgun")
PASS = Pass()


def rich(*factions: str, spice: int = 10, **options: Any) -> Scenario:
    """Players with spice and the whole treachery deck, who are not asked where they can only pass."""
    scenario = at_table(*factions, orders=True, **options)
    for faction in factions:
        scenario.put(f"spice/{faction}", spice)
    return scenario.put("treachery_deck", TREACHERY)


def sale(*factions: str, spice: int = 10, places: dict[str, Any] | None = None, **options: Any) -> Scenario:
    """The auction of a card; the first faction bids first. ``places`` are what else lies on the table."""
    scenario = rich(*factions, spice=spice, **options).lay("auction_row", "hajr")
    for key, value in (places or {}).items():
        scenario.put(key, value)
    return scenario.run(CardAuction(order=factions, number=2))


def held(**hands: str) -> dict[str, Any]:
    """Treachery cards in the hands of factions, written "shield snooper"."""
    return {f"hand/{faction}": tuple(cards.split()) for faction, cards in hands.items()}


ALLIED = {"ally/emperor": (FREMEN,), "ally/fremen": (EMPEROR,)}


def bids(scenario: Scenario, **answers: int | None) -> Scenario:
    """Bids in the order in which they are written, None for a pass; each must be that faction's turn."""
    for faction, amount in answers.items():
        assert scenario.asked == (faction,)
        scenario.answer(faction, PASS if amount is None else Bid(amount))
    return scenario


# --------------------------------------------------------------------------------------------------------- charity


@covers("DUNE-3.1")
def test_who_has_no_spice_at_all_may_claim_charity() -> None:
    s = rich(FREMEN, GUILD).put(f"spice/{FREMEN}", None).run(BiddingRound())
    assert s.asked == (FREMEN,)
    s.answer(FREMEN, ClaimCharity())
    assert s.g.spice(FREMEN) == 2
    assert [e.public for e in s.told("declare", rule="DUNE-3.1")] == [(0, "charity", True)]


@covers("DUNE-3.1")
def test_one_spice_is_too_much_for_charity() -> None:
    s = at_table(FREMEN, GUILD).put(f"spice/{FREMEN}", 1).run(BiddingRound())
    s.refused(FREMEN, ClaimCharity(), rule="DUNE-3.1")


@covers("DUNE-3.1")
@pytest.mark.parametrize("spice", [None, 3])
def test_everybody_is_asked_about_charity_whatever_the_purse_holds(spice: int | None) -> None:
    s = at_table(FREMEN, GUILD, EMPEROR).put(f"spice/{FREMEN}", spice).run(BiddingRound())
    assert s.asked == (FREMEN, GUILD, EMPEROR)


@covers("DUNE-BG.1")
@pytest.mark.parametrize("spice", [None, 7])
def test_from_the_second_turn_the_bene_gesserit_draw_charity_without_claiming(spice: int | None) -> None:
    s = at_table(BENE_GESSERIT, GUILD).put(f"spice/{BENE_GESSERIT}", spice).run(BiddingRound())
    assert s.g.spice(BENE_GESSERIT) == (spice or 0) + 2
    assert s.asked == (GUILD,)


@covers("DUNE-BG.1")
def test_on_the_first_turn_the_bene_gesserit_have_to_claim_like_anybody() -> None:
    s = at_table(BENE_GESSERIT, GUILD, turn=1).run(BiddingRound())
    assert s.asked == (BENE_GESSERIT, GUILD)
    assert s.g.spice(BENE_GESSERIT) == 0


@covers("DUNE-R.3", "DUNE-BG.1")
def test_karama_stops_piety_where_the_option_lets_it_and_the_poor_may_still_claim() -> None:
    s = at_table(BENE_GESSERIT, GUILD, karama_reach="gf9").lay(f"hand/{GUILD}", "karama").run(BiddingRound())
    assert s.asked == (GUILD,)
    s.answer(GUILD, PlayCard("karama"))
    assert s.g.spice(BENE_GESSERIT) == 0
    assert ClaimCharity() in s.legal(BENE_GESSERIT)


@covers("DUNE-R.2")
def test_by_the_default_option_karama_does_not_reach_piety() -> None:
    s = at_table(BENE_GESSERIT, GUILD).lay(f"hand/{GUILD}", "karama").run(BiddingRound())
    assert s.g.spice(BENE_GESSERIT) == 2
    assert s.where == "BiddingRound.charity"


# ------------------------------------------------------------------------------------------------- before the auction


@covers("DUNE-3.2")
def test_all_say_how_many_cards_they_hold_and_not_which() -> None:
    s = rich(FREMEN, GUILD).lay(f"hand/{FREMEN}", "shield", "hajr").run(BiddingRound())
    assert s.announced(HandsCounted) == [HandsCounted((FREMEN, GUILD), (2, 0))]
    assert places_seen(s.g, s.seat(GUILD))[f"hand/{FREMEN}"] == ("?", "?")


@covers("DUNE-3.5", "DUNE-3.6", "DUNE-3.3")
def test_one_card_is_laid_out_face_down_for_each_player_with_room() -> None:
    s = rich(FREMEN, GUILD, EMPEROR).lay(f"hand/{GUILD}", *FOUR).run(BiddingRound())
    row = s.g.table["auction_row"]
    assert row == (TREACHERY[-1], TREACHERY[-2])
    assert all(places_seen(s.g, seat)["auction_row"] == ("?", "?") for seat in range(3))


@covers("DUNE-3.3", "DUNE-HAR.1")
def test_only_the_harkonnen_have_room_for_a_fifth_card() -> None:
    s = rich(HARKONNEN, GUILD).lay(f"hand/{HARKONNEN}", *FOUR).lay(f"hand/{GUILD}", *FOUR).run(BiddingRound())
    assert len(s.g.table["auction_row"]) == 1
    s = rich(HARKONNEN, GUILD).lay(f"hand/{HARKONNEN}", *EIGHT).lay(f"hand/{GUILD}", *FOUR).run(BiddingRound())
    assert s.done


# ---------------------------------------------------------------------------------------------------------- bidding


@covers("DUNE-3.7", "DUNE-3.9")
def test_the_first_player_begins_and_the_turn_to_bid_goes_round() -> None:
    s = rich(FREMEN, GUILD, EMPEROR).put("storm", 1).run(BiddingRound())
    # The storm has passed dot 0, so dot 1 is the first that it comes to.
    bids(s, guild=1, emperor=2, fremen=3)
    assert s.asked == (GUILD,)


@covers("DUNE-3.8", "DUNE-R.37")
def test_the_first_bid_is_one_spice_at_least() -> None:
    s = sale(FREMEN, GUILD)
    s.refused(FREMEN, Bid(0), rule="DUNE-3.8")
    assert s.legal(FREMEN, Bid) == [Bid(n) for n in range(1, 11)]


@covers("DUNE-3.9")
def test_a_bid_must_raise_the_one_before() -> None:
    s = bids(sale(FREMEN, GUILD), fremen=3)
    s.refused(GUILD, Bid(3), rule="DUNE-3.9")
    s.answer(GUILD, Bid(4))


@covers("DUNE-3.11", "DUNE-R.37", "DUNE-R.39")
def test_nobody_bids_more_than_the_purse_holds() -> None:
    s = sale(FREMEN, GUILD, spice=5)
    refusal = s.refused(FREMEN, Bid(6), rule="DUNE-3.11")
    assert refusal.nearest == (Bid(5),)
    s.refused(FREMEN, BidInfinity())


@covers("DUNE-3.10", "DUNE-3.14")
def test_the_card_goes_to_the_highest_bidder_once_all_others_have_passed() -> None:
    s = bids(sale(FREMEN, GUILD), fremen=2, guild=3)
    bids(s, fremen=None)
    assert s.done
    assert s.g.hand(GUILD) == ("hajr",)
    assert s.g.spice(GUILD) == 7
    assert s.g.table["bank"] == 3


@covers("DUNE-3.13")
def test_who_has_passed_may_bid_again_while_the_card_is_unsold() -> None:
    s = bids(sale(FREMEN, GUILD, EMPEROR), fremen=None, guild=1, emperor=2)
    bids(s, fremen=3, guild=None, emperor=None)
    assert s.done
    assert s.g.hand(FREMEN) == ("hajr",)


@covers("DUNE-3.4")
def test_a_full_hand_is_passed_over() -> None:
    s = rich(FREMEN, GUILD, EMPEROR).lay(f"hand/{GUILD}", *FOUR).lay("auction_row", "hajr")
    s.run(CardAuction(order=(FREMEN, GUILD, EMPEROR), number=2))
    bids(s, fremen=1, emperor=2)
    bids(s, fremen=None)
    assert s.done
    assert s.g.hand(EMPEROR) == ("hajr",)


@covers("DUNE-3.4")
def test_whoever_gets_room_in_the_hand_may_bid_again() -> None:
    s = rich(FREMEN, GUILD, EMPEROR).lay(f"hand/{GUILD}", *FOUR).lay("auction_row", "hajr")
    s.run(CardAuction(order=(FREMEN, GUILD, EMPEROR), number=2))
    s.put(f"hand/{GUILD}", FOUR[1:])
    bids(s, fremen=1, guild=2)
    assert s.asked == (EMPEROR,)


@covers("DUNE-3.15", "DUNE-3.16", "DUNE-3.17")
def test_the_opening_bid_moves_on_past_full_hands_until_every_card_is_sold() -> None:
    s = rich(FREMEN, GUILD, EMPEROR).lay(f"hand/{GUILD}", *FOUR[:3]).run(BiddingRound())
    bids(s, fremen=None, guild=1, emperor=None)
    bids(s, fremen=None).answer(GUILD, PayWithSpice())
    # Second card: the Guild, whose hand is now full, would open.
    bids(s, emperor=1, fremen=None)
    # Third card: after the Emperor it is the Fremen's turn.
    bids(s, fremen=1, emperor=None)
    assert s.done
    assert (len(s.g.hand(FREMEN)), len(s.g.hand(GUILD)), len(s.g.hand(EMPEROR))) == (1, 4, 1)
    assert "auction_row" not in s.g.table


@covers("DUNE-3.18", "DUNE-R.40")
def test_a_card_that_nobody_wants_ends_the_auction_and_the_rest_goes_back_as_dealt() -> None:
    s = rich(FREMEN, GUILD, EMPEROR).run(BiddingRound())
    bids(s, fremen=1, guild=None, emperor=None)
    bids(s, guild=None, emperor=None, fremen=None)
    assert s.done
    assert s.g.table["treachery_deck"] == TREACHERY[:-1]
    assert s.g.hand(FREMEN) == (TREACHERY[-1],)


# ---------------------------------------------------------------------------------------------------------- paying


@covers("DUNE-3.14", "DUNE-3.23", "DUNE-EMP.5")
def test_the_price_is_due_at_once_and_in_full() -> None:
    s = bids(sale(GUILD, EMPEROR, places=held(guild="shield")), guild=4, emperor=None)
    assert s.legal(GUILD) == [PayWithSpice()]
    s.answer(GUILD, PayWithSpice())
    assert s.g.spice(GUILD) == 6


@covers("DUNE-EMP.3")
def test_what_others_pay_for_a_card_goes_to_the_emperor() -> None:
    s = bids(sale(GUILD, EMPEROR), guild=4, emperor=None)
    assert s.g.spice(EMPEROR) == 14
    assert "bank" not in s.g.table


@covers("DUNE-EMP.6")
def test_the_emperor_pays_the_bank_for_his_own_cards() -> None:
    s = bids(sale(GUILD, EMPEROR), guild=None, emperor=4)
    bids(s, guild=None)
    assert s.g.spice(EMPEROR) == 6
    assert s.g.table["bank"] == 4


@covers("DUNE-R.3", "DUNE-EMP.3")
def test_karama_stops_the_emperors_income_where_the_option_lets_it() -> None:
    s = sale(GUILD, EMPEROR, FREMEN, places=held(fremen="karama"), karama_reach="gf9")
    bids(s, guild=4, emperor=None, fremen=None)
    s.answer(FREMEN, PlayCard("karama"))
    assert s.done
    assert s.g.spice(EMPEROR) == 10
    assert s.g.table["bank"] == 4
    assert "cancelled" not in s.g.table


@covers("DUNE-3.12")
def test_while_leading_a_bidder_may_give_away_only_what_goes_beyond_the_bid() -> None:
    s = sale(EMPEROR, FREMEN, GUILD, places=ALLIED)
    bids(s, emperor=7)
    assert spare(s.g, EMPEROR) == 3
    with pytest.raises(Refused) as refused:
        s.play(EMPEROR, GiveSpice(FREMEN, 4))
    assert refused.value.rule == "DUNE-3.12"
    s.play(EMPEROR, GiveSpice(FREMEN, 3)).answer(FREMEN, TakeSpice())
    bids(s, fremen=13, guild=None)
    assert spare(s.g, EMPEROR) == 7


@covers("DUNE-EMP.2", "DUNE-EMP.4", "DUNE-X.24", "DUNE-A.3", "DUNE-EMP.1", "DUNE-R.22")
def test_x24_an_ally_without_spice_can_bid_only_after_the_emperors_gift() -> None:
    s = sale(FREMEN, EMPEROR, places={**ALLIED, f"spice/{FREMEN}": None})
    assert s.legal(FREMEN) == [PASS]
    s.play(EMPEROR, GiveSpice(FREMEN, 4)).answer(FREMEN, TakeSpice())
    assert s.g.spice(FREMEN) == 4
    s.answer(FREMEN, Bid(4))
    s.answer(EMPEROR, PASS)
    # His own spice comes back to him as the price of the card.
    assert (s.g.spice(EMPEROR), s.g.spice(FREMEN)) == (10, 0)


# ---------------------------------------------------------------------------------------------------------- Karama


@covers("DUNE-K.1", "DUNE-R.38", "DUNE-R.39", "DUNE-R.12")
def test_a_holder_of_karama_may_bid_beyond_the_purse_and_pays_with_the_card() -> None:
    s = sale(FREMEN, GUILD, spice=5, places=held(fremen="karama"))
    assert s.legal(FREMEN, Bid)[-1] == Bid(99)
    bids(s, fremen=40, guild=None)
    assert s.legal(FREMEN) == [PlayCard("karama")]
    s.answer(FREMEN, PlayCard("karama"))
    assert s.done
    assert s.g.hand(FREMEN) == ("hajr",)
    assert s.g.spice(FREMEN) == 5
    assert s.g.table["treachery_discard"] == ("karama",)
    assert s.announced(CardPaid) == [CardPaid(FREMEN, "karama")]


@covers("DUNE-K.1")
def test_who_can_pay_a_bid_in_spice_may_pay_with_karama_all_the_same() -> None:
    s = bids(sale(FREMEN, GUILD, places=held(fremen="karama")), fremen=4, guild=None)
    assert s.legal(FREMEN) == [PayWithSpice(), PlayCard("karama")]


@covers("DUNE-R.38", "DUNE-BG.2", "DUNE-BG.3")
def test_a_worthless_card_serves_the_bene_gesserit_and_nobody_else() -> None:
    s = sale(BENE_GESSERIT, GUILD, spice=1, places=held(bene_gesserit="kulon", guild="baliset"))
    s.answer(BENE_GESSERIT, Bid(30))
    assert s.legal(GUILD) == [PASS]
    s.answer(GUILD, PASS)
    s.answer(BENE_GESSERIT, PlayCard("kulon"))
    assert s.g.hand(BENE_GESSERIT) == ("hajr",)


@covers("DUNE-BG.3", "DUNE-K.29", "DUNE-3.20")
def test_a_real_karama_stops_a_worthless_one_and_the_auction_starts_from_nothing() -> None:
    s = sale(BENE_GESSERIT, GUILD, EMPEROR, spice=3, places=held(bene_gesserit="kulon", guild="karama"))
    bids(s, bene_gesserit=30, guild=None, emperor=None)
    s.answer(BENE_GESSERIT, PlayCard("kulon"))
    s.answer(GUILD, PlayCard("karama"))
    assert sorted(s.g.table["treachery_discard"]) == ["karama", "kulon"]
    assert s.g.table["auction_row"] == ("hajr",)
    assert s.asked == (BENE_GESSERIT,)
    assert s.legal(BENE_GESSERIT, Bid) == [Bid(1), Bid(2), Bid(3)]


@covers("DUNE-K.2")
def test_infinity_ends_the_sale_at_once() -> None:
    s = bids(sale(FREMEN, GUILD, EMPEROR, places=held(guild="karama")), fremen=9)
    s.answer(GUILD, BidInfinity())
    assert s.legal(GUILD) == [PlayCard("karama")]
    s.answer(GUILD, PlayCard("karama"))
    assert s.done
    assert s.g.hand(GUILD) == ("hajr",)
    assert s.announced(CardSold) == [CardSold(GUILD, None)]


@covers("DUNE-K.2", "DUNE-R.38")
def test_infinity_may_be_called_out_of_turn_by_who_could_pay_it() -> None:
    s = sale(FREMEN, GUILD, EMPEROR, places=held(emperor="karama"))
    assert BidInfinity() not in set(s.open_plays(GUILD).enumerate(500))
    s.play(EMPEROR, BidInfinity())
    assert s.where == "CardAuction.payment"
    s.answer(EMPEROR, PlayCard("karama"))
    assert s.g.hand(EMPEROR) == ("hajr",)


@covers("DUNE-R.13", "DUNE-0.27")
def test_two_infinity_bids_at_once_are_settled_in_dot_order() -> None:
    s = rich(FREMEN, GUILD, EMPEROR).lay("auction_row", "hajr")
    for faction in (GUILD, EMPEROR):
        s.lay(f"hand/{faction}", "karama").put(f"orders/{s.seat(faction)}", ("ask:infinity",))
    s.run(CardAuction(order=(FREMEN, GUILD, EMPEROR), number=2))
    assert s.asked == (GUILD, EMPEROR)
    s.answer(EMPEROR, BidInfinity()).answer(GUILD, BidInfinity())
    # The Guild's dot comes first; the Emperor is asked again and has nothing left to call.
    assert s.legal(EMPEROR) == [PASS]
    s.answer(GUILD, PASS).answer(EMPEROR, PASS)
    s.answer(GUILD, PlayCard("karama"))
    assert s.g.hand(GUILD) == ("hajr",)
    assert s.g.hand(EMPEROR) == ("karama",)


@covers("DUNE-3.19")
def test_who_cannot_pay_leads_the_bidding_again_with_all_there_is() -> None:
    s = sale(EMPEROR, GUILD, FREMEN, spice=6, places={**held(emperor="karama"), f"tanks/{EMPEROR}": (1, 0, 0)})
    s.answer(EMPEROR, Bid(20))
    s.play(EMPEROR, PlayCombatMedics(tokens=1))
    bids(s, guild=None, fremen=None)
    assert [e.public for e in s.told("declare", rule="DUNE-3.19")] == [(0, "can pay", 6)]
    s.refused(GUILD, Bid(6), rule="DUNE-3.9")
    bids(s, guild=None, fremen=None)
    assert s.g.hand(EMPEROR) == ("hajr",)
    assert s.g.spice(EMPEROR) == 0


@covers("DUNE-3.20")
def test_if_the_karama_was_taken_away_the_sale_starts_from_scratch() -> None:
    s = sale(FREMEN, GUILD, HARKONNEN, spice=4, places=held(fremen="karama", harkonnen="karama kulon"))
    s.answer(FREMEN, Bid(50))
    s.play(HARKONNEN, PlayOpportunistic(FREMEN, 1)).answer(HARKONNEN, GiveBack(("kulon",)))
    bids(s, guild=None)
    s.answer(HARKONNEN, PASS).answer(FREMEN, PayWithSpice())
    assert s.told("declare", rule="DUNE-3.20")
    assert s.asked == (FREMEN,)
    assert s.legal(FREMEN, Bid) == [Bid(n) for n in range(1, 5)]


@pytest.mark.parametrize("card", ["karama", "shield"])
def test_nobody_can_tell_from_the_auction_what_a_bidder_holds(card: str) -> None:
    s = bids(sale(FREMEN, GUILD, places=held(fremen=card)), fremen=3, guild=None)
    assert s.where == "CardAuction.payment"
    s.answer(FREMEN, PayWithSpice())
    assert all(card not in str(event) for event in s.seen(GUILD))


# --------------------------------------------------------------------------------------------------- deck and discards


@covers("DUNE-3.21", "DUNE-R.75")
def test_an_empty_deck_is_remade_at_once_from_the_discards_without_the_atomics() -> None:
    s = rich(FREMEN, GUILD).lay("treachery_deck", "hajr")
    s.lay("treachery_discard", "shield", "lasgun").lay("infamy", "family_atomics").run(BiddingRound())
    assert "treachery_discard" not in s.g.table
    dealt = (*s.g.table["auction_row"], *s.g.table["treachery_deck"])
    assert sorted(dealt) == ["hajr", "lasgun", "shield"]
    assert s.told("shuffle", rule="DUNE-3.21")


@covers("DUNE-3.22")
def test_everybody_sees_the_discards_at_any_time() -> None:
    s = sale(FREMEN, GUILD, places={"treachery_discard": ("shield", "lasgun")})
    assert all(places_seen(s.g, seat)["treachery_discard"] == ("shield", "lasgun") for seat in (0, 1, None))


# ------------------------------------------------------------------------------------------------ factions in the round


@covers("DUNE-ATR.1")
def test_atreides_alone_see_a_card_before_anybody_bids_on_it() -> None:
    s = rich(ATREIDES, GUILD).run(BiddingRound())
    assert s.where == "CardAuction.bid"
    assert places_seen(s.g, s.seat(ATREIDES))["auction_row"] == (TREACHERY[-1], "?")
    assert places_seen(s.g, s.seat(GUILD))["auction_row"] == ("?", "?")


@covers("DUNE-ATR.2")
def test_atreides_do_not_see_cards_that_do_not_come_up() -> None:
    s = rich(ATREIDES, GUILD, FREMEN).run(BiddingRound())
    bids(s, atreides=1, guild=None, fremen=None)
    bids(s, guild=None, fremen=None, atreides=None)
    looked = [e.private[3] for e in s.told("look")]
    assert looked == [TREACHERY[-1], TREACHERY[-2]]
    # Back on the deck they still know the second card, and not the third.
    assert places_seen(s.g, s.seat(ATREIDES))["treachery_deck"][-2:] == ("?", TREACHERY[-2])


@covers("DUNE-R.1", "DUNE-R.6", "DUNE-R.11")
def test_one_karama_blinds_the_spy_network_for_the_whole_round() -> None:
    s = at_table(ATREIDES, GUILD, FREMEN).put("treachery_deck", TREACHERY)
    for faction in (ATREIDES, GUILD, FREMEN):
        s.put(f"spice/{faction}", 9)
    s.lay(f"hand/{GUILD}", "karama").lay(f"hand/{FREMEN}", "hajr").run(BiddingRound())
    for faction in (ATREIDES, GUILD, FREMEN):
        s.answer(faction, PASS)
    # Both others could hold a Karama as far as anybody knows, so both are asked, and the answers lie in quiet places.
    assert s.asked == (GUILD, FREMEN)
    assert s.legal(FREMEN) == [PASS]
    s.answer(GUILD, PlayCard("karama")).answer(FREMEN, PASS)
    bids(s, atreides=1, guild=None, fremen=None)
    assert s.where == "CardAuction.bid"
    assert not s.told("look")
    assert s.g.table["cancelled"] == ("SPY_NETWORK",)
    bids(s, guild=None, fremen=None, atreides=None)
    assert s.done
    assert "cancelled" not in s.g.table


@covers("DUNE-R.1", "DUNE-R.5", "DUNE-R.6")
def test_the_spy_network_may_be_cancelled_at_a_later_card_by_a_karama_just_bought_too() -> None:
    s = rich(ATREIDES, GUILD, FREMEN).put("treachery_deck", (*TREACHERY, "hajr", "snooper", "karama"))
    bids(s.run(BiddingRound()), atreides=None, guild=1, fremen=None)
    s.answer(ATREIDES, PASS)
    assert s.g.hand(GUILD) == ("karama",)
    assert (s.where, s.asked) == ("SpyNetwork.window", (GUILD,))
    s.answer(GUILD, PlayCard("karama"))
    bids(s, guild=1, fremen=None, atreides=None)
    bids(s, fremen=1, atreides=None, guild=None)
    assert [e.private[3] for e in s.told("look")] == ["karama"], "neither the second card nor the third"
    assert s.done
    assert "cancelled" not in s.g.table


@covers("DUNE-HAR.2", "DUNE-HAR.4")
def test_each_card_that_the_harkonnen_buy_brings_an_unseen_second_one_from_the_deck() -> None:
    s = bids(sale(HARKONNEN, ATREIDES), harkonnen=2, atreides=None)
    assert s.done
    assert sorted(s.g.hand(HARKONNEN)) == sorted(("hajr", TREACHERY[-1]))
    seen = places_seen(s.g, s.seat(ATREIDES))[f"hand/{HARKONNEN}"]
    assert sorted(seen) == ["?", "hajr"]


@covers("DUNE-HAR.3")
def test_no_second_card_comes_to_a_hand_without_room() -> None:
    s = bids(sale(HARKONNEN, GUILD, places={f"hand/{HARKONNEN}": EIGHT[:7]}), harkonnen=2, guild=None)
    s.answer(HARKONNEN, PayWithSpice())
    assert len(s.g.hand(HARKONNEN)) == 8
    assert s.g.table["treachery_deck"] == TREACHERY


@covers("DUNE-R.3", "DUNE-HAR.2")
def test_karama_stops_the_second_card_where_the_option_lets_it() -> None:
    s = sale(HARKONNEN, GUILD, places=held(guild="karama"), karama_reach="gf9")
    bids(s, harkonnen=2, guild=None)
    s.answer(GUILD, PlayCard("karama"))
    assert s.g.hand(HARKONNEN) == ("hajr",)
    assert "cancelled" not in s.g.table
