"""Repair of an append-only file: cut off what a power loss has left behind its last whole commit.

The server itself mends a file that ends inside a command. A power loss leaves other ends as well: the file system may
have recorded the new length of the file and not its content, which then reads as zeros. The server does not start with
such a file, and its wheel has no tool that repairs it.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

#: Bytes that are read at a time, and the most that are copied.
_CHUNK = 1 << 20
_COUNT = re.compile(rb"\*(\d{1,9})\r\n")
_LENGTH = re.compile(rb"\$(\d{1,9})\r\n")
_NOTE = re.compile(rb"#[^\r\n\0]{0,1024}\r\n")


class Damage(NamedTuple):
    """A file with a damaged end."""

    path: Path
    kept: int  # bytes
    lost: int


def growing_file(data: Path) -> Path | None:
    """Return the file to which the server appends; None if there is none."""
    # Since version 7 a directory holds a base file and numbered increments, of which the last grows.
    parts = sorted(data.glob("appendonlydir/*.incr.aof"), key=lambda path: int(path.name.split(".")[-3]))
    single = data / "appendonly.aof"
    return parts[-1] if parts else single if single.exists() else None


def ends_in_zeros(path: Path) -> bool:
    """Return whether the file ends in a zero byte, which no command does."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        return file.read(1) == b"\0"


def damaged(data: Path, *, scan: bool = False) -> Damage | None:
    """Return the growing file in this directory if its end is damaged.

    A file that only ends inside a command is left to the server.

    Args:
        data: The server's directory.
        scan: Whether to read the whole file. By default only its last byte tells whether it is damaged.
    """
    path = growing_file(data)
    size = path.stat().st_size if path is not None else 0
    if path is None or not size or not (scan or ends_in_zeros(path)):
        return None
    kept = _intact(path, size)
    return Damage(path, kept, size - kept) if kept < size else None


def cut(damage: Damage) -> None:
    """Cut off a damaged end."""
    path, kept, _ = damage
    _keep_copy(path, kept)
    with path.open("rb+") as file:
        file.truncate(kept)
        os.fsync(file.fileno())


def _intact(path: Path, size: int) -> int:
    """Return the length up to the last whole command outside a transaction."""
    with path.open("rb") as file:
        if file.read(5) == b"REDIS":  # It begins with a snapshot in binary form.
            return _without_zeros(path, size)
    kept = place = 0
    in_transaction = False
    # Mapped, because a file may have many gigabytes.
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        while place < size:
            found = _command(content, place, size)
            if found is None:
                break
            place, name = found
            in_transaction = name == b"MULTI" or (in_transaction and name != b"EXEC")
            if not in_transaction:
                kept = place
    return kept


def _command(content: mmap, at: int, size: int) -> tuple[int, bytes] | None:
    """Return the end of the command at a place, and its name; None if there is no whole one."""
    note = _NOTE.match(content, at)
    if note:
        return note.end(), b""
    head = _COUNT.match(content, at)
    if head is None:
        return None
    end, name = head.end(), b""
    for number in range(int(head[1])):
        length = _LENGTH.match(content, end)
        if length is None:
            return None
        begin = length.end()
        end = begin + int(length[1]) + 2
        if end > size or content[end - 2 : end] != b"\r\n":
            return None
        if not number:
            name = content[begin : end - 2].upper()
    return end, name


def _without_zeros(path: Path, size: int) -> int:
    """Return the length without the zeros at its end. The server mends what is left, which may end inside a command."""
    with path.open("rb") as file:
        while size:
            start = max(0, size - _CHUNK)
            file.seek(start)
            left = len(file.read(size - start).rstrip(b"\0"))
            if left:
                return start + left
            size = start
    return 0


def _keep_copy(path: Path, kept: int) -> None:
    """Copy the end that is cut off beside the server's files, for people to look at, unless it is all zeros."""
    with path.open("rb") as file:
        file.seek(kept)
        end = file.read(_CHUNK)
    if end.strip(b"\0"):
        with suppress(OSError):  # The disk may be full, and the copy is for people only.
            (path.parent / f"{path.name}.cut").write_bytes(end)
