"""The Old Man of the Desert: how it comes, what it carries, what it devours, when it leaves."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Done,
    LayWormsigns,
    MoveLegion,
    MoveOldMan,
    StrikeWithOldMan,
    StrikeWithWorm,
    SummonOldMan,
    TakeDesertPower,
)
from landsraad_engine.arrakis.content import load
from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.desert_power import DesertPower, DriveWorm, PlaceWormsigns
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.leaders.entering import EnterPlay
from landsraad_engine.arrakis.movement import MoveLegions, rides
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.operations.effects import effect
from landsraad_engine.arrakis.round import Round
from landsraad_engine.arrakis.setup import Setup
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.tracks import GainSupremacy
from landsraad_engine.arrakis.zones import OLD_MAN, RESERVE, RESTING, WORMS_HELD
from landsraad_engine.errors import BadOption
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, war_at_setup

OUTER = ("north_east", "south_east", "south_west", "north_west")
#: An Outer Sector with a Mountain, a Plateau and Deserts, and areas of it.
EAST = "north_east"


def bare(**options: Any) -> War:
    return War(old_man=True, **options)


def desert_power(war: War) -> War:
    return war.run(DesertPower(seat=war.atreides))


def summoned(sector: str = EAST) -> War:
    war = bare().worm("ne_3").worm("se_1").wormsign("sw_2").wormsign("nw_3", "sandworm")
    return desert_power(war).answer(ATREIDES, SummonOldMan(sector))


class TestOption:
    @covers("WFA-O.1")
    def test_only_the_exclusive_edition_has_it(self) -> None:
        for faq in (True, False):
            assert ARRAKIS.parse_options({"old_man": True, "faq": faq}, 2)["old_man"]
        for edition in ("v1_1", "preview_2022"):
            with pytest.raises(BadOption, match="exclusive") as refused:
                ARRAKIS.parse_options({"old_man": True, "edition": edition}, 2)
            assert refused.value.field == "old_man"

    @covers("WFA-O.1")
    def test_it_begins_off_the_board(self) -> None:
        war = war_at_setup(old_man=True)
        assert war.g.table[OLD_MAN] == RESERVE
        assert war.g.old_man == ""
        assert war.problems() == []

    def test_a_match_without_it_has_no_place_for_it(self) -> None:
        assert OLD_MAN not in War().g.setting.places
        assert "old_man" not in War().g.options


class TestTokens:
    @covers("WFA-O.2", "WFA-O.13")
    def test_the_atreides_get_none_and_the_harkonnen_theirs(self) -> None:
        war = War(old_man=True, bare=False).run(Setup()).finish()
        assert war.g.get("bene_gesserit/atreides") == (0, 0)
        reserve = war.g.get("bene_gesserit/reserve")
        steps = load().supremacy.bene_gesserit_steps
        war.run(GainSupremacy(points=max(steps))).finish()
        assert war.g.get("bene_gesserit/atreides") == (0, 0)
        assert war.g.get("bene_gesserit/reserve") == reserve
        war.run(EnterPlay(leader="gaius_helen_mohiam"))
        assert war.g.get("bene_gesserit/harkonnen") == (0, 1)

    def test_without_it_they_do(self) -> None:
        assert War(bare=False).run(Setup()).finish().g.get("bene_gesserit/atreides") == (0, 1)


class TestSummoning:
    @covers("WFA-O.3", "WFA-O.16", "WFA-O.23", "WFA-O.27")
    def test_it_takes_all_sandworms_and_wormsigns_off(self) -> None:
        war = bare().worm("ne_3").worm("se_1").wormsign("sw_2").wormsign("nw_3", "sandworm")
        desert_power(war)
        assert {act.sector for act in war.legal(ATREIDES, SummonOldMan)} == set(OUTER)
        war.answer(ATREIDES, SummonOldMan(EAST))
        assert war.done
        survey = war.g.survey()
        assert not survey.worms | survey.wormsigns
        assert war.g.get(WORMS_HELD) == (2, 0)
        assert war.g.old_man == EAST
        assert len(war.g.table["wormsigns"]) == 16
        assert not war.said("open"), "no wormsign is shown"

    @covers("WFA-O.3")
    def test_it_takes_a_sandworm_on_the_board(self) -> None:
        assert not desert_power(bare().wormsign("sw_2")).legal(ATREIDES, SummonOldMan)

    @covers("WFA-O.14")
    def test_it_is_a_whole_desert_power_action_wherever_one_is_taken(self) -> None:
        war = bare().worm("ne_3").dice(HARKONNEN, mentat=1).run(ActionTurn(side=ATREIDES))
        war.answer(ATREIDES, TakeDesertPower()).answer(ATREIDES, SummonOldMan(EAST))
        assert war.g.old_man == EAST
        assert war.done
        twice = bare().worm("ne_3")
        frame = effect(rows.DesertPowerRow(count=2), twice.g, twice.atreides)
        assert frame is not None
        twice.run(frame).answer(ATREIDES, SummonOldMan(EAST)).answer(ATREIDES, MoveOldMan("sandworm", "south_east"))
        assert twice.done

    @covers("WFA-O.26")
    def test_not_while_a_legion_has_to_flee_from_a_sandworm(self) -> None:
        war = bare().worm("ne_3").worm("ne_4").legion(HARKONNEN, "ne_4", regular=1)
        assert not desert_power(war).legal(ATREIDES, SummonOldMan)

    @covers("WFA-O.15")
    def test_the_wild_maker_is_taken_along_and_discarded_like_others(self) -> None:
        war = bare().leader("wild_maker").worm("ne_3", wild_maker=True).worm("se_1")
        desert_power(war).answer(ATREIDES, SummonOldMan(EAST))
        assert war.g.get(WORMS_HELD) == (1, 1)
        desert_power(war)
        assert {act.worm for act in war.legal(ATREIDES, MoveOldMan)} == {"sandworm", "wild_maker"}
        war.answer(ATREIDES, MoveOldMan("wild_maker", "south_east"))
        assert war.g.get(WORMS_HELD) == (1, 0)
        assert war.g.get("worms") == (3, 1)
        assert war.g.in_play("wild_maker")


class TestEffects:
    @covers("WFA-O.4", "WFA-O.5", "WFA-O.17", "WFA-O.27")
    def test_its_sector_carries_riders_over_any_ground(self) -> None:
        war = summoned().legion(ATREIDES, "gara_kulon", regular=1)
        board, ride = war.g.board, rides(war.g, war.g.survey(), "gara_kulon")
        sector = board.sector[EAST]
        assert ride.track == sector & ~board.bit["gara_kulon"]
        assert ride.ends == (sector | board.around(sector)) & ~board.bit["gara_kulon"]
        assert not ride.ends & board.set_of(("broken_land", "rimwall_west"))

    @covers("WFA-O.17")
    @pytest.mark.parametrize(
        ("sector", "start", "ground"), [("north_west", "nw_12", "mountain"), ("south_east", "se_4", "plateau")]
    )
    def test_mountains_and_plateaus_carry_them_too(self, sector: str, start: str, ground: str) -> None:
        war = bare().old_man(sector).legion(ATREIDES, start, regular=1)
        track = rides(war.g, war.g.survey(), start).track
        assert ground in {war.g.board.terrain[area] for area in war.g.board.names(track)}

    @covers("WFA-O.17")
    def test_a_ride_counts_its_areas_and_is_blocked_by_legions(self) -> None:
        war = summoned().legion(ATREIDES, "gara_kulon", regular=2)
        war.run(MoveLegions(seat=war.atreides, count=1))
        far = max(war.g.board.names(rides(war.g, war.g.survey(), "gara_kulon").track))
        war.answer(ATREIDES, MoveLegion("gara_kulon", far, (2, 0, 0, 0), (), (), ""))
        assert war.g.table["ridden"] > 4
        cut = summoned().legion(ATREIDES, "gara_kulon", regular=1)
        for area in cut.g.board.neighbours("gara_kulon"):
            cut.legion(HARKONNEN, area, regular=1)
        assert not rides(cut.g, cut.g.survey(), "gara_kulon").track

    @covers("WFA-O.17")
    def test_its_areas_are_wormsigns_for_nothing_else(self) -> None:
        war = summoned().legion(HARKONNEN, "ne_3", regular=1)
        war.run(MoveLegions(seat=war.harkonnen, count=1))
        target = next(a for a in war.g.board.neighbours("ne_3") if war.g.board.bit[a] & war.g.board.sector[EAST])
        war.answer(HARKONNEN, MoveLegion("ne_3", target, (1, 0, 0, 0), (), (), ""))
        assert war.done
        assert war.g.size(HARKONNEN, target) == 1

    @covers("WFA-O.6", "WFA-O.18")
    def test_nothing_places_sandworms_or_wormsigns(self) -> None:
        war = summoned()
        assert not desert_power(war.fork()).legal(ATREIDES, LayWormsigns)
        assert war.fork().run(PlaceWormsigns(seat=war.atreides, count=2)).done
        assert war.fork().run(DriveWorm(seat=war.atreides, enters=True)).done
        assert war.fork().play_card(ATREIDES, "thumpers").finish().g.survey().wormsigns == 0
        shai = war.fork().play_card(ATREIDES, "shai_hulud")
        while not shai.done:
            bring_in = [act for act in shai.legal(ATREIDES) if not isinstance(act, Done)]
            shai.answer(ATREIDES, bring_in[0] if bring_in else Done())
        assert shai.g.in_play("wild_maker")
        assert not shai.g.survey().worms
        assert shai.g.get("worms") == (2, 1)

    @covers("WFA-O.18")
    def test_it_is_no_sandworm_on_the_board(self) -> None:
        war = summoned()
        assert not war.g.survey().worms
        assert not desert_power(war).legal(ATREIDES, StrikeWithWorm)


class TestActions:
    @covers("WFA-O.9", "WFA-O.19", "WFA-O.30")
    def test_it_moves_round_the_ring_at_the_price_of_a_sandworm(self) -> None:
        war = desert_power(bare().old_man(EAST, sandworms=2))
        assert {act.sector for act in war.legal(ATREIDES, MoveOldMan)} == {"south_east", "north_west"}
        war.answer(ATREIDES, MoveOldMan("sandworm", "south_east"))
        assert war.g.old_man == "south_east"
        assert war.g.get(WORMS_HELD) == (1, 0)
        assert war.g.get("worms") == (3, 1)
        assert {act.sector for act in desert_power(war).legal(ATREIDES, MoveOldMan)} == {"north_east", "south_west"}

    @covers("WFA-O.10", "WFA-O.20", "WFA-O.28")
    def test_it_takes_an_unprotected_harvester_without_a_roll(self) -> None:
        war = bare().old_man(EAST, sandworms=1).harvester("ne_8")
        war.carryall(next(iter(war.g.board.zones_of["ne_8"])))
        desert_power(war).answer(ATREIDES, StrikeWithOldMan("sandworm", "ne_8"))
        assert war.done
        assert war.thrown() == []
        assert war.g.vehicle("ne_8") == (0, 0, 0)
        assert war.g.table["tally/harvester_removed"] == (1, 1, 1)

    @covers("WFA-O.11", "WFA-O.12", "WFA-O.21", "WFA-O.28")
    def test_it_attacks_a_legion_anywhere_in_the_sector_as_the_wild_maker(self) -> None:
        war = bare().old_man(EAST, sandworms=1).legion(HARKONNEN, "ne_13", regular=4).harvester("ne_13")
        war.rolls("combat/worm", "hit", "special", "shield", "hit", "shield", "shield")
        desert_power(war).answer(ATREIDES, StrikeWithOldMan("sandworm", "ne_13"))
        assert war.thrown() == [6]
        assert [strike.hits for strike in war.strikes("worm")] == [4], "Specials are two hits in Deep Desert"
        assert war.g.size(HARKONNEN, "ne_13") == 0
        assert war.g.vehicle("ne_13") == (0, 0, 0), "the harvester goes with the legion"
        assert war.g.old_man == EAST

    @covers("WFA-O.20", "WFA-O.21")
    def test_a_legion_protects_a_harvester_and_mountains_protect_legions(self) -> None:
        war = bare().old_man("north_west", sandworms=1)
        war.legion(HARKONNEN, "nw_13", regular=1).legion(HARKONNEN, "ne_3", regular=1)
        war.legion(HARKONNEN, "nw_3", regular=3).harvester("nw_3")
        desert_power(war)
        assert {act.target for act in war.legal(ATREIDES, StrikeWithOldMan)} == {"nw_3"}, "no peak, no other sector"
        war.rolls("combat/worm", "hit", *["shield"] * 5)
        war.answer(ATREIDES, StrikeWithOldMan("sandworm", "nw_3"))
        assert war.g.size(HARKONNEN, "nw_3") == 2
        assert war.g.vehicle("nw_3") == (1, 0, 0)

    @covers("WFA-O.22", "WFA-O.29")
    def test_without_a_sandworm_left_it_only_carries_riders(self) -> None:
        war = bare().old_man(EAST).legion(HARKONNEN, "ne_8", regular=1).legion(ATREIDES, "gara_kulon", regular=1)
        assert desert_power(war).done
        assert rides(war.g, war.g.survey(), "gara_kulon").track


class TestLeaving:
    @covers("WFA-O.7", "WFA-O.8", "WFA-O.29")
    def test_it_leaves_as_desert_hazards_begin_and_worms_come_at_once(self) -> None:
        war = bare().old_man(EAST, sandworms=4)
        for area in ("ne_3", "ne_8", "se_1", "sw_2"):
            war.harvester(area)
        war.shuffles("wormsigns", *["sandworm"] * 4)
        war.lay("wormsigns", *["sandworm"] * 4)
        war.run(DesertHazards()).finish()
        assert war.g.table[OLD_MAN] == RESTING
        assert war.g.get(WORMS_HELD) == (0, 0)
        assert war.g.survey().worms.bit_count() == 4

    @covers("WFA-O.8", "WFA-O.24")
    def test_it_can_come_again_in_the_next_round_only(self) -> None:
        war = bare().worm("ne_3").put(OLD_MAN, RESTING)
        assert not desert_power(war.fork()).legal(ATREIDES, SummonOldMan)
        war.run(Round(), until="Round.vehicle_placement")
        assert war.g.table[OLD_MAN] == RESERVE
        again = desert_power(war)
        assert again.legal(ATREIDES, SummonOldMan)
