"""Replay files: a match as compressed JSON, from which it can be played again anywhere."""

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
    """The fields that are needed to play a match again; the rest of a certificate is only compared."""

    game: str
    name: str
    seats: int
    options: dict[str, Any]
    secret: _Hex
    entropy: list[_Hex]
    journal: list[tuple[int, str, list[Any]]]


def save_match(match: Match, path: Path, **more: Any) -> None:
    """Write the certificate of a match. ``more`` adds fields, such as the failure that a fuzzer has found."""
    save_certificate(match.certificate() | more, path)


def save_certificate(certificate: Mapping[str, Any], path: Path | str) -> None:
    """Write a certificate to a file.

    Args:
        certificate: The certificate, from `Client.certificate` or `Match.certificate`.
        path: The file to write.
    """
    path = Path(path)
    body = {"format": FORMAT, **certificate}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without a file name and a time in the header, equal matches give equal files.
    with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        packed.write(text.encode())


class BadReplay(EngineError):
    """The file is not a replay, or has another format."""


def load_replay(path: Path) -> dict[str, Any]:
    """Read a replay file, compressed or not.

    Raises:
        BadReplay: The file is not a replay, or has another format.
    """
    try:
        data = path.read_bytes()
        text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        body = json.loads(text)
    except (OSError, EOFError, ValueError) as error:
        raise BadReplay(f"{path.name} cannot be read as a replay: {error}") from None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise BadReplay(f"{path.name} is not a replay in the format {FORMAT!r}")
    try:
        msgspec.convert(body, _Played)
    except msgspec.ValidationError as error:  # the file was edited
        raise BadReplay(f"{path.name} is not a complete replay: {error}") from None
    return body
