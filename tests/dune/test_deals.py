"""Deals, bribes and gifts: what may be agreed, how it binds, and where the spice lies meanwhile."""

import pytest

from landsraad_engine.dune import acts
from landsraad_engine.dune.acts import (
    AcceptDeal,
    Bid,
    GiveSpice,
    Pass,
    ProposeDeal,
    TakeSpice,
    WithdrawDeal,
)
from landsraad_engine.dune.bidding import CardAuction
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.pieces import EMPEROR, FREMEN, GUILD, HARKONNEN
from landsraad_engine.dune.promises import NEXUS, alliance_answer, barred_territories, bid_cap, lapse, offers
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table


def table(*factions: str, spice: int = 10) -> Scenario:
    scenario = at_table(*factions, orders=True)
    for faction in factions:
        scenario.put(f"spice/{faction}", spice)
    return scenario


def agreed(scenario: Scenario, proposer: str, deal: ProposeDeal) -> Scenario:
    scenario.play(proposer, deal)
    return scenario.play(deal.partner, AcceptDeal(offers(scenario.g)[-1][0]))


def begins(scenario: Scenario, name: str) -> Scenario:
    return scenario.run(scenario.g.at(Timing.ROUND_BEGINS, name))


# ------------------------------------------------------------------------------------------------------------- offers


@covers("DUNE-0.18", "DUNE-0.25", "DUNE-R.19", "DUNE-R.30")
def test_a_deal_may_be_offered_to_anybody_at_any_time_and_is_public() -> None:
    s = table(FREMEN, GUILD, EMPEROR).play(FREMEN, ProposeDeal(GUILD, i_pay=3, you_shun="arrakeen", you_shun_until=4))
    offer = (
        1,
        FREMEN,
        GUILD,
        ((FREMEN, GUILD, "pay", 3, True, "now", True), (GUILD, FREMEN, "enter", "arrakeen", False, 4, True)),
    )
    assert all(places_seen(s.g, seat)["offers"] == (offer,) for seat in (0, 1, 2, None))
    assert s.g.spice(FREMEN) == 10


@covers("DUNE-0.26")
def test_nobody_has_to_accept_and_an_offer_can_be_declined_or_taken_back() -> None:
    s = table(FREMEN, GUILD).play(FREMEN, ProposeDeal(GUILD, i_pay=3)).play(GUILD, WithdrawDeal(1))
    assert offers(s.g) == ()
    s.play(FREMEN, ProposeDeal(GUILD, i_pay=2)).play(FREMEN, WithdrawDeal(2))
    s.refused(GUILD, AcceptDeal(2), play=True)
    assert s.g.spice(FREMEN) == 10


def test_only_the_partner_can_accept() -> None:
    s = table(FREMEN, GUILD, EMPEROR).play(FREMEN, ProposeDeal(GUILD, i_pay=3))
    s.refused(EMPEROR, AcceptDeal(1), play=True)
    s.refused(FREMEN, AcceptDeal(1), play=True)


def test_an_offer_has_at_least_one_clause_and_a_player_three_offers_at_most() -> None:
    s = table(FREMEN, GUILD)
    s.refused(FREMEN, ProposeDeal(GUILD), play=True)
    for amount in (1, 2, 3):
        s.play(FREMEN, ProposeDeal(GUILD, i_pay=amount))
    s.refused(FREMEN, ProposeDeal(GUILD, i_pay=4), play=True)


@covers("DUNE-0.20", "DUNE-0.12")
def test_no_clause_moves_cards_leaders_tokens_or_abilities_and_no_act_shows_anything() -> None:
    kinds = {name.removeprefix("i_").removeprefix("you_") for name in ProposeDeal.__struct_fields__}
    assert kinds == {"partner", "pay", "pay_at", "shun", "shun_until", "bid_at_most", "ally", "accept"}
    assert not [
        act
        for act in DUNE.acts
        if act.__name__.startswith(("Show", "Reveal", "Give"))
        and act
        not in (
            acts.GiveSpice,
            acts.GiveBack,
        )
    ]


@covers("DUNE-0.11", "DUNE-0.14", "DUNE-0.22", "DUNE-R.20")
def test_talk_is_free_at_any_time_and_binds_nobody() -> None:
    s = table(FREMEN, GUILD, EMPEROR)
    assert DUNE.talks(s.g, 0) == (1, 2)
    assert "deals" not in s.g.table


# ------------------------------------------------------------------------------------------------------------- bribes


