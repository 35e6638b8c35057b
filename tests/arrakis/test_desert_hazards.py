"""Phase 3: laying wormsigns, the sandworms that they bring, what these do, carryalls. Storms: test_storms.py."""

from typing import Any

import pytest

from landsraad_engine.arrakis.acts import (
    ChooseWorms,
    Done,
    LayWormsigns,
    RescueHarvester,
    ResolveWorm,
    RetreatTo,
    TakeWorm,
)
from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import FIGURE, WORMSIGN
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War

#: Deserts far from each other.
FAR = ("cne_3", "ne_11", "cnw_3", "se_3", "cse_4")
MISS = ("shield",) * 8


def hazards(war: War, **signs: str) -> War:
    """The phase, with wormsigns face down in these areas; storms do nothing."""
    for area, sign in signs.items():
        war.wormsign(area, sign)
    return war.rolls("combat/storm", *MISS).run(DesertHazards())


def with_maker(war: War) -> War:
    """The Wild Maker has entered play."""
    war.put(FIGURE["wild_maker"], "aside")
    return war


def worms(war: War) -> set[str]:
    return set(war.g.board.names(war.g.survey().worms))


def signs_seen(war: War) -> dict[str, str]:
    """What was turned up where."""
    drawn = [event for event in war.said("move") if event[2] == "wormsigns_shown"]
    return {source.removeprefix("wormsign/"): face for source, _, _, _, face in drawn}


class TestLaying:
    @covers("WFA-H.1")
    def test_wormsigns_beside_atreides_legions_and_worms_go_back_to_the_pool_unseen(self) -> None:
        war = War().legion(ATREIDES, "se_1", regular=1).worm("cne_3")
        hazards(war, se_1="sandworm", cne_3="sandworm", se_6="sand")
        assert war.done
        assert war.said("shuffle") == [("wormsigns",), ("wormsigns",)], "before new ones are drawn, and at the end"
        assert signs_seen(war) == {"se_6": "sand"}
        assert worms(war) == {"cne_3"}
        assert len(war.g.table["wormsigns"]) == 16

    @covers("WFA-H.2")
    def test_in_2022_they_are_turned_up_with_the_others_and_do_nothing(self) -> None:
        war = War(edition="preview_2022").legion(ATREIDES, "se_1", regular=1).worm("cne_3")
        hazards(war, se_1="sandworm", cne_3="sandworm", se_6="sand")
        assert war.done
        assert signs_seen(war) == {"se_1": "sandworm", "cne_3": "sandworm", "se_6": "sand"}
        assert worms(war) == {"cne_3"}
        assert war.g.get("worm/cne_3") == (1, 0)
        assert war.figures(ATREIDES, "se_1") == (1, 0, 0, 0)

    @covers("WFA-H.3", "WFA-H.5", "WFA-H.7")
    def test_one_in_each_desert_with_a_harkonnen_legion_or_harvester_but_not_two(self) -> None:
        war = War().legion(HARKONNEN, "se_1", regular=1).legion(HARKONNEN, "cne_8", regular=1)
        war.legion(HARKONNEN, "se_8", regular=1).harvester("cnw_3").harvester("se_6")
        war.worm("se_6")
        hazards(war, se_8="sand", windgap="sand")
        assert signs_seen(war).keys() == {"se_1", "se_8", "cnw_3", "windgap"}

    @covers("WFA-H.3")
    def test_nobody_sees_a_wormsign_before_all_are_turned_up(self) -> None:
        war = hazards(War().harvester("cnw_3"))
        laid = [event for event in war.told("move") if event.public and event.public[0] == "wormsigns"]
        assert [event.public for event in laid] == [("wormsigns", 15, "wormsign/cnw_3", 0, None)]
        assert [event.insiders for event in laid] == [0]

    @covers("WFA-H.4")
    def test_if_the_pool_runs_out_the_atreides_say_where_the_rest_goes(self) -> None:
        war = War().lay("wormsigns", "sand", "sand").harvester("cnw_3").harvester("cnw_4").harvester("se_3")
        war.run(DesertHazards())
        assert war.asked == (ATREIDES,)
        war.refused(ATREIDES, LayWormsigns(("cnw_3",)), "WFA-H.4")
        war.answer(ATREIDES, LayWormsigns(("cnw_3", "se_3")))
        assert signs_seen(war).keys() == {"cnw_3", "se_3"}

    @covers("WFA-H.50")
    def test_a_harvester_beside_an_atreides_legion_is_taken_and_the_legion_left_alone(self) -> None:
        war = War().legion(ATREIDES, "se_3", regular=2).harvester("se_3").lay("wormsigns", "sandworm")
        hazards(war)
        assert war.done
        assert war.g.vehicle("se_3") == (0, 0, 0)
        assert war.figures(ATREIDES, "se_3") == (2, 0, 0, 0)


