"""Cards of the Atreides that address the Harkonnen player, where the game plays the Harkonnen."""

from landsraad_engine.arrakis.acts import ChooseTarget, Done
from landsraad_engine.arrakis.hands import GiveUpCards, LookAtHand, LoseCards
from landsraad_engine.arrakis.mahdi.turn import AutomatonTurn
from landsraad_engine.arrakis.mahdi.zones import NAMED_RESULT, SPENT_RESULTS
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, USED
from landsraad_engine.arrakis.zones import DISCARD, box
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo


class TestTruthtrance:
    @covers("WFA-Y.107")
    def test_a_result_is_named_that_the_next_turn_uses(self) -> None:
        solo = Solo().target("gara_kulon").harvesting("tasmin_sink").legion(HARKONNEN, "cne_5", regular=3)
        solo.play_card(ATREIDES, "truthtrance")
        assert solo.choices("name_result") == {"leadership", "strategy", "deployment", "mentat", "house"}
        solo.answer(ATREIDES, ChooseTarget("name_result", "house"))
        solo.answer(ATREIDES, Done())
        solo.pool_dice(2).run(AutomatonTurn(side=HARKONNEN))
        assert solo.figures(HARKONNEN, "cne_5") == (1, 2, 0, 0)
        assert solo.g.table[SPENT_RESULTS] == ("house",)
        assert solo.g.get(box("giedi_prime", USED)) == (1, 0), "one die is spent for it"
        assert NAMED_RESULT not in solo.g.table, "for that turn alone"

    @covers("WFA-Y.107")
    def test_results_that_too_many_spent_dice_show_cannot_be_named(self) -> None:
        spent = ("house", "house", "deployment", "strategy", "strategy", "strategy", "mentat", "mentat")
        solo = Solo().target("gara_kulon").put(SPENT_RESULTS, spent).play_card(ATREIDES, "truthtrance")
        assert solo.choices("name_result") == {"leadership", "deployment", "mentat"}

    @covers("WFA-Y.107")
    def test_then_cards_are_drawn_or_one_is_played(self) -> None:
        solo = Solo().target("gara_kulon").play_card(ATREIDES, "truthtrance")
        solo.answer(ATREIDES, ChooseTarget("name_result", "mentat"))
        assert solo.choices("choose_deed") == {"draw", "play"}


class TestHand:
    @covers("WFA-Y.108")
    def test_the_voice_discards_the_top_of_the_reinforcements_deck(self) -> None:
        solo = Solo().target("gara_kulon").reinforcements("shigawire", "sandmasters").play_card(ATREIDES, "the_voice")
        assert solo.reserve == ["shigawire"]
        assert solo.g.get(DISCARD["house_harkonnen"]) == ("sandmasters",)

    @covers("WFA-Y.108")
    def test_demands_take_as_many_as_there_are(self) -> None:
        for frame in (GiveUpCards, LoseCards):
            solo = Solo().reinforcements("shigawire", "sandmasters").run(frame(seats=(), count=3))
            assert solo.done
            assert solo.reserve == []
            assert solo.g.get(DISCARD["corrino_ally"]) == ("shigawire",)

    @covers("WFA-Y.108")
    def test_there_is_no_hand_to_look_at(self) -> None:
        solo = Solo().reinforcements("shigawire")
        solo.run(LookAtHand(seat=solo.atreides))
        assert solo.done
        assert solo.told("look") == []
