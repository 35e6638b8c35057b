"""The games that can be played here: those of the engine, and those of other packages.

A package adds a game by an entry point of the group `landsraad.games`, name = "module:instance of Game".

Content files are named in the environment, so that every process that plays finds them:
`LANDSRAAD_CONTENT=arrakis=/etc/landsraad/my-box.toml`, several joined as in PATH. A match uses one by the option
`content=my-box`.
"""

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from landsraad_engine.registry import Registry

if TYPE_CHECKING:
    from landsraad_engine.kernel.game import Game

REGISTRY = Registry(
    "landsraad.games",
    {
        "arrakis": "landsraad_engine.arrakis.game:ARRAKIS",
        "dune": "landsraad_engine.dune.game:DUNE",
    },
)
#: The environment variable that names the content files.
CONTENT_VARIABLE = "LANDSRAAD_CONTENT"


def known() -> list[str]:
    """Return the ids of all games without loading any."""
    return list(REGISTRY.targets())


@cache
def load(name: str) -> "Game":
    """Return a game by its id, with the content files that are offered for it.

    Raises:
        KeyError: There is no such game.
    """
    game = cast("Game", REGISTRY.load(name))
    for offered_for, path in offered():
        if offered_for == name:
            game.offer_content(path)
    return game


def offer(name: str, path: Path) -> None:
    """Offer a content file for a game, in this process and in those that it starts."""
    load(name).offer_content(path)
    before = os.environ.get(CONTENT_VARIABLE)
    os.environ[CONTENT_VARIABLE] = os.pathsep.join(filter(None, (before, f"{name}={path.resolve()}")))


def offered() -> Iterator[tuple[str, Path]]:
    """Yield the content files that are offered, each with its game."""
    for entry in filter(None, os.environ.get(CONTENT_VARIABLE, "").split(os.pathsep)):
        game, _, path = entry.partition("=")
        yield game, Path(path)


def offered_digest() -> str:
    """Return a digest of the offered content files, which differs between processes that offer different ones."""
    files = sorted((game, path.stem, hashlib.sha256(path.read_bytes()).hexdigest()) for game, path in offered())
    return hashlib.sha256(repr(files).encode()).hexdigest()[:16] if files else ""
