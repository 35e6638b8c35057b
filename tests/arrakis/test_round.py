"""The round: its start and end, leaders exchanged, cards restored, hand limit, the last round."""

from typing import Any

import pytest

from landsraad_engine.arrakis.acts import DiscardDown, ExchangeLeaders
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.round import EndOfRound, LeaderExchange, Round
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import DECKS
from landsraad_engine.play.bot import RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War


class TestStart:
    def war(self) -> War:
        war = War().dice(HARKONNEN, pool=8).dice(ATREIDES, pool=4)
        war.put("prescience_deck", tuple(war.g.content.prescience_card))
        for deck in DECKS:
            war.put(f"deck/{deck}", war.g.content.deck(deck))
        return war

    @covers("WFA-R.2")
    def test_each_side_draws_a_card_from_each_of_its_decks(self) -> None:
        war = self.war().run(Round())
        assert [len(war.g.table[f"hand/{deck}/{seat}"]) for seat in range(2) for deck in war.g.powers(seat)] == [1] * 4

    @covers("WFA-R.3", "WFA-Q.14")
    def test_three_prescience_cards_are_turned_up_or_as_many_as_there_are(self) -> None:
        war = self.war().run(Round())
        assert len(war.g.table["prescience_row"]) == 3
        war = self.war().put("prescience_deck", ("sihaya",)).run(Round())
        assert war.g.table["prescience_row"] == ("sihaya",)

    @covers("WFA-R.1")
    def test_phases_follow_each_other(self) -> None:
        steps = list(Round.STEPS)
        phases = ["vehicle_placement", "action_resolution", "desert_hazards", "spice_harvesting", "end"]
        assert [name for name in steps if name in phases] == phases

    @covers("WFA-R.1", "WFA-R.2")
    def test_what_happened_in_the_last_round_is_over(self) -> None:
        war = self.war().put("tally/token_revealed", (2, 3, 4)).put("won/round", (("attacker", ()),)).run(Round())
        assert war.g.table["tally/token_revealed"] == (0, 0, 4)
        assert "won/round" not in war.g.table


class TestEnd:
    @covers("WFA-R.4", "WFA-R.6", "WFA-R.14")
    def test_its_order(self) -> None:
        assert list(EndOfRound.STEPS) == [
            "claims",
            "objective",
            "before_air_vehicles_leave",
            "air_vehicles_off",
            "harkonnen_exchange",
            "atreides_exchange",
            "other_exchanges",
            "restore_leader_cards",
            "hand_limit",
            "unclaimed_cards",
            "dice_back",
        ]

    @pytest.mark.parametrize("edition", ["exclusive", "v1_1", "preview_2022"])
    @covers("WFA-R.6")
    def test_editions_differ_in_the_check_of_the_objective_only(self, edition: str) -> None:
        overlay = ARRAKIS.overlay(ARRAKIS.parse_options({"edition": edition}, 2))
        replaced = {step for frame, step in overlay if frame == "EndOfRound"}
        assert replaced == ({"objective"} if edition == "preview_2022" else set()), "2022 has no check of it here"

    @covers("WFA-R.5")
    def test_ornithopters_and_carryalls_go_off_the_board(self) -> None:
        war = War().ornithopter("z1").carryall("z2").run(EndOfRound())
        assert war.g.table["vehicles"] == (8, 6, 3)

    @covers("WFA-R.11")
    def test_spent_leader_cards_are_restored(self) -> None:
        war = War().leader("stilgar", card="spent")
        war.leader("beast_rabban", "tank/1", card="spent").run(EndOfRound())
        assert war.g.has_special("stilgar")
        assert war.g.table["card/beast_rabban"] == "ready"
        assert not war.g.has_special("beast_rabban"), "it stays off the dashboard while he is in the tank"

    @covers("WFA-R.12", "WFA-A.33")
    def test_both_sides_discard_down_to_six_at_once(self) -> None:
        cards = ("sandmasters", "spotter_control", "forced_recruitment", "arsunt_legion", "harkonnen_patrols")
        war = War().hand(HARKONNEN, *cards, "troop_carriers", "shigawire", "sardaukar_pogrom")
        war.hand(ATREIDES, *["shai_hulud"] * 3, "war_plan", "the_voice", "crysknife", "thumpers")
        war.run(EndOfRound())
        assert war.asked == (HARKONNEN, ATREIDES)
        war.refused(HARKONNEN, DiscardDown(("sandmasters",)))
        war.answer(HARKONNEN, DiscardDown(("sandmasters", "shigawire")))
        assert "discard/corrino_ally" not in war.g.table, "nothing shows before the other has chosen"
        war.answer(ATREIDES, DiscardDown(("shai_hulud",)))
        assert war.g.table["discard/corrino_ally"] == ("shigawire",)
        assert len(war.g.hand(0)) == len(war.g.hand(1)) == 6

    @covers("WFA-R.14")
    def test_dice_go_back(self) -> None:
        war = War().dice(ATREIDES, house=1).put("dice/sietch_tabr/used", (3, 0)).put("dice/giedi_prime/locked", (2, 0))
        war.run(EndOfRound())
        assert war.g.get("dice/sietch_tabr/pool") == (4, 0)
        assert war.g.get("dice/giedi_prime/pool") == (2, 0)


