"""Common parts of the pictures of both games: areas, borders, names, counters, tables."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from math import dist, inf, pi, sin
from typing import Any, Final

from landsraad.svg.elements import (
    Point,
    circle,
    clean,
    element,
    number,
    path,
    polygon,
    regular,
    star,
    text,
    width_of,
    wrapped,
)
from landsraad.svg.themes import style
from landsraad_engine.content.outlines import UNITS, BoardOutline, outline_of

#: Pictures of this width and more have their tables beside the board.
BESIDE: Final = 1100
#: Narrower boards have no names of areas: they could not be read.
NAMED: Final = 640
#: The radius of a counter in parts of the board's width: 12 pixels of diameter at 360.
COUNTER: Final = 6.1 / 360

#: The width of the leads of paragraphs, in sizes of the font.
LEAD: Final = 6.4

_PATTERNS: Final = (
    '<pattern id="p-sand" width="14" height="14" patternUnits="userSpaceOnUse"><rect width="14" height="14"'
    ' class="sand"/><circle cx="3" cy="4" r=".7" class="sand-mark"/><circle cx="10" cy="11" r=".7" class="sand-mark"/>'
    "</pattern>"
    '<pattern id="p-deep" width="22" height="12" patternUnits="userSpaceOnUse"><rect width="22" height="12"'
    ' class="deep"/><path d="M2 7q4-4 9 0t9 0" class="ripple" stroke-width=".7"/></pattern>'
    '<pattern id="p-erg" width="12" height="8" patternUnits="userSpaceOnUse"><rect width="12" height="8" class="erg"/>'
    '<path d="M1 5q3-3 5 0t5 0" class="ripple" stroke-width=".8"/></pattern>'
    '<pattern id="p-plateau" width="10" height="10" patternUnits="userSpaceOnUse"><rect width="10" height="10"'
    ' class="plateau"/><path d="M2 8h4M6 3h3" class="hatch" stroke-width=".6"/></pattern>'
    '<pattern id="p-rock" width="11" height="11" patternUnits="userSpaceOnUse"><rect width="11" height="11"'
    ' class="rock"/><path d="M2 9l3-5 3 5M7 4l1.5-2.5L10 4" class="hatch" stroke-width=".8"/></pattern>'
)


class Box:
    """A rectangle that names and counters keep free."""

    __slots__ = ("bottom", "left", "right", "top")

    def __init__(self, at: Point, width: float, height: float) -> None:
        self.left, self.right = at[0] - width / 2, at[0] + width / 2
        self.top, self.bottom = at[1] - height / 2, at[1] + height / 2

    def overlap(self, other: Box) -> float:
        """Return the area that two rectangles share."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high)

    def samples(self) -> list[Point]:
        """Return points along its border and in its middle."""
        xs = [self.left + (self.right - self.left) * i / 4 for i in range(5)]
        middle = (self.top + self.bottom) / 2
        return [(x, y) for x in xs for y in (self.top, middle, self.bottom)]


