"""Forbidden content of committed files, and the length limit of modules."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

# Lock files carry hashes instead of addresses, so that any index or mirror serves them.
REGISTRY = re.compile(
    r"pypi\.(org|python\.org)|pythonhosted\.org|registry\.(npmjs|yarnpkg)|crates\.io|rubygems\.org|anaconda\.org"
    r"|proxy\.golang\.org|repo1?\.maven|--(extra-)?index-url|--find-links|--trusted-host"
)
MACHINE_PATH = re.compile(r"(?<![\w.~$}/-])/(work|root|tmp|home|Users)/[\w.]")
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)
GENERATED = re.compile(r"_pb2(_grpc)?\.pyi?$")
MOST_LINES = 600
# Files that contain the patterns in order to forbid them.
EXEMPT = {"tests/repo/test_sources.py", "tools/lock.py"}


def places(texts: Mapping[str, str], pattern: re.Pattern[str]) -> list[str]:
    """Return the occurrences of a pattern as file:line."""
    return [
        f"{name}:{text.count(chr(10), 0, hit.start()) + 1}: {hit.group()}"
        for name, text in texts.items()
        if name not in EXEMPT
        for hit in pattern.finditer(text)
    ]


@pytest.mark.parametrize("pattern", [REGISTRY, MACHINE_PATH, CONFLICT], ids=["registry", "machine path", "conflict"])
def test_no_committed_file_contains(texts: Mapping[str, str], pattern: re.Pattern[str]) -> None:
    assert places(texts, pattern) == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (REGISTRY, "see https://pypi.org/simple"),
        (MACHINE_PATH, 'open("/tmp/x")'),
        (MACHINE_PATH, "cd /home/me"),
        (CONFLICT, "<<<<<<< HEAD"),
    ],
)
def test_the_patterns_find_what_they_are_for(pattern: re.Pattern[str], line: str) -> None:
    assert places({"file": f"\n{line}\n"}, pattern) == [f"file:2: {pattern.search(line).group()}"]  # type: ignore[union-attr]


def test_modules_stay_small(texts: Mapping[str, str]) -> None:
    sizes = {name: text.count("\n") for name, text in texts.items() if name.endswith(".py")}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES and not GENERATED.search(name)} == {}


def test_every_script_can_be_run(root: Path, texts: Mapping[str, str]) -> None:
    scripts = [name for name, text in texts.items() if text.startswith("#!")]
    assert scripts
    assert [name for name in scripts if not (root / name).stat().st_mode & 0o100] == []
