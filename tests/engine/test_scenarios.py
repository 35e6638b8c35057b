"""The language of scenarios: running on, forks, chance that is fixed, acts by keywords, refusals."""

from collections.abc import Callable

import pytest

from landsraad_engine.dune.acts import Bid, DialStorm, Manoeuvre, Pass, PlayCard, ShipPrivileged
from landsraad_engine.dune.announcements import CardSold, CardsUnsold
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.manoeuvre import ManoeuvrePhase
from landsraad_engine.dune.pieces import ATREIDES, FACTIONS, FREMEN, GUILD, HARKONNEN
from landsraad_engine.dune.setup import Setup
from landsraad_engine.dune.storm import StormRound
from landsraad_engine.dune.whole_game import GameTurn
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.testing import Scenario, position
from landsraad_engine.testing.dune import at_table


def quiet_turn() -> Scenario:
    """A turn of two factions that stand apart and have nothing to play."""
    return position(DUNE, factions=(ATREIDES, GUILD), troops={ATREIDES: {"arrakeen": 5}}, hands={})


class TestRunningOn:
    def test_up_to_a_step_that_asks_its_question_is_open(self) -> None:
        s = quiet_turn().run(GameTurn(), until="CardAuction.bid")
        assert s.where == "CardAuction.bid"
        assert s.asked == (ATREIDES,)
        s.answer(ATREIDES, Bid(1))
        assert s.asked == (GUILD,)

    def test_up_to_a_step_that_does_not_ask_it_has_not_run(self) -> None:
        s = quiet_turn().run(StormRound(), until="StormRound.bonus_markers")
        assert s.where == "StormRound.bonus_markers"
        assert s.asked == ()
        s.put("bonus/harvesters", None)
        assert s.again().done
        assert s.g.has_bonus(ATREIDES, "harvesters") == 1

    @pytest.mark.parametrize("goal", ["BattleRound", "BattleRound.begin"])
    def test_up_to_the_first_step_of_a_frame(self, goal: str) -> None:
        s = quiet_turn().run(GameTurn(), until=goal)
        assert s.where == "BattleRound.begin"
        assert s.until(goal).where == "BattleRound.begin", "it stands there already"
        assert s.until("ControlRound").g.turn == 3

    def test_up_to_an_act_that_is_offered_to_anybody_or_to_one_side(self) -> None:
        s = quiet_turn()
        assert s.fork().run(GameTurn(), until=Bid).asked == (ATREIDES,)
        s.run(GameTurn(), until=Manoeuvre)
        assert s.asked == (ATREIDES,)
        with pytest.raises(AssertionError, match="is over, and Manoeuvre has not come"):
            s.fork().until(Manoeuvre, side=GUILD)
        assert s.until(ShipPrivileged, side=GUILD).asked == (GUILD,)

    def test_up_to_a_condition(self) -> None:
        s = quiet_turn().run(GameTurn(), until=lambda s: len(s.announced(CardSold)) + len(s.announced(CardsUnsold)) > 0)
        assert not s.done

    def test_a_goal_that_does_not_come_is_an_error(self) -> None:
        s = quiet_turn()
        with pytest.raises(AssertionError, match="is over, and Battle has not come"):
            s.run(StormRound(), until="Battle")
        with pytest.raises(AssertionError, match="no frame Bottle"):
            s.until("Bottle")
        with pytest.raises(AssertionError, match="no step bonus; it has"):
            s.until("StormRound.bonus")

    def test_passing_for_some_or_for_all_who_are_asked(self) -> None:
        s = quiet_turn().run(GameTurn(), until=Bid)
        s.passes(ATREIDES)
        assert s.asked == (GUILD,)
        with pytest.raises(AssertionError, match="atreides is not asked"):
            s.passes(ATREIDES)
        assert s.passes().where != "CardAuction.bid"

    def test_a_turn_is_finished(self) -> None:
        assert quiet_turn().run(GameTurn()).finish().done


class TestForks:
    def test_a_fork_goes_its_own_way(self) -> None:
        s = at_table(ATREIDES, GUILD, turn=1).lay("storm_deck", "storm_1").run(StormRound())
        s.rolls("anything", 3)
        twin = s.fork()
        twin.answer(ATREIDES, DialStorm(2)).answer(GUILD, DialStorm(3))
        assert twin.done
        assert twin.g.storm == 5
        assert s.asked == (ATREIDES, GUILD)
        assert s.g.storm == 18
        assert len(s.events) < len(twin.events)
        twin.unfix()
        assert s.chance_left == ("die/anything",)


