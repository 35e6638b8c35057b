"""The board of War for Arrakis: its facts counted a second time, its graph against slow, plain references."""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from landsraad_engine.arrakis import content
from landsraad_engine.arrakis.board import Board, board_of
from landsraad_engine.testing import covers

CONTENT = content.load()
BOARD = board_of(CONTENT)
AREAS = BOARD.areas
areas = st.sampled_from(AREAS)
some_areas = st.sets(areas, max_size=40)

TERRAIN_BY_SECTOR = {  # mountain, plateau, minor erg, desert, deep desert
    "central_north_east": (9, 4, 2, 1, 0),
    "central_south_east": (1, 1, 3, 3, 1),
    "central_south_west": (0, 2, 0, 6, 0),
    "central_north_west": (4, 2, 0, 3, 0),
    "north_east": (0, 0, 0, 11, 7),
    "south_east": (0, 2, 0, 4, 4),
    "south_west": (0, 1, 0, 4, 5),
    "north_west": (4, 0, 0, 10, 6),
}
BORDERS_BETWEEN_SECTORS = {
    ("central_north_east", "central_north_west"): 7,
    ("central_north_east", "central_south_east"): 7,
    ("central_south_east", "central_south_west"): 5,
    ("central_south_west", "central_north_west"): 6,
    ("north_east", "central_north_east"): 6,
    ("south_east", "central_south_east"): 7,
    ("south_west", "central_south_west"): 7,
    ("north_west", "central_north_west"): 9,
    ("north_east", "north_west"): 3,
    ("north_east", "south_east"): 4,
    ("north_west", "south_west"): 4,
    ("south_east", "central_north_east"): 1,
    ("north_west", "central_north_east"): 1,
    ("south_west", "central_north_west"): 1,
    ("south_west", "central_south_east"): 1,
}


def borders() -> set[frozenset[str]]:
    return {frozenset((area.id, other)) for area in CONTENT.area.values() for other in area.borders}


def impassable() -> set[frozenset[str]]:
    return {frozenset((area.id, other)) for area in CONTENT.area.values() for other in area.impassable}


