"""Files that only the repository has: planted leaks, and the content files of its tests."""

from pathlib import Path

from landsraad import games
from landsraad_engine.checks import coverage
from landsraad_engine.kernel.game import Game


def tests() -> Path | None:
    """Return the folder of the tests, if this code runs in or from a checkout."""
    found = coverage.find_checkout(Path.cwd(), Path(coverage.__file__).parent)
    return None if found is None else found / "tests"


def offer_contents(game: Game) -> None:
    """Offer the content files among the tests for a game, in all processes."""
    folder = tests()
    for path in sorted((folder / game.id / "content").glob("*.toml")) if folder is not None else ():
        games.offer(game.id, path)
