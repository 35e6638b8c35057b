"""Which rules a match is played by: the build of this library, and the content of the game.

Both are part of a match: one that was begun by another build is shown, but not advanced.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from landsraad_engine import __version__


@cache
def engine_build() -> str:
    """The version, and a digest over the sources of the rules: another rule, another build."""
    digest = hashlib.sha256()
    _feed(digest, resources.files("landsraad_engine"), "")
    return f"{__version__}+{digest.hexdigest()[:16]}"


def _feed(digest: hashlib._Hash, folder: Traversable, path: str) -> None:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        name = f"{path}/{entry.name}"
        if entry.is_dir():
            if entry.name not in ("__pycache__", "testing"):  # tests' own helpers are no rules
                _feed(digest, entry, name)
        elif entry.name.endswith((".py", ".toml")):
            digest.update(f"{name}\n".encode())
            digest.update(entry.read_bytes())
