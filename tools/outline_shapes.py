"""Plane geometry of the generator of outlines: polygons, their widest circles, and the relaxation of a mesh."""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from random import Random
from typing import Protocol, TypeAlias

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = Sequence[Point]

#: The radius of a cell in pixels, below which looks no longer count against room.
TIGHT = 7.6

_DIRECTIONS = tuple((math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)) for k in range(8))


class Mesh(Protocol):
    """A division of a board into cells, whose junctions may be moved."""

    junctions: dict[Hashable, Point]
    cells: dict[str, list[Hashable]]
    seed: int
    steps: int
    #: the radius of a cell, in pixels at 360 pixels of width, beyond which more is worth nothing
    roomy: float

    def flat(self, cell: str) -> Polygon:
        """Return a cell in the plane in which its edges are straight."""

    def corners(self, cell: str) -> Polygon:
        """Return the junctions of a cell in pixels."""

    def shape(self, cell: str) -> Polygon:
        """Return the outline of a cell in pixels, with its curves sampled."""

    def moved(self, key: Hashable, rng: Random, heat: float) -> Point | None:
        """Propose another position for a junction; None if it may not go there."""

    def drift(self, key: Hashable, at: Point) -> float:
        """Return the price of a junction's distance from its origin."""


def area(polygon: Polygon) -> float:
    """Return the signed area of a polygon."""
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in sides(polygon)) / 2


def sides(polygon: Polygon) -> list[tuple[Point, Point]]:
    """Return the edges of a polygon."""
    return [(polygon[i - 1], polygon[i]) for i in range(len(polygon))]


def is_simple(polygon: Polygon) -> bool:
    """Return True if no two edges of a polygon cross."""
    edges = sides(polygon)
    for i, (p, q) in enumerate(edges):
        for r, s in edges[i + 2 : len(edges) - (i == 0)]:
            if _turn(p, q, r) * _turn(p, q, s) <= 0 and _turn(r, s, p) * _turn(r, s, q) <= 0:
                return False
    return True


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def depth(polygon: Polygon, at: Point) -> float:
    """Return the distance of a point from the border of a polygon; negative outside."""
    x, y = at
    nearest = math.inf
    inside = False
    ax, ay = polygon[-1]
    for bx, by in polygon:
        dx, dy = bx - ax, by - ay
        if (ay > y) != (by > y) and x < dx * (y - ay) / dy + ax:
            inside = not inside
        length = dx * dx + dy * dy
        t = ((x - ax) * dx + (y - ay) * dy) / length if length else 0.0
        t = min(1.0, max(0.0, t))
        ex, ey = x - ax - t * dx, y - ay - t * dy
        nearest = min(nearest, ex * ex + ey * ey)
        ax, ay = bx, by
    return math.sqrt(nearest) if inside else -math.sqrt(nearest)


def climbed(polygon: Polygon, start: Point, step: float, least: float = 0.2) -> tuple[Point, float]:
    """Return the centre and the radius of a locally widest circle, by pattern search from a start."""
    best, radius = start, depth(polygon, start)
    while step >= least:
        found = False
        for dx, dy in _DIRECTIONS:
            at = (best[0] + dx * step, best[1] + dy * step)
            there = depth(polygon, at)
            if there > radius:
                best, radius, found = at, there, True
                break
        if not found:
            step /= 2
    return best, radius


def widest(polygon: Polygon, least: float = 0.02) -> tuple[Point, float]:
    """Return the centre and the radius of the widest circle in a polygon, from a grid of starts."""
    starts = sorted(grid(polygon, 12), key=lambda at: -depth(polygon, at))[:6]
    return max((climbed(polygon, at, 2.0, least) for at in starts), key=lambda found: found[1])


def grid(polygon: Polygon, count: int) -> list[Point]:
    """Return the points of a square grid that lie in a polygon."""
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    left, top, width, height = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    ticks = [(i + 0.5) / count for i in range(count)]
    points = [(left + width * u, top + height * v) for u in ticks for v in ticks]
    return [at for at in points if depth(polygon, at) > 0]


def spots(polygon: Polygon, radius: float, most: int) -> list[Point]:
    """Return centres of counters that lie in a polygon without overlap, the one with most room first."""
    centre, _ = widest(polygon)
    free = [at for at in grid(polygon, 40) if depth(polygon, at) >= radius * 0.97]
    chosen = [centre]
    while len(chosen) < most:
        apart = [at for at in free if all(math.dist(at, other) >= 2 * radius for other in chosen)]
        if not apart:
            break
        chosen.append(min(apart, key=lambda at: sum(math.dist(at, other) for other in chosen)))
    return chosen


def ugliness(corners: Polygon) -> float:
    """Return the price of short edges and sharp corners."""
    price = 0.0
    for i in range(len(corners)):
        a, b, c = corners[i - 2], corners[i - 1], corners[i]
        price += max(0.0, 8 - math.dist(b, c)) ** 2 / 32
        angle = math.degrees(math.acos(max(-1.0, min(1.0, _cosine(a, b, c)))))
        price += max(0.0, 62 - angle) ** 2 / 1200
    return price


def _cosine(a: Point, b: Point, c: Point) -> float:
    v, w = (a[0] - b[0], a[1] - b[1]), (c[0] - b[0], c[1] - b[1])
    return (v[0] * w[0] + v[1] * w[1]) / (math.hypot(*v) * math.hypot(*w) + 1e-9)


def relax(mesh: Mesh) -> dict[str, float]:
    """Move the junctions of a mesh, one at a time, until each cell has room for a counter; return the cells' radii.

    A move is kept if it makes its cells better and leaves each of them simple and the same way round, so the mesh stays
    the same map.
    """
    rng = Random(mesh.seed)
    sense = {cell: math.copysign(1, area(mesh.flat(cell))) for cell in mesh.cells}
    circle = {cell: widest(mesh.shape(cell)) for cell in mesh.cells}
    price = {cell: _price(mesh, cell, circle[cell][1]) for cell in mesh.cells}
    users: dict[Hashable, list[str]] = defaultdict(list)
    for cell, keys in mesh.cells.items():
        for key in dict.fromkeys(keys):
            users[key].append(cell)
    keys = list(mesh.junctions)
    for step in range(mesh.steps):
        key = rng.choice(keys)
        old = mesh.junctions[key]
        new = mesh.moved(key, rng, 1 - step / mesh.steps)
        if new is None:
            continue
        before = sum(price[cell] for cell in users[key]) + mesh.drift(key, old)
        mesh.junctions[key] = new
        budget = before - mesh.drift(key, new)
        found = {}
        for cell in users[key]:
            flat = mesh.flat(cell)
            if area(flat) * sense[cell] <= 0 or not is_simple(flat):
                break
            there = climbed(mesh.shape(cell), circle[cell][0], 1.2)
            found[cell] = (there, _price(mesh, cell, there[1]))
            budget -= found[cell][1]
            if budget < 0:
                break
        if len(found) < len(users[key]) or budget < 0:
            mesh.junctions[key] = old
            continue
        for cell, (there, cost) in found.items():
            circle[cell], price[cell] = there, cost
    return {cell: widest(mesh.shape(cell))[1] for cell in mesh.cells}


def _price(mesh: Mesh, cell: str, radius: float) -> float:
    tight = max(0.0, TIGHT - radius) ** 2
    return tight + 6 * max(0.0, mesh.roomy - radius) ** 2 / mesh.roomy**2 + ugliness(mesh.corners(cell))
