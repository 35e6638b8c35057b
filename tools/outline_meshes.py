"""The meshes of both boards: a polar one from a sketch, and the dual of a planar drawing."""

import math
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from outline_shapes import Point, Polygon

#: The width of a board in pixels at which everything has to have room.
WIDTH = 360


class PolarMesh:
    """Classic Dune: cells between the lines of 18 sectors, given by fractions of the sector and of the radius.

    A junction on a line between sectors has one coordinate, its radius; both sides of the line share it.
    """

    sectors = 18
    #: the radius of the map in pixels; the rest is for the player dots
    radius = 162.0
    seed = 1
    steps = 60_000
    roomy = 10.5
    #: widens the crowded middle: radii of the sketch are raised to this power
    stretch = 0.8

    def __init__(self, sketch: Mapping[str, Any]) -> None:
        self.sink = (sketch["sink"] / 100) ** self.stretch
        self.junctions: dict[Hashable, Point] = {}
        self.cells: dict[str, list[Hashable]] = {}
        self._where: dict[str, tuple[int, list[float]]] = {}
        for number, cells in sketch["sector"].items():
            sector = int(number)
            for territory, points in cells.items():
                cell = f"{territory}:{sector}"
                keys = [self._key(sector, u, r) for u, r in points]
                for key, (u, r) in zip(keys, points, strict=True):
                    self.junctions[key] = (u / 100, (r / 100) ** self.stretch)
                self.cells[cell] = keys
                self._where[cell] = (sector, [u / 100 for u, _ in points])
        self._origin = dict(self.junctions)
        self._lines: dict[int, list[Hashable]] = {}
        for key in self.junctions:
            if isinstance(key, tuple) and key[0] == "line":
                self._lines.setdefault(key[1], []).append(key)
        for line in self._lines.values():
            line.sort(key=lambda key: self.junctions[key][1])

    def _key(self, sector: int, u: int, r: int) -> Hashable:
        if u in {0, 100}:
            return ("line", (sector - 1 + u // 100) % self.sectors, r)
        return ("inner", sector, u, r)

    def at(self, sector: int, u: float, r: float) -> Point:
        """Return a point of a sector in pixels: sector 1 lies due south, the others follow counter-clockwise."""
        turn = math.radians(90 - 360 / self.sectors * (sector - 1 + u - 0.5))
        return (WIDTH / 2 + self.radius * r * math.cos(turn), WIDTH / 2 + self.radius * r * math.sin(turn))

    def flat(self, cell: str) -> Polygon:
        """Return a cell with its fraction of the sector as x and its radius as y."""
        _, us = self._where[cell]
        points = [self.junctions[key] for key in self.cells[cell]]
        return [(u if u in {0, 1} else p[0], p[1]) for u, p in zip(us, points, strict=True)]

    def corners(self, cell: str) -> Polygon:
        """Return the junctions of a cell in pixels."""
        sector, _ = self._where[cell]
        return [self.at(sector, u, r) for u, r in self.flat(cell)]

    def shape(self, cell: str) -> Polygon:
        """Return the outline of a cell in pixels, sampled every four degrees."""
        return self.sampled(cell, 5)

    def sampled(self, cell: str, fine: int) -> list[Point]:
        """Return the outline of a cell in pixels, with `fine` points to the width of a sector.

        Both sides of a border are sampled at the same points, and a junction of one side is a point of the other.
        """
        sector, _ = self._where[cell]
        flat = self.flat(cell)
        outline = []
        for p, q in zip(flat, [*flat[1:], flat[0]], strict=True):
            between: Sequence[Point]
            if p[0] == q[0] and p[0] in {0, 1}:
                line = self._lines[(sector - 1 + int(p[0])) % self.sectors]
                low, high = sorted((p[1], q[1]))
                radii = [self.junctions[key][1] for key in line if low < self.junctions[key][1] < high]
                between = [(p[0], r) for r in (radii if p[1] < q[1] else radii[::-1])]
            else:
                (u, r), (v, s) = sorted((p, q))
                parts = max(1, math.ceil((v - u) * fine))
                between = [(u + (v - u) * i / parts, r + (s - r) * i / parts) for i in range(1, parts)]
                between = between if p < q else between[::-1]
            outline += [self.at(sector, *each) for each in (p, *between)]
        return outline

    def ring(self, outlines: Mapping[str, Sequence[tuple[int, int]]], scale: float) -> list[tuple[int, int]]:
        """Return the outline of the polar sink: the points of all cells on its circle, in order around the middle."""
        middle = WIDTH / 2 * scale
        points = {p for outline in outlines.values() for p in outline}
        close = [p for p in points if math.dist(p, (middle, middle)) < self.radius * self.sink * scale + 1.5]
        return sorted(close, key=lambda p: math.atan2(p[1] - middle, p[0] - middle))

    def moved(self, key: Hashable, rng: Random, heat: float) -> Point | None:
        """Propose another position for a junction; None if it may not go there."""
        u, r = self.junctions[key]
        spread = 0.06 * heat + 0.008
        on_circle = self._origin[key][1] in {1.0, self.sink}
        on_line = key in self._lines.get(key[1], ()) if isinstance(key, tuple) else False
        if not on_circle:
            r += rng.gauss(0, spread)
            if not self.sink + 0.04 < r < 0.95:
                return None
        if not on_line:
            u += rng.gauss(0, spread * 3)
            return (u, r) if 0.06 < u < 0.94 else None
        if on_circle:
            return None
        assert isinstance(key, tuple)
        others = [self.junctions[other][1] for other in self._lines[key[1]] if other != key]
        old = self.junctions[key][1]
        # The order of junctions along a line is part of the map.
        same_order = all((other < old) == (other < r) and abs(other - r) >= 0.035 for other in others)
        return (u, r) if same_order else None

    def drift(self, key: Hashable, at: Point) -> float:
        """Return the price of a junction's distance from the sketch."""
        origin = self._origin[key]
        return 0.4 * (at[0] - origin[0]) ** 2 + 8 * (at[1] - origin[1]) ** 2


class DualMesh:
    """War for Arrakis: the dual of the drawing that joins the centres of bordering areas by straight lines.

    No two of those lines cross, so each of their faces is a junction of the map, and each line a border. The board's
    edge cuts the areas of the outer ring.
    """

    seed = 2
    steps = 30_000
    roomy = 11.0
    width, height = 360.0, 259.2
    margin = 2.0

    def __init__(self, centres: Mapping[str, tuple[int, int]], borders: Mapping[str, Sequence[str]]) -> None:
        self._centre = {a: (x / 100 * self.width, y / 100 * self.height) for a, (x, y) in centres.items()}
        around = {a: sorted(near, key=partial(self._bearing, a)) for a, near in borders.items()}
        faces, face_of = _faces(around)
        outside = max(range(len(faces)), key=lambda i: len(faces[i]))
        self.junctions: dict[Hashable, Point] = {}
        for number, face in enumerate(faces):
            if number != outside:
                self.junctions[number] = _mean([self._centre[a] for a in face])
        for a, b in zip(faces[outside], [*faces[outside][1:], faces[outside][0]], strict=True):
            self.junctions["rim", *sorted((a, b))] = self._on_edge(_mean([self._centre[a], self._centre[b]]))
        m, right, low = self.margin, self.width - self.margin, self.height - self.margin
        self._fixed: dict[Hashable, Point] = {"NW": (m, m), "NE": (right, m), "SE": (right, low), "SW": (m, low)}
        self.junctions |= self._fixed
        self.cells = {a: self._cell(a, near, face_of, outside) for a, near in around.items()}
        self._origin = dict(self.junctions)

    def _bearing(self, a: str, b: str) -> float:
        (x, y), (v, w) = self._centre[a], self._centre[b]
        return math.atan2(w - y, v - x)

    def _on_edge(self, at: Point) -> Point:
        """Return the point of the board's edge that lies behind a point, seen from the middle."""
        x, y = self.width / 2, self.height / 2
        dx, dy = at[0] - x, at[1] - y
        far = min((half - self.margin) / abs(d) if d else math.inf for half, d in ((x, dx), (y, dy)))
        return (x + dx * far, y + dy * far)

    def _edge(self, at: Point) -> str:
        m, right, low = self.margin, self.width - self.margin, self.height - self.margin
        gaps = {"W": abs(at[0] - m), "E": abs(at[0] - right), "N": abs(at[1] - m), "S": abs(at[1] - low)}
        return min(gaps, key=lambda edge: gaps[edge])

    def _cell(
        self, a: str, near: Sequence[str], face_of: Mapping[tuple[str, str], int], outside: int
    ) -> list[Hashable]:
        """Return the junctions of an area: the faces around its centre, with the board's edge for the outside."""
        junctions: list[Hashable] = []
        for i, b in enumerate(near):
            face = face_of[a, b]
            if face != outside:
                junctions.append(face)
                continue
            # The outside lies between this neighbour and the one before, in the sense in which faces are walked.
            first, last = ("rim", *sorted((a, b))), ("rim", *sorted((a, near[i - 1])))
            first, last = (first, last) if self._leads(a, b, near, i) else (last, first)
            edges = {self._edge(self.junctions[first]), self._edge(self.junctions[last])}
            corner = [name for name in self._fixed if set(str(name)) == edges]
            junctions += [first, *corner, last]
        return junctions

    def _leads(self, a: str, b: str, near: Sequence[str], i: int) -> bool:
        """Return True if the edge towards `b` comes before the one towards the neighbour before it, walking the rim."""
        before = self.junctions["rim", *sorted((a, near[i - 1]))]
        after = self.junctions["rim", *sorted((a, b))]
        middle = (self.width / 2, self.height / 2)
        turn = (after[0] - middle[0]) * (before[1] - middle[1]) - (after[1] - middle[1]) * (before[0] - middle[0])
        return turn > 0

    def flat(self, cell: str) -> Polygon:
        """Return a cell in pixels; its edges are straight there."""
        return [self.junctions[key] for key in self.cells[cell]]

    corners = shape = flat

    def moved(self, key: Hashable, rng: Random, heat: float) -> Point | None:
        """Propose another position for a junction; None if it may not go there."""
        if key in self._fixed:
            return None
        x, y = self.junctions[key]
        spread = 5 * heat + 0.6
        new = (x + rng.gauss(0, spread), y + rng.gauss(0, spread))
        gap = self.margin + 6
        if isinstance(key, tuple):
            new = (x, new[1]) if self._edge((x, y)) in "WE" else (new[0], y)
            inside = gap < new[0] < self.width - gap or gap < new[1] < self.height - gap
            return new if inside else None
        inside = gap < new[0] < self.width - gap and gap < new[1] < self.height - gap
        return new if inside else None

    def drift(self, key: Hashable, at: Point) -> float:
        """Return the price of a junction's distance from the middle of its face."""
        return 0.004 * math.dist(at, self._origin[key]) ** 2


def _faces(around: Mapping[str, Sequence[str]]) -> tuple[list[list[str]], dict[tuple[str, str], int]]:
    """Return the faces of a planar drawing from the order of the lines around each point, and the face of each line."""
    faces: list[list[str]] = []
    face_of: dict[tuple[str, str], int] = {}
    for start, near in around.items():
        for towards in near:
            if (start, towards) in face_of:
                continue
            face, a, b = [], start, towards
            while (a, b) not in face_of:
                face_of[a, b] = len(faces)
                face.append(a)
                ring = around[b]
                a, b = b, ring[(ring.index(a) + 1) % len(ring)]
            faces.append(face)
    return faces, face_of


def _mean(points: Sequence[Point]) -> Point:
    return (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points))
