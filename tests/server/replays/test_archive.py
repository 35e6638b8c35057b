"""The archive, in a directory or behind a URL of fsspec."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import redis
from fsspec.implementations.memory import MemoryFileSystem

from landsraad import AsyncClient
from landsraad.v1 import matches_pb2
from landsraad_server.matches import archive, match_changes
from landsraad_server.matches.records import Ending, MatchRecord, MatchStatus, Terms, encode
from landsraad_server.process.worker import Worker
from landsraad_server.store import EmbeddedServer, Entry, Head, connect
from landsraad_server.store.errors import SetupError
from landsraad_testkit import serving
from landsraad_testkit.calls import Calls

pytestmark = pytest.mark.asyncio


class Files(NamedTuple):
    """A location for an archive, and a function that lists its files."""

    url: str
    names: Callable[[], set[str]]


@pytest.fixture
def directory(tmp_path: Path) -> Files:
    path = tmp_path / "deep" / "down"
    return Files(str(path), lambda: {found.name for found in path.iterdir()})


@pytest.fixture
def memory() -> Iterator[Files]:
    """An object store, as fsspec's tests have it: flat names, no directories."""
    bucket = "/bucket/matches"
    yield Files(f"memory:/{bucket}", lambda: {path.rpartition("/")[2] for path in MemoryFileSystem.store})
    MemoryFileSystem.store.clear()


@pytest.fixture
def ftp(tmp_path: Path) -> Iterator[Files]:
    """A file server. Its client has one connection, and caches listings."""
    with warnings.catch_warnings():  # it stands on asyncore
        warnings.simplefilter("ignore", DeprecationWarning)
        from pyftpdlib.authorizers import DummyAuthorizer
        from pyftpdlib.handlers import FTPHandler
        from pyftpdlib.servers import FTPServer
    accounts = DummyAuthorizer()
    accounts.add_user("landsraad", "secret", str(tmp_path), perm="elradfmwMT")
    server = FTPServer(("127.0.0.1", 0), type("Handler", (FTPHandler,), {"authorizer": accounts}))
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            server.ioloop.loop(timeout=0.01, blocking=False)
        server.close_all()

    serving = threading.Thread(target=serve)
    serving.start()
    host, port = server.address
    yield Files(
        f"ftp://landsraad:secret@{host}:{port}/bucket", lambda: {f.name for f in (tmp_path / "bucket").iterdir()}
    )
    over.set()
    serving.join(10)


@pytest.fixture(params=["directory", "memory", "ftp"])
def files(request: pytest.FixtureRequest) -> Files:
    found: Files = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def place(files: Files) -> archive.Archive:
    return archive.open_archive(files.url)


def entries(match: str) -> list[Entry]:
    terms = Terms(match, [], {}, "me", 1, b"", "", "")
    record = MatchRecord(1, [], {}, b"", [], None, {}, MatchStatus(), terms)
    return [Entry(Head(1, 0, b"a", 0), b"-", encode(record, "teaching"))]


async def test_what_is_kept_is_found(place: archive.Archive) -> None:
    await place.save("abc", entries("dune"), 5, b"summary")
    found = await place.records("abc")
    assert [(head.version, record.terms and record.terms.game) for head, record in found] == [(1, "dune")]
    assert await place.records("other") == []


async def test_nobody_else_on_the_machine_reads_a_directory_that_we_make(tmp_path: Path) -> None:
    archive.open_archive(str(tmp_path / "ours"))
    assert (tmp_path / "ours").stat().st_mode & 0o777 == 0o700
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o750)
    archive.open_archive(str(shared))
    assert shared.stat().st_mode & 0o777 == 0o750


async def test_the_last_to_end_comes_first(place: archive.Archive) -> None:
    for number, ended in enumerate((30, 10, 20)):
        await place.save(f"m{number}", entries("dune"), ended, b"%d" % ended)
    first = await place.page(2, "")
    assert [blob for _, blob in first] == [b"30", b"20"]
    assert [blob for _, blob in await place.page(2, first[-1][0])] == [b"10"]


async def test_what_another_process_has_kept_is_found_at_once(files: Files) -> None:
    """Listings are not cached: each worker opens the archive, and lists the matches of all."""
    here, there = archive.open_archive(files.url), archive.open_archive(files.url)
    assert await here.page(10, "") == []
    await there.save("abc", entries("dune"), 5, b"summary")
    assert [blob for _, blob in await here.page(10, "")] == [b"summary"]
    await here.save("abc", entries("dune"), 5, b"summary")  # a second time does no harm
    assert {name.rpartition("-")[2] for name in files.names()} == {"abc.log", "abc.index"}


async def test_many_matches_at_once(place: archive.Archive) -> None:
    names = [f"m{number}" for number in range(12)]
    await asyncio.gather(*(place.save(name, entries(name), 5, name.encode()) for name in names))
    found = await asyncio.gather(*map(place.records, names))
    assert [records[0][1].terms and records[0][1].terms.game for records in found] == names
    assert len(await place.page(20, "")) == len(names)


