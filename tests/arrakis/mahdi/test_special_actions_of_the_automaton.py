"""Special actions of the Harkonnen leaders, as the automaton uses them in place of regular actions."""

import pytest

from landsraad_engine.arrakis.acts import BringForces, UseSpecial
from landsraad_engine.arrakis.announcements import CardTakesEffect, LeaderActs
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.mahdi.special_actions import SpecialByAutomaton, leaders_for
from landsraad_engine.arrakis.mahdi.turn import AutomatonTurn
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, ORNITHOPTER, USED
from landsraad_engine.arrakis.zones import ASIDE, CARD, SPENT, box
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo

BARON, RABBAN, FEYD = "baron_harkonnen", "beast_rabban", "feyd_rautha"
HAWAT, GAIUS = "thufir_hawat", "gaius_helen_mohiam"
ARAMSHAM, SHADDAM = "captain_aramsham", "emperor_shaddam_iv"


def board(target: str = "gara_kulon", rank: int = 1) -> Solo:
    return Solo().target(target, rank)


def turn(solo: Solo, result: str) -> Solo:
    """A turn of the automaton whose die shows this."""
    return solo.pool_dice(1).rolls("action/harkonnen", result).run(AutomatonTurn(side=HARKONNEN))


class TestWhen:
    @covers("WFA-Y.40", "WFA-Y.42", "WFA-Y.47")
    def test_a_leader_acts_in_place_of_the_regular_action(self) -> None:
        solo = board().leader(BARON).legion(HARKONNEN, "cne_5", regular=5)
        turn(solo, "house")
        assert [fact.leader for fact in solo.announced(LeaderActs)] == [BARON]
        assert solo.figures(HARKONNEN, "cne_5") == (2, 3, 0, 0)
        assert solo.g.table[CARD[BARON]] == SPENT
        assert not solo.g.survey().harvesters, "his swap brings no vehicles"
        assert not solo.g.zones_with(ORNITHOPTER)
        assert solo.g.get(box("giedi_prime", USED)) == (1, 0)

    @covers("WFA-Y.41", "WFA-Y.40")
    def test_only_if_it_is_possible(self) -> None:
        solo = board().legion(HARKONNEN, "cne_5", regular=5)
        assert leaders_for(solo.g, "house") == (), "not in play"
        assert leaders_for(solo.leader(BARON, "tank").g, "house") == ()
        assert leaders_for(solo.leader(BARON, card=SPENT).g, "house") == ()
        assert leaders_for(solo.leader(BARON).g, "house") == (BARON,)
        assert leaders_for(board().leader(BARON).legion(HARKONNEN, "cne_5", elite=1).g, "house") == (), "no Regular"
        assert leaders_for(board().leader(RABBAN).g, "leadership") == (), "he has no legion"

    @covers("WFA-Y.41")
    def test_of_two_leaders_on_one_box_the_humans_choose(self) -> None:
        solo = board().leader(HAWAT).leader(GAIUS).deck("house_harkonnen", "polar_cap_factories")
        solo.deck("corrino_ally", "moving_the_battle_group")
        turn(solo, "mentat")
        assert {act.leader for act in solo.legal(ATREIDES, UseSpecial)} == {HAWAT, GAIUS}
        solo.answer(ATREIDES, UseSpecial("mentat", GAIUS))
        assert {fact.card for fact in solo.announced(CardTakesEffect)} == {"moving_the_battle_group"}
        assert solo.g.table[CARD[HAWAT]] != SPENT


