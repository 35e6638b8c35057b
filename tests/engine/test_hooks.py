"""Each extension point has a comment that names the files that call it, so that its rule can be found."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import landsraad_engine

ENGINE = Path(next(iter(landsraad_engine.__path__)))
_CLASS = re.compile(r"class (\w+)")
_MEMBER = re.compile(r"    ([A-Z_]+) = auto\(\)")
_FILE = re.compile(r"[\w/]+\.py")
#: Where a point is handed on, not where something is registered under it: by a decorator, by a source's own method, or
#: in the row of an ability that is gone until then.
_REGISTERED = r"(?! *@| +[A-Z_]+ = \()"
_CALLED = re.compile(rf"^{_REGISTERED}[^`\n]*(?<!modifies\()\b((?:Query|Permit|Timing|Instead)\.[A-Z_]+)", re.MULTILINE)


def points(game: str) -> Iterator[tuple[str, str]]:
    """Return every extension point of a game ("Query.HAND_LIMIT") with its comment."""
    kind = above = ""
    for line in (ENGINE / game / "hooks.py").read_text().splitlines():
        if named := _CLASS.match(line):
            kind = named[1]
        if member := _MEMBER.match(line):
            yield f"{kind}.{member[1]}", line.partition("#:")[2] or above
        above = line.partition("#:")[2]


@pytest.mark.parametrize("game", ["arrakis", "dune", "teaching"])
def test_the_files_that_call_a_point_are_those_that_its_comment_names(game: str) -> None:
    called: dict[str, set[str]] = {}
    for file in (ENGINE / game).rglob("*.py"):
        for point in _CALLED.findall(file.read_text()):
            called.setdefault(point, set()).add(file.relative_to(ENGINE / game).as_posix())
    named = dict(points(game))
    assert named.keys() == called.keys()
    for point, comment in named.items():
        # For a point that is called in many files, the comment names two of them.
        wrong = set(_FILE.findall(comment)) ^ (called[point] - {"invariants.py"})
        assert not wrong or (comment.endswith("...") and wrong <= called[point]), f"{point}: {wrong}"
