"""Harkonnen deployment tokens: laid in settlements that are left, units for every rule, turned up when struck."""

from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.desert_hazards import CoriolisStorms
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.mahdi.automaton import AUTOMATON
from landsraad_engine.arrakis.mahdi.combat_power import power_at
from landsraad_engine.arrakis.mahdi.garrisons import LeaveSettlement, TurnUpGarrisons
from landsraad_engine.arrakis.mahdi.moves import MoveByAutomaton
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.worms import WormAttack
from landsraad_engine.arrakis.zones import GARRISON
from landsraad_engine.kernel.zones import HIDDEN
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo

BLACK, SILVER = "harkonnen_black", "harkonnen_silver"


def solo_with(target: str = "gara_kulon") -> Solo:
    return Solo().harvesting("habbanya_ridge").target(target)


class TestLaying:
    @covers("WFA-Y.156", "WFA-Y.83", "WFA-Y.157", "WFA-Y.163")
    def test_a_legion_that_leaves_a_settlement_is_followed_by_a_token_of_each_colour(self) -> None:
        solo = solo_with().village("carthag").legion(HARKONNEN, "carthag", regular=2)
        solo.run(MoveByAutomaton())
        while not solo.done:
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert solo.g.garrison("carthag") == (BLACK, SILVER)
        for name in (BLACK, SILVER):
            assert solo.g.known_to_all(GARRISON[name]["carthag"]) == (HIDDEN,)
            assert solo.g.known_faces(GARRISON[name]["carthag"], 1) == (HIDDEN,), "the humans do not know either"

    @covers("WFA-Y.157")
    def test_not_while_a_unit_stays_nor_where_no_settlement_stands(self) -> None:
        solo = solo_with().village("carthag").legion(HARKONNEN, "carthag", regular=2)
        assert not solo.run(LeaveSettlement(area="carthag")).g.garrison("carthag")
        assert not solo_with().run(LeaveSettlement(area="carthag")).g.garrison("carthag")

    @covers("WFA-Y.157")
    def test_a_legion_that_is_destroyed_leaves_nothing(self) -> None:
        solo = solo_with().village("carthag").legion(HARKONNEN, "carthag", regular=1)
        solo.run(Casualties(side=HARKONNEN, area="carthag", hits=3, seats=()))
        assert not solo.g.garrison("carthag")

    @covers("WFA-Y.162", "WFA-Y.163")
    def test_with_an_empty_pool_one_on_the_board_is_turned_up_and_laid_known_to_all(self) -> None:
        solo = solo_with().village("carthag").garrison("arsunt", black=6).garrison("arrakeen", silver=5)
        shown = solo.g.table[GARRISON[BLACK]["arsunt"]][-1]
        solo.run(LeaveSettlement(area="carthag"))
        while not solo.done:
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert solo.g.garrison("carthag") == (BLACK, SILVER)
        assert solo.g.known_to_all(GARRISON[BLACK]["carthag"]) == (shown,)
        assert solo.g.known_to_all(GARRISON[SILVER]["carthag"]) == (HIDDEN,), "the pool still had silver ones"

    @covers("WFA-Y.157")
    def test_tokens_that_leave_are_followed_by_tokens(self) -> None:
        solo = solo_with().village("carthag").garrison("carthag", black=1, silver=1)
        solo.run(MoveByAutomaton())
        while not solo.done:
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert solo.g.garrison("carthag") == (BLACK, SILVER)
        moved = [a for a in solo.g.board.names(solo.g.survey().harkonnen) if a != "carthag"]
        assert [solo.g.garrison(area) for area in moved] == [(BLACK, SILVER)]


class TestUnits:
    @covers("WFA-Y.158", "WFA-Y.164")
    def test_they_are_units_for_every_rule_but_of_no_kind(self) -> None:
        solo = solo_with().garrison("carthag", black=1, silver=1)
        assert solo.g.size(HARKONNEN, "carthag") == 2
        assert solo.g.survey().harkonnen == solo.g.board.bit["carthag"]
        assert power_at(solo.g, HARKONNEN, "carthag") == (4, 4)
        assert solo.g.figures(HARKONNEN, "carthag") == (0, 0, 0, 0)
        assert solo.g.board.bit["carthag"] & solo.g.survey().barred(ATREIDES)
        led = solo.legion(HARKONNEN, "carthag", leader=1).run(Settle(side=HARKONNEN, area="carthag"))
        assert led.figures(HARKONNEN, "carthag") == (0, 0, 0, 1), "a leader may stand with them"

    @covers("WFA-Y.161", "WFA-Y.144")
    def test_units_beyond_the_limit_are_removed_the_weakest_first(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=6, elite=1).run(Settle(side=HARKONNEN, area="carthag"))
        assert solo.done
        assert solo.figures(HARKONNEN, "carthag") == (5, 1, 0, 0)

    @covers("WFA-Y.144", "WFA-Y.161")
    def test_regulars_or_tokens_the_humans_choose(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=6).garrison("carthag", black=1)
        pool = len(solo.g.table[BLACK])
        solo.run(Settle(side=HARKONNEN, area="carthag"))
        assert len(solo.legal(ATREIDES)) == 2
        token = next(act for act in solo.legal(ATREIDES) if act.tokens)  # type: ignore[attr-defined]
        solo.answer(ATREIDES, token)
        assert not solo.g.garrison("carthag")
        assert len(solo.g.table[BLACK]) == pool + 1, "it is back in the pool"


class TestTurningUp:
    @covers("WFA-Y.159", "WFA-Y.161")
    def test_they_show_their_figures_and_go_back_to_the_pool(self) -> None:
        solo = solo_with().garrison("carthag", black=1, silver=1)
        shown = [solo.g.content.deployment_token[solo.g.table[GARRISON[n]["carthag"]][-1]] for n in (BLACK, SILVER)]
        units = sum(t.units.regular + t.units.elite + t.units.special for t in shown)
        solo.run(TurnUpGarrisons(area="carthag"))
        assert solo.g.legion(HARKONNEN, "carthag").strength == units
        assert not solo.g.garrison("carthag")
        assert [len(solo.g.table[name]) for name in (BLACK, SILVER)] == [6, 6]

    @covers("WFA-Y.160", "WFA-Y.159")
    def test_when_attacked(self) -> None:
        solo = solo_with().garrison("carthag", black=1).legion(ATREIDES, "arsunt", regular=2)
        solo.run(Battle(seat=0, source="arsunt", target="carthag"))
        assert not solo.g.garrison("carthag")
        assert solo.told("move", rule="WFA-Y.159")

    @covers("WFA-Y.159")
    def test_when_they_attack(self) -> None:
        solo = solo_with().garrison("carthag", black=1).legion(ATREIDES, "arsunt", regular=1)
        solo.run(Battle(seat=AUTOMATON, source="carthag", target="arsunt"))
        assert not solo.g.garrison("carthag")
        assert solo.told("move", rule="WFA-Y.159")

    @covers("WFA-Y.160", "WFA-Y.146")
    def test_before_a_storm_rolls(self) -> None:
        solo = solo_with().garrison("se_1", black=1)
        solo.run(CoriolisStorms())
        verbs = [event.public for event in solo.told("roll")]
        assert verbs
        assert not solo.g.garrison("se_1")

    @covers("WFA-Y.160")
    def test_before_a_sandworm_attacks(self) -> None:
        solo = solo_with().garrison("se_1", silver=1).worm("se_6")
        solo.rolls("combat/worm", *["shield"] * 6).run(WormAttack(source="se_6", target="se_1"))
        assert not solo.g.garrison("se_1")
        assert solo.g.size(HARKONNEN, "se_1")
