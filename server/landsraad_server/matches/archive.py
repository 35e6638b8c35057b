"""Archive: the compressed logs of finished matches, in a directory or behind any URL that fsspec understands."""

from __future__ import annotations

import asyncio
import gzip
import os
from abc import ABC, abstractmethod
from collections import OrderedDict
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from threading import Lock, get_ident
from typing import Any, TypeAlias

import msgspec

from landsraad_server.matches.record_format import unpack
from landsraad_server.matches.records import MatchRecord, decode_record
from landsraad_server.store import Entry, Head, Store
from landsraad_server.store.data_directory import sync_directory
from landsraad_server.store.errors import SetupError

#: Index names begin with this number less the end of their match, so that the newest match is sorted first.
_LATEST = 10**14

#: Name of the file with an archive's id.
IDENTITY = "archive.id"

#: Bytes of unpacked logs that a worker keeps: a match of six seats has 2 MB.
CACHED_BYTES = 16 << 20
#: Memory of a record beside its payload: the objects of its head.
_RECORD_BYTES = 400

#: The log of a match: its versions, oldest first, each with its encoded record.
StoredLog: TypeAlias = list[tuple[Head, bytes]]
_StoredEntry = tuple[tuple[int, int, bytes, int], bytes]
_decode = msgspec.msgpack.Decoder(list[_StoredEntry]).decode


def index_name(match: str, ended: int) -> str:
    """Return the name of a match in the index, by which the one that ended last is first."""
    return f"{_LATEST - ended:014d}-{match}.index"


class LogCache:
    """The unpacked logs of the matches that were read last, limited by their bytes.

    A replay is read page by page, and unpacking a whole match for each page would cost more than the page. The logs of
    finished matches do not change.
    """

    def __init__(self, most_bytes: int = CACHED_BYTES) -> None:
        self.bytes = 0
        self._most_bytes = most_bytes
        self._logs: OrderedDict[str, tuple[StoredLog, int]] = OrderedDict()  # the least recently used first

    def get(self, match: str) -> StoredLog | None:
        """Return the log of a match; None if it is not cached."""
        found = self._logs.get(match)
        if found is None:
            return None
        self._logs.move_to_end(match)
        return found[0]

    def put(self, match: str, log: StoredLog) -> None:
        """Cache a log, and evict those that are over the limit; a log that is itself over it is not cached."""
        self.drop(match)
        size = sum(len(payload) + _RECORD_BYTES for _, payload in log)
        if size > self._most_bytes:
            return
        self._logs[match] = log, size
        self.bytes += size
        while self.bytes > self._most_bytes:
            self.drop(next(iter(self._logs)))

    def drop(self, match: str) -> None:
        """Remove a log, if it is cached."""
        _, size = self._logs.pop(match, (None, 0))
        self.bytes -= size


class Archive(ABC):
    """Storage for finished matches.

    A match is a file `NAME.log` with its entries and a file `TIME-NAME.index` with its summary, by whose name the index
    is sorted.
    """

    def __init__(self) -> None:
        self._cache = LogCache()

    async def save(self, match: str, entries: list[Entry], ended: int, summary: bytes) -> None:
        """Write a match and its index entry. Writing them twice does no harm."""
        self._cache.drop(match)
        # Plain records: files outlast the dictionaries of a build, and compress better as a whole.
        stored = [(entry.head, unpack(entry.payload)) for entry in entries]
        blob = await asyncio.to_thread(gzip.compress, msgspec.msgpack.encode(stored), 6, mtime=0)
        await asyncio.to_thread(self.write, f"{match}.log", blob)
        await asyncio.to_thread(self.write, index_name(match, ended), summary)

    async def identity(self) -> str:
        """Return the id of this archive, which is given to it when it is first used."""
        found = await asyncio.to_thread(self.read, IDENTITY)
        if found is None:
            await asyncio.to_thread(self.write, IDENTITY, token_hex(8).encode() + b"\n")
            # Read back: another server may have written one at the same time, and the later one stands.
            found = await asyncio.to_thread(self.read, IDENTITY)
        return (found or b"").decode(errors="replace").strip()

    async def contains(self, match: str) -> bool:
        """Tell whether a match is in the archive."""
        return await asyncio.to_thread(self.read, f"{match}.log") is not None

    async def records(self, match: str) -> list[tuple[Head, MatchRecord]]:
        """Read the log of a match; empty if the match is not in the archive."""
        return [(head, decode_record(payload)) for head, payload in await self.stored(match)]

    async def stored(self, match: str) -> StoredLog:
        """Read the log of a match with its records encoded; empty if the match is not in the archive.

        The caller must not change the list: it may be cached.
        """
        cached = self._cache.get(match)
        if cached is not None:
            return cached
        blob = await asyncio.to_thread(self.read, f"{match}.log")
        if blob is None:
            return []
        log = [(Head(*head), payload) for head, payload in _decode(await asyncio.to_thread(gzip.decompress, blob))]
        self._cache.put(match, log)
        return log

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
        super().__init__()
        self._path = path
        # The directory is private, as the store is: logs hold what players hide, and unlisted matches. The mode of an
        # existing directory is its operator's business.
        made = [folder for folder in (path, *path.parents) if not folder.exists()]
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in made:
            sync_directory(folder.parent)

    def write(self, name: str, blob: bytes) -> None:
        # The match leaves the store after this, so the file must survive a power loss: first its content, then its
        # name.
        part = self._path / f".{name}.{os.getpid()}.{get_ident()}"
        with part.open("wb") as file:
            file.write(blob)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self._path / name)
        sync_directory(self._path)

    def read(self, name: str) -> bytes | None:
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError:
            return None

    def names(self) -> list[str]:
        return [path.name for path in self._path.iterdir()]


class RemoteArchive(Archive):
    """An archive behind a URL ("s3://bucket/path"). It needs fsspec and its driver for the scheme."""

    def __init__(self, url: str) -> None:
        super().__init__()
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


async def claim(store: Store, archive: Archive) -> None:
    """Record in the store that finished matches go to this archive.

    Servers whose archives differ would not find each other's finished matches, and would create one of them once more
    if its CreateMatch was repeated.

    Raises:
        SetupError: The store's finished matches go to another archive.
    """
    ours = await archive.identity()
    theirs = await store.index.claim_archive(ours)
    if ours != theirs:
        raise SetupError(
            f"the store's finished matches are in the archive {theirs}, but this server's archive is {ours}: give all "
            f"servers the same one (--archive, LANDSRAAD_ARCHIVE). If the former archive is lost, or was copied "
            f"without its file {IDENTITY}, write {theirs} into that file of this archive"
        )


def open_archive(location: str) -> Archive:
    """Open the archive in a directory or behind a URL.

    Raises:
        SetupError: The archive cannot be used. The message does not repeat the URL, which may hold a password.
    """
    try:
        return RemoteArchive(location) if "://" in location else DirectoryArchive(Path(location))
    except (OSError, ValueError, ImportError) as error:  # ValueError: fsspec does not know the scheme.
        raise SetupError(f"the archive cannot be used: {error}") from None
