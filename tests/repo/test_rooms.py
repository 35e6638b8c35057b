"""Rooms: docs/architecture.md has a line for each folder of a package, and few modules lie in no folder.

How long a module may be is held in test_sources.py.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

import pytest

PACKAGES = ("engine/landsraad_engine", "server/landsraad_server")
ARCHITECTURE = "docs/architecture.md"
SERVER = "server/landsraad_server"
MOST_LOOSE = 4


def rooms(paths: Iterable[str], package: str) -> list[str]:
    """Return the folders directly below a package."""
    below = (PurePosixPath(path).relative_to(package) for path in paths if path.startswith(f"{package}/"))
    return sorted({path.parts[0] for path in below if len(path.parts) > 1})


def unmentioned(folders: Sequence[str], page: str) -> list[str]:
    """Return the folders that no line of a page names as such: `kernel/`, alone or at the end of a path."""
    return [folder for folder in folders if not re.search(rf"(?<![\w-]){re.escape(folder)}/(?![\w-])", page)]


def loose(paths: Iterable[str], package: str) -> list[str]:
    """Return the modules that lie in a package and in no room."""
    return sorted(
        path.name for path in map(PurePosixPath, paths) if str(path.parent) == package and path.stem != "__init__"
    )


@pytest.fixture(scope="module")
def paths(texts: Mapping[str, str]) -> list[str]:
    return [path for path in texts if path.endswith(".py")]


def test_the_architecture_names_every_room(root: Path, paths: list[str]) -> None:
    page = (root / ARCHITECTURE).read_text(encoding="utf-8")
    for package in PACKAGES:
        folders = rooms(paths, package)
        assert folders
        assert unmentioned(folders, page) == []


def test_few_modules_of_the_server_are_loose(paths: list[str]) -> None:
    assert len(loose(paths, SERVER)) <= MOST_LOOSE, loose(paths, SERVER)


def test_rooms_and_loose_modules_are_told_apart() -> None:
    paths = [
        "server/landsraad_server/__init__.py",
        "server/landsraad_server/cli.py",
        "server/landsraad_server/store/lua/a.py",
        "server/landsraad_server/api/__init__.py",
        "server/landsraad_admin/b/c.py",
    ]
    assert rooms(paths, SERVER) == ["api", "store"]
    assert loose(paths, SERVER) == ["cli.py"]


def test_a_room_without_a_line_is_found() -> None:
    page = "| `kernel/` | machine |\n  store/   what lasts\nserver/landsraad_server/api/\nplay is fun; checks/deep\n"
    assert unmentioned(["kernel", "store", "api", "play", "checks"], page) == ["play", "checks"]
