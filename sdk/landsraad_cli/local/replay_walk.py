"""A walk through a saved match in the terminal."""

from __future__ import annotations

from typing import Any

from landsraad_cli.local.repeated_decision import decision_facts, decision_lines
from landsraad_cli.output import console
from landsraad_cli.terminal.pictures import picture_of
from landsraad_cli.terminal.sentences import rule_text
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.match import Match
from landsraad_engine.play.match import replay as play_again


def position_facts(match: Match, seat: int | None) -> dict[str, Any]:
    """Return a position as data for programs."""
    view = match.view(seat)
    return {
        "seat": seat,
        "places": view.places,
        "step": [(name, pc) for name, pc in match.g.path()],
        "question": view.ask,
        "result": match.result,
    }


def walk(game: Game, body: dict[str, Any], seat: int | None) -> None:
    """Read commands and show positions until the user quits."""
    position = 0
    inputs = len(body["journal"])
    show(play_again(game, body, position), seat, body, position)
    while True:
        try:
            typed = input(f"[{position}/{inputs}] Enter, a number, s SEAT, r RULE, q: ").strip()
        except EOFError:
            return
        match typed.split():
            case ["q"]:
                return
            case ["r", rule]:
                print(rule_text(game.id, rule.upper()))
                continue
            case [word, *rest] if word.startswith("s"):
                number = "".join((word[1:], *rest))
                seat = int(number) if number.isdigit() and int(number) < body["seats"] else None
            case [number] if number.lstrip("-").isdigit():
                position = max(0, min(inputs, int(number)))
            case _:
                position = min(inputs, position + 1)
        show(play_again(game, body, position), seat, body, position)


def show(match: Match, seat: int | None, body: dict[str, Any], position: int) -> None:
    """Print a position as a seat sees it: the board, the last sentences, and the rule behind the last one."""
    whose = "everybody" if seat is None else f"seat {seat}"
    title = f"{match.game.title}: input {position} of {len(body['journal'])}, as {whose} sees it"
    screen = console(to_stderr=False)
    stage = Screen(picture_of(match.game), title, console=screen, live=False)
    view = match.view(seat)
    frames = view.at[0] if view.at else ()
    sentences = stage.take(match.log(seat), match.game.facade.of(view.places, seat, frames), view.at)
    screen.print(stage.drawing())
    if sentences:
        rule, _ = sentences[-1]
        screen.print(rule_text(match.game.id, rule), style="dim", markup=False)
    show_decision(match, seat, body, position)


def show_decision(match: Match, seat: int | None, body: dict[str, Any], position: int) -> None:
    """Print what a seat has to decide at a position, its legal acts, and its choice."""
    facts = decision_facts(match, body, position, seat)
    if facts is not None:
        screen = console(to_stderr=False)
        for line in decision_lines(match.game, facts):
            screen.print(line, markup=False, soft_wrap=True)
