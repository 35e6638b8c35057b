"""A Harkonnen legion on a wormsign, and sandworms that come up under it."""

import pytest

from landsraad_engine.arrakis.acts import Done, RetreatTo, TakeWorm
from landsraad_engine.arrakis.movement import MoveLegions
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.worms import WormAttack
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, loss, move


def entering(war: War, source: str = "pasty_mesa", target: str = "se_1", regular: int = 3) -> War:
    """A Harkonnen legion goes onto a wormsign."""
    war.legion(HARKONNEN, source, regular=regular)
    war.run(MoveLegions(seat=war.harkonnen, count=1)).answer(HARKONNEN, move(source, target, regular=regular))
    return war


class TestEntering:
    @covers("WFA-M.38", "WFA-H.6")
    def test_sand_is_a_false_alarm_and_goes_back_to_the_pool(self) -> None:
        war = entering(War().wormsign("se_1", "sand"))
        assert war.done
        assert len(war.g.table["wormsigns"]) == 16
        assert war.said("shuffle")

    @covers("WFA-H.6")
    def test_a_burrowing_worm_is_one_in_deep_desert_only(self) -> None:
        assert entering(War().wormsign("se_1", "burrowing")).done
        war = entering(War().wormsign("se_8", "burrowing"), source="se_5", target="se_8")
        assert war.g.get("worm/se_8") == (1, 0)

    @covers("WFA-M.40")
    def test_an_atreides_legion_turns_nothing_up(self) -> None:
        war = War().wormsign("se_1", "sandworm").legion(ATREIDES, "pasty_mesa", regular=1)
        war.run(MoveLegions(seat=war.atreides, count=1)).answer(ATREIDES, move("pasty_mesa", "se_1", regular=1))
        assert war.done
        assert "wormsign/se_1" in war.g.table

    @covers("WFA-M.39", "WFA-M.50")
    def test_a_legion_that_stands_there_already_turns_nothing_up(self) -> None:
        war = War().wormsign("se_1", "sandworm").legion(HARKONNEN, "se_1", regular=2)
        war.legion(HARKONNEN, "pasty_mesa", regular=1)
        war.run(MoveLegions(seat=war.harkonnen)).answer(HARKONNEN, Done())
        assert "wormsign/se_1" in war.g.table

    @covers("WFA-M.7")
    def test_two_legions_enter_before_the_token_is_resolved(self) -> None:
        war = War().wormsign("se_1", "sandworm")
        war.legion(HARKONNEN, "pasty_mesa", regular=1).legion(HARKONNEN, "ne_15", regular=2)
        war.run(MoveLegions(seat=war.harkonnen)).answer(HARKONNEN, move("pasty_mesa", "se_1", regular=1))
        assert "wormsign/se_1" in war.g.table
        war.answer(HARKONNEN, move("ne_15", "se_1", regular=2))
        war.answer(ATREIDES, RetreatTo("pasty_mesa"))
        assert war.figures(HARKONNEN, "pasty_mesa") == (3, 0, 0, 0)


class TestWormUnderALegion:
    @covers("WFA-M.41", "WFA-B.35")
    def test_the_legion_retreats_where_the_atreides_say_and_a_harvester_is_lost(self) -> None:
        war = entering(War().wormsign("se_1", "sandworm").harvester("se_1").carryall("z5"))
        assert "pasty_mesa" in {act.area for act in war.legal(ATREIDES)}  # type: ignore[attr-defined]
        war.answer(ATREIDES, RetreatTo("se_3"))
        assert war.figures(HARKONNEN, "se_3") == (3, 0, 0, 0)
        assert war.g.get("worm/se_1") == (1, 0)
        assert war.g.vehicle("se_1") == (0, 0, 0), "no carryall comes to the rescue outside Desert Hazards"
        assert war.g.vehicle("z5") == (0, 0, 1)

    @covers("WFA-M.41", "WFA-H.33", "WFA-H.34")
    def test_a_legion_that_cannot_retreat_is_attacked_and_the_worm_is_gone(self) -> None:
        war = War().wormsign("se_1", "sandworm")
        for area in ("ne_15", "ne_16", "se_2", "se_3"):
            war.legion(ATREIDES, area, regular=1)
        war.sietch("tasmin_sink")
        war.legion(ATREIDES, "pasty_mesa", regular=1).legion(HARKONNEN, "cne_9", regular=3)
        war.ornithopter("z1").rolls("combat/worm", "hit", "special", "shield", "shield")
        war.run(MoveLegions(seat=war.harkonnen, count=1))
        war.answer(HARKONNEN, move("cne_9", "se_1", regular=3, ornithopter="z1"))
        assert war.done
        assert war.figures(HARKONNEN, "se_1") == (1, 0, 0, 0), "one for the Hit, one for the Special in a Desert"
        assert war.g.get("worm/se_1") == (0, 0)
        assert war.g.table["worms"] == (4, 1)

    @covers("WFA-M.42")
    def test_in_2022_the_worm_attacks_at_once_and_no_figure_comes(self) -> None:
        war = War(edition="preview_2022").wormsign("se_1", "sandworm")
        war.rolls("combat/worm", "hit", "special", "shield", "shield")
        entering(war)
        assert war.done
        assert war.figures(HARKONNEN, "se_1") == (1, 0, 0, 0)
        assert war.g.table["worms"] == (4, 1)

    @covers("WFA-M.43", "WFA-H.9", "WFA-S.17")
    def test_with_no_figure_left_the_worm_is_taken_from_elsewhere(self) -> None:
        war = War().worm("cne_3").worm("cse_1").worm("wind_pass").worm("csw_3").wormsign("se_1", "sandworm")
        entering(war)
        assert {act.source for act in war.legal(ATREIDES)} == {"cne_3", "cse_1", "wind_pass", "csw_3"}  # type: ignore[attr-defined]
        war.answer(ATREIDES, TakeWorm("se_1", "csw_3", "sandworm")).answer(ATREIDES, RetreatTo("se_3"))
        assert war.g.get("worm/csw_3") == (0, 0)

    @covers("WFA-H.37", "WFA-H.49")
    @pytest.mark.parametrize(("faces", "left"), [(("hit",) * 4, 0), (("shield",) * 4, 1)])
    def test_the_harvester_is_lost_if_the_attack_destroys_the_legion(self, faces: tuple[str, ...], left: int) -> None:
        war = War().worm("se_2").legion(HARKONNEN, "se_1", regular=2).harvester("se_1").rolls("combat/worm", *faces)
        war.run(WormAttack(source="se_2", target="se_1"))
        assert war.done
        assert war.g.vehicle("se_1") == (left, 0, 0)

    @covers("WFA-B.24", "WFA-H.28")
    def test_casualties_of_a_worm_are_chosen_by_the_legions_owner(self) -> None:
        war = War().worm("se_2").legion(HARKONNEN, "se_1", regular=1, elite=2)
        war.rolls("combat/worm", "hit", "hit", "shield", "shield")
        war.run(WormAttack(source="se_2", target="se_1"))
        assert war.asked == (HARKONNEN,)
        war.answer(HARKONNEN, loss(elite=2))
        assert war.figures(HARKONNEN, "se_1") == (3, 0, 0, 0)
