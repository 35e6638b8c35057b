"""Files that only a game's project has: planted leaks, and the content files of its tests."""

from importlib import resources
from pathlib import Path

from landsraad import games
from landsraad_engine.checks import coverage, rulebook
from landsraad_engine.kernel.game import Game


def tests(game: str) -> Path | None:
    """Return the folder of a game's tests, if this runs in or from its project."""
    package = Path(str(resources.files(rulebook.book(game).package if rulebook.has(game) else "landsraad_engine")))
    if package.name == "landsraad_engine":
        project = coverage.find_checkout(Path.cwd(), package)
    else:
        project = coverage.find_project(package)
    return None if project is None else project / "tests"


def offer_contents(game: Game) -> None:
    """Offer the content files among the tests of a game, in all processes."""
    folder = tests(game.id)
    for path in sorted((folder / game.id / "content").glob("*.toml")) if folder is not None else ():
        games.offer(game.id, path)
