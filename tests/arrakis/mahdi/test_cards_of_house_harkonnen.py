"""The planning cards of House Harkonnen as the automaton plays them, one by one."""

from itertools import combinations

from landsraad_engine.arrakis.acts import Bombard, BringForces, ChooseTargets, MoveLegion
from landsraad_engine.arrakis.announcements import CardTakesEffect
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.sides import ATREIDES, CARRYALL, HARKONNEN
from landsraad_engine.arrakis.zones import ASIDE, GONE, TANK, WORMSIGN
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo

BARON, RABBAN, FEYD = "baron_harkonnen", "beast_rabban", "feyd_rautha"


def board(*villages: str, target: str = "gara_kulon") -> Solo:
    """A Target Sietch, and some settlements that stand."""
    solo = Solo().target(target)
    for area in villages:
        solo.village(area)
    return solo


class TestUnits:
    @covers("WFA-Y.110")
    def test_hard_times_and_oppression(self) -> None:
        solo = board("arrakeen", "carthag", "arsunt", "hagga_basin").legion(HARKONNEN, "arsunt", regular=6)
        solo.legion(ATREIDES, "carthag", regular=1).play_drawn("hard_times_and_oppression")
        assert solo.figures(HARKONNEN, "arrakeen") == (0, 1, 0, 0)
        assert solo.figures(HARKONNEN, "hagga_basin") == (1, 0, 0, 0)
        assert solo.figures(HARKONNEN, "carthag") == (0, 0, 0, 0), "not open: the enemy stands there"
        assert solo.figures(HARKONNEN, "arsunt") == (6, 0, 0, 0), "there is no room"

    @covers("WFA-Y.110", "WFA-Y.171")
    def test_hard_times_where_units_run_out(self) -> None:
        solo = board("arrakeen", "imperial_basin", "arsunt").put("supply/harkonnen", (0, 0, 2, 0))
        solo.play_drawn("hard_times_and_oppression")
        assert solo.figures(HARKONNEN, "imperial_basin") == (0, 0, 1, 0), "closest to a Sietch; a Sardaukar stands in"
        assert solo.figures(HARKONNEN, "arrakeen") == (0, 0, 1, 0)
        assert solo.figures(HARKONNEN, "arsunt") == (0, 0, 0, 0)

    @covers("WFA-Y.111")
    def test_forced_recruitment(self) -> None:
        solo = board("arrakeen").legion(HARKONNEN, "arrakeen", regular=4).leader(RABBAN).leader("captain_aramsham")
        solo.play_drawn("forced_recruitment")
        assert solo.at(HARKONNEN, "arrakeen")[:2] == ((4, 2, 0, 0), (RABBAN,)), "as far as there is room"

    @covers("WFA-Y.112")
    def test_beloved_feyd_rautha_in_play(self) -> None:
        solo = board().legion(HARKONNEN, "cne_5", regular=5).leader(FEYD, "cne_5").play_drawn("beloved_feyd_rautha")
        assert solo.figures(HARKONNEN, "cne_5") == (5, 1, 0, 0), "as far as there is room"

    @covers("WFA-Y.112", "WFA-Y.103")
    def test_beloved_feyd_rautha_off_the_board(self) -> None:
        for where in (ASIDE, TANK[0]):
            solo = board("arrakeen").leader(FEYD, where).play_drawn("beloved_feyd_rautha")
            assert solo.reserve == ["beloved_feyd_rautha"]

    @covers("WFA-Y.113", "WFA-Y.102")
    def test_harkonnen_patrols(self) -> None:
        solo = board().legion(ATREIDES, "ne_11", regular=1).harvester("ne_12").play_drawn("harkonnen_patrols")
        assert solo.done, "three Deserts next to the Target are empty"
        assert [solo.figures(HARKONNEN, area)[0] for area in ("ne_14", "ne_15", "ne_16")] == [1, 1, 1]

    @covers("WFA-Y.113")
    def test_harkonnen_patrols_where_deserts_tie(self) -> None:
        solo = board().legion(ATREIDES, "ne_11", regular=1).play_drawn("harkonnen_patrols")
        offered = {act.targets for act in solo.legal(ATREIDES, ChooseTargets)}
        assert offered == set(combinations(("ne_12", "ne_14", "ne_15", "ne_16"), 3))
        solo.choose("scatter_units", "ne_12", "ne_14", "ne_16")
        assert [solo.figures(HARKONNEN, area)[0] for area in ("ne_12", "ne_14", "ne_15", "ne_16")] == [1, 1, 0, 1]

    @covers("WFA-Y.117", "WFA-Y.171", "WFA-Y.98")
    def test_mx_29(self) -> None:
        """The settlement closest to a Sietch, whatever the powers."""
        solo = Solo().target("gara_kulon")
        for area in solo.g.board.names(solo.g.board.sietches):
            if area != "gara_kulon":
                solo.sietch(area)
            solo.legion(ATREIDES, area, regular=1)
        for area in ("arrakeen", "carthag", "imperial_basin", "arsunt", "hagga_basin", "north_pole"):
            solo.village(area).legion(HARKONNEN, area, regular=3)
        solo.legion(HARKONNEN, "arrakeen", regular=2).play_drawn("evidence_of_rebellion")
        assert solo.figures(HARKONNEN, "north_pole") == (3, 2, 0, 0)

    @covers("WFA-Y.119")
    def test_carthag_the_former_capital(self) -> None:
        solo = board("carthag").legion(HARKONNEN, "carthag", regular=4).play_drawn("carthag_the_former_capital")
        solo.answer(ATREIDES, BringForces("carthag", (1, 1, 0, 1), ()))
        assert solo.figures(HARKONNEN, "carthag") == (5, 1, 0, 1), "no named leader is there, so a Bashar comes"

    @covers("WFA-Y.119", "WFA-Y.103")
    def test_carthag_taken_by_the_enemy(self) -> None:
        solo = board("carthag").legion(ATREIDES, "carthag", regular=1).play_drawn("carthag_the_former_capital")
        assert solo.reserve == ["carthag_the_former_capital"]

    @covers("WFA-Y.118", "WFA-Y.170")
    def test_polar_cap_factories(self) -> None:
        solo = (
            board("north_pole").wormsign("cne_3").wormsign("cse_1").wormsign("ne_3").play_drawn("polar_cap_factories")
        )
        assert solo.figures(HARKONNEN, "north_pole") == (2, 1, 0, 1)
        assert [area for area in ("cne_3", "cse_1", "ne_3") if WORMSIGN[area] in solo.g.table] == ["ne_3"]


