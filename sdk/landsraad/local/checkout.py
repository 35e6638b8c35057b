"""What commands find only in the repository: planted leaks, content files of its tests."""

from pathlib import Path

from landsraad_engine import coverage


def tests() -> Path | None:
    """The folder of the tests, where this runs in or from a checkout."""
    found = coverage.find_checkout(Path.cwd(), Path(coverage.__file__).parent)
    return None if found is None else found / "tests"