class TestPlacing:
    @covers("WFA-H.6", "WFA-H.9")
    def test_worms_come_by_their_tokens_and_by_burrowing_ones_in_deep_desert(self) -> None:
        war = hazards(War(), se_3="sandworm", se_4="burrowing", cne_3="burrowing", ne_11="sand")
        assert war.done, "figures off the board are all alike, so nobody is asked"
        assert worms(war) == {"se_3", "se_4"}
        assert len(war.g.table["wormsigns"]) == 16

    @covers("WFA-H.9", "WFA-H.51")
    def test_a_figure_may_come_from_elsewhere_but_not_from_where_one_has_just_been_placed(self) -> None:
        war = hazards(War().worm("windgap"), se_3="sandworm", cne_3="sandworm")
        assert TakeWorm("se_3", "windgap", "sandworm") in war.legal(ATREIDES)
        war.answer(ATREIDES, TakeWorm("cne_3", "windgap", "sandworm"))
        assert war.done, "only figures off the board are left for the other"
        assert worms(war) == {"cne_3", "se_3"}

    @covers("WFA-H.8")
    def test_without_the_corrections_only_if_none_is_left_off_the_board(self) -> None:
        war = hazards(War(faq=False).worm("windgap"), se_3="sandworm")
        assert war.done
        assert worms(war) == {"windgap", "se_3"}
        war = War(faq=False).worm("windgap").worm("cse_4").worm("ne_11").worm("ne_2")
        hazards(war, se_3="sandworm")
        assert {act.source for act in war.legal(ATREIDES, TakeWorm)} == {"windgap", "cse_4", "ne_11", "ne_2"}

    @covers("WFA-H.12")
    def test_four_worms_at_most_where_the_atreides_say(self) -> None:
        war = hazards(War(), **dict.fromkeys(FAR, "sandworm"))
        assert len(war.legal(ATREIDES, ChooseWorms)) == 5
        war.answer(ATREIDES, ChooseWorms(("cne_3", "cnw_3", "ne_11", "se_3")))
        assert worms(war) == set(FAR) - {"cse_4"}
        assert len(war.g.table["wormsigns"]) == 16

    @covers("WFA-H.12", "WFA-L.33")
    def test_with_the_wild_maker_in_play_five_and_it_may_stand_in_for_one(self) -> None:
        war = hazards(with_maker(War()), **dict.fromkeys(FAR, "sandworm"))
        war.answer(ATREIDES, TakeWorm("se_3", "", "wild_maker"))
        assert war.done
        assert worms(war) == set(FAR)
        assert war.g.get("worm/se_3") == (0, 1)

    @covers("WFA-H.11")
    def test_without_the_corrections_it_does_not_add_to_the_four(self) -> None:
        war = hazards(with_maker(War(faq=False)), **dict.fromkeys(FAR, "sandworm"))
        assert {len(act.areas) for act in war.legal(ATREIDES, ChooseWorms)} == {4}

    @covers("WFA-H.12")
    def test_before_it_has_entered_play_the_wild_maker_is_no_sandworm(self) -> None:
        hazards(war := War(), **dict.fromkeys(FAR[:4], "sandworm"))
        assert war.done
        assert war.g.table["worms"] == (0, 1)

    @covers("WFA-H.10", "WFA-H.55", "WFA-L.32")
    def test_in_2022_a_fifth_worm_finds_no_figure(self) -> None:
        war = hazards(with_maker(War(edition="preview_2022")), **dict.fromkeys(FAR, "sandworm"))
        for area in FAR[:4]:
            war.answer(ATREIDES, ResolveWorm(area))
        assert war.done
        assert worms(war) == set(FAR[:4])

    @covers("WFA-H.10")
    def test_in_2022_figures_come_from_elsewhere_once_none_is_left(self) -> None:
        war = War(edition="preview_2022").worm("windgap").worm("cse_4").worm("ne_11").worm("ne_2")
        hazards(war, se_3="sandworm")
        war.answer(ATREIDES, TakeWorm("se_3", "ne_2", "sandworm"))
        assert worms(war) == {"windgap", "cse_4", "ne_11", "se_3"}


