"""The Mentat action of the automaton: drawing and playing, the two decks in turns, cards without effect."""

from landsraad_engine.arrakis.announcements import CardTakesEffect
from landsraad_engine.arrakis.mahdi.card_zones import BESIDE, PLAYED
from landsraad_engine.arrakis.mahdi.mentat import DrawAndPlay, can_draw
from landsraad_engine.arrakis.mahdi.reinforcements_deck import add_in_turns, discard_top, first_deck
from landsraad_engine.arrakis.sides import LOCKED, POOL
from landsraad_engine.arrakis.zones import ASIDE, DECK, DISCARD, GONE, TANK, box
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo
from landsraad_engine.testing.seat_knowledge import faces_known_to

HOUSE, ALLY = "house_harkonnen", "corrino_ally"
SCHEMING = "hawats_scheming"
HAWAT, GAIUS = "thufir_hawat", "gaius_helen_mohiam"
#: A legion at the Pole, for which these two have an effect that asks nothing.
POLAR, RECRUITMENT = "polar_cap_factories", "forced_recruitment"


def played(solo: Solo) -> list[str]:
    """The cards that have taken effect, in their order."""
    return [fact.card for fact in solo.announced(CardTakesEffect)]


def at_arrakeen() -> Solo:
    return Solo().target("gara_kulon").village("arrakeen").village("north_pole")


class TestDecksInTurns:
    @covers("WFA-Y.91", "WFA-Y.92")
    def test_mx_25(self) -> None:
        solo = at_arrakeen().deck(HOUSE, RECRUITMENT, POLAR).deck(ALLY, "moving_the_battle_group", "breeding_program")
        solo.run(DrawAndPlay())
        assert played(solo) == [RECRUITMENT, "moving_the_battle_group"], "nothing is discarded: House Harkonnen first"
        assert first_deck(solo.g) == HOUSE, "the last card discarded is the Corrino Ally's"

    @covers("WFA-Y.91", "WFA-Y.93")
    def test_the_deck_that_was_not_discarded_from_comes_first(self) -> None:
        solo = (
            at_arrakeen().reinforcements("sandmasters").deck(HOUSE, RECRUITMENT).deck(ALLY, "moving_the_battle_group")
        )
        assert discard_top(solo.g) == "sandmasters"
        solo.run(DrawAndPlay())
        assert played(solo) == ["moving_the_battle_group", RECRUITMENT]

    @covers("WFA-Y.93")
    def test_within_one_instruction_decks_alternate_whatever_is_discarded_meanwhile(self) -> None:
        solo = at_arrakeen().deck(HOUSE, POLAR, RECRUITMENT).deck(ALLY, "troop_carriers", "hope_clouds_observation")
        solo.run(DrawAndPlay(count=3))
        # The card without effect is not discarded: the third is of House Harkonnen all the same.
        assert played(solo) == [POLAR, RECRUITMENT]
        assert solo.reserve == ["troop_carriers"]

    @covers("WFA-Y.93", "WFA-Y.50")
    def test_a_deck_that_is_named_does_not_alternate(self) -> None:
        solo = at_arrakeen().deck(HOUSE, POLAR, RECRUITMENT).deck(ALLY, "breeding_program")
        solo.run(DrawAndPlay(count=2, deck=HOUSE))
        assert played(solo) == [POLAR, RECRUITMENT]

    @covers("WFA-Y.95", "WFA-Y.96")
    def test_a_deck_that_has_run_out_is_made_anew_of_its_discards(self) -> None:
        solo = at_arrakeen().discards(HOUSE, POLAR, RECRUITMENT).deck(ALLY, "moving_the_battle_group")
        solo.run(DrawAndPlay(count=1))
        assert DISCARD[HOUSE] in solo.g.table
        assert len(solo.g.get(DECK[HOUSE])) == 1
        assert set(solo.g.get(DECK[HOUSE]) + solo.g.get(DISCARD[HOUSE])) == {POLAR, RECRUITMENT}

    @covers("WFA-Y.96")
    def test_of_a_deck_without_cards_and_discards_none_is_drawn_and_the_order_is_kept(self) -> None:
        solo = at_arrakeen().deck(HOUSE, POLAR, RECRUITMENT)
        solo.run(DrawAndPlay(count=2))
        assert played(solo) == [POLAR], "the second would have been the Corrino Ally's"
        assert can_draw(solo.g, HOUSE)
        assert not can_draw(solo.g, ALLY)


