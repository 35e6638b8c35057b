"""The board of classic Dune against a second entry of its facts (board_checks.toml) and a slow, plain reference."""

import tomllib
from collections import Counter, deque
from collections.abc import Mapping
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from landsraad_engine.dune import board
from landsraad_engine.testing import covers

CHECKS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("board_checks.toml").read_text(encoding="utf-8"))
STORMS = range(board.SECTORS + 1)  # 0: no storm on the board

Graph = Mapping[str, tuple[str, ...]]


def plain_reach(graph: Graph, start: str, steps: int, storm: int, shut: frozenset[str] = frozenset()) -> set[str]:
    """Cell by cell, a step within a territory free, one into another territory costing one; no parts, no tables."""
    cost = {start: 0}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for near in graph[at]:
            if storm and storm in (board.sector_of[at], board.sector_of[near]):
                continue
            entering = board.territory_of[near] != board.territory_of[at]
            paid = cost[at] + entering
            if near in shut or paid > steps or paid >= cost.get(near, steps + 1):
                continue
            cost[near] = paid
            (queue.append if entering else queue.appendleft)(near)
    return set(cost)


@covers("DUNE-0.4")
def test_counts() -> None:
    counts = CHECKS["counts"]
    kinds = Counter(board.terrain.values())
    assert len(board.TERRITORIES) == len(board.name_of) == counts["territories"]
    assert kinds == {kind: counts[kind] for kind in ("sand", "rock", "stronghold", "polar_sink")}
    assert len(board.CELLS) == counts["cells"]
    assert len(board.STRONGHOLDS) == counts["stronghold"]
    assert sum(map(len, board.neighbours.values())) == 2 * counts["territory_borders"]


def test_every_kind_of_cell_border_is_complete() -> None:
    def kind(one: str, other: str) -> str:
        if board.POLAR_SINK in (one, other):
            return "polar"
        if board.territory_of[one] == board.territory_of[other]:
            return "within_territory"
        return "same_sector" if board.sector_of[one] == board.sector_of[other] else "cross_sector"

    borders = {frozenset((at, near)) for at, all_near in board.cell_neighbours.items() for near in all_near}
    found = Counter(kind(*sorted(border)) for border in borders)
    kinds = ("polar", "within_territory", "same_sector", "cross_sector")
    assert found == {kind: CHECKS["counts"][f"cell_edges_{kind}"] for kind in kinds}
    assert found.total() == CHECKS["counts"]["cell_edges"]


def test_territories_that_touch() -> None:
    assert {at: list(near) for at, near in board.neighbours.items()} == {
        at: sorted(near, key=board.TERRITORIES.index) for at, near in CHECKS["neighbours"].items()
    }


@pytest.mark.parametrize("graph", [board.cell_neighbours, board.neighbours], ids=["cells", "territories"])
def test_borders_have_two_sides_and_nothing_borders_itself(graph: Graph) -> None:
    for at, all_near in graph.items():
        assert at not in all_near
        assert all(at in graph[near] for near in all_near)


def test_sectors_of_a_territory_follow_the_storm() -> None:
    for cells in board.cells_of.values():
        sectors = [board.sector_of[at] for at in cells]
        assert all(after == board.sector_after(before, 1) for before, after in pairwise(sectors))


@covers("DUNE-0.5", "DUNE-0.6", "DUNE-0.7")
def test_strongholds_lie_in_one_sector_and_the_polar_sink_in_none() -> None:
    assert set(board.sector_of.values()) == {0, *range(1, 19)}
    assert all(len(board.cells_of[stronghold]) == 1 for stronghold in board.STRONGHOLDS)
    assert board.sector_of[board.POLAR_SINK] == 0
    assert not any(board.under_storm(board.POLAR_SINK, storm) for storm in STORMS)


def test_spice_blows() -> None:
    assert len(board.SPICE) == CHECKS["counts"]["spice_blow_territories"]
    assert sum(amount for _, amount in board.SPICE.values()) == CHECKS["counts"]["spice_on_cards_total"] == 118
    assert {t: [board.sector_of[at], amount] for t, (at, amount) in board.SPICE.items()} == CHECKS["spice"]
    for territory, (at, _) in board.SPICE.items():
        assert board.territory_of[at] == territory
        assert board.terrain[territory] == "sand"