def plain_steps(start: str, way: Callable[[str], Iterable[str]]) -> dict[str, int]:
    """Breadth first, one area at a time."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for near in way(at):
            if near not in steps:
                steps[near] = steps[at] + 1
                queue.append(near)
    return steps


# ---- The printed facts ----


@covers("WFA-S.4", "WFA-S.5")
def test_counts() -> None:
    assert len(AREAS) == 101
    assert len(borders()) == 265
    assert len(impassable()) == 11
    assert Counter(BOARD.terrain.values()) == {
        "mountain": 19,
        "plateau": 12,
        "minor_erg": 5,
        "desert": 42,
        "deep_desert": 23,
    }
    assert BOARD.desert.bit_count() == 42 + 23


@covers("WFA-S.2")
def test_terrain_of_each_sector() -> None:
    for sector, counts in TERRAIN_BY_SECTOR.items():
        inside = [area for area in AREAS if BOARD.sectors_of[area] == (sector,)]
        found = Counter(BOARD.terrain[area] for area in inside)
        assert tuple(found[kind] for kind in BOARD.of_terrain) == counts, sector
    assert [area for area in AREAS if len(BOARD.sectors_of[area]) > 1] == ["north_pole"]


def test_areas_lie_in_the_quarter_of_their_sector() -> None:
    pole = CONTENT.area["north_pole"]
    for area in CONTENT.area.values():
        quarter = ("north" if area.y < pole.y else "south") + ("_east" if area.x > pole.x else "_west")
        assert all(sector.endswith(quarter) for sector in area.sectors) or area.id == "north_pole", area.id


def test_borders_between_sectors() -> None:
    found = Counter[frozenset[str]]()
    for border in borders():
        sectors = [BOARD.sectors_of[area] for area in border]
        if all(len(each) == 1 for each in sectors) and sectors[0] != sectors[1]:
            found[frozenset(sector for each in sectors for sector in each)] += 1
    assert found == {frozenset(pair): count for pair, count in BORDERS_BETWEEN_SECTORS.items()}


def test_every_border_has_two_sides_and_one_kind() -> None:
    for area in CONTENT.area.values():
        assert area.id not in area.borders + area.impassable
        assert len(set(area.borders + area.impassable)) == len(area.borders + area.impassable)
        assert all(area.id in CONTENT.area[other].borders for other in area.borders)
        assert all(area.id in CONTENT.area[other].impassable for other in area.impassable)


def test_there_is_no_room_for_a_missing_border() -> None:
    """Euler: all inner faces are triangles, but one of four areas; the outer face is the ring of Deep Deserts."""
    all_borders = len(borders()) + len(impassable())
    faces = all_borders - len(AREAS) + 2
    assert 3 * (faces - 2) + 4 + 23 == 2 * all_borders


def test_the_deep_deserts_are_a_ring_around_the_board() -> None:
    deep = BOARD.of_terrain["deep_desert"]
    assert all((BOARD.adjacent[area] & deep).bit_count() == 2 for area in BOARD.names(deep))
    assert BOARD.connected(BOARD.bit["nw_1"], deep) == deep


def test_neighbours_are_near_each_other() -> None:
    def far(one: str, other: str) -> int:
        here, there = CONTENT.area[one], CONTENT.area[other]
        return (here.x - there.x) ** 2 + (here.y - there.y) ** 2

    assert max(far(*sorted(border)) for border in borders() | impassable()) <= 24**2


@covers("WFA-S.14", "WFA-S.15")
def test_settlements_sietches_and_stations() -> None:
    assert BOARD.rank == {
        "north_pole": 1,
        "arrakeen": 3,
        "carthag": 2,
        "imperial_basin": 1,
        "arsunt": 1,
        "hagga_basin": 1,
    }
    assert BOARD.names(BOARD.settlements) == tuple(BOARD.rank)
    sietches = Counter(BOARD.sectors_of[area][0] for area in BOARD.names(BOARD.sietches))
    assert sietches == {
        "north_east": 2,
        "north_west": 2,
        "south_east": 1,
        "south_west": 1,
        "central_south_west": 1,
        "central_south_east": 1,
    }
    assert sum(CONTENT.sietch_tokens.ranks) == 16
    assert len(CONTENT.sietch_tokens.ranks) == BOARD.sietches.bit_count() == 8
    stations = Counter(BOARD.terrain[area] for area in BOARD.names(BOARD.stations))
    assert stations == {"mountain": 4, "desert": 2}
    assert not BOARD.stations & (BOARD.settlements | BOARD.sietches)


def test_some_neighbourhoods_by_name() -> None:
    assert set(BOARD.neighbours("arrakeen")) == {"broken_land", "carthag", "imperial_basin", "rimwall_west", "cne_1"}
    assert set(BOARD.neighbours("north_pole")) == {"wind_pass", "cne_3", "cse_1", "csw_4"}
    assert set(BOARD.neighbours("sihaya_ridge")) == {"ne_2", "ne_6", "ne_9", "ne_10"}
    assert CONTENT.area["cne_4"].label == "CNE-4"
    assert CONTENT.area["shield_wall_east"].label == "Shield Wall (E)"


@covers("WFA-H.23")
def test_only_the_five_plateaus_ringed_by_mountains_are_storm_proof() -> None:
    proof = BOARD.storm_proof
    mountain = BOARD.of_terrain["mountain"]
    assert proof & ~BOARD.of_terrain["plateau"] == 0
    assert BOARD.around(proof) & ~proof & ~mountain == 0
    for area in BOARD.names(BOARD.of_terrain["plateau"] & ~proof):
        assert BOARD.adjacent[area] & (BOARD.desert | BOARD.of_terrain["minor_erg"]), area


# ---- Sectors and air ----


@covers("WFA-S.3", "WFA-S.6")
def test_air_zones_serve_both_their_sectors() -> None:
    assert len(BOARD.zone) == 8
    for zone in CONTENT.air_zone.values():
        one, other = zone.sectors
        assert BOARD.zone[zone.id] == BOARD.sector[one] | BOARD.sector[other]
        assert other in BOARD.sector_neighbours[one]
        assert "central" in {CONTENT.sector[sector].ring for sector in zone.sectors}
    assert len(BOARD.zones_of["north_pole"]) == 8


@covers("WFA-S.7")
def test_the_pole_of_2022_has_the_four_central_zones() -> None:
    board = board_of(content.load(edition="preview_2022"))
    zones = content.load(edition="preview_2022").air_zone
    assert set(board.zones_of["north_pole"]) == {
        zone.id for zone in zones.values() if all(sector.startswith("central") for sector in zone.sectors)
    }
    assert len(board.zones_of["north_pole"]) == 4
    assert all(board.zones_of[area] == BOARD.zones_of[area] for area in AREAS if area != "north_pole")


def test_the_outer_sectors_form_a_ring() -> None:
    outer = [sector.id for sector in CONTENT.sector.values() if sector.ring == "outer"]
    for sector in outer:
        assert len([near for near in BOARD.sector_neighbours[sector] if near in outer]) == 2
    assert BOARD.ring["outer"] & BOARD.ring["central"] == 0
    assert BOARD.ring["outer"] | BOARD.ring["central"] == BOARD.everywhere


# ---- Sets ----


@given(some_areas)
def test_sets_and_names(chosen: set[str]) -> None:
    named = BOARD.names(BOARD.set_of(chosen))
    assert set(named) == chosen
    assert list(named) == sorted(named, key=AREAS.index)


# ---- Distances and reach ----


@covers("WFA-S.8", "WFA-U.9")
@pytest.mark.parametrize("start", AREAS[::7])
def test_distances(start: str) -> None:
    ground = plain_steps(start, lambda at: CONTENT.area[at].borders)
    air = plain_steps(start, lambda at: CONTENT.area[at].borders + CONTENT.area[at].impassable)
    for other in AREAS:
        assert BOARD.distance(start, other) == ground[other]
    for steps in (0, 1, 2, 5, 99):
        assert set(BOARD.names(BOARD.within(start, steps))) == {area for area in AREAS if ground[area] <= steps}
        assert set(BOARD.names(BOARD.within_by_air(start, steps))) == {area for area in AREAS if air[area] <= steps}


def test_impassable_borders_are_crossed_by_air_alone() -> None:
    borders = impassable()
    assert borders
    for one, other in map(sorted, borders):
        assert not BOARD.adjacent[one] & BOARD.bit[other]
        assert BOARD.distance(one, other) >= 2
        assert BOARD.within_by_air(one, 1) & BOARD.bit[other]


@settings(max_examples=60)
@given(areas, st.integers(1, 4), some_areas, some_areas)
def test_reach_crosses_and_ends_where_it_may(start: str, steps: int, through: set[str], into: set[str]) -> None:
    ends = {start}
    edge = {start}
    for step in range(steps):
        edge = {near for at in edge if step == 0 or at in through for near in CONTENT.area[at].borders}
        ends |= edge
    found = BOARD.reach(start, steps, through=BOARD.set_of(through), into=BOARD.set_of(into))
    assert set(BOARD.names(found)) == (ends - {start}) & into


def test_reach_without_limits_is_distance() -> None:
    for start in AREAS[::9]:
        assert BOARD.reach(start, 3) == BOARD.within(start, 3) & ~BOARD.bit[start]


# ---- Desert ----


def plain_rides(start: str, marks: set[str]) -> set[str]:
    """Where a ride can end: every single path, one step at a time."""
    track: set[str] = set()
    queue = deque(near for near in CONTENT.area[start].borders if near in marks)
    while queue:
        at = queue.popleft()
        if at not in track:
            track.add(at)
            queue.extend(near for near in CONTENT.area[at].borders if near in marks - {start})
    return {near for at in track for near in (at, *CONTENT.area[at].borders)} - {start}


@covers("WFA-M.12", "WFA-M.16")
@settings(max_examples=80)
@given(areas, some_areas, some_areas)
def test_sandriding(start: str, marks: set[str], blocked: set[str]) -> None:
    ride = BOARD.ride(start, BOARD.set_of(marks), BOARD.set_of(blocked))
    assert set(BOARD.names(ride.ends)) == plain_rides(start, marks - blocked)
    assert set(BOARD.names(ride.track)) <= marks - blocked - {start}


def test_a_ride_over_three_wormsigns() -> None:
    marks = BOARD.set_of(("nw_5", "nw_6", "nw_12"))
    ride = BOARD.ride("nw_1", marks)
    assert BOARD.names(ride.track) == ("nw_5", "nw_6", "nw_12")
    assert ride.ends & BOARD.bit["sw_3"]
    assert BOARD.ride("nw_1", marks, BOARD.bit["nw_6"]).track == BOARD.bit["nw_5"]
    assert BOARD.ride("ne_10", marks).ends == 0
    assert not ride.ends & BOARD.bit["arrakeen"]


def plain_worm(start: str) -> tuple[set[str], set[str]]:
    """Areas one or two away with a desert between, and of these the deserts."""
    deserts = {area for area in AREAS if BOARD.terrain[area] in ("desert", "deep_desert")}
    first = set(CONTENT.area[start].borders)
    second = {near for at in first & deserts for near in CONTENT.area[at].borders}
    return (first | second) - {start}, (first | second) & deserts - {start}


@covers("WFA-M.44", "WFA-H.30", "WFA-H.31")
def test_worms_move_over_desert_and_strike_beside_it() -> None:
    for start in BOARD.names(BOARD.desert):
        near, deserts = plain_worm(start)
        assert set(BOARD.names(BOARD.worm_moves(start))) == deserts
        assert set(BOARD.names(BOARD.worm_targets(start))) == {
            area for area in near if BOARD.terrain[area] != "mountain"
        }


def test_no_worm_can_strike_a_storm_proof_plateau() -> None:
    reached = BOARD.union(BOARD.worm_targets(start) for start in BOARD.names(BOARD.desert))
    assert reached & BOARD.storm_proof == 0


# ---- Family Atomics ----


@covers("WFA-H.42", "WFA-H.44", "WFA-H.45", "WFA-H.46")
@pytest.mark.parametrize(
    ("token", "opened"),
    [
        ("splintered_rock", {"hagga_basin"}),
        ("hole_in_the_rock", {"imperial_basin"}),
        ("rimwall_west", {"imperial_basin", "arrakeen"}),
    ],
)
def test_atomics_make_desert_and_open_plateaus(token: str, opened: set[str]) -> None:
    after = board_of(CONTENT, token)
    assert after.terrain[token] == "desert"
    assert {area for area in AREAS if after.terrain[area] != BOARD.terrain[area]} == {token}
    assert set(BOARD.names(BOARD.storm_proof & ~after.storm_proof)) == opened
    reached = after.union(after.worm_targets(start) for start in after.names(after.desert))
    assert set(after.names(reached & BOARD.storm_proof)) == opened


@covers("WFA-H.47")
def test_only_rimwall_west_removes_its_impassable_borders() -> None:
    assert changed_borders("splintered_rock") == changed_borders("hole_in_the_rock") == set()
    opened = {frozenset(("rimwall_west", "ne_4")), frozenset(("rimwall_west", "ne_5"))}
    assert changed_borders("rimwall_west") == opened


def changed_borders(token: str) -> set[frozenset[str]]:
    after = board_of(CONTENT, token)

    def adjacent(board: Board, one: str, other: str) -> bool:
        assert bool(board.adjacent[one] & board.bit[other]) == bool(board.adjacent[other] & board.bit[one])
        return bool(board.adjacent[one] & board.bit[other])

    return {
        frozenset((one, other))
        for one, other in combinations(AREAS, 2)
        if adjacent(after, one, other) != adjacent(BOARD, one, other)
    }


def test_a_board_is_made_once() -> None:
    assert board_of(content.load(), "rimwall_west") is board_of(CONTENT, "rimwall_west")
    assert board_of(CONTENT) is not board_of(CONTENT, "rimwall_west")
