"""The Regeneration Tank: entering, bumping, advancing, leaving."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import Deploy, Done, EnterTank, TakeAction, TakeDesertPower
from landsraad_engine.arrakis.muster import deployable
from landsraad_engine.arrakis.regeneration import ToTank
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack

LEADERS = ("baron_harkonnen", "beast_rabban", "captain_aramsham", "feyd_rautha", "thufir_hawat", "gaius_helen_mohiam")


def tank(*slots: int, **options: Any) -> War:
    """Harkonnen leaders in these slots of their tank."""
    war = War(**options)
    for leader, slot in zip(LEADERS, slots, strict=False):
        war.leader(leader, f"tank/{slot}")
    return war


def slot(war: War, leader: str) -> str | None:
    place: str | None = war.g.whereabouts(leader)
    return place


def spend(war: War, side: str = HARKONNEN) -> War:
    """A turn that spends a die on nothing."""
    war.dice(side, mentat=1).run(ActionTurn(side=side)).answer(side, TakeAction("mentat", "mentat"))
    assert war.done
    return war


def desert_power(war: War) -> None:
    """A Desert Power turn of the Atreides, without effect."""
    war.run(ActionTurn(side=ATREIDES)).answer(ATREIDES, TakeDesertPower())
    if not war.done:
        war.answer(ATREIDES, Done())
    assert war.done


class TestEntering:
    @covers("WFA-T.2")
    def test_a_leader_enters_on_the_first_slot(self) -> None:
        war = tank().run(ToTank(leaders=("emperor_shaddam_iv",)))
        assert slot(war, "emperor_shaddam_iv") == "tank/0"

    @covers("WFA-T.2", "WFA-T.3")
    def test_each_side_has_a_tank_of_its_own(self) -> None:
        war = tank(0, 1).leader("lady_jessica", "tank/0")
        war.run(ToTank(leaders=("emperor_shaddam_iv",)))
        assert [slot(war, leader) for leader in ("emperor_shaddam_iv", *LEADERS[:2])] == ["tank/0", "tank/1", "tank/2"]
        assert slot(war, "lady_jessica") == "tank/0"

    @covers("WFA-T.3")
    def test_it_pushes_the_row_before_it_up_to_the_first_gap(self) -> None:
        war = tank(0, 1, 3).run(ToTank(leaders=("emperor_shaddam_iv",)))
        assert [slot(war, leader) for leader in LEADERS[:3]] == ["tank/1", "tank/2", "tank/3"]

    @covers("WFA-T.3", "WFA-T.1")
    def test_out_of_the_last_of_five_slots(self) -> None:
        war = tank(0, 1, 2, 3, 4).run(ToTank(leaders=("emperor_shaddam_iv",)))
        assert [slot(war, leader) for leader in LEADERS[:5]] == ["tank/1", "tank/2", "tank/3", "tank/4", "leaving"]

    @covers("WFA-T.1")
    def test_the_atreides_have_three_slots(self) -> None:
        war = War()
        for n, leader in enumerate(("paul_atreides", "lady_jessica", "stilgar")):
            war.put(f"figure/{leader}", f"tank/{n}")
        war.run(ToTank(leaders=("chani",)))
        assert slot(war, "stilgar") == "leaving"

    @covers("WFA-T.4")
    def test_several_enter_in_the_order_that_their_owner_likes(self) -> None:
        war = tank().run(ToTank(leaders=("baron_harkonnen", "beast_rabban")))
        assert war.asked == (HARKONNEN,)
        war.answer(HARKONNEN, EnterTank(("beast_rabban", "baron_harkonnen")))
        assert (slot(war, "beast_rabban"), slot(war, "baron_harkonnen")) == ("tank/1", "tank/0")

    @covers("WFA-T.12", "WFA-T.13")
    def test_a_card_that_is_face_up_stays_so_but_is_closed(self) -> None:
        war = tank().put("card/beast_rabban", "ready").run(ToTank(leaders=("beast_rabban",)))
        assert war.g.table["card/beast_rabban"] == "ready"
        assert not war.g.has_special("beast_rabban")

    @covers("WFA-T.14")
    def test_in_2022_it_is_spent(self) -> None:
        war = tank(edition="preview_2022").put("card/beast_rabban", "ready").run(ToTank(leaders=("beast_rabban",)))
        assert war.g.table["card/beast_rabban"] == "spent"


class TestAdvancing:
    @pytest.mark.parametrize("options", [{}, {"edition": "v1_1"}, {"edition": "preview_2022"}])
    @covers("WFA-T.5", "WFA-T.9")
    def test_spending_a_die_moves_all_figures_one_slot(self, options: dict[str, Any]) -> None:
        war = spend(tank(0, 2, **options))
        assert [slot(war, leader) for leader in LEADERS[:2]] == ["tank/1", "tank/3"]

    @covers("WFA-T.5")
    def test_only_those_of_the_side_that_spends(self) -> None:
        war = spend(tank(0).dice(HARKONNEN, strategy=1), ATREIDES)
        assert slot(war, LEADERS[0]) == "tank/0"

    def falling(self, **options: Any) -> War:
        """A leader falls in the very turn in which its side spends a die."""
        war = War(**options).dice(HARKONNEN, strategy=1).legion(ATREIDES, "arsunt", regular=3)
        war.legion(HARKONNEN, "carthag", regular=1, named=("beast_rabban",))
        war.run(ActionTurn(side=HARKONNEN)).answer(HARKONNEN, TakeAction("strategy", "attack"))
        war.rolls("combat/harkonnen", "shield").rolls("combat/atreides", "hit", "hit", "hit")
        war.answer(HARKONNEN, attack("carthag", "arsunt", regular=1, leaders=("beast_rabban",)))
        assert war.done
        return war

    @pytest.mark.parametrize("options", [{"edition": "v1_1"}, {"faq": False}])
    @covers("WFA-T.6")
    def test_at_once_so_that_a_leader_who_falls_later_in_the_turn_does_not_move(self, options: dict[str, Any]) -> None:
        assert slot(self.falling(**options), "beast_rabban") == "tank/0"

    @covers("WFA-T.7")
    def test_with_the_corrections_at_the_end_of_the_turn(self) -> None:
        assert slot(self.falling(), "beast_rabban") == "tank/1"

    @covers("WFA-T.8")
    def test_desert_power_moves_nothing(self) -> None:
        war = War().put("figure/stilgar", "tank/0").dice(HARKONNEN, strategy=1)
        desert_power(war)
        assert slot(war, "stilgar") == "tank/0"

    @covers("WFA-T.9")
    def test_in_2022_every_own_turn_moves_it_even_desert_power(self) -> None:
        war = War(edition="preview_2022").put("figure/stilgar", "tank/0").dice(HARKONNEN, strategy=1)
        desert_power(war)
        assert slot(war, "stilgar") == "tank/1"


class TestLeaving:
    @covers("WFA-T.10", "WFA-T.3")
    def test_who_is_pushed_out_between_rounds_is_there_for_the_next_turn(self) -> None:
        war = tank(4).put("figure/beast_rabban", "leaving").dice(ATREIDES, mentat=1).dice(HARKONNEN, mentat=1)
        war.run(ActionTurn(side=ATREIDES))
        assert slot(war, "beast_rabban") == "aside"

    @covers("WFA-T.10", "WFA-T.15")
    def test_who_leaves_is_available_from_the_next_turn_on(self) -> None:
        war = tank(4, edition="v1_1").village("carthag").legion(HARKONNEN, "carthag", regular=1)
        war.dice(HARKONNEN, deployment=1).run(ActionTurn(side=HARKONNEN))
        war.answer(HARKONNEN, TakeAction("deployment", "deploy"))
        assert slot(war, "baron_harkonnen") == "leaving"
        assert "baron_harkonnen" not in deployable(war.g, HARKONNEN)
        war.answer(HARKONNEN, Deploy((0,), "", ""))
        war.dice(ATREIDES, mentat=1).dice(HARKONNEN, mentat=1).run(ActionTurn(side=ATREIDES))
        assert slot(war, "baron_harkonnen") == "aside"
        assert "baron_harkonnen" in deployable(war.g, HARKONNEN)
        assert war.g.has_special("baron_harkonnen")

    @covers("WFA-T.11")
    def test_in_2022_it_is_back_at_once(self) -> None:
        war = tank(4, edition="preview_2022").dice(HARKONNEN, mentat=1)
        war.run(ActionTurn(side=HARKONNEN)).answer(HARKONNEN, TakeAction("mentat", "mentat"))
        assert slot(war, "baron_harkonnen") == "aside"

    @covers("WFA-T.11", "WFA-T.3")
    def test_in_2022_who_is_pushed_out_is_back_at_once_too(self) -> None:
        war = tank(0, 1, 2, 3, 4, edition="preview_2022").run(ToTank(leaders=("emperor_shaddam_iv",)))
        assert slot(war, "thufir_hawat") == "aside"
        assert "thufir_hawat" in deployable(war.g, HARKONNEN)

    @covers("WFA-T.15", "WFA-R.11")
    def test_a_spent_card_stays_spent_until_the_end_of_the_round(self) -> None:
        war = spend(tank(4, edition="preview_2022").put("card/baron_harkonnen", "spent"))
        assert slot(war, "baron_harkonnen") == "aside"
        assert not war.g.has_special("baron_harkonnen")