class TestWhat:
    @covers("WFA-Y.48")
    def test_rabbans_legion_moves_twice_with_what_made_the_first_move(self) -> None:
        solo = board().legion(HARKONNEN, "imperial_basin", regular=2).leader(RABBAN, "imperial_basin")
        solo.legion(HARKONNEN, "cne_5", regular=5)
        solo.run(SpecialByAutomaton(leader=RABBAN))
        # One of two Regulars finds room in cne_5; he and it go on, the five stay.
        assert solo.figures(HARKONNEN, "imperial_basin") == (1, 0, 0, 0)
        assert solo.figures(HARKONNEN, "cne_5") == (5, 0, 0, 0)
        assert solo.at(HARKONNEN, "cne_6")[:2] == ((1, 0, 0, 0), (RABBAN,))

    @covers("WFA-Y.48")
    def test_rabban_flies_at_most_once_and_at_first(self) -> None:
        solo = board().legion(HARKONNEN, "imperial_basin", regular=2).leader(RABBAN, "imperial_basin")
        solo.ornithopter("z1").ornithopter("z2").run(SpecialByAutomaton(leader=RABBAN))
        while not solo.done:
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        (area,) = solo.g.board.names(solo.g.survey().harkonnen)
        assert solo.g.board.distance_by_air(area, "gara_kulon") == 1, "two areas by air, one on foot"
        assert len(solo.g.zones_with(ORNITHOPTER)) == 1

    @covers("WFA-Y.49")
    def test_feyd_attacks_at_once_if_he_can(self) -> None:
        solo = board().legion(HARKONNEN, "ne_11", regular=1).leader(FEYD, "ne_11")
        solo.run(SpecialByAutomaton(leader=FEYD), until=Battle)
        (battle,) = (frame for frame in solo.g.stack if isinstance(frame, Battle))
        assert (battle.source, battle.target, battle.surprise) == ("ne_11", "gara_kulon", False)

    @covers("WFA-Y.49")
    def test_feyd_moves_and_then_attacks(self) -> None:
        solo = board().legion(HARKONNEN, "cne_8", regular=1).leader(FEYD, "cne_8")
        solo.run(SpecialByAutomaton(leader=FEYD), until=Battle)
        (battle,) = (frame for frame in solo.g.stack if isinstance(frame, Battle))
        assert battle.source in ("shield_wall_east", "cne_9")
        assert battle.target == "gara_kulon"

    @covers("WFA-Y.49")
    def test_feyd_has_no_second_ornithopter(self) -> None:
        solo = board().legion(HARKONNEN, "imperial_basin", regular=1).leader(FEYD, "imperial_basin")
        solo.ornithopter("z1").ornithopter("z2").ornithopter("z4").run(SpecialByAutomaton(leader=FEYD))
        while not solo.done:
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert len(solo.g.zones_with(ORNITHOPTER)) == 2
        assert not solo.hits(), "two areas from the Sietch it would need a flight to attack"

    @covers("WFA-Y.50", "WFA-Y.51")
    @pytest.mark.parametrize(
        ("leader", "deck", "other"),
        [(HAWAT, "house_harkonnen", "corrino_ally"), (GAIUS, "corrino_ally", "house_harkonnen")],
    )
    def test_hawat_and_gaius(self, leader: str, deck: str, other: str) -> None:
        cards = {
            "house_harkonnen": ("polar_cap_factories", "hunter_seeker", "forced_recruitment", "sandmasters"),
            "corrino_ally": ("moving_the_battle_group", "troop_carriers", "breeding_program", "shigawire"),
        }
        solo = board().leader(leader)
        for each, names in cards.items():
            solo.deck(each, *names)
        solo.run(SpecialByAutomaton(leader=leader))
        drawn = [fact.card for fact in solo.announced(CardTakesEffect)]
        assert drawn[:2] == [cards[deck][0], cards[deck][2]], "three are drawn; the second has no effect"
        assert solo.reserve[0] == cards[deck][1]
        assert solo.g.get(f"deck/{deck}") == cards[deck][3:]
        if deck == "house_harkonnen":
            assert len(solo.g.get(f"deck/{other}")) == 4

    @covers("WFA-Y.52")
    def test_aramsham(self) -> None:
        solo = board().village("arrakeen").village("carthag").leader(ARAMSHAM).leader(RABBAN)
        solo.legion(HARKONNEN, "carthag", regular=2).run(SpecialByAutomaton(leader=ARAMSHAM))
        assert solo.at(HARKONNEN, "carthag")[:2] == ((4, 0, 1, 0), (RABBAN,)), "the highest Combat Power"

    @covers("WFA-Y.52")
    def test_mx_30(self) -> None:
        solo = board().village("arrakeen").village("carthag").leader(ARAMSHAM).leader(RABBAN)
        solo.legion(HARKONNEN, "carthag", regular=5).run(SpecialByAutomaton(leader=ARAMSHAM))
        ways = {act.units for act in solo.legal(ATREIDES, BringForces)}
        assert ways == {(1, 0, 0, 0), (0, 0, 1, 0)}
        solo.answer(ATREIDES, BringForces("carthag", (0, 0, 1, 0), (RABBAN,)))
        assert solo.at(HARKONNEN, "carthag")[:2] == ((5, 0, 1, 0), (RABBAN,))
        assert solo.figures(HARKONNEN, "arrakeen") == (2, 0, 0, 0)

    @covers("WFA-Y.53")
    def test_shaddam(self) -> None:
        solo = board().leader(SHADDAM).legion(HARKONNEN, "cne_5", elite=2, regular=1).legion(HARKONNEN, "ne_1", elite=3)
        solo.run(SpecialByAutomaton(leader=SHADDAM))
        assert solo.figures(HARKONNEN, "cne_5") == (1, 0, 2, 0)
        assert solo.figures(HARKONNEN, "ne_1") == (0, 2, 1, 0)
        assert solo.g.whereabouts(SHADDAM) == ASIDE