class TestLegions:
    @covers("WFA-Y.114")
    def test_arsunt_legion_attacks(self) -> None:
        solo = (
            board("arsunt").leader(RABBAN).legion(ATREIDES, "nw_16", regular=2).legion(ATREIDES, "carthag", regular=1)
        )
        solo.rolls("combat/harkonnen", "hit", "hit").rolls("combat/atreides", "shield", "shield")
        solo.play_drawn("arsunt_legion")
        assert solo.at(HARKONNEN, "arsunt")[:2] == ((1, 1, 0, 0), (RABBAN,))
        assert solo.figures(ATREIDES, "nw_16") == (2, 0, 0, 0), "its shields hold"
        (battle,) = (frame for frame in solo.g.stack if isinstance(frame, Battle))
        assert (battle.target, battle.surprise) == ("nw_16", False), "of two weaker legions the stronger is attacked"

    @covers("WFA-Y.114")
    def test_arsunt_legion_moves_if_there_is_nothing_to_attack(self) -> None:
        solo = board("arsunt", target="bight_of_the_cliff").leader(RABBAN).play_drawn("arsunt_legion")
        assert {act.target for act in solo.legal(ATREIDES, MoveLegion)} <= {"nw_16", "shield_wall_west"}

    @covers("WFA-Y.115", "WFA-Y.171")
    def test_barons_personal_guard(self) -> None:
        solo = board("arrakeen", "carthag").leader(BARON, "carthag").legion(HARKONNEN, "carthag", regular=1)
        solo.legion(ATREIDES, "gara_kulon", regular=6).play_drawn("barons_personal_guard")
        assert solo.at(HARKONNEN, "arrakeen")[:2] == ((0, 2, 0, 0), (BARON,)), "closer to a Sietch than Carthag"

    @covers("WFA-Y.115")
    def test_the_baron_does_not_come_from_the_tank(self) -> None:
        solo = board("carthag").leader(BARON, "tank").legion(ATREIDES, "gara_kulon", regular=6)
        solo.play_drawn("barons_personal_guard")
        assert solo.at(HARKONNEN, "arrakeen")[:2] == ((0, 2, 0, 0), ()), "free, whatever has become of its settlement"

    @covers("WFA-Y.124")
    def test_mudir_nahya_joins_the_legion_that_makes_the_best_attack(self) -> None:
        solo = board(target="tasmin_sink").sietch("gara_kulon", 3).sietch("sihaya_ridge", 2).leader(RABBAN)
        solo.legion(HARKONNEN, "ne_11", regular=1).legion(ATREIDES, "gara_kulon", regular=2)
        solo.legion(HARKONNEN, "ne_6", regular=3).legion(ATREIDES, "sihaya_ridge", regular=2)
        solo.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", *["shield"] * 5)
        solo.play_drawn("mudir_nahya_the_demon_ruler")
        # With Rabban and an Elite the legion of one unit has 3 points against 2: the Sietch of rank 3 can be attacked.
        assert solo.at(HARKONNEN, "ne_11")[:2] == ((1, 1, 0, 0), (RABBAN,))
        assert len(solo.announced(CardTakesEffect)) == 1
        assert solo.g.rank(ATREIDES, "gara_kulon") == 3

    @covers("WFA-Y.124")
    def test_mudir_nahya_where_none_could_attack(self) -> None:
        solo = board().leader(RABBAN, "tank").legion(HARKONNEN, "ne_1", regular=1).legion(HARKONNEN, "cne_8", regular=6)
        solo.play_drawn("mudir_nahya_the_demon_ruler")
        assert solo.figures(HARKONNEN, "cne_8") == (6, 0, 0, 0)
        assert solo.figures(HARKONNEN, "ne_1") == (1, 1, 0, 0), "the first with room"

    @covers("WFA-Y.124")
    def test_mudir_nahya_without_rabban(self) -> None:
        solo = board().leader(RABBAN, GONE).leader(FEYD).legion(HARKONNEN, "ne_11", regular=1)
        solo.legion(HARKONNEN, "ne_1", regular=1).play_drawn("mudir_nahya_the_demon_ruler")
        assert solo.at(HARKONNEN, "ne_11")[:2] == ((1, 2, 0, 0), (FEYD,))
        assert solo.done, "it does not attack"