@covers("DUNE-R.81", "DUNE-R.83", "DUNE-R.84")
def test_special_lists_follow_from_the_map() -> None:
    assert set(board.FREMEN_SHIPMENT) == set(CHECKS["special"]["fremen_shipment"])
    assert set(board.FAMILY_ATOMICS_FROM) == set(CHECKS["special"]["family_atomics_from"])
    named = {
        *board.SPECIAL.ornithopter_cities,
        *board.SPECIAL.harvester_and_carryall_cities,
        board.SPECIAL.smuggler_stronghold,
    }
    assert board.SPECIAL.ornithopter_range == 3
    assert named == {"arrakeen", "carthag", "tueks_sietch"} <= set(board.STRONGHOLDS)


@covers("DUNE-1.10", "DUNE-T.42")
def test_shelter_before_and_after_family_atomics() -> None:
    always = set(CHECKS["storm_effect"]["sheltered"])
    until_atomics = set(CHECKS["storm_effect"]["sheltered_until_family_atomics"])
    assert {t for t in board.TERRITORIES if board.storm_protected(t, atomics_used=False)} == always | until_atomics
    assert {t for t in board.TERRITORIES if board.storm_protected(t, atomics_used=True)} == always


def test_distances_between_strongholds() -> None:
    order = CHECKS["distances"]["order"]
    assert [[board.distance(one, other) for other in order] for one in order] == CHECKS["distances"]["rows"]


def test_pairs_of_territories_at_each_distance() -> None:
    found = Counter(board.distance(one, other) for one in board.TERRITORIES for other in board.TERRITORIES)
    assert [found[steps] for steps in range(len(found))] == CHECKS["distances"]["ordered_pairs"]


def test_within_grows_with_the_distance_and_keeps_board_order() -> None:
    assert board.within("red_chasm", 0) == ("red_chasm",)
    assert board.within("red_chasm", 1) == ("pasty_mesa", "red_chasm", "south_mesa")
    assert board.within("red_chasm", 7) == board.TERRITORIES


# ---- Parts ----


@covers("DUNE-1.19")
def test_the_storm_cuts_exactly_the_listed_territories() -> None:
    cuts = {
        (storm, territory): [[board.sector_of[at] for at in part] for part in found]
        for storm in STORMS
        for territory in board.TERRITORIES
        if len(found := [p for p in board.parts(territory, storm) if not board.under_storm(p[0], storm)]) > 1
    }
    assert cuts == {(cut["storm"], cut["territory"]): cut["parts"] for cut in CHECKS["storm_split"]}


@pytest.mark.parametrize("storm", STORMS)
def test_parts_divide_a_territory_and_agree_with_same_part(storm: int) -> None:
    for territory in board.TERRITORIES:
        cells = board.cells_of[territory]
        found = board.parts(territory, storm)
        assert tuple(at for part in found for at in cells if at in part) == cells
        for one, other in combinations(cells, 2):
            together = board.part_of(one, storm) == board.part_of(other, storm)
            assert board.same_part(one, other, storm) is together
            assert together is (other in plain_reach(board.cell_neighbours, one, 0, storm))


def test_what_lies_under_the_storm_is_a_part_of_its_own() -> None:
    assert board.parts("wind_pass", 14) == (("wind_pass:13",), ("wind_pass:14",), ("wind_pass:15", "wind_pass:16"))
    assert board.parts("meridian", 18) == (("meridian:18",), ("meridian:1",))
    assert board.parts("polar_sink", 18) == (("polar_sink",),)


def test_cells_of_two_territories_are_never_one_part() -> None:
    assert not board.same_part("arrakeen:9", "old_gap:9", 0)


# ---- Reach ----


@pytest.mark.parametrize("check", CHECKS["reach"], ids=lambda check: f"{check['from']}-storm{check['storm']}")
def test_reach_from_the_strongholds(check: dict[str, Any]) -> None:
    (start,) = board.cells_of[check["from"]]
    assert [len(board.reach(start, steps, check["storm"])) for steps in (1, 2, 3)] == check["cells"]


