"""Action dice: rolling, excess dice, freak results, Bene Gesserit tokens and cards."""

from typing import Any

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import ChangeDie, ChangeResult, Done, PlaceBeneGesserit, TakeAction
from landsraad_engine.arrakis.dice import BeneGesseritTokens, ExcessDice, RollDice
from landsraad_engine.arrakis.round import EndOfRound
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.tracks import GainSupremacy
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War

BOTH = ("giedi_prime", "sietch_tabr")


def pools(harkonnen: int = 8, **options: Any) -> War:
    return War(**options).put("dice/giedi_prime/pool", (harkonnen, 0)).dice(ATREIDES, pool=4)


class TestRolling:
    @covers("WFA-D.1", "WFA-D.2", "WFA-V.2")
    def test_dice_are_laid_on_the_boxes_of_their_results(self) -> None:
        war = pools(4)
        war.rolls("action/harkonnen", "strategy", "strategy", "house", "mentat")
        war.rolls("action/atreides", "leadership", "strategy", "house", "mentat")
        war.run(RollDice())
        assert war.g.dice("giedi_prime") == {"strategy": 2, "mentat": 1, "house": 1}
        assert war.g.dice("sietch_tabr") == {"leadership": 1, "strategy": 1, "mentat": 1, "house": 1}


class TestExcess:
    def crowded(self, **options: Any) -> War:
        """The Harkonnen have five Strategy dice and a Mentat die, the Atreides four Leadership dice."""
        war = War(**options).dice(HARKONNEN, strategy=5, mentat=1).dice(ATREIDES, leadership=4)
        return war.run(ExcessDice(dashboards=BOTH))

    @covers("WFA-D.3", "WFA-D.4")
    def test_a_die_goes_to_a_result_with_most_free_slots_at_that_moment(self) -> None:
        war = self.crowded()
        empty = ("leadership", "deployment", "house")
        assert set(war.legal(HARKONNEN)) == {ChangeDie("strategy", target) for target in empty}
        war.answer(HARKONNEN, ChangeDie("strategy", "house"))
        war.answer(ATREIDES, ChangeDie("leadership", "house"))
        assert set(war.legal(HARKONNEN)) == {ChangeDie("strategy", target) for target in empty[:2]}
        war.answer(HARKONNEN, ChangeDie("strategy", "leadership"))
        war.answer(ATREIDES, ChangeDie("leadership", "mentat"))
        assert war.done
        assert war.g.dice("giedi_prime") == {"leadership": 1, "strategy": 3, "mentat": 1, "house": 1}

    @covers("WFA-D.5")
    def test_both_sides_change_in_turns_the_harkonnen_first(self) -> None:
        war = self.crowded()
        asked = []
        while not war.done:
            asked.append(war.asked[0])
            war.answer(asked[-1], war.legal(asked[-1])[0])
        assert asked == [HARKONNEN, ATREIDES, HARKONNEN, ATREIDES]

    @covers("WFA-D.6")
    def test_without_the_corrections_each_side_changes_all_of_its_own(self) -> None:
        war = self.crowded(faq=False)
        asked = []
        while not war.done:
            asked.append(war.asked[0])
            war.answer(asked[-1], war.legal(asked[-1])[0])
        assert asked == [HARKONNEN, HARKONNEN, ATREIDES, ATREIDES]

    @covers("WFA-D.7")
    def test_in_2022_of_four_or_more_alike_one_stays_and_the_others_are_rolled_once_more(self) -> None:
        war = pools(8, edition="preview_2022")
        war.rolls("action/harkonnen", *["mentat"] * 7, "house", *["mentat"] * 6)
        war.rolls("action/atreides", "leadership", "leadership", "leadership", "house")
        war.run(RollDice())
        assert war.done
        assert war.g.dice("giedi_prime") == {"mentat": 7, "house": 1}, "the second roll stands"
        assert war.g.dice("sietch_tabr") == {"leadership": 3, "house": 1}, "three alike are no freak result"
        assert war.thrown() == [4, 8, 6]


class TestTokens:
    def war(self, **boxes: int) -> War:
        war = War().dice(ATREIDES, **boxes).put("bene_gesserit/atreides", (0, 2))
        return war.run(BeneGesseritTokens(dashboards=BOTH))

    @covers("WFA-X.19", "WFA-D.9")
    def test_the_token_goes_to_a_result_with_the_fewest_dice(self) -> None:
        war = self.war(leadership=2, strategy=1, deployment=1)
        assert set(war.legal(ATREIDES)) == {PlaceBeneGesserit("mentat"), PlaceBeneGesserit("house"), Done()}

    @covers("WFA-D.8")
    def test_first_the_harkonnen_then_the_atreides_lay_one_and_one_only(self) -> None:
        war = War().dice(HARKONNEN, strategy=1).dice(ATREIDES, strategy=1)
        war.put("bene_gesserit/atreides", (0, 2)).put("bene_gesserit/harkonnen", (0, 2))
        war.run(BeneGesseritTokens(dashboards=BOTH))
        assert war.asked == (HARKONNEN,)
        war.answer(HARKONNEN, PlaceBeneGesserit("house")).answer(ATREIDES, PlaceBeneGesserit("house"))
        assert war.done
        assert war.g.get("dice/giedi_prime/house") == (0, 1)
        assert war.g.get("bene_gesserit/harkonnen") == (0, 1)

    @covers("WFA-D.10", "WFA-D.11")
    def test_a_token_is_spent_like_a_die(self) -> None:
        war = War().put("dice/sietch_tabr/mentat", (0, 1)).dice(HARKONNEN, strategy=1)
        war.put("figure/stilgar", "tank/0").put("deck/fremen_ally", ("thumpers",))
        assert war.g.unused(ATREIDES) == 1
        war.run(ActionTurn(side=ATREIDES)).answer(ATREIDES, TakeAction("mentat", "mentat"))
        assert war.g.get("dice/sietch_tabr/used") == (0, 1)

    @covers("WFA-D.11", "WFA-D.12")
    def test_it_is_out_of_the_game_at_the_end_of_the_round_used_or_not(self) -> None:
        war = War().put("dice/sietch_tabr/mentat", (0, 1)).put("dice/giedi_prime/used", (2, 1))
        war.run(EndOfRound())
        assert war.g.get("bene_gesserit/gone") == (0, 2)
        assert war.g.get("dice/giedi_prime/pool") == (2, 0)

    @covers("WFA-D.13")
    def test_the_atreides_get_one_as_supremacy_reaches_or_passes_4_and_7(self) -> None:
        war = War().put("bene_gesserit/reserve", (0, 4))
        for points, tokens in ((3, 0), (2, 1), (1, 1), (2, 2)):
            war.run(GainSupremacy(points=points))
            assert war.g.get("bene_gesserit/atreides") == (0, tokens)


class TestCardsOf2022:
    @covers("WFA-D.15", "WFA-D.16", "WFA-S.46")
    def test_a_card_turns_an_unused_die_and_is_no_action(self) -> None:
        war = War(edition="preview_2022").dice(ATREIDES, mentat=1).dice(HARKONNEN, strategy=1)
        war.hand(ATREIDES, "bene_gesserit_atreides").run(ActionTurn(side=ATREIDES))
        assert not [act for act in war.legal(ATREIDES) if getattr(act, "card", "")], "it has no other play"
        war.play(ATREIDES, ChangeResult("bene_gesserit_atreides", "mentat", "house"))
        assert war.g.dice("sietch_tabr") == {"house": 1}
        assert war.g.table["discard/house_atreides"] == ("bene_gesserit_atreides",)
        assert war.where == "ActionTurn.choose"
