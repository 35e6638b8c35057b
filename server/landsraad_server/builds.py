"""Which engine and which component values this worker has: a match goes on only under those it was begun with."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import landsraad_engine


@cache
def engine_build() -> str:
    """Version of the engine and a digest of its sources: equal for equal rules."""
    try:
        release = version("landsraad-engine")
    except PackageNotFoundError:
        release = version("landsraad-service")
    return f"{release}+{_digest('**/*.py')}"


@cache
def content_digest() -> str:
    """Digest of the component values."""
    return _digest("content/*.toml")


def _digest(pattern: str) -> str:
    root = Path(landsraad_engine.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.glob(pattern)):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
