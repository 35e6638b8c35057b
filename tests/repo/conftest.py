"""Fixtures of the repository tests: the committed files, as they are in the work tree."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the top folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def texts() -> Mapping[str, str]:
    """Return every committed text file by its path, without links and binary files."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    found = {}
    for name in listed.stdout.split("\0"):
        path = ROOT / name
        if name and path.is_file() and not path.is_symlink():
            raw = path.read_bytes()
            if b"\0" not in raw:
                found[name] = raw.decode()
    return found
