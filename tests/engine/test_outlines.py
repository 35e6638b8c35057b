"""Outlines of the boards: the same map as the graph of the game, and room for every counter."""

from collections import defaultdict
from math import hypot
from pathlib import Path

import msgspec
import pytest

import gen_outlines
from landsraad import games
from landsraad_engine import content
from landsraad_engine.content import outlines
from landsraad_engine.content.digests import sources_digest
from landsraad_engine.content.outlines import BoardOutline, Point, outline_of
from landsraad_engine.errors import BadContent

BOARDS = [("dune", "cells"), ("arrakis", "areas")]
#: Areas that touch in a point without bordering on each other. No other area of this board does: in classic Dune
#: corners where four cells meet are part of the map, as borders cross the lines between sectors.
POINT_CONTACTS = {"arrakis": [("cne_2", "wind_pass"), ("cne_3", "splintered_rock")]}
#: The radius of a counter of 12 pixels on a board 360 pixels wide.
COUNTER = 6 * outlines.UNITS / 360


def borders(board: str, graph: str) -> set[frozenset[str]]:
    """Return the pairs of areas that border on each other by the graph, impassable borders included."""
    game = games.load(board)
    near = game.graphs(game.parse_options({}, game.default_seats))[graph]
    closed = {frozenset(line.split()[1:]) for line in outline_of(board).lines if line.startswith("impassable")}
    return {frozenset((a, b)) for a, each in near.items() for b in each} | closed


def edges(outline: BoardOutline) -> dict[tuple[Point, Point], str]:
    """Return the edges of all areas, walked in one sense, each with its area; two areas never have the same one."""
    found: dict[tuple[Point, Point], str] = {}
    for name, area in outline.area.items():
        points = area.outline if doubled(area.outline) > 0 else area.outline[::-1]
        for p, q in zip((points[-1], *points[:-1]), points, strict=True):
            assert (p, q) not in found, f"{name} overlaps {found[p, q]} at {p}"
            found[p, q] = name
    return found


def doubled(points: tuple[Point, ...]) -> int:
    """Return twice the signed area of a polygon."""
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in zip((points[-1], *points[:-1]), points, strict=True))


