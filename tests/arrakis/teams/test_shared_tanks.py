"""The tanks of a shared faction: one on each small dashboard, moved by either partner's turn."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import TakeAction
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War


@pytest.mark.parametrize("options", [{}, {"faq": False}, {"edition": "v1_1"}, {"edition": "preview_2022"}])
@covers("WFA-G.44", "WFA-G.45", "WFA-G.96")
def test_the_turn_of_either_partner_moves_both_tanks(options: dict[str, Any]) -> None:
    war = War(seats=4, **options).leader("baron_harkonnen", "tank/1").leader("captain_aramsham", "tank/0")
    war.leader("stilgar", "tank/0")
    war.dice("house_harkonnen", mentat=1)
    war.run(ActionTurn(side="harkonnen"))
    war.answer("house_harkonnen", TakeAction("mentat", "mentat")).finish()
    assert war.g.whereabouts("baron_harkonnen") == "tank/2"
    assert war.g.whereabouts("captain_aramsham") == "tank/1"
    assert war.g.whereabouts("stilgar") == "tank/0"


@covers("WFA-G.44")
def test_desert_power_spends_no_die_and_moves_no_tank() -> None:
    war = War(seats=4).leader("stilgar", "tank/0").dice("house_harkonnen", mentat=2)
    war.run(ActionTurn(side="atreides"))
    assert war.g.unused("atreides") == 0
    war.finish()
    assert war.g.whereabouts("stilgar") == "tank/0"