async def test_a_match_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = archive.open_archive(str(tmp_path))

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="no space"):
        await kept.save("abc", entries("dune"), 5, b"")
    monkeypatch.undo()
    assert await kept.records("abc") == []
    assert await kept.page(10, "") == []


async def test_a_match_is_on_the_disk_before_its_log_goes(
    client: AsyncClient, worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power loss takes what was not synced: contents, and names given since the directory was last synced."""
    folder = tmp_path / "below" / "archive"
    contents: dict[int, int] = {}  # inode: bytes that are on the disk
    names: dict[int, set[str]] = {}  # inode of a directory: names that are on the disk
    fsync = os.fsync

    def sync(file: int) -> None:
        fsync(file)
        found = os.fstat(file)
        if stat.S_ISDIR(found.st_mode):
            names[found.st_ino] = set(os.listdir(file))
        else:
            contents[found.st_ino] = found.st_size

    on_disk: list[str] = []

    async def forget(match: str) -> None:
        for path in folder.iterdir():
            found = path.stat()
            if contents.get(found.st_ino) == found.st_size and path.name in names[folder.stat().st_ino]:
                on_disk.append(path.suffix)
        await remove(match)

    monkeypatch.setattr(os, "fsync", sync)
    worker.hosts.archive = archive.open_archive(str(folder))
    remove = worker.hosts.store.forget
    monkeypatch.setattr(worker.hosts.store, "forget", forget)
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")
    await worker.hosts.change(match, partial(match_changes.end_early, kind=Ending.ABORTED, reason=""))
    assert await worker.hosts.archive_match(match)
    assert sorted(on_disk) == [".index", ".log"]
    for path in (folder, folder.parent):  # as are the directories that were made
        assert path.name in names[path.parent.stat().st_ino]


async def test_who_keeps_a_match_while_it_is_being_kept_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Archiving has taken so long that the same worker has started it again."""
    kept, replace = archive.open_archive(str(tmp_path)), Path.replace
    held, go_on = threading.Semaphore(0), threading.Event()

    def slowly(part: Path, name: Path) -> Path:
        if not go_on.is_set():
            held.release()
            go_on.wait(10)
        return replace(part, name)

    monkeypatch.setattr(Path, "replace", slowly)
    both = asyncio.gather(*(kept.save("abc", entries("dune"), 5, b"") for _ in range(2)))
    for _ in range(2):
        assert await asyncio.to_thread(held.acquire, timeout=10)
    go_on.set()
    await both
    assert len(await kept.records("abc")) == 1


async def test_a_url_needs_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(SetupError, match=r"fsspec\.core"):
        archive.open_archive("s3://bucket/matches")


@pytest.mark.parametrize("place", ["{}/file/archive", "nothing://archive", "ftp://127.0.0.1:1/archive"])
async def test_a_place_that_cannot_be_used_is_said_in_a_line(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SetupError, match="the archive cannot be used: "):
        archive.open_archive(place.format(tmp_path))


async def test_servers_with_archives_of_their_own_do_not_share_a_store(
    tmp_path: Path, server: EmbeddedServer, raw: redis.Redis, plugged: dict[str, str]
) -> None:
    """Else one would not find what the other has archived, and a repeated CreateMatch would make the match twice."""
    common = ("--redis", server.url, "--archive", str(tmp_path / "archive"))
    with serving(tmp_path / "one", *common, workers=1, environment=plugged) as one:
        with serving(tmp_path / "two", *common, workers=1, environment=plugged) as two:
            async with Calls(one.address) as here, Calls(two.address) as there:
                async with AsyncClient(one.address) as guest:
                    await guest.create_match("teaching", 2)
                    token = guest.token
                seat = {"fill": matches_pb2.SEAT_FILL_OPEN}
                wanted: dict[str, Any] = {"game": "games/teaching", "seats": [seat, seat]}
                made = await here("Matches/CreateMatch", token, request_id="again", match=wanted)
                again = await there("Matches/CreateMatch", token, request_id="again", match=wanted)
                assert again.name == made.name
        log = tmp_path / "log"
        with pytest.raises(RuntimeError), serving(tmp_path / "three", "--redis", server.url, workers=1, log=log):
            pass
    theirs = (tmp_path / "archive" / archive.IDENTITY).read_text().strip()
    assert theirs in log.read_text()


async def test_an_archive_keeps_its_id(files: Files, server: EmbeddedServer, raw: redis.Redis) -> None:
    store = await connect(server.url)
    stored = archive.open_archive(files.url)
    await archive.claim(store, stored)
    await archive.claim(store, archive.open_archive(files.url))
    other = archive.open_archive(f"{files.url}-other")
    with pytest.raises(SetupError, match=await stored.identity()):
        await archive.claim(store, other)
    other.write(archive.IDENTITY, (await stored.identity()).encode())  # as the message says
    await archive.claim(store, other)
    await store.close()
