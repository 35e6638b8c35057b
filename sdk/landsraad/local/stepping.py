"""Stepping through a saved match in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from landsraad_engine.information import View
from landsraad_engine.match import Match
from landsraad_engine.match import replay as play_again
from landsraad_engine.rulebook import statements


def shown(match: Match, seat: int | None) -> dict[str, Any]:
    view = match.view(seat)
    return {
        "seat": seat,
        "places": view.places,
        "step": [(name, pc) for name, pc in match.g.path()],
        "question": view.ask,
        "result": match.result,
    }


def walk(game: Any, body: dict[str, Any], seat: int | None) -> None:
    """The interactive loop."""
    position = 0
    inputs = len(body["journal"])
    while True:
        show(play_again(game, body, position), seat, body, position)
        typed = input(f"[{position}/{inputs}] Enter, number, s<seat>, q: ").strip()
        if typed == "q":
            return
        if typed.startswith("s"):
            number = typed[1:].strip()
            seat = int(number) if number.isdigit() and int(number) < body["seats"] else None
        elif typed.lstrip("-").isdigit():
            position = max(0, min(inputs, int(typed)))
        else:
            position = min(inputs, position + 1)


def show(match: Match, seat: int | None, body: dict[str, Any], position: int) -> None:
    whose = "everybody" if seat is None else f"seat {seat}"
    print(f"== {match.game.title}: input {position} of {len(body['journal'])}, as {whose} sees it ==")
    for line in _lines(match, match.view(seat)):
        print(line)
    for entry in match.log(seat)[-12:]:
        print("  " + _told(match, entry))
    if match.result is not None:
        kind, winners = match.result
        print(f"Result: {kind}; winners: {', '.join(map(str, winners)) or 'nobody'}")


def _lines(match: Match, view: View) -> Iterator[str]:
    """Places with something in them, a line each, by zone."""
    zones: dict[str, list[str]] = {}
    for key in sorted(view.places):
        zones.setdefault(match.g.setting.places[key].zone.name, []).append(f"{key}={_value(view.places[key])}")
    for name, places in zones.items():
        yield f"{name}: " + "  ".join(places)


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + " ".join(_value(v) for v in value) + ")"
    return str(value)


def _told(match: Match, entry: tuple[Any, ...]) -> str:
    """A log entry in words, with the rule it rests on."""
    known = statements(match.game.id)
    match entry[0]:
        case "event" | "aside":
            rule = known.get(entry[2])
            why = f"   [{entry[2]}: {rule.text}]" if rule is not None else ""
            return f"{entry[1]} {' '.join(_value(v) for v in entry[3:])}{why}"
        case "at":
            return f"-- {entry[2] or 'on'}"
        case kind:
            return f"{kind} {' '.join(_value(v) for v in entry[1:2])}"
