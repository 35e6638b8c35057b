"""Named leaders: entering play, taking each other's places, leaving the game, the plots against Thufir Hawat."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import DiscardDown, DiscardForDice, MoveLegion, PlotAgainstHawat, TakeAction
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.roll import Throw, with_leaders
from landsraad_engine.arrakis.leaders.entering import EnterPlay, LeaveGame, described
from landsraad_engine.arrakis.leaders.sets import DESCRIBED
from landsraad_engine.arrakis.movement import MoveLegions
from landsraad_engine.arrakis.muster import deployable
from landsraad_engine.arrakis.round import EndOfRound
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.tracks import AdvanceMarker, GainSupremacy
from landsraad_engine.kernel.execution import plays
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, loss

EDITIONS = ("exclusive", "v1_1", "preview_2022")
LATER = ("exclusive", "v1_1")


def shown(war: War, leader: str) -> tuple[str | None, str | None]:
    """Where a leader's figure is, and which side of the card shows."""
    return war.g.whereabouts(leader), war.g.table.get(f"card/{leader}")


def aside(war: War, *leaders: str) -> War:
    for leader in leaders:
        war.leader(leader)
    return war


class TestEntering:
    @covers("WFA-L.2", "WFA-L.35")
    def test_the_card_is_laid_face_up_and_the_figure_set_aside_for_deployment(self) -> None:
        war = War()
        assert not war.g.in_play("chani")
        war.run(EnterPlay(leader="chani"))
        assert shown(war, "chani") == ("aside", "ready")
        assert war.g.in_play("chani")
        assert "chani" in deployable(war.g, ATREIDES)

    @covers("WFA-L.35", "WFA-Q.26")
    def test_nobody_enters_twice_nor_comes_back_from_outside_the_game(self) -> None:
        war = War().leader("chani", "tank/1", card="spent").run(EnterPlay(leader="chani"))
        assert shown(war, "chani") == ("tank/1", "spent")
        war = War().put("figure/beast_rabban", "gone").run(EnterPlay(leader="beast_rabban"))
        assert shown(war, "beast_rabban") == ("gone", None)
        assert not war.g.in_play("beast_rabban")

    @covers("WFA-L.35")
    def test_a_leader_is_in_play_on_the_board_aside_and_in_the_tank(self) -> None:
        for place in ("se_1", "aside", "tank/2", "leaving"):
            assert War().put("figure/chani", place).g.in_play("chani")

    @pytest.mark.parametrize("edition", EDITIONS)
    @covers("WFA-Q.16", "WFA-Q.17", "WFA-Q.18", "WFA-L.15", "WFA-L.18", "WFA-L.20", "WFA-Q.26", "WFA-Q.3")
    def test_each_marker_brings_its_leader_at_step_3_passed_over_or_not(self, edition: str) -> None:
        brings = {
            "jihad": "chani",
            "kwisatz_haderach": "paul_muad_dib",
            "sand_dwellers": "reverend_mother_jessica",
        }
        for marker, leader in brings.items():
            war = War(edition=edition).run(AdvanceMarker(marker=marker, steps=2))
            assert not war.g.in_play(leader)
            war.run(AdvanceMarker(marker=marker, steps=2))
            assert [each for each in brings.values() if war.g.in_play(each)] == [leader]

    @pytest.mark.parametrize("marker", ["jihad", "kwisatz_haderach", "sand_dwellers"])
    @covers("WFA-Q.19", "WFA-L.17", "WFA-Q.26")
    def test_the_first_marker_at_step_6_brings_alia(self, marker: str) -> None:
        war = War().put(f"marker/{marker}", 5).run(AdvanceMarker(marker=marker, steps=1))
        assert shown(war, "alia") == ("aside", "ready")
        war.put("card/alia", "spent").markers(jihad=5).run(AdvanceMarker(marker="jihad", steps=1))
        assert shown(war, "alia") == ("aside", "spent"), "it happens once"

    @pytest.mark.parametrize("edition", LATER)
    @covers("WFA-L.6", "WFA-Q.26")
    def test_supremacy_brings_hawat_at_1_and_feyd_at_6(self, edition: str) -> None:
        war = War(edition=edition).run(GainSupremacy(points=1))
        assert shown(war, "thufir_hawat") == ("aside", "ready")
        war.run(GainSupremacy(points=4))
        assert not war.g.in_play("feyd_rautha")
        war.run(GainSupremacy(points=1))
        assert shown(war, "feyd_rautha") == ("aside", "ready")

    @covers("WFA-L.7", "WFA-L.11", "WFA-U.3")
    def test_in_2022_with_two_players_supremacy_brings_feyd_alone(self) -> None:
        war = War(edition="preview_2022").run(GainSupremacy(points=9))
        entered = [leader for leader in war.g.content.leader if war.g.in_play(leader)]
        assert entered == ["feyd_rautha"]

    @covers("WFA-L.7", "WFA-L.6")
    def test_each_leader_is_described_by_a_statement_of_the_edition(self) -> None:
        for edition in EDITIONS:
            war = War(edition=edition)
            named = set(war.g.content.leader)
            assert named - {"feyd_rautha_alternative"} == set(DESCRIBED)
        assert described(War().g, "thufir_hawat") == "WFA-L.6"
        assert described(War(edition="preview_2022").g, "thufir_hawat") == "WFA-L.7"

    @covers("WFA-L.1")
    def test_in_2022_who_has_entered_stays(self) -> None:
        content = War(edition="preview_2022").g.content
        assert not [leader for leader in content.leader.values() if leader.removes]


