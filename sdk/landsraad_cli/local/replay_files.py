"""Replay files: a finished (or broken) match as compressed JSON, enough to play it again anywhere."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from landsraad_engine.errors import EngineError
from landsraad_engine.play.match import Match

FORMAT = "landsraad replay 1"

_Hex = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$")]


class _Played(msgspec.Struct):
    """What it takes to play a match again; the rest of a certificate is only compared."""

    game: str
    name: str
    seats: int
    options: dict[str, Any]
    secret: _Hex
    entropy: list[_Hex]
    journal: list[tuple[int, str, list[Any]]]


def save(match: Match, path: Path, **more: Any) -> None:
    """Write the certificate of a match; ``more`` says what is special about it (a fuzzing failure, for example)."""
    keep(match.certificate() | more, path)


def keep(certificate: Mapping[str, Any], path: Path | str) -> None:
    """Write a certificate, as a match here or a service gives it."""
    path = Path(path)
    body = {"format": FORMAT, **certificate}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    path.parent.mkdir(parents=True, exist_ok=True)
    # No file name and no time in the header: equal matches, equal files.
    with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        packed.write(text.encode())


class BadReplay(EngineError):
    """A file is not a replay, or one of another format."""


def load(path: Path) -> dict[str, Any]:
    """Read a replay file (compressed or not)."""
    try:
        data = path.read_bytes()
        text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        body = json.loads(text)
    except (OSError, EOFError, ValueError) as error:
        raise BadReplay(f"{path.name} cannot be read as a replay: {error}") from None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise BadReplay(f"{path.name} is not a replay of the format {FORMAT!r}")
    try:
        msgspec.convert(body, _Played)
    except msgspec.ValidationError as error:  # somebody has written in it
        raise BadReplay(f"{path.name} is not a whole replay: {error}") from None
    return body
