"""Digests of sources and content files: how a match names the rules and the components that it is played by."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec


@cache
def files_digest(*names: str) -> str:
    """Return a digest over content files of ours, by name."""
    digest = hashlib.sha256()
    for name in names:
        digest.update(resources.files("landsraad_engine.content").joinpath(f"{name}.toml").read_bytes())
    return digest.hexdigest()


@cache
def sources_digest(package: str) -> str:
    """Return a digest over the modules and data of a package; empty if it is no installed package."""
    try:
        spec = find_spec(package)
    except ValueError:  # a module made in memory
        return ""
    if spec is None or spec.origin is None or spec.submodule_search_locations is None:
        return ""
    digest = hashlib.sha256()
    _feed(digest, resources.files(package), "")
    return digest.hexdigest()


def _feed(digest: hashlib._Hash, folder: Traversable, path: str) -> None:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        name = f"{path}/{entry.name}"
        if entry.is_dir():
            if entry.name not in ("__pycache__", "testing"):  # helpers of tests are no rules
                _feed(digest, entry, name)
        elif entry.name.endswith("_outline.toml"):
            continue  # shapes for drawing: another shape is not another rule
        elif entry.name.endswith((".py", ".toml")):
            digest.update(f"{name}\n".encode())
            digest.update(entry.read_bytes())
