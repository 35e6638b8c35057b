"""The archive by itself: a directory, or whatever fsspec makes of a URL."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from landsraad_server.hosting import archive
from landsraad_server.hosting.records import Record, Standing, Terms, encode
from landsraad_server.store import Entry, Head

pytestmark = pytest.mark.asyncio


class Bucket:
    """What stands behind a URL: fsspec's file systems have these methods."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.made: list[str] = []

    def makedirs(self, path: str, exist_ok: bool) -> None:
        assert exist_ok
        self.made.append(path)

    def pipe_file(self, path: str, blob: bytes) -> None:
        self.files[path] = blob

    def cat_file(self, path: str) -> bytes:
        try:
            return self.files[path]
        except KeyError:
            raise FileNotFoundError(path) from None

    def ls(self, path: str, detail: bool) -> list[str]:
        assert not detail
        return [name for name in self.files if name.startswith(path + "/")]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Bucket:
    found = Bucket()
    core = ModuleType("fsspec.core")
    core.__dict__["url_to_fs"] = lambda url: (found, url.partition("://")[2])
    monkeypatch.setitem(sys.modules, "fsspec", SimpleNamespace(core=core))
    monkeypatch.setitem(sys.modules, "fsspec.core", core)
    return found


@pytest.fixture(params=["directory", "url"])
def place(request: pytest.FixtureRequest, tmp_path: Path, bucket: Bucket) -> archive.Archive:
    return archive.at(str(tmp_path / "deep" / "down") if request.param == "directory" else "s3://bucket/matches")


def entries(match: str) -> list[Entry]:
    terms = Terms(match, [], {}, "me", 1, b"", "", "")
    record = Record(1, [], {}, b"", [], None, {}, Standing(), terms)
    return [Entry(Head(1, 0, b"a", 0), b"-", encode(record))]


async def test_what_is_kept_is_found(place: archive.Archive) -> None:
    await place.keep("abc", entries("dune"), 5, b"summary")
    found = await place.records("abc")
    assert [(head.version, record.terms and record.terms.game) for head, record in found] == [(1, "dune")]
    assert await place.records("other") == []


async def test_the_last_to_end_comes_first(place: archive.Archive) -> None:
    for number, ended in enumerate((30, 10, 20)):
        await place.keep(f"m{number}", entries("dune"), ended, b"%d" % ended)
    first = await place.page(2, "")
    assert [blob for _, blob in first] == [b"30", b"20"]
    assert [blob for _, blob in await place.page(2, first[-1][0])] == [b"10"]


async def test_a_match_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = archive.at(str(tmp_path))

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="no space"):
        await kept.keep("abc", entries("dune"), 5, b"")
    monkeypatch.undo()
    assert await kept.records("abc") == []
    assert await kept.page(10, "") == []


async def test_a_url_needs_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(ImportError):
        archive.at("s3://bucket/matches")
