"""Full disks: the embedded store refuses before it acknowledges what it cannot keep, and goes on once there is room."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis

from landsraad import AsyncClient
from landsraad.errors import LandsraadError
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.store import (
    GENESIS,
    Durability,
    EmbeddedServer,
    EmbeddedServerWatchdog,
    Head,
    Store,
    connect,
    keys,
)
from landsraad_server.store.doubt import is_doubted
from landsraad_server.store.errors import StoreUnavailable
from landsraad_testkit import RawSeat, serving

if TYPE_CHECKING:
    from tests.server.conftest import Embed

_DISK_BYTES = 32 << 20


class SmallDisk:
    """A file system of a few megabytes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._hog = path / "hog"

    @property
    def free(self) -> int:
        found = os.statvfs(self.path)
        return found.f_bavail * found.f_frsize

    def fill(self, leave: int = 0) -> None:
        """Fill the disk but for so many bytes."""
        with suppress(OSError), self._hog.open("ab", buffering=0) as hog:
            while self.free > leave:
                hog.write(bytes(min(1 << 20, self.free - leave)))

    def clear(self) -> None:
        """Make room."""
        self._hog.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """A small disk; tests that need one are skipped where none can be mounted."""
    path = tmp_path / "disk"
    path.mkdir()
    options = f"size={_DISK_BYTES},mode=700"
    if sys.platform != "linux" or os.getuid():
        pytest.skip("only root can mount a small disk, on Linux")
    mount = ["mount", "-t", "tmpfs", "-o", options, "none", str(path)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this container may not mount a small disk")
    yield SmallDisk(path)
    subprocess.run(["umount", "--lazy", path], check=True)


def kill(server: EmbeddedServer) -> None:
    """Kill the server, and wait for its end."""
    assert server._process is not None
    server._process.kill()
    server._process.wait()


async def committed_until_refused(store: Store, disk: SmallDisk, seconds: float = 20.0) -> Head:
    """Commit while the disk becomes full, until the store refuses; return the last head that was acknowledged."""
    disk.fill(leave=_DISK_BYTES // 40)
    head, deadline = GENESIS, time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            head = await store.committed(store.log.draft("m", head, bytes(4000)))
        except StoreUnavailable:
            return head
        await asyncio.sleep(0.002)  # as acts come: less in a tenth of a second than the room that is kept
    raise AssertionError("the store takes everything")


@pytest.mark.asyncio
async def test_what_was_acknowledged_stands_though_the_store_dies_on_a_full_disk(disk: SmallDisk, embed: Embed) -> None:
    """Its memory is all that it has of what it could not write."""
    server: EmbeddedServer = embed(disk.path / "data")
    server.start()
    store = await connect(server.url)
    last = await committed_until_refused(store, disk)
    assert last.version > 0
    disk.fill()
    kill(server)
    await store.close()
    server.stop()
    disk.clear()
    with embed(disk.path / "data") as again:
        store = await connect(again.url)
        loaded = await store.log.load("m")
        assert loaded.head.version >= last.version
        assert [entry.head for entry in loaded.entries][last.version - 1] == last
        await store.close()


@pytest.mark.asyncio
async def test_a_disk_that_fills_in_a_moment_leaves_doubt(disk: SmallDisk, embed: Embed) -> None:
    """The store dies at once, before anything can make room for what it has acknowledged."""
    server: EmbeddedServer = embed(disk.path / "data")
    server.start()
    store = await connect(server.url)
    last = await store.committed(store.log.draft("m", GENESIS, b"told"))
    disk.fill()
    with suppress(StoreUnavailable):
        last = await store.committed(store.log.draft("m", last, bytes(1 << 20)))
    disk.fill()
    kill(server)
    await store.close()
    server.stop()
    disk.clear()
    with embed(disk.path / "data") as again:
        store = await connect(again.url)
        assert (await store.log.load("m")).found is not None
        await store.close()


@pytest.mark.asyncio
async def test_the_store_takes_writes_again_once_there_is_room(disk: SmallDisk, embed: Embed) -> None:
    with embed(disk.path / "data") as server:
        store = await connect(server.url)
        last = await committed_until_refused(store, disk)
        assert await store.log.head("m") == last  # reads go on
        disk.clear()
        async with asyncio.timeout(20):
            while last.version < 20:
                with suppress(StoreUnavailable):
                    last = await store.committed(store.log.draft("m", last, b"again"))
                await asyncio.sleep(0)
        await store.close()


@pytest.mark.parametrize("durability", [Durability.EVERYSEC, Durability.ALWAYS])
def test_the_watchdog_waits_for_room(disk: SmallDisk, embed: Embed, durability: Durability) -> None:
    """Restarts on a full disk are in vain, and do not count. What may be lost is told if something can be."""
    with embed(disk.path / "data", durability=durability) as server:
        client = redis.Redis(unix_socket_path=str(server.socket))
        client.set(keys.head("m"), "3 1 w.3 0")
        watch = EmbeddedServerWatchdog(server)
        now = 0.0
        for _ in range(12):
            disk.fill()
            watch.check(now)
            if server.exit_code() is None:
                kill(server)
            now += 1.0
        disk.fill()
        watch.check(now)
        assert server.exit_code() is not None
        disk.clear()
        watch.check(now + 1.0)
        deadline = time.monotonic() + 20
        while not server.admit_clients():
            assert time.monotonic() < deadline
            watch.check(now + 2.0)
        head = client.get(keys.head("m"))
        assert isinstance(head, bytes)
        assert is_doubted(head) is (durability is Durability.EVERYSEC)
        client.close()


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.usefixtures("teaching")
@pytest.mark.parametrize("durability", ["always", "everysec"])
async def test_play_goes_on_after_a_full_disk(disk: SmallDisk, plugged: dict[str, str], durability: str) -> None:
    """It is full for five seconds, with clients that repeat."""
    with serving(disk.path / "data", "--durability", durability, environment=plugged) as service:
        async with AsyncClient(service.address, retry_timeout=30.0) as client:
            made = await client.create_match("teaching", 2, {"rounds": 8})
            seats = [RawSeat((await client.join(made.name, number, orders=())).ticket, 2) for number in range(2)]
            disk.fill()
            playing = [asyncio.create_task(seat.play_to_end(service.address)) for seat in seats]
            full = time.monotonic()
            while time.monotonic() < full + 5.0:
                with suppress(LandsraadError):
                    await client.match(made.name)
                disk.fill()
                await asyncio.sleep(0.05)
            assert service.process.poll() is None
            disk.clear()
            async with asyncio.timeout(60):
                await asyncio.gather(*playing)
            assert verify(TEACHING, await client.certificate(made.name)) == []
        assert service.process.poll() is None
