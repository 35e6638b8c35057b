"""The catalog: games as messages, and the options of a match, both ways."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from landsraad.v1 import catalog_pb2
from landsraad.v1.value_pb2 import Value
from landsraad_engine.checks import rulebook
from landsraad_engine.content.outlines import AreaOutline, BoardOutline, BoardSize
from landsraad_engine.content.parts import Component
from landsraad_engine.kernel.announcements import Announcement
from landsraad_engine.kernel.domains import GRAPHS
from landsraad_engine.kernel.execution import standing_orders
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.setting import setting_for

from . import fields
from .annotations import defaults_of, kind_of
from .fields import Kind
from .tables import layout_message
from .values import read_value, write_value

#: The names of the types of fields in the catalog.
_TYPES: Final[Mapping[Kind, str]] = {
    fields.number: "number",
    fields.maybe_number: "number?",
    fields.text: "text",
    fields.maybe_text: "text?",
    fields.flag: "flag",
    fields.numbers: "numbers",
    fields.texts: "texts",
    fields.number_or_text: "value?",
}


def name_of(game: Game) -> str:
    """Return the resource name of a game."""
    return f"games/{game.id}"


def summary_message(game: Game) -> catalog_pb2.Game:
    """Write a game as it appears in a list."""
    return catalog_pb2.Game(
        name=name_of(game),
        title=game.title,
        seats=game.seats,
        options=[
            catalog_pb2.OptionSpec(
                name=spec.name,
                meaning=spec.meaning,
                default=value_message(spec.default),
                values=map(value_message, spec.values),
                low=spec.low,
                high=spec.high,
            )
            for spec in game.option_specs
        ],
        endings=game.results,
        standing_orders=standing_orders(game),
    )


def game_message(
    game: Game,
    seats: int = 0,
    options: Mapping[str, Any] | None = None,
) -> catalog_pb2.Game:
    """Write everything about a game. Its places are those with this number of seats (0 for the most) and these options.

    Raises:
        BadOption: An option is wrong.
    """
    seats = seats or game.default_seats
    chosen = game.parse_options(options or {}, seats)
    message = summary_message(game)
    message.acts.extend(map(_act_type, game.acts))
    message.announcements.extend(map(_announcement_type, game.announcements))
    message.layout.CopyFrom(layout_message(setting_for(game, chosen, seats, b"").layout))
    boards = {f"{game.id}/{name}": graph for name, graph in game.graphs(chosen).items()}
    walked = {name: graph for name, graph in GRAPHS.items() if name.startswith(f"{game.id}/")}
    for name, graph in sorted((boards | walked).items()):
        areas = [catalog_pb2.GraphArea(id=area, neighbours=near) for area, near in graph.items()]
        message.graphs.add(name=name, areas=areas)
    drawn = {f"{game.id}/{name}": outline for name, outline in game.outlines().items()}
    for written in message.graphs:
        if written.name in drawn:
            add_outline(written, drawn[written.name])
    message.rules.extend(_rules(game))
    message.components.extend(map(_component, game.components(chosen)))
    message.content_digest = game.content_digest(chosen)
    return message


def add_outline(graph: catalog_pb2.Graph, outline: BoardOutline) -> None:
    """Add the outline of its board to a graph."""
    graph.sheet.width, graph.sheet.height = outline.board.width, outline.board.height
    graph.sheet.marks.extend(_anchors(outline.marks))
    for name, points in outline.lines.items():
        graph.sheet.lines.add(name=name, points=_points(points))
    for area in graph.areas:
        area.outline.extend(_points(outline.area[area.id].outline))
        area.anchors.extend(_anchors(outline.area[area.id].anchors))


def read_outline(graph: catalog_pb2.Graph) -> BoardOutline | None:
    """Read the outline of a graph's board; None if it has none."""
    if not graph.HasField("sheet"):
        return None
    return BoardOutline(
        provenance="reconstructed",
        board=BoardSize(width=graph.sheet.width, height=graph.sheet.height),
        marks=_read_anchors(graph.sheet.marks),
        lines={line.name: _read_points(line.points) for line in graph.sheet.lines},
        area={
            a.id: AreaOutline(outline=_read_points(a.outline), anchors=_read_anchors(a.anchors)) for a in graph.areas
        },
    )


def _points(points: Iterable[tuple[int, int]]) -> Iterable[catalog_pb2.Point]:
    return [catalog_pb2.Point(x=x, y=y) for x, y in points]


def _anchors(anchors: Mapping[str, tuple[int, int, int]]) -> Iterable[catalog_pb2.Anchor]:
    return [
        catalog_pb2.Anchor(name=name, at=catalog_pb2.Point(x=x, y=y), radius=radius)
        for name, (x, y, radius) in anchors.items()
    ]


def _read_points(points: Iterable[catalog_pb2.Point]) -> tuple[tuple[int, int], ...]:
    return tuple((point.x, point.y) for point in points)


def _read_anchors(anchors: Iterable[catalog_pb2.Anchor]) -> dict[str, tuple[int, int, int]]:
    return {anchor.name: (anchor.at.x, anchor.at.y, anchor.radius) for anchor in anchors}


def _act_type(act: type[Act]) -> catalog_pb2.ActType:
    hints = get_type_hints(act)
    defaults = defaults_of(act)
    rows = []
    for name in act.__struct_fields__:
        kind = kind_of(hints[name])
        row = catalog_pb2.ActField(name=name, type=_TYPES[kind] if kind else "value", has_default=name in defaults)
        if defaults.get(name) is not None:
            row.default.CopyFrom(value_message(defaults[name]))
        rows.append(row)
    return catalog_pb2.ActType(name=act.__name__, meaning=inspect.getdoc(act) or "", fields=rows)


def _announcement_type(kind: type[Announcement]) -> catalog_pb2.AnnouncementType:
    facts = []
    for name, hint in get_type_hints(kind).items():
        if name == "sentence":
            continue
        words = get_args(hint) if get_origin(hint) is Literal else ()
        known = kind_of(str if words else hint)
        facts.append(catalog_pb2.AnnouncementFact(name=name, type=_TYPES[known] if known else "value", words=words))
    meaning = inspect.getdoc(kind) or ""
    return catalog_pb2.AnnouncementType(name=kind.__name__, meaning=meaning, sentence=kind.sentence, facts=facts)


def _component(component: Component) -> catalog_pb2.ComponentValue:
    certainty = catalog_pb2.Certainty.Value(f"CERTAINTY_{component.certainty.upper()}")
    value = value_message(component.value)
    return catalog_pb2.ComponentValue(key=component.key, value=value, certainty=certainty, source=component.source)


def _rules(game: Game) -> Iterable[catalog_pb2.RuleStatement]:
    if not rulebook.has(game.id):
        return
    for statement in rulebook.statements(game.id).values():
        yield catalog_pb2.RuleStatement(
            id=statement.id,
            section=statement.section,
            heading=statement.heading,
            text=statement.text,
            kind=catalog_pb2.RuleKind.Value(f"RULE_KIND_{statement.kind.upper()}"),
            editions=statement.editions,
            reason=statement.reason,
        )


def value_message(value: Any) -> Value:
    """Write a plain value as a message."""
    return Value.FromString(write_value(value))


def options_message(options: Mapping[str, Any]) -> dict[str, Value]:
    """Write the options of a match."""
    return {name: value_message(value) for name, value in options.items()}


def read_options(parsed: Mapping[str, Value]) -> dict[str, Any]:
    """Read the options of a match. The game checks them."""
    return {name: read_value(value) for name, value in parsed.items()}
