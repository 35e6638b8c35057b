"""Elements of SVG as text, with everything escaped that comes from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from typing import TypeAlias
from xml.sax.saxutils import escape, quoteattr

Point: TypeAlias = tuple[float, float]

#: Characters that XML 1.0 does not allow, not even escaped.
_FORBIDDEN = {code: " " for code in range(32) if chr(code) not in "\t\n\r"} | dict.fromkeys((0xFFFE, 0xFFFF), " ")


def number(value: float) -> str:
    """Return a number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def clean(text: str) -> str:
    """Return a text that is safe between tags."""
    return escape(text.translate(_FORBIDDEN))


def element(tag: str, content: str = "", /, **attributes: object) -> str:
    """Return an element. A trailing underscore of an attribute is dropped, others become hyphens."""
    written = "".join(
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(_value(value).translate(_FORBIDDEN))}"
        for name, value in attributes.items()
        if value not in (None, "")
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def _value(value: object) -> str:
    return number(value) if isinstance(value, int | float) else str(value)


def text(at: Point, words: str, size: float, class_: str = "", anchor: str = "middle", **more: object) -> str:
    """Return a text whose middle line lies at a point."""
    x, y = at
    # The baseline is set by hand: not every renderer knows dominant-baseline.
    return element(
        "text", clean(words), x=x, y=y + size * 0.35, font_size=size, text_anchor=anchor, class_=class_, **more
    )


def points(corners: Iterable[Point]) -> str:
    """Return the value of the attribute `points`."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def polygon(corners: Iterable[Point], class_: str, content: str = "", /, **more: object) -> str:
    """Return a polygon."""
    return element("polygon", content, points=points(corners), class_=class_, **more)


def circle(at: Point, radius: float, class_: str, /, **more: object) -> str:
    """Return a circle."""
    return element("circle", cx=at[0], cy=at[1], r=radius, class_=class_, **more)


def path(strokes: Iterable[Sequence[Point]], class_: str, /, **more: object) -> str:
    """Return open lines as one path."""
    d = "".join("M" + "L".join(f"{number(x)} {number(y)}" for x, y in stroke) for stroke in strokes)
    return element("path", d=d, class_=class_, **more)


def regular(at: Point, radius: float, corners: int, turn: float = 0.0) -> list[Point]:
    """Return the corners of a regular polygon; `turn` in parts of a circle, 0 with a corner on top."""
    angles = [2 * pi * (i / corners + turn) - pi / 2 for i in range(corners)]
    return [(at[0] + radius * cos(angle), at[1] + radius * sin(angle)) for angle in angles]


def star(at: Point, radius: float) -> list[Point]:
    """Return the corners of a star."""
    outer, inner = regular(at, radius, 5), regular(at, radius * 0.45, 5, 0.1)
    return [corner for pair in zip(outer, inner, strict=True) for corner in pair]


def width_of(words: str, size: float) -> float:
    """Return the approximate width of a text."""
    return sum(0.34 if letter in "iljtfI.,:'|() " else 0.9 if letter in "mwMW—" else 0.63 for letter in words) * size


def wrapped(words: str, size: float, width: float) -> list[str]:
    """Return a text in lines of at most a width."""
    lines: list[str] = []
    for word in words.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