class TestPlaying:
    @covers("WFA-Y.94")
    def test_a_card_is_discarded_after_its_effects(self) -> None:
        solo = at_arrakeen().deck(HOUSE, RECRUITMENT).deck(ALLY, "moving_the_battle_group").pool_dice(0)
        solo.put(box("giedi_prime", LOCKED), (1, 0)).play_drawn("breeding_program")
        # The pile was empty while Breeding Program drew, so it drew from House Harkonnen.
        assert played(solo) == ["breeding_program", RECRUITMENT]
        assert first_deck(solo.g) == HOUSE, "Breeding Program came to the discards last"
        assert PLAYED[ALLY] not in solo.g.table

    @covers("WFA-Y.100", "WFA-Y.117")
    def test_cards_that_a_text_draws_go_on_top_of_the_reinforcements_deck_unseen(self) -> None:
        solo = Solo().target("gara_kulon").village("arrakeen").reinforcements("spotter_control")
        solo.deck(HOUSE, POLAR).deck(ALLY, "troop_carriers").play_drawn("evidence_of_rebellion")
        assert solo.reserve == ["spotter_control", POLAR, "troop_carriers"]
        assert faces_known_to(solo.g, solo.atreides, "reinforcements_house_harkonnen") == []

    @covers("WFA-Y.101", "WFA-Y.112")
    def test_to_play_a_card_draws_one_and_plays_it(self) -> None:
        solo = at_arrakeen().leader("beast_rabban").deck(HOUSE, POLAR).deck(ALLY, "troop_carriers")
        solo.play_drawn("beloved_feyd_rautha")
        assert played(solo) == ["beloved_feyd_rautha", POLAR]
        assert solo.g.whereabouts("feyd_rautha") == ASIDE
        assert solo.g.whereabouts("beast_rabban") == GONE

    @covers("WFA-Y.103")
    def test_a_card_of_which_no_part_can_be_carried_out_goes_on_top_of_the_reinforcements_deck(self) -> None:
        solo = at_arrakeen().reinforcements("sandmasters").play_drawn("hunter_seeker")
        assert solo.reserve == ["sandmasters", "hunter_seeker"]
        assert played(solo) == []
        known = faces_known_to(solo.g, solo.atreides, "reinforcements_house_harkonnen")
        assert "hunter_seeker" in known, "everybody has seen it"

    @covers("WFA-Y.104")
    def test_drawing_counts_as_a_part_and_parts_go_in_their_order(self) -> None:
        solo = at_arrakeen().deck(HOUSE, POLAR).deck(ALLY, "troop_carriers").play_drawn("spotter_control")
        assert played(solo) == ["spotter_control"]
        assert solo.reserve == [POLAR, "troop_carriers"], "there is no wormsign to discard, but cards are drawn"
        assert Solo().target("gara_kulon").play_drawn("spotter_control").reserve == ["spotter_control"]

    @covers("WFA-Y.91", "WFA-Y.100")
    def test_adding_cards_alternates_as_playing_does(self) -> None:
        solo = at_arrakeen().deck(HOUSE, POLAR, "sandmasters").deck(ALLY, "troop_carriers", "shigawire")
        assert add_in_turns(solo.g, 3) == 3
        assert solo.reserve == [POLAR, "troop_carriers", "sandmasters"]


class TestHawatsScheming:
    @covers("WFA-Y.105", "WFA-Y.106", "WFA-Y.116")
    def test_the_first_copy_is_laid_beside_the_board(self) -> None:
        for where in (None, ASIDE, "carthag", TANK[0]):
            solo = at_arrakeen()
            if where:
                solo.leader(HAWAT, where)
            solo.play_drawn(SCHEMING)
            assert solo.g.get(BESIDE) == (SCHEMING,)
            assert solo.reserve == []

    @covers("WFA-Y.105", "WFA-Y.116")
    def test_the_second_copy_removes_hawat_and_brings_gaius(self) -> None:
        solo = at_arrakeen().leader(HAWAT, TANK[1]).lay(BESIDE, SCHEMING).put(box("giedi_prime", LOCKED), (1, 0))
        solo.play_drawn(SCHEMING)
        assert solo.g.whereabouts(HAWAT) == GONE
        assert solo.g.whereabouts(GAIUS) == ASIDE
        assert solo.g.get(DISCARD[HOUSE]) == (SCHEMING, SCHEMING)
        assert BESIDE not in solo.g.table
        assert solo.g.get(box("giedi_prime", POOL)) == (1, 0), "her token stands for a locked die"

    @covers("WFA-Y.106")
    def test_a_second_copy_before_hawat_and_any_copy_after_him_has_no_effect(self) -> None:
        early = at_arrakeen().lay(BESIDE, SCHEMING).play_drawn(SCHEMING)
        assert early.reserve == [SCHEMING]
        assert early.g.get(BESIDE) == (SCHEMING,), "the copy laid aside stays there"
        late = at_arrakeen().leader(HAWAT, GONE).play_drawn(SCHEMING)
        assert late.reserve == [SCHEMING]
        assert BESIDE not in late.g.table

    @covers("WFA-Y.106")
    def test_copies_in_the_reinforcements_deck_are_cards_like_others(self) -> None:
        solo = at_arrakeen().reinforcements(SCHEMING)
        assert discard_top(solo.g) == SCHEMING
        assert solo.g.get(DISCARD[HOUSE]) == (SCHEMING,)
