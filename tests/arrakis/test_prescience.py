"""Prescience cards: when they may be claimed, what that takes and gives, what becomes of the others."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    ChangeResult,
    Claim,
    ClaimForDie,
    DiscardCards,
    Done,
    GiveUpForces,
    RemovePrescience,
    RevealTokens,
    Scout,
    TakeAction,
)
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.content import load
from landsraad_engine.arrakis.editions.preview_2022 import EDITION as PREVIEW
from landsraad_engine.arrakis.operations.vocabulary import AdvanceMarkerRow
from landsraad_engine.arrakis.prescience import ClaimCard, ClaimMoment, UnclaimedCards, claimable
from landsraad_engine.arrakis.round import EndOfRound, Round
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.kernel.execution import plays
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, loss

EDITIONS = ("exclusive", "v1_1", "preview_2022")
LATER = ("exclusive", "v1_1")
PAUL = "paul_drinks_the_water_of_life"
FAMILIES = "families_flee_to_the_palmaries_of_the_south"
BENE_GESSERIT = "bene_gesserit_atreides"
MAHDI = "the_fremen_call_paul_the_mahdi"
TOKENS = ("atreides_starting_1", "atreides_starting_2", "atreides_starting_3")


def revealed(*cards: str, **options: Any) -> War:
    """These cards lie revealed; a die of each side is left."""
    return War(**options).lay("prescience_row", *cards).dice(HARKONNEN, mentat=1).dice(ATREIDES, mentat=1)


def markers(war: War) -> tuple[int, int, int]:
    return war.g.marker("kwisatz_haderach"), war.g.marker("sand_dwellers"), war.g.marker("jihad")


def promised(card: str) -> tuple[int, ...]:
    """What a card brings each marker, as the content says: rewards are tuned, and none of them is printed."""
    rewards = [row for row in load().prescience_card[card].rewards if isinstance(row, AdvanceMarkerRow)]
    return tuple(sum(row.steps for row in rewards if row.marker == marker) for marker in MARKERS)


def open_claims(war: War, side: str = ATREIDES) -> set[str]:
    """The cards that a side may claim out of turn."""
    return {act.card for act in plays(war.g, war.seat(side)).enumerate() if isinstance(act, Claim)}


class TestActionResolutionCards:
    @pytest.mark.parametrize("side", [ATREIDES, HARKONNEN])
    @covers("WFA-Q.5", "WFA-Q.10", "WFA-Q.1")
    def test_they_are_claimed_in_either_sides_turn_as_soon_as_their_demands_are_met(self, side: str) -> None:
        war = revealed("holders_of_the_minor_erg").legion(ATREIDES, "harg_pass", regular=1).run(ActionTurn(side=side))
        assert open_claims(war) == set()
        war.legion(ATREIDES, "cne_7", tokens=TOKENS[:1]).again()
        assert open_claims(war) == {"holders_of_the_minor_erg"}
        assert open_claims(war, HARKONNEN) == set()
        war.play(ATREIDES, Claim("holders_of_the_minor_erg"))
        assert markers(war) == promised("holders_of_the_minor_erg") != (0, 0, 0)
        assert war.where == "ActionTurn.choose"

    @covers("WFA-Q.5", "WFA-Q.11", "WFA-Q.25")
    def test_at_the_end_of_each_turn_they_are_offered_and_need_not_be_taken(self) -> None:
        war = revealed("holders_of_the_minor_erg")
        war.legion(ATREIDES, "harg_pass", regular=1).legion(ATREIDES, "cne_7", regular=1)
        war.run(ActionTurn(side=HARKONNEN)).answer(HARKONNEN, TakeAction("mentat", "mentat"))
        assert set(war.legal(ATREIDES)) == {Claim("holders_of_the_minor_erg"), Done()}
        war.answer(ATREIDES, Done())
        war.run(ActionTurn(side=ATREIDES))
        assert open_claims(war) == {"holders_of_the_minor_erg"}, "later in the phase it may still be claimed"

    @pytest.mark.parametrize("edition", LATER)
    @covers("WFA-Q.6", "WFA-Q.5")
    def test_cards_of_the_end_of_the_round_are_not_claimed_before_nor_the_reverse(self, edition: str) -> None:
        war = revealed("shai_hulud_answers", "holders_of_the_minor_erg", edition=edition)
        war.worm("se_2").worm("se_4").legion(ATREIDES, "harg_pass", regular=1).legion(ATREIDES, "cne_7", regular=1)
        war.run(ActionTurn(side=ATREIDES))
        assert open_claims(war) == {"holders_of_the_minor_erg"}
        war = revealed("shai_hulud_answers", "holders_of_the_minor_erg", edition=edition)
        war.worm("se_2").worm("se_4").legion(ATREIDES, "harg_pass", regular=1).legion(ATREIDES, "cne_7", regular=1)
        war.run(EndOfRound())
        assert set(war.legal(ATREIDES)) == {Claim("shai_hulud_answers"), Done()}
        war.answer(ATREIDES, Claim("shai_hulud_answers"))
        assert markers(war) == promised("shai_hulud_answers") != (0, 0, 0)

    @covers("WFA-Q.6")
    def test_once_the_end_of_the_round_has_gone_on_it_is_too_late(self) -> None:
        war = revealed("shai_hulud_answers").worm("se_2").worm("se_4").run(EndOfRound()).answer(ATREIDES, Done())
        assert war.where == "UnclaimedCards.choose"
        assert open_claims(war) == set()

    @covers("WFA-Q.7", "WFA-X.16")
    def test_in_2022_any_card_may_be_claimed_as_soon_as_its_demands_are_met(self) -> None:
        war = revealed("shai_hulud_answers", "holders_of_the_minor_erg", edition="preview_2022")
        war.worm("se_2").worm("se_4").legion(ATREIDES, "harg_pass", regular=1).legion(ATREIDES, "cne_7", regular=1)
        for side in (HARKONNEN, ATREIDES):
            war.run(ActionTurn(side=side))
            assert open_claims(war) == {"shai_hulud_answers", "holders_of_the_minor_erg"}
        war.run(UnclaimedCards())
        assert open_claims(war), "in whatever phase"

    @covers("WFA-Q.12")
    def test_numbers_mean_at_least(self) -> None:
        war = revealed("holders_of_the_minor_erg").legion(ATREIDES, "harg_pass", regular=3)
        war.legion(ATREIDES, "cne_7", elite=2).legion(ATREIDES, "cne_8", regular=1).run(ActionTurn(side=ATREIDES))
        assert open_claims(war) == {"holders_of_the_minor_erg"}

    @covers("WFA-H.57", "WFA-Q.7")
    def test_no_card_is_claimed_between_a_hit_and_its_casualty(self) -> None:
        war = revealed("death_commandos_gather", edition="preview_2022").legion(ATREIDES, "ne_3", special=2)
        war.legion(HARKONNEN, "hagga_basin", regular=4).legion(ATREIDES, "splintered_rock", regular=3, elite=1)
        war.rolls("combat/harkonnen", *["hit"] * 4).rolls("combat/atreides", "shield", "hit", "hit", "hit")
        war.clash(HARKONNEN, "hagga_basin", "splintered_rock")
        assert war.where == "Casualties.choose"
        assert open_claims(war) == set(), "its reward could set off the Atomics below them"
        war.answer(ATREIDES, loss(regular=2, elite=1))
        assert open_claims(war) == {"death_commandos_gather"}


class TestLimit:
    def three(self, **options: Any) -> War:
        cards = ("holders_of_the_minor_erg", "wreckage_in_the_sand", "shai_hulud_answers")
        war = revealed(*cards, **options).worm("se_2").worm("se_4").put("tally/harvester_removed", (2, 2, 2))
        return war.legion(ATREIDES, "harg_pass", regular=1).legion(ATREIDES, "cne_7", regular=1)

    @pytest.mark.parametrize("edition", EDITIONS)
    @covers("WFA-Q.4")
    def test_two_cards_a_round_in_all_phases_together(self, edition: str) -> None:
        war = self.three(edition=edition).run(ClaimMoment(phase="action_resolution"))
        war.answer(ATREIDES, Claim("holders_of_the_minor_erg")).answer(ATREIDES, Claim("wreckage_in_the_sand"))
        assert war.done
        assert claimable(war.g, war.atreides, "end_of_round") == ()

    @covers("WFA-Q.4", "WFA-R.13")
    def test_the_next_round_they_may_claim_two_again(self) -> None:
        war = self.three().put("claims", ("sihaya", "razzia"))
        war.run(UnclaimedCards()).answer(ATREIDES, RemovePrescience(()))
        assert "claims" not in war.g.table

    @covers("WFA-Q.13")
    def test_claimed_cards_leave_the_game(self) -> None:
        war = self.three().run(ClaimMoment(phase="end_of_round")).answer(ATREIDES, Claim("shai_hulud_answers"))
        war.run(UnclaimedCards()).answer(ATREIDES, RemovePrescience(()))
        assert war.g.table["prescience_claimed"] == ("shai_hulud_answers",)
        assert set(war.g.table["prescience_deck"]) == {"holders_of_the_minor_erg", "wreckage_in_the_sand"}


class TestSpendingADie:
    def paul(self, area: str = "se_1", **options: Any) -> War:
        war = revealed(PAUL, **options).legion(ATREIDES, area, regular=1, leader=1, named=("paul_atreides",))
        return war.put("card/paul_atreides", "ready")

    @pytest.mark.parametrize("edition", LATER)
    @covers("WFA-Q.8", "WFA-X.13", "WFA-Q.9", "WFA-T.2")
    def test_any_unused_die_is_spent_paul_goes_to_the_tank_and_the_card_is_claimed(self, edition: str) -> None:
        war = self.paul(edition=edition).dice(ATREIDES, mentat=1, house=1).run(ActionTurn(side=ATREIDES))
        assert set(war.legal(ATREIDES, ClaimForDie)) == {ClaimForDie("mentat", PAUL), ClaimForDie("house", PAUL)}
        assert open_claims(war) == set(), "it is claimed as the turn's action only"
        war.answer(ATREIDES, ClaimForDie("house", PAUL))
        assert war.g.in_tank("paul_atreides") or war.g.in_tank("paul_muad_dib")
        assert markers(war) == promised(PAUL) != (0, 0, 0)
        assert war.g.get("dice/sietch_tabr/used") == (1, 0)
        assert war.done, "the die has no other effect"

    @covers("WFA-X.14", "WFA-Q.8")
    def test_so_it_is_in_2022(self) -> None:
        war = self.paul(edition="preview_2022").run(ActionTurn(side=ATREIDES))
        war.answer(ATREIDES, ClaimForDie("mentat", PAUL))
        assert war.g.whereabouts("paul_muad_dib") == "tank/1", "the tank has moved at the end of the turn"
        assert war.g.table["prescience_claimed"] == (PAUL,)

    @covers("WFA-X.13", "WFA-L.24", "WFA-Q.17")
    def test_paul_muad_dib_takes_the_place_of_paul_in_the_tank(self) -> None:
        war = self.paul().run(ClaimCard(seat=1, card=PAUL))
        assert war.g.whereabouts("paul_muad_dib") == "tank/0"

    @covers("WFA-X.13")
    def test_not_from_a_sector_with_a_harkonnen_legion_nor_from_elsewhere_than_the_board(self) -> None:
        for war in (
            self.paul().legion(HARKONNEN, "se_8", regular=1),
            self.paul().put("figure/paul_atreides", "aside"),
            self.paul().put("figure/paul_atreides", "tank/1"),
            self.paul().put("claims", ("sihaya", "razzia")),
        ):
            war.run(ActionTurn(side=ATREIDES))
            assert not war.legal(ATREIDES, ClaimForDie)
        war = self.paul().legion(HARKONNEN, "ne_1", regular=1).run(ActionTurn(side=ATREIDES))
        assert war.legal(ATREIDES, ClaimForDie), "that is another sector"

    @covers("WFA-L.25")
    def test_either_paul_will_do(self) -> None:
        war = self.paul().put("figure/paul_atreides", "gone").put("figure/paul_muad_dib", "se_1")
        war.markers(kwisatz_haderach=3).run(ActionTurn(side=ATREIDES))
        war.answer(ATREIDES, ClaimForDie("mentat", PAUL))
        assert war.g.in_tank("paul_muad_dib")
        assert markers(war) == (6, 0, 0)

    @covers("WFA-Q.8")
    def test_without_a_die_there_is_no_such_claim(self) -> None:
        war = self.paul().dice(ATREIDES, mentat=0).run(ActionTurn(side=ATREIDES))
        assert not war.legal(ATREIDES, ClaimForDie)


class TestDeeds:
    def families(self, **options: Any) -> War:
        war = revealed(FAMILIES, **options).sietch("tasmin_sink").sietch("gara_kulon").sietch("windgap")
        war.legion(ATREIDES, "tasmin_sink", regular=1, elite=1, leader=1)
        war.legion(ATREIDES, "gara_kulon", regular=1, tokens=TOKENS[:2])
        return war.legion(ATREIDES, "windgap", regular=3, elite=1)

    @pytest.mark.parametrize("edition", EDITIONS)
    @covers("WFA-Q.9", "WFA-S.27")
    def test_forces_are_given_up_in_one_outer_sietch(self, edition: str) -> None:
        war = self.families(edition=edition).run(ActionTurn(side=ATREIDES)).play(ATREIDES, Claim(FAMILIES))
        assert set(war.legal(ATREIDES)) == {
            GiveUpForces("tasmin_sink", (1, 1, 0), ()),
            GiveUpForces("gara_kulon", (0, 0, 0), TOKENS[:1]),
            GiveUpForces("gara_kulon", (0, 0, 0), TOKENS[1:2]),
        }
        war.answer(ATREIDES, GiveUpForces("tasmin_sink", (1, 1, 0), ()))
        assert war.figures(ATREIDES, "tasmin_sink") == (0, 0, 0, 0), "the Naib is left alone and goes, too"
        assert markers(war) == promised(FAMILIES) != (0, 0, 0)

    @covers("WFA-Q.9", "WFA-S.20")
    def test_a_token_given_up_stays_unseen(self) -> None:
        war = self.families().run(ActionTurn(side=ATREIDES)).play(ATREIDES, Claim(FAMILIES))
        war.answer(ATREIDES, GiveUpForces("gara_kulon", (0, 0, 0), TOKENS[:1]))
        assert war.g.table["tokens_lost"] == TOKENS[:1]
        assert not any(TOKENS[0] in repr(event) for event in war.seen(HARKONNEN))

    @covers("WFA-Q.28", "WFA-Q.9")
    def test_a_token_that_is_owed_is_not_turned_up_instead(self) -> None:
        war = revealed(FAMILIES).sietch("gara_kulon").legion(ATREIDES, "gara_kulon", tokens=("atreides_standard_7",))
        war.run(ActionTurn(side=ATREIDES))
        assert any(choice.act is RevealTokens for choice in plays(war.g, war.atreides).choices)
        war.play(ATREIDES, Claim(FAMILIES))
        assert war.where == "GiveUp.choose"
        assert not plays(war.g, war.atreides).choices, "its one Fedaykin would be no two units"

    @covers("WFA-Q.28", "WFA-D.15")
    def test_in_2022_a_card_that_is_owed_does_not_change_a_die_instead(self) -> None:
        war = revealed("the_narrow_path", edition="preview_2022").hand(ATREIDES, "war_plan", "thumpers", BENE_GESSERIT)
        war.run(ActionTurn(side=ATREIDES))
        assert any(choice.act is ChangeResult for choice in plays(war.g, war.atreides).choices)
        war.play(ATREIDES, Claim("the_narrow_path"))
        assert war.where == "GiveUpCards.choose"
        assert not plays(war.g, war.atreides).choices

    @covers("WFA-Q.9")
    def test_what_cannot_be_done_cannot_be_claimed(self) -> None:
        war = revealed(FAMILIES).sietch("tasmin_sink").legion(ATREIDES, "tasmin_sink", regular=1).sietch("windgap")
        war.legion(ATREIDES, "windgap", regular=4).legion(ATREIDES, "se_1", regular=2).run(ActionTurn(side=ATREIDES))
        assert open_claims(war) == set()

    @covers("WFA-Q.9", "WFA-C.1")
    def test_cards_are_discarded_from_the_hand(self) -> None:
        war = revealed("the_narrow_path").hand(ATREIDES, "war_plan", "the_voice", "thumpers")
        war.run(ClaimMoment(phase="end_of_round")).answer(ATREIDES, Claim("the_narrow_path"))
        war.answer(ATREIDES, DiscardCards(("the_voice", "thumpers", "war_plan")))
        assert war.g.hand(war.atreides) == ()
        assert markers(war) == promised("the_narrow_path") != (0, 0, 0)
        war = revealed("the_narrow_path").hand(ATREIDES, "war_plan", "the_voice")
        assert war.run(ClaimMoment(phase="end_of_round")).done

    @covers("WFA-Q.9", "WFA-F.4")
    def test_a_token_that_is_due_is_not_turned_up_instead(self) -> None:
        war = revealed(FAMILIES).sietch("gara_kulon").legion(ATREIDES, "gara_kulon", tokens=("atreides_standard_7",))
        war.run(ActionTurn(side=ATREIDES)).play(ATREIDES, Claim(FAMILIES))
        war.refused(ATREIDES, RevealTokens("gara_kulon", ("atreides_standard_7",)), play=True)
        assert not any(markers(war))

    @covers("WFA-Q.9", "WFA-D.15")
    def test_nor_does_a_card_that_is_due_change_a_die_instead(self) -> None:
        war = revealed("the_narrow_path", edition="preview_2022").hand(ATREIDES, "hieregs", "thumpers", BENE_GESSERIT)
        war.run(ActionTurn(side=ATREIDES)).play(ATREIDES, Claim("the_narrow_path"))
        war.refused(ATREIDES, ChangeResult(BENE_GESSERIT, "mentat", "house"), play=True)

    @covers("WFA-S.28", "WFA-Q.9")
    def test_units_beyond_the_limit_pay_for_nothing(self) -> None:
        war = revealed(FAMILIES).sietch("gara_kulon").ornithopter("z1")
        war.legion(ATREIDES, "gara_kulon", regular=5, tokens=("atreides_starting_1",)).run(ActionTurn(side=HARKONNEN))
        war.play(HARKONNEN, Scout("z1", "gara_kulon", sietch=True, tokens=True))
        assert war.where == "Settle.stacking"
        war.refused(ATREIDES, Claim(FAMILIES), play=True)

    @covers("WFA-Q.27")
    def test_no_deed_takes_figures_out_of_a_battle(self) -> None:
        war = self.families().legion(HARKONNEN, "se_1", regular=3)
        war.run(ActionTurn(side=HARKONNEN))
        assert open_claims(war) == {FAMILIES}
        war.run(Casualties(side=ATREIDES, area="windgap", hits=1, seats=(war.atreides,)))
        assert open_claims(war) == set()
        war.clash(HARKONNEN, "se_1", "tasmin_sink")
        assert not war.done
        assert open_claims(war) == set()

    @pytest.mark.parametrize("edition", EDITIONS)
    @covers("WFA-X.15", "WFA-Q.9")
    def test_besides_its_action_they_reveal_three_tokens_and_claim_the_card(self, edition: str) -> None:
        war = revealed(MAHDI, edition=edition).legion(ATREIDES, "gara_kulon", tokens=TOKENS)
        war.run(ActionTurn(side=ATREIDES)).play(ATREIDES, RevealTokens("gara_kulon", TOKENS[:2]))
        assert open_claims(war) == set()
        war.play(ATREIDES, RevealTokens("gara_kulon", TOKENS[2:])).play(ATREIDES, Claim(MAHDI))
        assert markers(war) == promised(MAHDI) != (0, 0, 0)
        assert war.legal(ATREIDES, TakeAction), "the action of the turn is still to come"


class TestRow:
    @covers("WFA-R.3", "WFA-Q.14")
    def test_the_deck_is_never_refilled(self) -> None:
        war = War().dice(HARKONNEN, pool=8).dice(ATREIDES, pool=4)
        war.lay("prescience_deck", "sihaya", "razzia").lay("prescience_out", "the_makers_back").run(Round())
        assert set(war.g.table["prescience_row"]) == {"sihaya", "razzia"}

    @pytest.mark.parametrize("edition", EDITIONS)
    @covers("WFA-R.13")
    def test_each_unclaimed_card_leaves_the_game_openly_or_is_shuffled_back(self, edition: str) -> None:
        war = revealed("sihaya", "razzia", "the_makers_back", edition=edition).lay("prescience_deck", "the_desert_war")
        war.run(UnclaimedCards())
        assert len(war.legal(ATREIDES)) == 8
        war.answer(ATREIDES, RemovePrescience(("razzia", "sihaya")))
        assert set(war.g.table["prescience_out"]) == {"razzia", "sihaya"}
        assert set(war.g.table["prescience_deck"]) == {"the_desert_war", "the_makers_back"}
        assert not war.g.table.get("prescience_row")
        assert war.told("shuffle")

    @covers("WFA-R.13")
    def test_with_everything_claimed_nothing_is_asked(self) -> None:
        assert revealed().run(UnclaimedCards()).done


@covers("WFA-U.3", "WFA-Q.7")
def test_the_preview_replaces_no_step_of_claiming() -> None:
    assert not [step for frame, step in PREVIEW.steps if frame in ("ClaimMoment", "ClaimCard", "UnclaimedCards")]
