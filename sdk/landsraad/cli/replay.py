"""`landsraad replay FILE`: step through a saved match in the terminal, from any seat's view."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from landsraad import games
from landsraad.cli.output import JsonFlag, finish
from landsraad.cli.replays import BadReplay, load
from landsraad_engine.information import View
from landsraad_engine.match import Match, verify
from landsraad_engine.match import replay as play_again
from landsraad_engine.rulebook import statements


def replay(
    file: Annotated[Path, typer.Argument(help="A replay file.")],
    seat: Annotated[int | None, typer.Option("--seat", help="Whose view (default: everybody's common view).")] = None,
    at: Annotated[int | None, typer.Option("--at", help="Go to this input and stop.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only compare with its certificate.")] = False,
    json: JsonFlag = False,
) -> None:
    """Step through a saved match: Enter goes on, a number jumps there, s and a number changes the seat, q ends."""
    try:
        body = load(file)
        game = games.load(body["game"])
    except (BadReplay, KeyError) as error:
        raise typer.BadParameter(str(error)) from None
    inputs = len(body["journal"])
    if seat is not None and not 0 <= seat < body["seats"]:
        raise typer.BadParameter(f"this match has the seats 0 to {body['seats'] - 1}, not {seat}")
    if at is not None and not 0 <= at <= inputs:
        raise typer.BadParameter(f"this match has the inputs 0 to {inputs}, not {at}")
    if check:
        differences = verify(game, body)
        finish({"file": file.name, "inputs": inputs, "differences": differences}, as_json=json, held=not differences)
    position = inputs if at is None else at
    if json or at is not None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        match = play_again(game, body, position)
        shown = {"file": file.name, "game": game.id, "at": position, "inputs": inputs, **_shown(match, seat)}
        if json:
            finish(shown, as_json=True)
        _print(match, seat, body, position)
        return
    _walk(game, body, seat)


def _shown(match: Match, seat: int | None) -> dict[str, Any]:
    view = match.view(seat)
    return {
        "seat": seat,
        "places": view.places,
        "step": [(name, pc) for name, pc in match.g.path()],
        "question": view.ask,
        "result": match.result,
    }


def _walk(game: Any, body: dict[str, Any], seat: int | None) -> None:
    """The interactive loop."""
    position = 0
    inputs = len(body["journal"])
    while True:
        _print(play_again(game, body, position), seat, body, position)
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


def _print(match: Match, seat: int | None, body: dict[str, Any], position: int) -> None:
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
        case "event":
            rule = known.get(entry[2])
            why = f"   [{entry[2]}: {rule.text}]" if rule is not None else ""
            return f"{entry[1]} {' '.join(_value(v) for v in entry[3:])}{why}"
        case "at":
            return f"-- {entry[2] or 'on'}"
        case kind:
            return f"{kind} {' '.join(_value(v) for v in entry[1:2])}"
