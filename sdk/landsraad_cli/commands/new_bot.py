"""`landsraad new-bot NAME`: a project for a bot that runs as it is."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from landsraad import games
from landsraad_cli.output import JsonFlag, finish, require_known

_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


def new_bot(
    name: Annotated[str, typer.Argument(help="Name of the project: lower-case letters, digits, dashes.")],
    game: Annotated[str, typer.Option("--game", help=f"One of: {', '.join(games.known())}.")] = "dune",
    folder: Annotated[Path, typer.Option("--in", help="Folder in which to create the project.")] = Path(),
    json: JsonFlag = False,
) -> None:
    """Create a project for a bot: one class with one method, a test, and instructions.

    The bot plays whole matches as it is: on a service on this machine (`landsraad serve`) that needs no account, or
    inside its own test without any service.
    """
    require_known("game", game, games.known())
    if not _NAME.fullmatch(name):
        raise typer.BadParameter("use lower-case letters and digits, with dashes in between", param_hint="NAME")
    project = folder / name
    if project.exists():
        raise typer.BadParameter(f"{project} exists already", param_hint="NAME")
    project.mkdir(parents=True)
    made = []
    for template in sorted(
        files("landsraad_cli").joinpath("templates", "new_bot").iterdir(), key=lambda file: file.name
    ):
        if template.is_file():
            text = template.read_text(encoding="utf-8").replace("NAME", name).replace("GAME", game)
            made.append(template.name.removesuffix(".in"))  # the suffix hides the template's test from our own test run
            (project / made[-1]).write_text(text, encoding="utf-8")
    next_step = f"landsraad serve, and in another terminal: cd {project} && python bot.py"
    result = {"project": str(project), "game": game, "files": made, "next": next_step}
    finish(result, as_json=json, title="A bot of your own")