@covers("DUNE-0.19", "DUNE-0.23", "DUNE-0.24", "DUNE-R.21")
def test_a_bribe_lies_openly_before_the_receiver_and_cannot_be_used_yet() -> None:
    s = agreed(table(FREMEN, GUILD, EMPEROR), FREMEN, ProposeDeal(GUILD, i_pay=4))
    assert s.g.spice(FREMEN) == 6
    assert s.g.spice(GUILD) == 10
    assert places_seen(s.g, s.seat(EMPEROR))[f"bribes/{GUILD}"] == 4
    s.lay("auction_row", "hajr").run(CardAuction(order=(GUILD, FREMEN, EMPEROR), number=2))
    s.refused(GUILD, Bid(11), rule="DUNE-3.11")


@covers("DUNE-0.10")
def test_nobody_sees_how_much_spice_another_owns() -> None:
    s = table(FREMEN, GUILD)
    assert [f"spice/{FREMEN}" in places_seen(s.g, seat) for seat in (0, 1, None)] == [True, False, False]


@covers("DUNE-3.24")
def test_a_bribe_may_make_up_for_what_a_card_costs() -> None:
    s = table(FREMEN, GUILD).lay("auction_row", "hajr").run(CardAuction(order=(FREMEN, GUILD), number=2))
    s.answer(FREMEN, Bid(6))
    agreed(s, GUILD, ProposeDeal(FREMEN, i_pay=3))
    s.answer(GUILD, Pass())
    assert (s.g.spice(FREMEN), s.g.table[f"bribes/{FREMEN}"]) == (4, 3)


@covers("DUNE-3.12")
def test_the_leading_bidder_can_bribe_only_with_what_goes_beyond_the_bid() -> None:
    s = table(FREMEN, GUILD).lay("auction_row", "hajr").run(CardAuction(order=(FREMEN, GUILD), number=2))
    s.answer(FREMEN, Bid(6))
    assert s.refused(FREMEN, ProposeDeal(GUILD, i_pay=5), play=True).rule == "DUNE-3.12"
    s.play(GUILD, ProposeDeal(FREMEN, you_pay=5))
    s.refused(FREMEN, AcceptDeal(1), play=True)
    s.play(FREMEN, ProposeDeal(GUILD, i_pay=4))


@covers("DUNE-0.21", "DUNE-R.19")
def test_spice_promised_for_later_is_paid_as_that_round_begins() -> None:
    s = agreed(table(FREMEN, GUILD), FREMEN, ProposeDeal(GUILD, you_pay=3, you_pay_at="revival"))
    begins(s, "bidding")
    assert f"bribes/{FREMEN}" not in s.g.table
    begins(s, "revival")
    assert s.g.table[f"bribes/{FREMEN}"] == 3
    assert s.g.spice(GUILD) == 7
    begins(s, "revival")
    assert s.g.table[f"bribes/{FREMEN}"] == 3


@covers("DUNE-0.21")
def test_what_cannot_be_paid_in_full_stays_owed() -> None:
    s = agreed(table(FREMEN, GUILD), FREMEN, ProposeDeal(GUILD, i_pay=9, i_pay_at="movement"))
    s.put(f"spice/{FREMEN}", 5)
    begins(s, "movement")
    assert s.g.table[f"bribes/{GUILD}"] == 5
    assert [e.public for e in s.told("declare", rule="DUNE-0.21")] == [(0, "cannot pay in full", 4)]
    verbs = [e.verb for e in s.events if e.verb in ("declare", "transfer")]
    assert verbs == ["declare", "transfer"], "the sum that is paid tells nothing that has not been declared"
    s.put(f"spice/{FREMEN}", 6)
    begins(s, "battle")
    assert s.g.table[f"bribes/{GUILD}"] == 9
    assert s.g.spice(FREMEN) == 2
    assert "deals" not in s.g.table


# ----------------------------------------------------------------------------------------------------- what else binds


@covers("DUNE-0.21", "DUNE-R.19")
def test_a_promised_limit_holds_for_the_card_now_up_for_sale() -> None:
    s = table(FREMEN, GUILD).lay("auction_row", "hajr", "shield").lay(f"hand/{FREMEN}", "karama")
    s.run(CardAuction(order=(GUILD, FREMEN), number=2))
    agreed(s, GUILD, ProposeDeal(FREMEN, i_pay=1, you_bid_at_most=4))
    s.answer(GUILD, Bid(2))
    s.refused(FREMEN, Bid(5), rule="DUNE-R.19")
    assert s.legal(FREMEN) == [Pass(), Bid(3), Bid(4)]
    s.answer(FREMEN, Pass())
    assert bid_cap(s.g, FREMEN) is None


