"""`landsraad replay FILE`: step through a saved match in the terminal, from any seat's view."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from landsraad import games
from landsraad_cli.output import JsonFlag, chosen, finish


def replay(
    file: Annotated[Path, typer.Argument(help="A replay file.")],
    seat: Annotated[int | None, typer.Option("--seat", help="Whose view (default: everybody's common view).")] = None,
    at: Annotated[int | None, typer.Option("--at", help="Go to this input and stop.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only compare with its certificate.")] = False,
    json: JsonFlag = False,
) -> None:
    """Step through a saved match: board, sentences and rules, as any seat saw them.

    Enter goes on, a number jumps there, s and a number changes the seat, r and an id shows a rule, q ends.
    """
    from landsraad_cli.local.replay_files import BadReplay, load
    from landsraad_cli.local.replay_walk import show, shown, walk
    from landsraad_engine.errors import BadJournal, BadOption
    from landsraad_engine.play.match import replay as play_again
    from landsraad_engine.play.match import verify

    try:
        body = load(file)
        game = games.load(chosen("game", body["game"], games.known()))
        game.parse_options(body["options"], body["seats"])
    except (BadReplay, BadOption) as error:
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
    by_hand = not json and at is None and sys.stdin.isatty() and sys.stdout.isatty()
    try:
        match = play_again(game, body, position)
    except BadJournal as error:
        raise typer.BadParameter(f"{file.name} cannot be played: {error}{_other_build(body)}") from None
    if not by_hand:
        facts = {"file": file.name, "game": game.id, "at": position, "inputs": inputs, **shown(match, seat)}
        if json:
            finish(facts, as_json=True)
        show(match, seat, body, position)
        return
    walk(game, body, seat)


def _other_build(body: dict[str, Any]) -> str:
    """Why what was once played may not be played here."""
    from landsraad_engine.play.build import engine_build

    played = body.get("engine")
    return "" if played == engine_build() else f". It was played by engine {played}; this is {engine_build()}"