class TestReplacing:
    def jessica(self, place: str, card: str, **options: Any) -> War:
        war = War(**options).leader("lady_jessica", place, card=card)
        return war.markers(sand_dwellers=2)

    @pytest.mark.parametrize("place", ["se_1", "aside", "tank/1", "leaving"])
    @pytest.mark.parametrize("card", ["ready", "spent"])
    @covers("WFA-L.23", "WFA-L.24")
    def test_the_new_jessica_is_where_the_old_one_was_and_her_card_as_it_was(self, place: str, card: str) -> None:
        war = self.jessica(place, card).run(AdvanceMarker(marker="sand_dwellers", steps=1))
        assert shown(war, "reverend_mother_jessica") == (place, card)
        assert shown(war, "lady_jessica") == ("gone", None)

    @covers("WFA-L.23", "WFA-L.24")
    def test_paul_muad_dib_takes_the_place_of_paul(self) -> None:
        war = War().legion(ATREIDES, "se_1", regular=1, named=("paul_atreides",)).put("card/paul_atreides", "spent")
        war.markers(kwisatz_haderach=2).run(AdvanceMarker(marker="kwisatz_haderach", steps=1))
        assert war.at(ATREIDES, "se_1").named == ("paul_muad_dib",)
        assert shown(war, "paul_muad_dib") == ("se_1", "spent")
        assert not war.g.in_play("paul_atreides")

    @covers("WFA-L.25")
    def test_a_card_that_names_a_persona_means_either(self) -> None:
        war = War().put("figure/lady_jessica", "se_1")
        assert (war.g.bearer("jessica"), war.g.in_play("jessica")) == ("lady_jessica", True)
        war.put("figure/lady_jessica", "gone").put("figure/reverend_mother_jessica", "aside")
        assert (war.g.bearer("jessica"), war.g.in_play("jessica")) == ("reverend_mother_jessica", True)

    @covers("WFA-L.25", "WFA-L.24")
    def test_an_action_for_pauls_legion_goes_on_with_muad_dib(self) -> None:
        war = War().legion(ATREIDES, "se_1", regular=1, named=("paul_muad_dib",)).put("figure/paul_atreides", "gone")
        war.run(MoveLegions(seat=war.atreides, count=1, holding="paul_atreides"))
        moves = war.legal(ATREIDES, MoveLegion)
        assert moves
        assert {act.leaders for act in moves} == {("paul_muad_dib",)}