class TestLeaderExchange:
    def war(self, **options: Any) -> War:
        war = War(**options).legion(HARKONNEN, "carthag", regular=2, named=("beast_rabban", "baron_harkonnen"))
        war.put("supply/harkonnen", (22, 12, 8, 1))
        return war.run(LeaderExchange(side=HARKONNEN))

    @covers("WFA-R.8")
    def test_any_named_leaders_are_taken_off_for_generic_ones(self) -> None:
        war = self.war()
        war.answer(HARKONNEN, ExchangeLeaders(("beast_rabban",)))
        assert war.g.whereabouts("beast_rabban") == "aside"
        assert war.at(HARKONNEN, "carthag") == ((2, 0, 0, 1), ("baron_harkonnen",), ())

    @covers("WFA-R.9")
    def test_even_if_no_generic_leader_is_left(self) -> None:
        war = self.war()
        war.answer(HARKONNEN, ExchangeLeaders(("baron_harkonnen", "beast_rabban")))
        assert war.at(HARKONNEN, "carthag") == ((2, 0, 0, 1), (), ())

    @covers("WFA-R.9")
    def test_their_owner_says_where_too_few_generic_leaders_come(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1, named=("baron_harkonnen",))
        war.legion(HARKONNEN, "arsunt", regular=1, named=("beast_rabban",)).put("supply/harkonnen", (22, 12, 8, 1))
        war.run(LeaderExchange(side=HARKONNEN))
        war.answer(HARKONNEN, ExchangeLeaders(("baron_harkonnen", "beast_rabban")))
        war.answer(HARKONNEN, ExchangeLeaders(("beast_rabban",)))
        assert war.done
        assert war.at(HARKONNEN, "carthag") == ((1, 0, 0, 0), (), ())
        assert war.at(HARKONNEN, "arsunt") == ((1, 0, 0, 1), (), ())

    @pytest.mark.parametrize("options", [{"faq": False}, {"edition": "preview_2022"}])
    @covers("WFA-R.10")
    def test_older_books_know_only_a_replacement(self, options: dict[str, Any]) -> None:
        war = self.war(**options)
        war.refused(HARKONNEN, ExchangeLeaders(("baron_harkonnen", "beast_rabban")))
        assert war.options(HARKONNEN).contains(ExchangeLeaders(("beast_rabban",)))

    @covers("WFA-R.8")
    def test_first_the_harkonnen_then_the_atreides(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1, named=("beast_rabban",))
        war.legion(ATREIDES, "se_1", regular=1, named=("stilgar",)).run(EndOfRound())
        assert war.asked == (HARKONNEN,)
        war.answer(HARKONNEN, ExchangeLeaders(()))
        assert war.asked == (ATREIDES,)


class TestTheLastRound:
    @covers("WFA-U.4", "WFA-U.5")
    def test_after_the_last_round_nobody_wins(self) -> None:
        match = Match(ARRAKIS, 2, {"round_limit": 1}, orders=standing(2), record=False)
        play_out(match, [RandomBot(1), RandomBot(2)])
        assert match.result == ("round_limit", ())
        assert match.g.table["round"] == 1
