"""The audit log: what operators have done or tried, one JSON line each, on the disk before it is answered."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec


class AuditLine(msgspec.Struct, omit_defaults=True):
    """One call."""

    time: int
    operator: str
    address: str
    call: str
    resource: str = ""
    reason: str = ""
    code: int = 0


_decode = msgspec.json.Decoder(AuditLine).decode


class AuditLog:
    """A file that only grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def add(self, line: AuditLine) -> None:
        """Write a line, through to the disk."""
        os.write(self._file, msgspec.json.encode(line) + b"\n")
        os.fsync(self._file)

    def newest(self, size: int, before: int, match: str) -> tuple[list[AuditLine], int]:
        """Lines, newest first, from before a line number on (0: the end); and where the next page begins (0: nowhere).

        A line that a crash has cut off is passed over.
        """
        lines = self._path.read_bytes().split(b"\n")[:-1]
        found: list[AuditLine] = []
        at = before or len(lines)
        while at > 0 and len(found) < size:
            at -= 1
            try:
                line = _decode(lines[at])
            except msgspec.DecodeError:
                continue
            if not match or line.resource == match:
                found.append(line)
        return found, at

    def close(self) -> None:
        os.close(self._file)