def test_an_offer_about_a_card_ends_with_its_sale() -> None:
    s = table(FREMEN, GUILD).lay("auction_row", "hajr").run(CardAuction(order=(FREMEN, GUILD), number=2))
    s.play(FREMEN, ProposeDeal(GUILD, you_bid_at_most=0)).play(GUILD, ProposeDeal(FREMEN, i_pay=1))
    s.answer(FREMEN, Bid(1)).answer(GUILD, Pass())
    assert s.done
    assert [offer[1] for offer in offers(s.g)] == [GUILD], "the other one stands"


def test_without_a_card_up_for_sale_bids_cannot_be_dealt_about() -> None:
    table(FREMEN, GUILD).refused(FREMEN, ProposeDeal(GUILD, you_bid_at_most=0), play=True)


@covers("DUNE-R.19")
def test_a_promise_to_keep_out_lasts_up_to_the_end_of_its_turn() -> None:
    s = agreed(table(FREMEN, GUILD), FREMEN, ProposeDeal(GUILD, i_shun="carthag", i_shun_until=3))
    assert barred_territories(s.g, FREMEN) == ("carthag",)
    s.run(s.g.at(Timing.TURN_ENDS))
    assert barred_territories(s.g, FREMEN) == ("carthag",)
    s.put("turn", 3).run(s.g.at(Timing.TURN_ENDS))
    assert barred_territories(s.g, FREMEN) == ()


@covers("DUNE-R.19")
@pytest.mark.parametrize("answer", [True, False])
def test_a_promised_answer_to_an_alliance_lasts_to_the_next_nexus(answer: bool) -> None:
    s = agreed(table(FREMEN, GUILD, EMPEROR), FREMEN, ProposeDeal(GUILD, you_ally=EMPEROR, you_accept=answer))
    assert alliance_answer(s.g, GUILD, EMPEROR) is answer
    assert alliance_answer(s.g, GUILD, FREMEN) is None
    lapse(s.g, NEXUS)
    assert alliance_answer(s.g, GUILD, EMPEROR) is None


def test_offers_that_nobody_took_up_end_with_the_turn() -> None:
    s = table(FREMEN, GUILD).play(FREMEN, ProposeDeal(GUILD, i_pay=1))
    s.run(s.g.at(Timing.TURN_ENDS))
    assert offers(s.g) == ()


def test_a_standing_order_has_offers_put_as_a_round_begins() -> None:
    s = table(FREMEN, GUILD).put("orders/1", ("ask:offers",)).play(FREMEN, ProposeDeal(GUILD, i_pay=1))
    begins(s, "movement")
    assert s.legal(GUILD) == [Pass(), AcceptDeal(1)]
    s.answer(GUILD, AcceptDeal(1)).answer(GUILD, Pass())
    assert s.g.table[f"bribes/{GUILD}"] == 1


# -------------------------------------------------------------------------------------------------------------- gifts


def allies() -> Scenario:
    return table(EMPEROR, FREMEN, GUILD).put(f"ally/{EMPEROR}", (FREMEN,)).put(f"ally/{FREMEN}", (EMPEROR,))


@covers("DUNE-A.3", "DUNE-EMP.1", "DUNE-0.13")
def test_the_emperors_gift_goes_behind_the_allys_screen_at_once() -> None:
    s = allies().play(EMPEROR, GiveSpice(FREMEN, 6)).answer(FREMEN, TakeSpice())
    assert (s.g.spice(EMPEROR), s.g.spice(FREMEN)) == (4, 16)
    assert f"bribes/{FREMEN}" not in s.g.table


@covers("DUNE-0.26")
def test_an_ally_may_refuse_a_gift() -> None:
    s = allies().play(EMPEROR, GiveSpice(FREMEN, 6))
    assert not s.open_plays(GUILD).choices
    s.answer(FREMEN, Pass())
    assert (s.g.spice(EMPEROR), s.g.spice(FREMEN)) == (10, 10)


@covers("DUNE-R.22")
def test_nobody_else_gives_and_the_emperor_gives_to_allies_only() -> None:
    s = allies()
    s.refused(FREMEN, GiveSpice(EMPEROR, 1), play=True)
    s.refused(EMPEROR, GiveSpice(GUILD, 1), play=True)
    s.refused(EMPEROR, GiveSpice(FREMEN, 11), play=True)
    s = table(HARKONNEN, FREMEN).put(f"ally/{HARKONNEN}", (FREMEN,)).put(f"ally/{FREMEN}", (HARKONNEN,))
    s.refused(HARKONNEN, GiveSpice(FREMEN, 1), play=True)