@covers("DUNE-5.14", "DUNE-R.85")
@pytest.mark.parametrize("storm", STORMS)
def test_reach_agrees_with_the_plain_reference(storm: int) -> None:
    for start in board.CELLS:
        for steps in (1, 2, 3):
            found = board.reach(start, steps, storm)
            assert set(found) == plain_reach(board.cell_neighbours, start, steps, storm)
            assert list(found) == sorted(found, key=board.CELLS.index)


@pytest.mark.parametrize("storm", [0, 5, 9, 15])
@pytest.mark.parametrize("blocked", ["imperial_basin", "polar_sink", "the_minor_erg", "wind_pass"])
def test_a_blocked_territory_is_neither_entered_nor_crossed(blocked: str, storm: int) -> None:
    shut = frozenset(board.cells_of[blocked])
    for start in set(board.CELLS) - shut:
        found = board.reach(start, 3, storm, frozenset({blocked}))
        assert set(found) == plain_reach(board.cell_neighbours, start, 3, storm, shut)


def test_a_blocked_cell_blocks_its_part_and_not_what_the_storm_cut_off() -> None:
    whole = board.reach("arrakeen:9", 2, 12, frozenset({"imperial_basin:10"}))
    assert not {"imperial_basin:8", "imperial_basin:9", "imperial_basin:10"} & set(whole)
    cut = board.reach("rim_wall_west:8", 1, 9, frozenset({"imperial_basin:10"}))
    assert "imperial_basin:8" in cut
    assert "imperial_basin:8" not in board.reach("rim_wall_west:8", 1, 9, frozenset({"imperial_basin"}))


def test_tokens_may_leave_a_blocked_territory() -> None:
    free = board.reach("arrakeen:9", 1, 18)
    assert board.reach("arrakeen:9", 1, 18, frozenset({"arrakeen"})) == free


@covers("DUNE-5.15")
def test_nothing_leaves_or_enters_the_storm() -> None:
    assert board.reach("imperial_basin:9", 3, 9) == ("imperial_basin:9",)
    for start in board.CELLS:
        under_way = set(board.reach(start, 3, 9)) - {start}
        assert not any(board.under_storm(at, 9) for at in under_way)


BORDERS_ACROSS = [
    pytest.param(one, other, use == "needed", id=f"{one}-{other}")
    for use in ("needed", "idle")
    for one, other in CHECKS["across"][use]
]


@pytest.mark.parametrize(("one", "other", "needed"), BORDERS_ACROSS)
def test_borders_across_a_sector_line_matter_where_they_should(one: str, other: str, needed: bool) -> None:
    """A single step between both ends shows it: a longer move that needs the border contains that step."""
    graph = dict(board.cell_neighbours)
    graph[one] = tuple(near for near in graph[one] if near != other)
    graph[other] = tuple(near for near in graph[other] if near != one)
    lost = [
        (start, storm)
        for storm in STORMS
        for start in (one, other)
        if plain_reach(graph, start, 1, storm) != set(board.reach(start, 1, storm))
    ]
    assert bool(lost) is needed


# ---- The storm's own way ----


@covers("DUNE-R.62", "DUNE-R.79")
def test_sectors_passed() -> None:
    assert board.STORM_START == 18
    assert board.sectors_passed(board.STORM_START, 3) == (1, 2, 3)
    assert board.sectors_passed(16, 4) == (17, 18, 1, 2)
    assert board.sectors_passed(7, 0) == ()
    assert board.sectors_passed(5, 20)[-3:] == (5, 6, 7)
    assert board.sector_after(18, 20) == 2


@pytest.mark.parametrize(
    ("storm", "first"), [(18, 0), (1, 1), (2, 1), (3, 1), (4, 2), (9, 3), (10, 4), (15, 5), (16, 0), (17, 0)]
)
@covers("DUNE-0.8", "DUNE-1.13")
def test_the_dot_that_the_storm_reaches_next_comes_first(storm: int, first: int) -> None:
    order = board.dot_order(storm)
    assert order[0] == first
    assert sorted(order) == list(range(6))
    assert all(after == (before + 1) % 6 for before, after in pairwise(order))


@covers("DUNE-R.80")
def test_a_dot_under_the_storm_comes_last() -> None:
    assert [board.dot_order(sector)[-1] for sector in board.DOTS] == list(range(6))