def crossing(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return True if two edges cross or touch."""

    def turn(p: Point, q: Point, r: Point) -> int:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) <= 0 and turn(c, d, a) * turn(c, d, b) <= 0


def depth(points: tuple[Point, ...], x: float, y: float) -> float:
    """Return the distance of a point from a polygon's border; negative outside."""
    inside, nearest = False, float("inf")
    for (ax, ay), (bx, by) in zip((points[-1], *points[:-1]), points, strict=True):
        dx, dy = bx - ax, by - ay
        if (ay > y) != (by > y) and x < dx * (y - ay) / dy + ax:
            inside = not inside
        t = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
        nearest = min(nearest, hypot(x - ax - t * dx, y - ay - t * dy))
    return nearest if inside else -nearest


@pytest.mark.parametrize(("board", "graph"), BOARDS)
def test_areas_share_a_border_exactly_if_the_graph_says_so(board: str, graph: str) -> None:
    found = edges(outline_of(board))
    shared = {frozenset((area, found[q, p])) for (p, q), area in found.items() if (q, p) in found}
    assert shared == borders(board, graph)


@pytest.mark.parametrize("board", POINT_CONTACTS)
def test_point_contacts_are_listed(board: str) -> None:
    at = defaultdict(set)
    for name, area in outline_of(board).area.items():
        for point in area.outline:
            at[point].add(name)
    near = borders(board, dict(BOARDS)[board])
    touching = {
        (a, b) for names in at.values() for a in names for b in names if a < b and frozenset((a, b)) not in near
    }
    assert sorted(touching) == POINT_CONTACTS[board]


@pytest.mark.parametrize(("board", "graph"), BOARDS)
def test_areas_cover_the_board_without_overlap(board: str, graph: str) -> None:
    outline = outline_of(board)
    for area in outline.area.values():
        points = area.outline
        sides = list(zip((points[-1], *points[:-1]), points, strict=True))
        for i, (a, b) in enumerate(sides):
            assert not any(crossing(a, b, c, d) for c, d in sides[i + 2 : len(sides) - (i == 0)])
    found = edges(outline)
    rim = {p: q for p, q in found if (q, p) not in found}
    ring = [next(iter(rim))]
    while rim[ring[-1]] != ring[0]:
        ring.append(rim[ring[-1]])
    assert len(ring) == len(rim), "there is a hole"
    # Simple areas, no edge of two areas in the same sense, one rim: their sizes add up only if nothing overlaps.
    assert sum(abs(doubled(area.outline)) for area in outline.area.values()) == doubled(tuple(ring))
    assert set(outline.area) == set(games.load(board).graphs({"edition": "exclusive", "content": "own"})[graph])


@pytest.mark.parametrize(("board", "graph"), BOARDS)
def test_each_anchor_lies_in_its_area_with_room_for_a_counter(board: str, graph: str) -> None:
    for name, area in outline_of(board).area.items():
        for anchor, (x, y, radius) in area.anchors.items():
            room = depth(area.outline, x, y)
            assert room >= COUNTER * 0.97, f"{name}: {anchor}"
            assert abs(room - radius) <= 2, f"{name}: {anchor}"
        assert area.anchors["tokens"][2] >= COUNTER, name
        places = list(area.anchors.values())
        for i, (x, y, _) in enumerate(places):
            assert all(hypot(x - v, y - w) >= 1.98 * COUNTER for v, w, _ in places[:i]), name


@pytest.mark.long
@pytest.mark.parametrize(("board", "graph"), BOARDS)
def test_the_generator_makes_the_same_files_again(board: str, graph: str) -> None:
    assert gen_outlines.BOARDS[board]() == (gen_outlines.CONTENT / f"{board}_outline.toml").read_text()


def test_the_first_sector_lies_due_south_and_the_others_follow_counter_clockwise() -> None:
    marks = outline_of("dune").marks
    assert marks["dot_1"][0] == outlines.UNITS // 2
    assert marks["dot_1"][1] > 9 * outlines.UNITS // 10
    east, north, west = marks["dot_5"], marks["dot_10"], marks["dot_15"]
    assert east[0] > 9 * outlines.UNITS // 10
    assert north[1] < outlines.UNITS // 10
    assert west[0] < outlines.UNITS // 10


def test_air_zones_and_impassable_borders_are_those_of_the_board_file() -> None:
    box = games.load("arrakis").content({"edition": "exclusive", "content": "own"})
    outline = outline_of("arrakis")
    assert set(outline.marks) == set(box.air_zone)
    closed = {frozenset((area.id, other)) for area in box.area.values() for other in area.impassable}
    assert {frozenset(line.split()[1:]) for line in outline.lines} == closed
    found = edges(outline)
    for line, (p, q, *_) in outline.lines.items():
        assert {found[p, q], found[q, p]} == set(line.split()[1:])


def test_outlines_are_in_no_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "shaped"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "cave_outline.toml").write_text("width = 1")
    (package / "cave_board.toml").write_text("areas = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = sources_digest.__wrapped__("shaped")
    (package / "cave_outline.toml").write_text("width = 2")
    assert sources_digest.__wrapped__("shaped") == before
    (package / "cave_board.toml").write_text("areas = 2")
    assert sources_digest.__wrapped__("shaped") != before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"area": {"a": {"outline": [[0, 0], [9, 0], [9, 9]], "anchors": {}}}}, "a has no place for tokens"),
        ({"area": {"a": {"outline": [[0, 0], [9, 0], [9, 9000]], "anchors": {"tokens": [1, 1, 1]}}}}, "off the board"),
    ],
)
def test_a_bad_outline_is_refused(change: dict[str, object], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    base = {"provenance": "reconstructed", "board": {"width": 10000, "height": 5000}, "marks": {}, "lines": {}}
    monkeypatch.setattr(content, "load", lambda _, into: msgspec.convert(base | change, into))
    with pytest.raises(BadContent, match=message):
        outline_of.__wrapped__("bad")