class TestOthers:
    @covers("WFA-Y.120", "WFA-Y.99")
    def test_workhorse_of_arrakis(self) -> None:
        solo = board("arrakeen").harvesting("gara_kulon").deck("house_harkonnen", "sandmasters", "sandmasters")
        solo.play_drawn("workhorse_of_arrakis")
        solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert solo.g.survey().harvesters.bit_count() == 1
        assert solo.g.zones_with(CARRYALL) == ("z1",), "the only zone that protects it"
        assert len(solo.reserve) == 1, "only House Harkonnen has a card to draw"

    @covers("WFA-Y.123", "WFA-Y.99")
    def test_sandmasters(self) -> None:
        solo = (
            board("arrakeen")
            .harvesting("rock_outcroppings")
            .deck("corrino_ally", "shigawire")
            .play_drawn("sandmasters")
        )
        for _ in range(3):
            if solo.done:
                break
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert solo.g.survey().harvesters.bit_count() == 3
        assert solo.reserve == [], "House Harkonnen is due, and has none"

    @covers("WFA-Y.121", "WFA-Y.102")
    def test_spotter_control(self) -> None:
        solo = board().wormsign("ne_14").wormsign("ne_15").wormsign("se_4").wormsign("sw_7")
        solo.play_drawn("spotter_control")
        left = [area for area in ("ne_14", "ne_15", "se_4", "sw_7") if WORMSIGN[area] in solo.g.table]
        assert left == ["sw_7"]

    @covers("WFA-Y.121")
    def test_spotter_control_where_wormsigns_tie(self) -> None:
        solo = (
            board()
            .wormsign("ne_14")
            .wormsign("ne_15")
            .wormsign("ne_16")
            .wormsign("ne_12")
            .play_drawn("spotter_control")
        )
        solo.choose("discard_wormsigns", "ne_12", "ne_14", "ne_16")
        assert [area for area in ("ne_12", "ne_14", "ne_15", "ne_16") if WORMSIGN[area] in solo.g.table] == ["ne_15"]

    @covers("WFA-Y.122")
    def test_explosive_artillery(self) -> None:
        solo = board().legion(HARKONNEN, "cne_5", regular=1).legion(ATREIDES, "gara_kulon", regular=6)
        solo.legion(ATREIDES, "cne_4", regular=2).legion(ATREIDES, "cne_6", regular=2, named=("stilgar",))
        solo.rolls("combat/harkonnen", "hit", "special", "shield", "shield").play_drawn("explosive_artillery")
        assert solo.thrown() == [4]
        assert not solo.legal(ATREIDES, Bombard), "the one of higher power is struck, weaker or not"
        assert any(isinstance(frame, Casualties) and frame.area == "cne_6" for frame in solo.g.stack)

    @covers("WFA-Y.125", "WFA-Y.102")
    def test_hunter_seeker(self) -> None:
        solo = board().legion(HARKONNEN, "ne_1", regular=1)
        solo.legion(ATREIDES, "ne_3", regular=1, named=("stilgar",)).legion(
            ATREIDES, "ne_15", regular=1, named=("chani",)
        )
        solo.legion(ATREIDES, "cne_9", regular=1, named=("gurney_halleck",)).play_drawn("hunter_seeker")
        assert solo.g.in_tank("chani"), "the closest in a Sector with a Harkonnen legion"
        assert not solo.g.in_tank("gurney_halleck")

    @covers("WFA-Y.125")
    def test_hunter_seeker_where_leaders_tie(self) -> None:
        solo = board().legion(HARKONNEN, "ne_1", regular=1)
        solo.legion(ATREIDES, "ne_15", regular=1, named=("chani", "stilgar")).play_drawn("hunter_seeker")
        assert solo.choices("strike_down") == {"chani", "stilgar"}
        solo.choose("strike_down", "stilgar")
        assert solo.g.in_tank("stilgar")
