"""Archive: the compressed logs of finished matches, in a directory or behind any URL that fsspec understands."""

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

#: Index names begin with this number less the end of their match, so that the newest match is sorted first.
_LATEST = 10**14

_StoredEntry = tuple[tuple[int, int, bytes, int], bytes]
_decode = msgspec.msgpack.Decoder(list[_StoredEntry]).decode


class Archive(ABC):
    """Storage for finished matches.

    A match is a file `NAME.log` with its entries and a file `TIME-NAME.index` with its summary, by whose name the index
    is sorted.
    """

    async def save(self, match: str, entries: list[Entry], ended: int, summary: bytes) -> None:
        """Write a match and its index entry. Writing them twice does no harm."""
        stored = [(entry.head, entry.payload) for entry in entries]
        blob = await asyncio.to_thread(gzip.compress, msgspec.msgpack.encode(stored), 6, mtime=0)
        await asyncio.to_thread(self.write, f"{match}.log", blob)
        await asyncio.to_thread(self.write, f"{_LATEST - ended:014d}-{match}.index", summary)

    async def contains(self, match: str) -> bool:
        """Tell whether a match is in the archive."""
        return await asyncio.to_thread(self.read, f"{match}.log") is not None

    async def records(self, match: str) -> list[tuple[Head, MatchRecord]]:
        """Read the log of a match; empty if the match is not in the archive."""
        blob = await asyncio.to_thread(self.read, f"{match}.log")
        if blob is None:
            return []
        stored = _decode(await asyncio.to_thread(gzip.decompress, blob))
        return [(Head(*head), decode_record(payload)) for head, payload in stored]

    async def page(self, size: int, after: str) -> list[tuple[str, bytes]]:
        """Read one page of the index, newest match first.

        Args:
            size: The largest number of entries.
            after: The last name of the page before; empty for the first page.

        Returns:
            The name in the index and the summary of each match.
        """
        names = sorted(name for name in await asyncio.to_thread(self.names) if name.endswith(".index") and name > after)
        blobs = [await asyncio.to_thread(self.read, name) for name in names[:size]]
        return [(name, blob) for name, blob in zip(names, blobs, strict=False) if blob is not None]

    @abstractmethod
    def write(self, name: str, blob: bytes) -> None:
        """Write a file atomically. When this returns, the file survives a power loss."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is no such file."""

    @abstractmethod
    def names(self) -> list[str]:
        """List the names of all files."""


class DirectoryArchive(Archive):
    """An archive in a directory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # The directory is private, as the store is: logs hold request ids, from which guests' tokens can be derived,
        # and unlisted matches. The mode of an existing directory is its operator's business.
        made = [folder for folder in (path, *path.parents) if not folder.exists()]
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in made:
            _sync_directory(folder.parent)

    def write(self, name: str, blob: bytes) -> None:
        # The match leaves the store after this, so the file must survive a power loss: first its content, then its
        # name.
        part = self._path / f".{name}.{os.getpid()}.{get_ident()}"
        with part.open("wb") as file:
            file.write(blob)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self._path / name)
        _sync_directory(self._path)

    def read(self, name: str) -> bytes | None:
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError:
            return None

    def names(self) -> list[str]:
        return [path.name for path in self._path.iterdir()]


def _sync_directory(path: Path) -> None:
    """Write the names in a directory to the disk."""
    directory = os.open(path, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


class RemoteArchive(Archive):
    """An archive behind a URL ("s3://bucket/path"). It needs fsspec and its driver for the scheme."""

    def __init__(self, url: str) -> None:
        # fsspec is an optional dependency.
        self._files, self._path = import_module("fsspec.core").url_to_fs(url)
        # A driver that is not asynchronous has one connection, which must not be used by two threads at a time.
        self._lock: AbstractContextManager[Any] = nullcontext() if self._files.async_impl else Lock()
        self._files.makedirs(self._path, exist_ok=True)

    def write(self, name: str, blob: bytes) -> None:
        with self._lock:
            self._files.pipe_file(f"{self._path}/{name}", blob)

    def read(self, name: str) -> bytes | None:
        try:
            with self._lock:
                found: Any = self._files.cat_file(f"{self._path}/{name}")
        except FileNotFoundError:
            return None
        return bytes(found)

    def names(self) -> list[str]:
        with self._lock:
            self._files.invalidate_cache(self._path)  # other workers write there, too
            return [path.rpartition("/")[2] for path in self._files.ls(self._path, detail=False)]


def open_archive(location: str) -> Archive:
    """Open the archive in a directory or behind a URL.

    Raises:
        SetupError: The archive cannot be used. The message does not repeat the URL, which may hold a password.
    """
    try:
        return RemoteArchive(location) if "://" in location else DirectoryArchive(Path(location))
    except (OSError, ValueError, ImportError) as error:  # ValueError: fsspec does not know the scheme.
        raise SetupError(f"the archive cannot be used: {error}") from None