class TestEffects:
    @covers("WFA-H.14")
    def test_a_harvester_alone_is_removed(self) -> None:
        war = hazards(War().harvester("se_3"), se_3="sandworm")
        assert war.done
        assert war.g.vehicle("se_3") == (0, 0, 0)
        assert worms(war) == {"se_3"}

    @covers("WFA-H.15", "WFA-H.16")
    def test_a_legion_retreats_where_the_atreides_say_and_its_harvester_is_lost(self) -> None:
        war = War().legion(HARKONNEN, "se_3", regular=3, leader=1).harvester("se_3")
        hazards(war, se_3="sandworm")
        assert war.asked == (ATREIDES,)
        war.answer(ATREIDES, RetreatTo("se_7"))
        assert war.figures(HARKONNEN, "se_7") == (3, 0, 0, 1)
        assert war.g.vehicle("se_3") == (0, 0, 0)
        assert worms(war) == {"se_3"}

    def cornered(self, *faces: str, **options: Any) -> War:
        """Four Regulars and a harvester that cannot leave se_3, with a sandworm coming up."""
        war = War(**options).legion(HARKONNEN, "se_3", regular=4).harvester("se_3").sietch("tasmin_sink")
        for area in ("se_1", "se_2", "se_4", "se_7"):
            war.legion(ATREIDES, area, regular=1)
        return war.rolls("combat/worm", *faces)

    @covers("WFA-H.15", "WFA-H.33", "WFA-H.34", "WFA-H.16")
    def test_if_it_cannot_it_is_attacked_and_the_worm_is_gone(self) -> None:
        war = hazards(self.cornered("hit", "special", "shield", "hit"), se_3="sandworm")
        assert war.done
        assert war.figures(HARKONNEN, "se_3") == (1, 0, 0, 0)
        assert war.g.vehicle("se_3") == (1, 0, 0), "the legion still stands"
        assert worms(war) == set()

    @covers("WFA-H.16", "WFA-H.19", "WFA-H.20")
    def test_if_the_attack_destroys_it_a_carryall_may_still_save_the_harvester(self) -> None:
        war = self.cornered("hit", "hit", "hit", "hit").carryall("z5")
        hazards(war, se_3="sandworm").answer(HARKONNEN, RescueHarvester("z5"))
        assert war.done
        assert war.g.vehicle("se_3") == (1, 0, 0)
        assert worms(war) == set(), "it has attacked, so it is gone"

    @covers("WFA-H.13", "WFA-H.48")
    def test_all_worms_are_there_before_the_first_has_its_effect_in_the_order_the_atreides_like(self) -> None:
        war = War().legion(HARKONNEN, "se_3", regular=1).legion(HARKONNEN, "se_7", regular=2)
        hazards(war, se_3="sandworm", se_7="sandworm")
        assert set(war.legal(ATREIDES)) == {ResolveWorm("se_3"), ResolveWorm("se_7")}
        assert worms(war) == {"se_3", "se_7"}
        war.answer(ATREIDES, ResolveWorm("se_7"))
        assert RetreatTo("se_3") not in war.legal(ATREIDES), "a worm is there"
        war.answer(ATREIDES, RetreatTo("se_8"))
        assert war.where == "RetreatFrom.where"
        war.answer(ATREIDES, RetreatTo("se_1"))
        assert (war.figures(HARKONNEN, "se_8")[0], war.figures(HARKONNEN, "se_1")[0]) == (2, 1)

    @covers("WFA-H.17")
    def test_in_2022_a_harvester_alone_is_removed_and_no_figure_comes(self) -> None:
        war = hazards(War(edition="preview_2022").harvester("se_3"), se_3="sandworm")
        assert war.done
        assert war.g.vehicle("se_3") == (0, 0, 0)
        assert worms(war) == set()

    @covers("WFA-H.17", "WFA-H.35")
    @pytest.mark.parametrize(("hits", "harvesters"), [(3, 1), (4, 0)])
    def test_in_2022_a_legion_is_attacked_at_once(self, hits: int, harvesters: int) -> None:
        war = War(edition="preview_2022").legion(HARKONNEN, "se_3", regular=4).harvester("se_3")
        hazards(war.rolls("combat/worm", *["special"] * hits, *["shield"] * (4 - hits)), se_3="sandworm")
        assert war.done
        assert war.figures(HARKONNEN, "se_3") == (4 - hits, 0, 0, 0)
        assert war.g.vehicle("se_3") == (harvesters, 0, 0)
        assert worms(war) == set()

    @covers("WFA-H.18")
    def test_in_2022_a_figure_comes_where_neither_legion_nor_harvester_is(self) -> None:
        war = hazards(War(edition="preview_2022").station("cnw_4", "any"), cnw_4="sandworm")
        assert war.done
        assert worms(war) == {"cnw_4"}
        assert war.g.table["station/cnw_4"] == ("any",)


