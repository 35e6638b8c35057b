"""Generate the outlines of both boards: dune_outline.toml and arrakis_outline.toml in the engine's content folder.

    python tools/gen_outlines.py [dune] [arrakis]

The board of classic Dune comes from a sketch of ours (tools/dune_sketch.toml), that of War for Arrakis from the centres
and borders in arrakis_board.toml. Both are then relaxed: junctions move a little, by chance from a fixed seed, until
each area takes a counter of 12 pixels on a board 360 pixels wide. Borders stay exactly those of the graph of the game.
It takes a minute for each board. The same sources give the same files.
"""

import math
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from outline_meshes import WIDTH, DualMesh, PolarMesh
from outline_shapes import Polygon, depth, relax, spots

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "engine" / "landsraad_engine" / "content"
SKETCH = Path(__file__).with_name("dune_sketch.toml")
#: Units to a board's width, in the files.
UNITS = 10_000
SCALE = UNITS / WIDTH
#: The radius of a counter in pixels, with a little room around it.
COUNTER = 6.2
#: The names of an area's anchors, in the order in which they take the best spots.
NAMES = ("tokens", "spice", "leader", "other", "more", "most")

Whole: TypeAlias = tuple[int, int]

HEAD = """\
# Made by tools/gen_outlines.py from {source}; do not edit.
# Ours: two areas share a border exactly if the game's graph says so. Nothing is copied from a printed map.
# Figures are in ten-thousandths of the board's width, from the top left; x to the right, y down. An anchor is
# [x, y, radius]: a place for a counter, and the distance to the area's border. Presentation only: no rule reads this
# file, and it is in no match's content digest.

provenance = "reconstructed"

[board]
width = {width}
height = {height}
"""


def whole(polygon: Polygon) -> list[Whole]:
    """Return a polygon of pixels in units."""
    points = [(round(x * SCALE), round(y * SCALE)) for x, y in polygon]
    return [p for i, p in enumerate(points) if p != points[i - 1]]


def anchors(outline: Sequence[Whole]) -> dict[str, list[int]]:
    """Return the anchors of an area: places for counters, as many as it has room for."""
    polygon = [(x / SCALE, y / SCALE) for x, y in outline]
    found = zip(NAMES, spots(polygon, COUNTER, len(NAMES)), strict=False)
    return {
        name: [round(at[0] * SCALE), round(at[1] * SCALE), math.floor(depth(polygon, at) * SCALE)] for name, at in found
    }


def dune() -> str:
    """Return dune_outline.toml."""
    mesh = PolarMesh(tomllib.loads(SKETCH.read_text()))
    report("dune", relax(mesh))
    outlines = {cell: whole(mesh.sampled(cell, 5)) for cell in sorted(mesh.cells)}
    outlines["polar_sink"] = mesh.ring(outlines, SCALE)
    lines = [HEAD.format(source="tools/dune_sketch.toml", width=UNITS, height=UNITS)]
    lines += ["\n# Beside the map, by sector: places for the storm marker, and for the dots of players.", "[marks]"]
    dots = tomllib.loads((CONTENT / "dune_board.toml").read_text())["storm"]["player_dots"]
    lines += _ring("storm", mesh, dict.fromkeys(dots, 0.8)) + _ring("dot", mesh, {})
    lines += ["\n# Lines between sectors, from the Polar Sink to the rim: the line number n ends sector n.", "[lines]"]
    for sector in range(1, mesh.sectors + 1):
        ends = whole([mesh.at(sector, 1, mesh.sink), mesh.at(sector, 1, 1)])
        lines.append(f"sector_{sector} = {_points(ends)}")
    lines += _areas(outlines, {area: anchors(outline) for area, outline in outlines.items()})
    return "\n".join(lines) + "\n"


def _ring(name: str, mesh: PolarMesh, aside: Mapping[int, float]) -> list[str]:
    """Return marks beside the middles of all sectors, or at another part of the width of some."""
    room = (WIDTH / 2 - mesh.radius) / 2
    lines = []
    for sector in range(1, mesh.sectors + 1):
        x, y = mesh.at(sector, aside.get(sector, 0.5), 1 + room / mesh.radius)
        lines.append(f"{name}_{sector} = [{round(x * SCALE)}, {round(y * SCALE)}, {round(room * SCALE)}]")
    return lines


def arrakis() -> str:
    """Return arrakis_outline.toml."""
    board = tomllib.loads((CONTENT / "arrakis_board.toml").read_text())
    areas = {name: row for name, row in board["area"].items() if isinstance(row, dict) and "x" in row}
    borders = {name: [*row.get("borders", ()), *row.get("impassable", ())] for name, row in areas.items()}
    mesh = DualMesh({name: (row["x"], row["y"]) for name, row in areas.items()}, borders)
    report("arrakis", relax(mesh))
    outlines = {area: whole(mesh.shape(area)) for area in sorted(mesh.cells)}
    height = round(mesh.height * SCALE)
    lines = [HEAD.format(source="arrakis_board.toml", width=UNITS, height=height)]
    places = {area: anchors(outline) for area, outline in outlines.items()}
    lines += ["\n# The air zones: beside the counters' places that are nearest to the board file's.", "[marks]"]
    for zone, row in board["air_zone"].items():
        if isinstance(row, dict):
            mark = _aside((row["x"] * UNITS // 100, row["y"] * height // 100), places.values())
            lines.append(f"{zone} = [{mark[0]}, {mark[1]}, {round(COUNTER * SCALE)}]")
    lines += ["\n# Borders that nobody can cross.", "[lines]"]
    for name, row in sorted(areas.items()):
        for other in sorted(row.get("impassable", ())):
            if name < other:
                shared = [key for key in mesh.cells[name] if key in mesh.cells[other]]
                lines.append(f'"impassable {name} {other}" = {_points(whole([mesh.junctions[key] for key in shared]))}')
    lines += _areas(outlines, places)
    return "\n".join(lines) + "\n"


def _aside(wanted: Whole, places: Iterable[dict[str, list[int]]]) -> Whole:
    """Return a free place near a point, and drop the lesser anchors that would overlap it."""
    every = list(places)
    apart = 2.05 * COUNTER * SCALE
    steps = range(-800, 801, 50)
    near = sorted(((wanted[0] + x, wanted[1] + y) for x in steps for y in steps), key=lambda at: math.dist(at, wanted))
    found = next(at for at in near if all(math.dist(at, each["tokens"][:2]) >= apart for each in every))
    for each in every:
        for name in [name for name, at in each.items() if math.dist(at[:2], found) < apart]:
            del each[name]
    return found


def _areas(outlines: Mapping[str, Sequence[Whole]], places: Mapping[str, Mapping[str, list[int]]]) -> Iterable[str]:
    for area, outline in outlines.items():
        yield f'\n[area."{area}"]'
        yield f"outline = {_points(outline)}"
        yield f"anchors = {{ {', '.join(f'{name} = {at}' for name, at in places[area].items())} }}"


def _points(points: Iterable[Whole]) -> str:
    return f"[{', '.join(f'[{x}, {y}]' for x, y in points)}]"


def report(board: str, radii: Mapping[str, float]) -> None:
    """Print the areas with least room."""
    tight = sorted(radii, key=lambda area: radii[area])[:5]
    print(board, ", ".join(f"{area} {radii[area]:.1f}" for area in tight))


BOARDS = {"dune": dune, "arrakis": arrakis}


def main() -> None:
    """Write the files."""
    for board in sys.argv[1:] or BOARDS:
        (CONTENT / f"{board}_outline.toml").write_text(BOARDS[board](), encoding="utf-8")


if __name__ == "__main__":
    main()
