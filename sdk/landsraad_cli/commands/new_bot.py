"""`landsraad new-bot NAME`: a project for a bot that runs as it is."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from landsraad import games
from landsraad.bots import BOTS
from landsraad_cli.output import JsonFlag, finish, require_known

_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
#: The distributions that bring the SDK: alone, and with the service around it.
_SDK_DISTRIBUTIONS: Final = ("landsraad", "landsraad-service")
#: Folder of the template that becomes the package of the bot.
_PACKAGE_FOLDER: Final = "package"


def new_bot(
    name: Annotated[str, typer.Argument(help="Name of the project: lower-case letters, digits, dashes.")],
    game: Annotated[str, typer.Option("--game", help=f"One of: {', '.join(games.known())}.")] = "dune",
    folder: Annotated[Path, typer.Option("--in", help="Folder in which to create the project.")] = Path(),
    json: JsonFlag = False,
) -> None:
    """Create a project for a bot: one class with one method, an example that looks ahead, a test, and instructions.

    The bots play whole matches as they are: `landsraad simulate` takes the file at once, and the names once you have
    installed the project. On a service on this machine (`landsraad serve`) they need no account, and the test needs no
    service.
    """
    require_known("game", game, games.known())
    _check_name(name)
    project = folder / name
    if project.exists():
        raise typer.BadParameter(f"{project} exists already", param_hint="NAME")
    package = _package(name)
    words = {"DISTRIBUTION": _sdk_distribution(), "PACKAGE": package, "NAME": name, "GAME": game}
    made = []
    for path, template in _files(files("landsraad_cli").joinpath("templates", "new_bot")):
        text = template.read_text(encoding="utf-8")
        for placeholder, word in words.items():
            text = text.replace(placeholder, word)
        # The suffix hides the template's test from our own test run.
        parts = [package if part == _PACKAGE_FOLDER else part.removesuffix(".in") for part in path]
        made.append("/".join(parts))
        (project / made[-1]).parent.mkdir(parents=True, exist_ok=True)
        (project / made[-1]).write_text(text, encoding="utf-8")
    next_step = f"cd {project} && landsraad simulate {game} --bots {package}/bot.py:Mine,random --seats 2 --games 10"
    result = {"project": str(project), "game": game, "files": sorted(made), "next": next_step}
    finish(result, as_json=json, title="A bot of your own")


def _package(name: str) -> str:
    return name.replace("-", "_")


def _check_name(name: str) -> None:
    """Exit with status 2 if a project of this name could not be installed, imported or chosen as a bot."""
    problem = ""
    if not _NAME.fullmatch(name):
        problem = "use lower-case letters and digits, with dashes in between"
    elif name in BOTS:
        problem = f"a bot {name!r} is installed here already"
    elif keyword.iskeyword(package := _package(name)):
        problem = f"{package!r} is a word of Python"
    elif package in sys.stdlib_module_names or find_spec(package) is not None:
        problem = f"a Python module {package!r} is installed here already"
    if problem:
        raise typer.BadParameter(problem, param_hint="NAME")


def _sdk_distribution() -> str:
    """Return the distribution that brings the SDK here: the new project depends on it."""
    for name in _SDK_DISTRIBUTIONS:
        try:
            return distribution(name).name
        except PackageNotFoundError:
            continue
    return _SDK_DISTRIBUTIONS[0]


def _files(folder: Traversable, *path: str) -> Iterator[tuple[tuple[str, ...], Traversable]]:
    """Yield the files of a folder of templates, each with its path inside the folder."""
    for entry in folder.iterdir():
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _files(entry, *path, entry.name)
        else:
            yield (*path, entry.name), entry
