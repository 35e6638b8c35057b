"""`landsraad replay FILE`: step through a saved match in the terminal, from any seat's view."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from landsraad import games
from landsraad_cli.local_match_options import check_bot
from landsraad_cli.output import JsonFlag, finish, require_known

if TYPE_CHECKING:
    from landsraad_engine.kernel.game import Game
    from landsraad_engine.play.match import Match


def replay(
    file: Annotated[Path, typer.Argument(help="A replay file.")],
    seat: Annotated[
        int | None, typer.Option("--seat", help="Show this seat's view (default: the spectators').")
    ] = None,
    at: Annotated[int | None, typer.Option("--at", help="Show the position after this input, and exit.")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the position as a picture to this file.")] = None,
    width: Annotated[int, typer.Option("--width", help="The width of the picture in pixels.")] = 1200,
    theme: Annotated[str, typer.Option("--theme", help="The picture's colours: auto, light or dark.")] = "auto",
    bot: Annotated[
        str,
        typer.Option("--bot", help="Put the decision at --at to this bot again: name, file.py:Class, module:Class."),
    ] = "",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="With --bot: leave out the earlier decisions. The bot has no memory then.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only compare the match with its certificate.")] = False,
    json: JsonFlag = False,
) -> None:
    """Step through a saved match: board, sentences and rules, as any seat saw them.

    Press Enter for the next input. Type a number to jump there, s and a number to change the seat, r and an id to read
    a rule, q to quit. Each position shows the question, the legal acts and the choice made.

    With --bot and --at, a bot gets one decision again: with the seed that is in the file, after all that its seat was
    told and asked before. So it has the same memory and random numbers as in the match.
    """
    from landsraad.replay_files import BadReplay, load_replay
    from landsraad_cli.local.repeated_decision import decision_facts
    from landsraad_cli.local.replay_walk import position_facts, show, walk
    from landsraad_engine.errors import BadJournal, BadOption
    from landsraad_engine.play.match import replay as play_again
    from landsraad_engine.play.match import verify

    try:
        body = load_replay(file)
        game = games.load(require_known("game", body["game"], games.known()))
        game.parse_options(body["options"], body["seats"])
    except (BadReplay, BadOption) as error:
        raise typer.BadParameter(str(error)) from None
    inputs = len(body["journal"])
    if seat is not None and not 0 <= seat < body["seats"]:
        raise typer.BadParameter(f"this match has seats 0 to {body['seats'] - 1}, not {seat}")
    if at is not None and not 0 <= at <= inputs:
        raise typer.BadParameter(f"this match has inputs 0 to {inputs}, not {at}")
    if check:
        differences = verify(game, body)
        finish({"file": file.name, "inputs": inputs, "differences": differences}, as_json=json, held=not differences)
    position = inputs if at is None else at
    by_hand = not bot and not json and at is None and svg is None and sys.stdin.isatty() and sys.stdout.isatty()
    try:
        match = play_again(game, body, position)
    except BadJournal as error:
        raise typer.BadParameter(f"{file.name} cannot be played: {error}{_other_build(body)}") from None
    if svg is not None:
        finish(_picture(match, seat, svg, width, theme), as_json=json)
    if bot:
        _repeat(game, body, at, seat, bot, fresh=fresh, json=json)
    if not by_hand:
        facts = {"file": file.name, "game": game.id, "at": position, "inputs": inputs, **position_facts(match, seat)}
        facts["decision"] = decision_facts(match, body, position, seat)
        if json:
            finish(facts, as_json=True)
        show(match, seat, body, position)
        return
    walk(game, body, seat)


def _repeat(
    game: Game, body: dict[str, Any], at: int | None, seat: int | None, bot: str, *, fresh: bool, json: bool
) -> None:
    """Put a decision to a bot again, print its answer, and exit: with status 1 if it fails again."""
    from landsraad_cli.local.repeated_decision import NoDecision, repeat_decision, repeated_facts, repeated_lines
    from landsraad_engine.play.match import replay as play_again

    check_bot(bot, game)
    if at is None:
        failed = [one["at"] for one in body.get("failures", ()) if one["at"] >= 0]
        if not failed:
            raise typer.BadParameter("name the position of the decision: --at N", param_hint="--bot")
        at = failed[0]
    try:
        repeated = repeat_decision(game, body, at, seat, bot, fresh=fresh)
    except NoDecision as error:
        raise typer.BadParameter(str(error), param_hint="--at") from None
    if json:
        finish({"at": at, **repeated_facts(repeated)}, as_json=True, held=not repeated.error)
    from landsraad_cli.local.replay_walk import show_decision

    show_decision(play_again(game, body, at), seat, body, at)
    typer.echo("\n".join(repeated_lines(repeated)))
    raise typer.Exit(1 if repeated.error else 0)


def _picture(match: Match, seat: int | None, svg: Path, width: int, theme: str) -> dict[str, object]:
    """Write a position as a picture; return the facts about it."""
    from landsraad.svg import draw

    view = match.view(seat)
    seen = match.game.facade.of(view.places, seat, view.at[0] if view.at else ())
    try:
        drawn = draw(seen, width=width, theme=theme)  # type: ignore[arg-type]  # checked by draw
        svg.write_text(drawn, encoding="utf-8")
    except (ValueError, OSError) as error:
        raise typer.BadParameter(str(error)) from None
    return {"picture": str(svg), "game": match.game.id, "seat": seat, "width": width, "bytes": len(drawn.encode())}


def _other_build(body: dict[str, Any]) -> str:
    """Explain that another engine has played the match, if so."""
    from landsraad_engine.play.build import engine_build

    played = body.get("engine")
    return "" if played == engine_build() else f". It was played by engine {played}. You have {engine_build()}"