class TestLeaving:
    @pytest.mark.parametrize("edition", LATER)
    @covers("WFA-L.28", "WFA-L.5")
    def test_feyd_enters_and_rabban_leaves_wherever_he_is(self, edition: str) -> None:
        war = War(edition=edition).legion(HARKONNEN, "carthag", regular=1, named=("beast_rabban",))
        war.put("card/beast_rabban", "ready").put("supremacy", 5).run(GainSupremacy(points=1))
        assert shown(war, "beast_rabban") == ("gone", None)
        assert war.figures(HARKONNEN, "carthag") == (1, 0, 0, 0)
        tank = aside(War(edition=edition)).put("figure/beast_rabban", "tank/2").run(EnterPlay(leader="feyd_rautha"))
        assert shown(tank, "beast_rabban") == ("gone", None)

    @covers("WFA-L.29", "WFA-L.1")
    def test_in_2022_rabban_stays_beside_feyd(self) -> None:
        war = aside(War(edition="preview_2022"), "beast_rabban").put("supremacy", 5).run(GainSupremacy(points=1))
        assert shown(war, "feyd_rautha") == shown(war, "beast_rabban") == ("aside", "ready")

    @pytest.mark.parametrize("edition", LATER)
    @covers("WFA-L.9", "WFA-D.14", "WFA-L.26")
    def test_when_hawat_leaves_gaius_enters_and_brings_a_bene_gesserit_token(self, edition: str) -> None:
        war = aside(War(edition=edition), "thufir_hawat").put("bene_gesserit/reserve", (0, 4))
        war.run(LeaveGame(leader="thufir_hawat"))
        assert shown(war, "gaius_helen_mohiam") == ("aside", "ready")
        assert war.g.get("bene_gesserit/harkonnen") == (0, 1)
        assert war.g.get("bene_gesserit/reserve") == (0, 3)

    @covers("WFA-D.14")
    def test_an_empty_reserve_gives_no_token(self) -> None:
        war = War().run(EnterPlay(leader="gaius_helen_mohiam"))
        assert war.g.get("bene_gesserit/harkonnen") == (0, 0)


class TestPlots:
    def war(self, copies: int = 2, **options: Any) -> War:
        war = aside(War(**options), "thufir_hawat").hand(HARKONNEN, *["hawats_scheming"] * copies)
        return war.dice(HARKONNEN, mentat=1).dice(ATREIDES, mentat=1)

    def plots(self, war: War, side: str = HARKONNEN) -> set[int]:
        """How many cards may be discarded against Hawat now."""
        open_ = plays(war.g, war.seat(side)).enumerate()
        return {act.cards for act in open_ if isinstance(act, PlotAgainstHawat)}

    @pytest.mark.parametrize("place", ["carthag", "aside", "tank/3"])
    @covers("WFA-L.26", "WFA-C.16", "WFA-D.14")
    def test_two_or_three_cards_remove_hawat_wherever_he_is_as_a_free_action(self, place: str) -> None:
        war = self.war(3).put("figure/thufir_hawat", place).run(ActionTurn(side=HARKONNEN))
        assert self.plots(war) == {2, 3}
        war.play(HARKONNEN, PlotAgainstHawat(2))
        assert shown(war, "thufir_hawat") == ("gone", None)
        assert shown(war, "gaius_helen_mohiam") == ("aside", "ready")
        assert war.g.hand(war.harkonnen) == ("hawats_scheming",)
        assert war.g.table["discard/house_harkonnen"] == ("hawats_scheming",) * 2
        assert war.where == "ActionTurn.choose", "no action and no die were spent"

    @covers("WFA-L.26")
    def test_one_card_is_not_enough_nor_is_the_other_sides_turn(self) -> None:
        assert not self.plots(self.war(1).run(ActionTurn(side=HARKONNEN)))
        assert not self.plots(self.war(3).run(ActionTurn(side=ATREIDES)))
        assert not self.plots(self.war(3).run(ActionTurn(side=HARKONNEN)), ATREIDES)

    @covers("WFA-L.26")
    def test_not_while_hawat_has_not_entered_play(self) -> None:
        assert not self.plots(self.war().put("figure/thufir_hawat", None).run(ActionTurn(side=HARKONNEN)))

    @covers("WFA-L.27")
    def test_once_hawat_is_out_the_cards_cannot_be_discarded_any_more(self) -> None:
        war = self.war(3).put("figure/thufir_hawat", "gone").run(ActionTurn(side=HARKONNEN))
        assert not self.plots(war)
        assert war.g.discardable(war.harkonnen) == ()

    @covers("WFA-C.16", "WFA-L.27")
    def test_they_are_not_discarded_for_dice_nor_down_to_the_hand_limit(self) -> None:
        war = self.war(3).hand(HARKONNEN, *["hawats_scheming"] * 3, "forced_recruitment")
        war.legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=1).clash()
        assert set(war.legal(HARKONNEN)) == {DiscardForDice(()), DiscardForDice(("forced_recruitment",))}
        war = War().hand(HARKONNEN, *["hawats_scheming"] * 3, "forced_recruitment", "arsunt_legion", "sandmasters")
        war.put("hand/corrino_ally/0", ("crysknife", "shigawire")).run(EndOfRound())
        assert war.where == "EndOfRound.hand_limit"
        given_up = {card for act in war.legal(HARKONNEN, DiscardDown) for card in act.cards}
        assert "hawats_scheming" not in given_up

    @covers("WFA-F.2")
    def test_without_the_corrections_not_in_the_midst_of_an_action(self) -> None:
        for faq in (True, False):
            war = self.war(2, faq=faq).legion(HARKONNEN, "carthag", regular=1).dice(HARKONNEN, strategy=1)
            war.run(ActionTurn(side=HARKONNEN)).answer(HARKONNEN, TakeAction("strategy", "move"))
            assert self.plots(war) == ({2} if faq else set())

    @covers("WFA-L.26", "WFA-L.7", "WFA-C.16")
    def test_in_2022_the_card_is_played_like_others_and_nobody_plots(self) -> None:
        war = self.war(3, edition="preview_2022").run(ActionTurn(side=HARKONNEN))
        assert not self.plots(war)
        assert war.g.discardable(war.harkonnen) == ("hawats_scheming",) * 3