class TestChance:
    def test_dice_and_picks_come_as_they_are_fixed_and_then_from_the_seed(self) -> None:
        s, plain = at_table(ATREIDES, GUILD), at_table(ATREIDES, GUILD)
        s.rolls("storm", 4, 0).picks("captive", 2)
        assert set(s.chance_left) == {"die/storm", "pick/captive"}
        assert (s.g.roll("storm", 6), s.g.roll("storm", 6), s.g.pick("captive", 3)) == (4, 0, 2)
        assert not s.chance_left
        assert s.g.rolls("storm", 1000, 9) == plain.g.rolls("storm", 1000, 9)

    def test_after_a_shuffle_the_cards_named_are_drawn_first(self) -> None:
        s = at_table(ATREIDES, GUILD).lay("treachery_deck", "hajr", "karama", "shield", "shield", "snooper")
        s.shuffles("treachery_deck", "shield", "karama").g.shuffle("treachery_deck")
        assert s.g.table["treachery_deck"] == ("hajr", "shield", "snooper", "karama", "shield")
        assert s.chance_left == ()

    @pytest.mark.parametrize(
        ("fix", "draw", "message"),
        [
            (
                lambda s: s.rolls("storm", 6),
                lambda s: s.g.roll("storm", 6),
                "6 is fixed, but numbers are drawn below 6",
            ),
            (lambda s: s.rolls("storm", 1), lambda s: s.g.rolls("storm", 6, 2), "2 numbers are drawn, 1 are fixed"),
            (lambda s: s.shuffles("spice_deck", "hajr"), lambda s: s.g.shuffle("spice_deck"), "there is no hajr"),
        ],
    )
    def test_chance_that_cannot_come_is_an_error(
        self, fix: Callable[[Scenario], object], draw: Callable[[Scenario], object], message: str
    ) -> None:
        s = position(DUNE)
        fix(s)
        with pytest.raises(AssertionError, match=message):
            draw(s)

    def test_cards_are_brought_to_the_top_and_dealt_without_a_double(self) -> None:
        s = at_table(ATREIDES, GUILD).lay("treachery_deck", "hajr", "karama", "shield").lay("hand/guild", "snooper")
        assert s.top("treachery_deck", "karama", "hajr").g.table["treachery_deck"] == ("shield", "hajr", "karama")
        s.deal("treachery_deck", {"hand/atreides": ["shield"], "hand/guild": ["karama"]})
        assert s.g.hand(ATREIDES) == ("shield",)
        assert s.g.table["treachery_deck"] == ("snooper", "hajr")
        with pytest.raises(AssertionError, match="no shield"):
            s.deal("treachery_deck", {"hand/guild": ["shield"]})


class TestActsByKeywords:
    def marching(self) -> Scenario:
        s = position(DUNE, troops={FREMEN: {"old_gap:9": (3, 2), "old_gap:10": 1, "carthag": 2}}, hands={})
        return s.run(ManoeuvrePhase(faction=FREMEN))

    def test_what_is_left_out_is_nothing(self) -> None:
        s = self.marching()
        s.answer(FREMEN, Manoeuvre, origin="old_gap:9", units={"old_gap:9/elites": 2}, to="imperial_basin:10").finish()
        assert s.g.troops(FREMEN, "imperial_basin:10") == (0, 2, 0)
        assert s.g.troops(FREMEN, "old_gap:9") == (3, 0, 0)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"origin": "old_gap:9", "to": "arrakeen:9"}, "needs its field units"),
            (
                {"origin": "old_gap:9", "units": {"old_gap:11/tokens": 1}, "to": "arrakeen:9"},
                "units has no slot old_gap:11/tokens; it has",
            ),
            ({"units": {}, "into": "arrakeen:9"}, "Manoeuvre has no field into"),
        ],
    )
    def test_what_cannot_be_built_is_said(self, fields: dict[str, object], message: str) -> None:
        with pytest.raises(AssertionError, match=message):
            self.marching().answer(FREMEN, Manoeuvre, **fields)
        with pytest.raises(AssertionError, match="Bid is not offered; offered are: Manoeuvre, Pass"):
            self.marching().answer(FREMEN, Bid, amount=1)


class TestRefusals:
    def test_a_play_out_of_turn_is_refused_and_an_act_that_is_accepted_is_an_error(self) -> None:
        s = quiet_turn().run(GameTurn(), until=Bid)
        assert s.refused(GUILD, Bid(1)).reason == "not_asked"
        assert s.refused(GUILD, PlayCard("karama"), play=True).reason == "not_now"
        s.refused(ATREIDES, Bid, amount=99)
        with pytest.raises(AssertionError, match="was accepted"):
            s.refused(ATREIDES, Pass())


class TestSettingUp:
    def test_a_set_up_is_run_and_its_draws_are_fixed(self) -> None:
        s = Scenario(DUNE, seats=3)
        s.rolls("faction", FACTIONS.index(GUILD), 0, 0).run(Setup())
        assert s.asked == (GUILD, FACTIONS[0], next(each for each in FACTIONS[1:] if each != GUILD))
        assert s.finish().problems() == []

    def test_a_game_without_positions_says_so(self) -> None:
        with pytest.raises(AssertionError, match="no positions of teaching can be made"):
            position(TEACHING)  # type: ignore[call-overload]


def test_a_complete_position_is_checked_at_every_question_and_a_bare_table_is_not() -> None:
    s = quiet_turn().put("reserves/guild", (19, 0, 0))
    with pytest.raises(AssertionError, match="guild has 19 tokens"):
        s.run(GameTurn())
    bare = at_table(ATREIDES, HARKONNEN).lay("storm_deck", "storm_2").lay("storm_next", "storm_1")
    assert bare.problems() != []
    assert bare.run(StormRound()).done