class Painter:
    """Draws one picture of one game."""

    board = ""
    heading = ""
    #: the price of a name that may stand beside its area, for each part of it that does; 1.6 for others
    looseness = 0.5

    def __init__(self, width: int, theme: str, title: str = "") -> None:
        self.outline: BoardOutline = outline_of(self.board)
        self.width = width
        self.theme = theme
        self.title = title or self.heading
        self.margin = max(6.0, width * 0.012)
        beside = width >= BESIDE
        self.size = (width * 0.66 if beside else width) - 2 * self.margin
        self.scale = self.size / UNITS
        self.font = min(15.0, max(9.5, width / 86 if beside else width / 62))
        self.top = self.margin + self.font * 2.4
        self.counter = COUNTER * self.size
        self.tall = self.outline.board.height * self.scale
        self.parts: list[str] = []
        self.taken: list[Box] = []
        self.polygons = {area: [self.at(x, y) for x, y in facts.outline] for area, facts in self.outline.area.items()}
        if beside:
            self.column = (2 * self.margin + self.size + self.font, width - self.margin)
            self.line = self.top + self.font
        else:
            self.column = (self.margin, width - self.margin)
            self.line = self.top + self.tall + self.font * 1.8

    # ------------------------------------------------------------------------------------------------------- the whole

    def picture(self, view: Any) -> str:
        """Return the whole picture; of an empty board if there is no view."""
        self.paint(view)
        height = max(self.line + self.font, self.top + self.tall + self.margin)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{number(round(height))}"'
            f' viewBox="0 0 {self.width} {number(round(height))}" role="img">'
        )
        defs = f"<style>\n{style(self.theme)}</style><defs>{_PATTERNS}</defs>"
        paper = element("rect", width=self.width, height=round(height), class_="paper")
        body = "\n".join(part for part in self.parts if part)
        return f"{head}\n{element('title', clean(self.title))}\n{defs}\n{paper}\n{body}\n</svg>\n"

    def paint(self, view: Any) -> None:
        """Draw board, pieces and tables."""
        raise NotImplementedError

    def header(self, left: str, right: str) -> None:
        """Write the line over the board."""
        y = self.margin + self.font
        big = self.font * 1.25
        self.parts.append(text((self.margin, y), left, big, "ink bold", "start"))
        room = self.width - 3 * self.margin - width_of(left, big) * 1.1
        words = wrapped(right, self.font, room)
        if words:
            shown = words[0] if len(words) == 1 else f"{words[0]} …"
            self.parts.append(text((self.width - self.margin, y), shown, self.font, "faint", "end"))

    # ------------------------------------------------------------------------------------------------------- the board

    def at(self, x: float, y: float) -> Point:
        """Return a point of the outline in pixels."""
        return (self.margin + x * self.scale, self.top + y * self.scale)

    def mark(self, name: str) -> Point:
        """Return a mark of the board in pixels."""
        x, y, _ = self.outline.marks[name]
        return self.at(x, y)

    def areas(self, kind: Callable[[str], str], told: Callable[[str], str]) -> None:
        """Draw every area once, with a text for those who do not see it."""
        shapes = []
        for area, corners in self.polygons.items():
            terrain = kind(area)
            fill = f"fill:url(#p-{terrain})" if f'"p-{terrain}"' in _PATTERNS else None
            tip = element("title", clean(told(area)))
            shapes.append(polygon(corners, f"area {terrain}", tip, data_area=area, style=fill))
        self.parts.append(element("g", "\n".join(shapes), class_="areas"))

    def borders(self, kind: Callable[[str, str], tuple[str, float]]) -> None:
        """Draw the borders between areas, and the rim, which is a border with "". No class: no line."""
        sides: dict[tuple[tuple[int, int], tuple[int, int]], list[str]] = {}
        for area, facts in self.outline.area.items():
            for p, q in zip((facts.outline[-1], *facts.outline[:-1]), facts.outline, strict=True):
                sides.setdefault((min(p, q), max(p, q)), []).append(area)
        strokes: dict[tuple[str, float], list[Sequence[Point]]] = {}
        for (p, q), areas in sides.items():
            found = kind(areas[0], areas[1] if len(areas) > 1 else "")
            if found[0]:
                strokes.setdefault(found, []).append((self.at(*p), self.at(*q)))
        for (class_, thick), lines in sorted(strokes.items(), key=lambda each: each[0][1]):
            self.parts.append(path(lines, class_, stroke_width=thick * max(0.6, self.size / 1000)))

    def places(self, area: str, count: int) -> list[tuple[Point, float]]:
        """Return centres and radii for so many counters in an area: its anchors, or a ring if they do not suffice."""
        anchors = list(self.outline.area[area].anchors.values())
        if count <= len(anchors):
            return [(self.at(x, y), self.counter) for x, y, _ in anchors[:count]]
        x, y, room = anchors[0]
        radius = max(room * self.scale, self.counter * 1.3)
        small = radius / (1 + 1 / sin(pi / count)) if count > 1 else self.counter
        small = min(self.counter, max(self.counter * 0.8, small))
        ring = max(radius - small, small * (1 / sin(pi / count) if count > 1 else 0) * 0.9)
        rings = [regular(self.at(x, y), ring, count, turn) for turn in (1 / 4, 0, 1 / 8, 3 / 8)]
        free = min(rings, key=lambda each: sum(self._crowded(at, small) for at in each))
        return [(at, small) for at in free]

    def _crowded(self, at: Point, radius: float) -> float:
        """Return the overlap of a counter with what has its place already."""
        box = Box(at, 2 * radius, 2 * radius)
        return sum(box.overlap(other) for other in self.taken)

    def keep_free(self, at: Point, radius: float) -> None:
        """Keep names away from a counter and the stars on it."""
        self.taken.append(Box((at[0], at[1] - 0.15 * radius), 2.1 * radius, 2.4 * radius))

    def names(self, groups: Iterable[tuple[str, Sequence[str]]], size: float, loose: Container[str] = ()) -> None:
        """Write the names of groups of areas where there is most room for them.

        The names of groups that begin with an area of `loose` may stand beside it.
        """
        placed: list[str] = []
        for words, areas in sorted(groups, key=lambda group: -len(group[0])):
            best: tuple[float, Point, list[str]] | None = None
            near = self._near(areas, width_of(words, size))
            for lines in _broken(words):
                wide = max(width_of(line, size) for line in lines)
                for at in self._candidates(areas, size, size * 2 if areas[0] in loose else 0):
                    strict = self.looseness if areas[0] in loose else 1.6
                    limit = best[0] if best else inf
                    box = Box(at, wide, size * 1.05 * len(lines))
                    price = 0.02 * len(lines) + self._price(box, areas, at, strict, limit, near)
                    if price < limit:
                        best = (price, at, lines)
            assert best is not None
            _, at, lines = best
            wide = max(width_of(line, size) for line in lines)
            self.taken.append(Box(at, wide, size * 1.05 * len(lines)))
            first = at[1] - size * 1.02 * (len(lines) - 1) / 2
            placed += [
                text((at[0], first + size * 1.02 * i), line, size, "name", stroke_width=size * 0.24)
                for i, line in enumerate(lines)
            ]
        self.parts.append(element("g", "\n".join(placed), class_="names"))

    def _near(self, areas: Sequence[str], wide: float) -> list[Box]:
        """Return what has its place already and could lie under a name of this width."""
        corners = [corner for area in areas for corner in self.polygons[area]]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        reach = Box(middle, max(xs) - min(xs) + 1.5 * wide, max(ys) - min(ys) + 1.5 * wide)
        return [box for box in self.taken if reach.overlap(box)]

    def _candidates(self, areas: Sequence[str], size: float, beyond: float) -> list[Point]:
        found = []
        for area in areas:
            corners = self.polygons[area]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            left, top = min(xs) - beyond, min(ys) - beyond
            wide, high = max(xs) + beyond - left, max(ys) + beyond - top
            # Odd numbers: the middle is the best place of most names.
            columns, rows = max(5, min(9, int(wide / size))) | 1, max(5, min(11, int(1.4 * high / size))) | 1
            found += [
                (left + wide * (i + 0.5) / columns, top + high * (j + 0.5) / rows)
                for i in range(columns)
                for j in range(rows)
            ]
        return found

    def _price(
        self, box: Box, areas: Sequence[str], at: Point, strict: float, limit: float, near: Sequence[Box]
    ) -> float:
        """Return the price of a place for a name: beyond the border, over counters, off the middle.

        From `limit` on, the price need not be exact.
        """
        whole = (box.right - box.left) * (box.bottom - box.top)
        covered = sum(box.overlap(other) for other in near) / whole
        x, y, _ = self.outline.area[areas[0]].anchors["tokens"]
        price = covered * 3 + dist(at, self.at(x, y)) / self.size
        if price >= limit:
            return price
        corners = [self.polygons[area] for area in areas]
        samples = box.samples()
        outside = sum(not any(inside(each, point) for each in corners) for point in samples) / len(samples)
        return price + outside * strict

    # -------------------------------------------------------------------------------------------------------- counters

    def label(self, at: Point, words: str, radius: float, class_: str) -> str:
        """Return a short text in a counter, as large as it can be."""
        size = min(radius * 1.3, 1.75 * radius / max(1.0, width_of(words, 1.0)))
        return text(at, words, size, f"{class_} bold")

    def shaped(self, shape: str, at: Point, radius: float, class_: str, **more: object) -> str:
        """Return a counter of a shape, so that colour is never all that tells sides apart."""
        stroke = max(0.7, radius * 0.1)
        if shape == "circle":
            return circle(at, radius, class_, stroke_width=stroke, **more)
        corners, turn, grown = _SHAPES[shape]
        return polygon(regular(at, radius * grown, corners, turn), class_, stroke_width=stroke, **more)

    def stars(self, at: Point, radius: float, count: int) -> str:
        """Return a row of stars at the top of a counter."""
        shown = min(count, 3)
        small = radius * 0.42
        return "".join(
            polygon(star((at[0] + (i - (shown - 1) / 2) * small * 1.7, at[1] - radius * 0.98), small), "ink halo",
                    stroke_width=radius * 0.09)
            for i in range(shown)
        )  # fmt: skip

    # ---------------------------------------------------------------------------------------------------------- tables

    def caption(self, words: str) -> None:
        """Write a heading of the tables."""
        left, right = self.column
        self.line += self.font * 0.6
        self.parts.append(text((left, self.line), words, self.font, "ink bold", "start"))
        y = self.line + self.font * 0.75
        self.parts.append(path([((left, y), (right, y))], "rule", stroke_width=1))
        self.line += self.font * 1.65

    def said(self, words: str, class_: str = "ink", indent: float = 0.0, lead: str = "") -> None:
        """Write a paragraph, with a lead in bold if there is one."""
        left, right = self.column
        shift = max(LEAD * self.font, width_of(lead, self.font) * 1.05 + self.font) if lead else 0.0
        lines = wrapped(words, self.font, right - left - indent - shift) or [""]
        if lead:
            self.parts.append(text((left + indent, self.line), lead, self.font, "ink bold", "start"))
        for line in lines:
            self.parts.append(text((left + indent + shift, self.line), line, self.font, class_, "start"))
            self.line += self.font * 1.35

    def icons(self, entries: Sequence[tuple[Callable[[Point, float], str], str]]) -> None:
        """Write a legend: icons with their meanings, as many in a row as there is room for."""
        left, right = self.column
        radius = self.font * 0.6
        x = left
        for icon, meaning in entries:
            wide = self.font * 2.2 + width_of(meaning, self.font * 0.92) * 1.05
            if x > left and x + wide > right:
                x = left
                self.line += self.font * 1.6
            self.parts.append(icon((x + radius, self.line), radius))
            self.parts.append(text((x + self.font * 1.6, self.line), meaning, self.font * 0.92, "faint", "start"))
            x += wide
        self.line += self.font * 1.6

    def swatch(self, terrain: str) -> Callable[[Point, float], str]:
        """Return an icon of a terrain."""

        def drawn(at: Point, radius: float) -> str:
            fill = f"fill:url(#p-{terrain})" if f'"p-{terrain}"' in _PATTERNS else None
            return element(
                "rect", x=at[0] - radius, y=at[1] - radius * 0.8, width=radius * 2, height=radius * 1.6,
                class_=terrain, style=fill,
            )  # fmt: skip

        return drawn


_SHAPES: Final[Mapping[str, tuple[int, float, float]]] = {
    "diamond": (4, 0.0, 1.15),
    "square": (4, 1 / 8, 1.22),
    "pentagon": (5, 0.0, 1.12),
    "hexagon": (6, 0.0, 1.08),
    "octagon": (8, 1 / 16, 1.05),
}


def inside(corners: Sequence[Point], at: Point) -> bool:
    """Return True if a point lies in a polygon."""
    x, y = at
    found = False
    ax, ay = corners[-1]
    for bx, by in corners:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            found = not found
        ax, ay = bx, by
    return found


def _broken(words: str) -> list[list[str]]:
    """Return the ways to break a name into one, two or three lines."""
    parts = words.split()
    ways = [[words]]
    ways += [[" ".join(parts[:i]), " ".join(parts[i:])] for i in range(1, len(parts))]
    if len(parts) > 2:
        ways += [
            [" ".join(parts[:i]), " ".join(parts[i:j]), " ".join(parts[j:])]
            for i in range(1, len(parts) - 1)
            for j in range(i + 1, len(parts))
        ]
    return ways