class TestCombat:
    """What one Special becomes, leader by leader."""

    ABILITIES = (
        ("baron_harkonnen", 0, 2),
        ("beast_rabban", 2, 0),
        ("feyd_rautha", 2, 1),
        ("thufir_hawat", 1, 2),
        ("captain_aramsham", 1, 1),
        ("gaius_helen_mohiam", 0, 3),
        ("emperor_shaddam_iv", 2, 0),
        ("paul_atreides", 1, 0),
        ("lady_jessica", 0, 1),
        ("reverend_mother_jessica", 0, 2),
        ("gurney_halleck", 2, 1),
        ("alia", 1, 0),
        ("paul_muad_dib", 2, 1),
        ("stilgar", 2, 0),
        ("chani", 1, 1),
    )

    @pytest.mark.parametrize("edition", EDITIONS)
    @pytest.mark.parametrize(("leader", "hits", "shields"), ABILITIES, ids=[row[0] for row in ABILITIES])
    @covers("WFA-L.3", "WFA-L.4", "WFA-L.5", "WFA-L.6", "WFA-L.8", "WFA-L.9", "WFA-L.10", "WFA-L.13", "WFA-L.14")
    @covers("WFA-L.15", "WFA-L.16", "WFA-L.17", "WFA-L.18", "WFA-L.19", "WFA-L.20", "WFA-B.17")
    def test_what_one_special_becomes(self, edition: str, leader: str, hits: int, shields: int) -> None:
        war = War(edition=edition)
        side = HARKONNEN if war.g.leader(leader).side in ("house_harkonnen", "corrino_ally") else ATREIDES
        assert with_leaders(war.g, side, Throw(0, 0, 1), 0, (leader,)) == Throw(hits, shields, 0)

    @covers("WFA-L.12", "WFA-L.21", "WFA-B.16")
    def test_bashars_and_naibs_make_a_hit_of_a_special_and_have_no_special_action(self) -> None:
        war = War()
        for side, leader, figures in ((HARKONNEN, "bashar", 6), (ATREIDES, "naib", 12)):
            assert with_leaders(war.g, side, Throw(0, 0, 2), 2, ()) == Throw(2, 0, 0)
            assert war.g.leader(leader).special == ()
            assert war.g.supply(side)[3] == figures

    @covers("WFA-L.35", "WFA-T.2")
    def test_a_leader_who_falls_is_still_in_play(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2, named=("beast_rabban",))
        war.run(Casualties(side=HARKONNEN, area="carthag", hits=1, seats=(war.harkonnen,)))
        war.answer(HARKONNEN, loss(named=("beast_rabban",)))
        assert war.g.whereabouts("beast_rabban") == "tank/0"
        assert war.g.in_play("beast_rabban")