class TestCarryalls:
    @covers("WFA-H.19", "WFA-H.20")
    def test_a_carryall_of_a_connected_zone_is_given_up_in_place_of_a_harvester(self) -> None:
        war = War().harvester("cne_3").carryall("z1").carryall("z2").carryall("z5")
        hazards(war, cne_3="sandworm")
        assert war.asked == (HARKONNEN,)
        assert war.legal(HARKONNEN) == [RescueHarvester("z1"), RescueHarvester("z2"), Done()]
        war.answer(HARKONNEN, RescueHarvester("z2"))
        assert war.g.vehicle("cne_3") == (1, 0, 0)
        assert war.g.vehicle("z2") == (0, 0, 0)
        assert worms(war) == {"cne_3"}, "beside the worm"

    @covers("WFA-H.19")
    def test_it_need_not_be(self) -> None:
        war = hazards(War().harvester("cne_3").carryall("z1"), cne_3="sandworm").answer(HARKONNEN, Done())
        assert war.done
        assert war.g.vehicle("cne_3") == (0, 0, 0)
        assert war.g.vehicle("z1") == (0, 0, 1)

    @covers("WFA-H.19")
    def test_nor_is_anybody_asked_without_one_in_reach(self) -> None:
        war = hazards(War().harvester("cne_3").carryall("z5").ornithopter("z1"), cne_3="sandworm")
        assert war.done
        assert war.g.vehicle("cne_3") == (0, 0, 0)

    @covers("WFA-H.21")
    def test_in_2022_a_saved_harvester_has_a_sandworm_beside_it(self) -> None:
        war = War(edition="preview_2022").harvester("cne_3").carryall("z1").legion(HARKONNEN, "cne_3", regular=1)
        hazards(war.rolls("combat/worm", "hit", "hit", "hit", "hit"), cne_3="sandworm")
        war.answer(HARKONNEN, RescueHarvester("z1"))
        assert war.done
        assert war.figures(HARKONNEN, "cne_3") == (0, 0, 0, 0)
        assert war.g.vehicle("cne_3") == (1, 0, 0)
        assert worms(war) == {"cne_3"}


def test_no_wormsign_stays_on_the_board() -> None:
    war = hazards(War(), **dict.fromkeys(FAR, "sand"))
    assert not any(key in war.g.table for key in WORMSIGN.values())
