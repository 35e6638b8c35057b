"""7: Collection Round."""

import pytest

from landsraad_engine.dune.acts import Collect
from landsraad_engine.dune.collection import CollectionRound, within_reach
from landsraad_engine.dune.pieces import ATREIDES, EMPEROR, GUILD, HARKONNEN
from landsraad_engine.testing import covers
from landsraad_engine.testing.dune import at_table, stand


@covers("DUNE-7.1", "DUNE-GUI.9")
def test_all_collect_in_dot_order_from_the_first_player() -> None:
    scenario = at_table(ATREIDES, GUILD, HARKONNEN, storm=2)
    for faction, territory in ((ATREIDES, "old_gap:9"), (GUILD, "red_chasm:6"), (HARKONNEN, "sihaya_ridge:8")):
        stand(scenario, faction, territory, 1).put(f"blow/{territory}", 6)
    scenario.run(CollectionRound())
    order = []
    while not scenario.done:
        (faction,) = scenario.asked
        order.append(faction)
        scenario.answer(faction, Collect((2,)))
    assert order == [GUILD, HARKONNEN, ATREIDES]


@covers("DUNE-7.3", "DUNE-7.7")
def test_each_token_brings_in_two_and_the_rest_stays() -> None:
    scenario = stand(at_table(EMPEROR, ATREIDES), EMPEROR, "old_gap:8", 1, elites=1).put("blow/old_gap:9", 6)
    scenario.run(CollectionRound())
    scenario.refused(EMPEROR, Collect((5,)), rule="DUNE-7.3")
    scenario.answer(EMPEROR, Collect((4,)))
    assert scenario.g.spice(EMPEROR) == 4
    assert scenario.g.table["blow/old_gap:9"] == 2


@covers("DUNE-7.7", "DUNE-R.116")
def test_nobody_has_to_collect() -> None:
    scenario = stand(at_table(EMPEROR, ATREIDES), EMPEROR, "old_gap:8", 1).put("blow/old_gap:9", 6)
    scenario.run(CollectionRound()).answer(EMPEROR, Collect((0,)))
    assert scenario.g.table["blow/old_gap:9"] == 6


@covers("DUNE-7.4")
def test_with_harvesters_each_token_brings_in_three_wherever_it_stands() -> None:
    scenario = at_table(ATREIDES, EMPEROR).put("bonus/harvesters", (ATREIDES,))
    for cell in ("old_gap:9", "red_chasm:6"):
        stand(scenario, ATREIDES, cell, 2).put(f"blow/{cell}", 8)
    scenario.run(CollectionRound()).answer(ATREIDES, Collect((6, 6)))
    assert scenario.g.spice(ATREIDES) == 12


@covers("DUNE-7.2", "DUNE-R.61")
@pytest.mark.parametrize(
    ("storm", "tokens", "collects"),
    [
        (18, "old_gap:8", True),
        (9, "old_gap:8", False),  # the spice lies under the storm
        (9, "old_gap:9", True),  # both do
        (8, "old_gap:8", False),  # the tokens stand under it
    ],
)
def test_the_storm_may_part_tokens_from_the_spice(storm: int, tokens: str, collects: bool) -> None:
    scenario = stand(at_table(ATREIDES, EMPEROR, storm=storm), ATREIDES, tokens, 3).put("blow/old_gap:9", 6)
    assert bool(within_reach(scenario.g, ATREIDES)) is collects


@covers("DUNE-7.2")
def test_the_storm_between_them_parts_them() -> None:
    scenario = stand(at_table(ATREIDES, EMPEROR, storm=5), ATREIDES, "south_mesa:3", 3).put("blow/south_mesa:4", 10)
    assert within_reach(scenario.g, ATREIDES) == [("south_mesa:4", 6)]
    scenario = stand(at_table(ATREIDES, EMPEROR, storm=1), ATREIDES, "cielago_north:18", 3).put(
        "blow/cielago_north:2", 8
    )
    assert within_reach(scenario.g, ATREIDES) == []


@covers("DUNE-7.5", "DUNE-7.6")
def test_carryalls_and_smugglers_bring_spice_from_the_bank() -> None:
    scenario = at_table(ATREIDES, HARKONNEN, GUILD).put("bonus/carryalls", (HARKONNEN, HARKONNEN))
    scenario.put("bonus/smugglers", (GUILD,)).put("bank", 10).run(CollectionRound())
    assert scenario.done
    assert [scenario.g.spice(f) for f in (ATREIDES, HARKONNEN, GUILD)] == [0, 4, 1]
    assert scenario.g.table["bank"] == 5


@covers("DUNE-7.8")
def test_all_leaders_on_the_board_go_home_to_their_owners() -> None:
    scenario = (
        at_table(ATREIDES, HARKONNEN)
        .lay("fought/atreides", "duncan_idaho")
        .lay("fought/harkonnen", "beast_rabban", "captain_iakin_nefud")
    )
    scenario.run(CollectionRound())
    assert scenario.g.leaders(ATREIDES) == ("duncan_idaho",)
    assert scenario.g.leaders(HARKONNEN) == ("beast_rabban", "captain_iakin_nefud")
    assert "fought/harkonnen" not in scenario.g.table
