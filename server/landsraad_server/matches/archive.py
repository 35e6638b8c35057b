"""Finished matches: their whole logs, compressed, in a directory or behind any URL that fsspec understands."""

from __future__ import annotations

import asyncio
import gzip
import os
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

import msgspec

from landsraad_server.matches.records import MatchRecord, decode_record
from landsraad_server.store import Entry, Head
from landsraad_server.store.errors import SetupError

#: Ends names so that the newest match comes first in a sorted directory.
_LATEST = 10**14

_Filed = tuple[tuple[int, int, bytes, int], bytes]
_decode = msgspec.msgpack.Decoder(list[_Filed]).decode


class Archive(ABC):
    """What is kept of finished matches: `NAME.log` with the entries, and an index of empty files that sorts by end."""

    async def keep(self, match: str, entries: list[Entry], ended: int, summary: bytes) -> None:
        """Keep a match; doing it twice does no harm."""
        filed = [(entry.head, entry.payload) for entry in entries]
        blob = await asyncio.to_thread(gzip.compress, msgspec.msgpack.encode(filed), 6, mtime=0)
        await asyncio.to_thread(self.write, f"{match}.log", blob)
        await asyncio.to_thread(self.write, f"{_LATEST - ended:014d}-{match}.index", summary)

    async def holds(self, match: str) -> bool:
        """Whether a match is here."""
        return await asyncio.to_thread(self.read, f"{match}.log") is not None

    async def records(self, match: str) -> list[tuple[Head, MatchRecord]]:
        """The log of a match; empty if it is not here."""
        blob = await asyncio.to_thread(self.read, f"{match}.log")
        if blob is None:
            return []
        filed = _decode(await asyncio.to_thread(gzip.decompress, blob))
        return [(Head(*head), decode_record(payload)) for head, payload in filed]

    async def page(self, size: int, after: str) -> list[tuple[str, bytes]]:
        """Names in the index and summaries, the last to end first, after a name of the page before."""
        names = sorted(name for name in await asyncio.to_thread(self.names) if name.endswith(".index") and name > after)
        blobs = [await asyncio.to_thread(self.read, name) for name in names[:size]]
        return [(name, blob) for name, blob in zip(names, blobs, strict=False) if blob is not None]

    @abstractmethod
    def write(self, name: str, blob: bytes) -> None:
        """Write a file, whole or not at all."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """What a file holds; None if there is none."""

    @abstractmethod
    def names(self) -> list[str]:
        """The names of all files."""


class Directory(Archive):
    """An archive in a directory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Ours alone, as the store is: the names of requests stand in it, from which guests' tokens follow, and unlisted
        # matches. One that is there already is as its operator wants it.
        path.mkdir(mode=0o700, parents=True, exist_ok=True)

    def write(self, name: str, blob: bytes) -> None:
        part = self._path / f".{name}.{os.getpid()}.{get_ident()}"
        part.write_bytes(blob)
        part.replace(self._path / name)

    def read(self, name: str) -> bytes | None:
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError:
            return None

    def names(self) -> list[str]:
        return [path.name for path in self._path.iterdir()]


class Remote(Archive):
    """An archive behind a URL ("s3://bucket/path"); needs fsspec and its driver for the scheme."""

    def __init__(self, url: str) -> None:
        # Only who wants it has it installed.
        self._files, self._path = import_module("fsspec.core").url_to_fs(url)
        # Drivers that are not made for concurrent use have one connection, on which one thing at a time is said.
        self._turn: AbstractContextManager[Any] = nullcontext() if self._files.async_impl else Lock()
        self._files.makedirs(self._path, exist_ok=True)

    def write(self, name: str, blob: bytes) -> None:
        with self._turn:
            self._files.pipe_file(f"{self._path}/{name}", blob)

    def read(self, name: str) -> bytes | None:
        try:
            with self._turn:
                found: Any = self._files.cat_file(f"{self._path}/{name}")
        except FileNotFoundError:
            return None
        return bytes(found)

    def names(self) -> list[str]:
        with self._turn:
            self._files.invalidate_cache(self._path)  # others write there, too
            return [path.rpartition("/")[2] for path in self._files.ls(self._path, detail=False)]


def at(place: str) -> Archive:
    """The archive at a directory or URL, which is not repeated: it may hold a password."""
    try:
        return Remote(place) if "://" in place else Directory(Path(place))
    except (OSError, ValueError, ImportError) as error:  # ValueError: a scheme that fsspec does not know
        raise SetupError(f"the archive cannot be used: {error}") from None
