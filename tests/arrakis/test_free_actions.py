"""Free actions: Guerrilla Training, Scouting, and when they are open."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import ChooseTargets, Done, PlayCard, RevealTokens, Scout, TakeAction
from landsraad_engine.arrakis.free_actions import may_act_freely
from landsraad_engine.arrakis.round import EndOfRound
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, REGULAR
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, move


def turn(war: War, side: str) -> War:
    return war.dice(side, strategy=1).run(ActionTurn(side=side))


def plays(war: War, side: str) -> list[Any]:
    return list(war.open_plays(side).enumerate())


class TestGuerrillaTraining:
    def war(self) -> War:
        return War().legion(ATREIDES, "se_1", tokens=("atreides_starting_1", "atreides_starting_7"))

    @covers("WFA-F.4", "WFA-F.1", "WFA-S.24")
    def test_any_number_of_tokens_is_revealed_beside_the_action(self) -> None:
        war = turn(self.war(), ATREIDES)
        war.play(ATREIDES, RevealTokens("se_1", ("atreides_starting_7",)))
        assert war.figures(ATREIDES, "se_1") == (0, 2, 0, 0)
        assert war.g.tokens("se_1") == ("atreides_starting_1",)
        assert war.where == "ActionTurn.choose", "the action is still to come"
        war.play(ATREIDES, RevealTokens("se_1", ("atreides_starting_1",)))
        assert war.figures(ATREIDES, "se_1") == (2, 2, 0, 0)
        assert war.g.table["tally/token_revealed"][0] == 2

    @covers("WFA-F.3")
    def test_also_in_the_middle_of_an_action(self) -> None:
        war = turn(self.war(), ATREIDES).answer(ATREIDES, TakeAction("strategy", "move"))
        war.play(ATREIDES, RevealTokens("se_1", ("atreides_starting_7",)))
        war.answer(ATREIDES, move("se_1", "se_2", elite=1))
        assert war.where == "MoveLegions.move"

    @pytest.mark.parametrize("left", [1, 0])
    @covers("WFA-F.3", "WFA-S.17")
    def test_in_the_middle_of_a_card_that_brings_regulars_it_leaves_it_fewer(self, left: int) -> None:
        war = self.war()
        war.legion(ATREIDES, "nw_1", regular=war.g.supply(ATREIDES)[REGULAR] - 2 - left).hand(ATREIDES, "hieregs")
        turn(war, ATREIDES).answer(ATREIDES, PlayCard("strategy", "hieregs"))
        assert ChooseTargets("scatter_regulars", ("ne_3", "ne_5")) in war.legal(ATREIDES)
        war.play(ATREIDES, RevealTokens("se_1", ("atreides_starting_1",)))
        brought = [act.targets for act in war.legal(ATREIDES) if isinstance(act, ChooseTargets)]
        assert {len(areas) for areas in brought} == ({1} if left else set())
        if left:
            war.answer(ATREIDES, ChooseTargets("scatter_regulars", ("ne_3",)))
        assert war.where == "DesertPower.choose"

    @covers("WFA-F.4")
    def test_not_in_the_turn_of_the_other_side(self) -> None:
        war = turn(self.war(), HARKONNEN)
        war.refused(ATREIDES, RevealTokens("se_1", ("atreides_starting_7",)), play=True)

    @covers("WFA-F.1", "WFA-F.3")
    def test_the_turn_waits_for_free_actions_before_it_passes(self) -> None:
        war = War(orders=False).legion(ATREIDES, "se_1", tokens=("atreides_starting_7",))
        turn(war, ATREIDES).answer(ATREIDES, TakeAction("strategy", "move")).answer(ATREIDES, Done())
        assert war.where == "FreeActionPoint.wait"
        war.play(ATREIDES, RevealTokens("se_1", ("atreides_starting_7",)))
        assert war.where == "FreeActionPoint.wait"
        war.answer(ATREIDES, Done())
        assert war.done


class TestScouting:
    def war(self, **options: Any) -> War:
        war = War(**options).sietch("gara_kulon", 3).ornithopter("z1")
        war.legion(ATREIDES, "gara_kulon", tokens=("atreides_starting_1",))
        war.legion(ATREIDES, "ne_7", tokens=("atreides_starting_7",))
        return war

    @covers("WFA-F.6", "WFA-F.9", "WFA-S.22")
    def test_an_ornithopter_reveals_the_sietch_and_all_tokens_of_an_area(self) -> None:
        war = turn(self.war(), HARKONNEN)
        assert set(plays(war, HARKONNEN)) == {
            Scout("z1", "gara_kulon", sietch=True, tokens=True),
            Scout("z1", "ne_7", sietch=True, tokens=True),
        }
        war.play(HARKONNEN, Scout("z1", "gara_kulon", sietch=True, tokens=True))
        assert war.g.vehicle("z1") == (0, 0, 0)
        assert not war.g.hidden_sietch("gara_kulon")
        assert war.g.rank(ATREIDES, "gara_kulon") == 3
        assert war.figures(ATREIDES, "gara_kulon") == (2, 0, 0, 0)
        assert ("reveal", "WFA-F.6", "sietch/gara_kulon", 0, "3") in war.seen(HARKONNEN)

    @covers("WFA-F.5")
    def test_without_the_corrections_the_sietch_or_the_tokens_or_both(self) -> None:
        war = turn(self.war(faq=False), HARKONNEN)
        at_gara_kulon = {(act.sietch, act.tokens) for act in plays(war, HARKONNEN) if act.area == "gara_kulon"}
        assert at_gara_kulon == {(True, True), (True, False), (False, True)}
        war.play(HARKONNEN, Scout("z1", "gara_kulon", sietch=False, tokens=True))
        assert war.g.hidden_sietch("gara_kulon")

    @covers("WFA-F.7")
    def test_in_2022_only_the_sietch(self) -> None:
        war = turn(self.war(edition="preview_2022"), HARKONNEN)
        assert plays(war, HARKONNEN) == [Scout("z1", "gara_kulon", sietch=True, tokens=False)]
        war.play(HARKONNEN, Scout("z1", "gara_kulon", sietch=True, tokens=False))
        assert war.g.tokens("gara_kulon") == ("atreides_starting_1",)

    @covers("WFA-F.6")
    def test_its_zone_must_serve_the_area(self) -> None:
        war = War().sietch("gara_kulon", 3).ornithopter("z8")
        assert plays(turn(war, HARKONNEN), HARKONNEN) == []

    @pytest.mark.parametrize(("options", "open_"), [({}, False), ({"edition": "preview_2022"}, True)])
    @covers("WFA-F.8", "WFA-F.3")
    def test_in_the_turn_of_the_atreides_in_2022_only(self, options: dict[str, Any], open_: bool) -> None:
        war = turn(self.war(**options), ATREIDES)
        assert bool(plays(war, HARKONNEN)) is open_

    @covers("WFA-R.6", "WFA-R.7", "WFA-R.5")
    def test_in_2022_an_ornithopter_about_to_leave_may_still_scout(self) -> None:
        war = War(edition="preview_2022", orders=False).sietch("gara_kulon", 3).ornithopter("z1").carryall("z2")
        war.run(EndOfRound())
        assert war.where == "FreeActionPoint.wait"
        war.play(HARKONNEN, Scout("z1", "gara_kulon", sietch=True, tokens=False)).answer(HARKONNEN, Done())
        assert war.done
        assert not war.g.hidden_sietch("gara_kulon")
        assert war.g.table["vehicles"] == (8, 6, 3)


class TestOtherFreeActions:
    @covers("WFA-F.2")
    def test_without_the_corrections_others_wait_until_the_action_is_over(self) -> None:
        war = turn(War(faq=False).legion(ATREIDES, "se_1", regular=1), ATREIDES)
        assert may_act_freely(war.g, war.atreides, "atomics")
        war.answer(ATREIDES, TakeAction("strategy", "move"))
        assert not may_act_freely(war.g, war.atreides, "atomics")
        assert may_act_freely(war.g, war.atreides, "guerrilla_training")

    @covers("WFA-F.3")
    def test_with_them_they_may_interrupt_it(self) -> None:
        war = turn(War().legion(ATREIDES, "se_1", regular=1), ATREIDES).answer(ATREIDES, TakeAction("strategy", "move"))
        assert may_act_freely(war.g, war.atreides, "atomics")
