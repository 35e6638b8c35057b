"""Unclean starts: the store's machine has stopped, and no living worker remembers what its log was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs
from tests.nodes import APPEND_ONLY, Nodes

from landsraad_server.store import GENESIS, Durability, EmbeddedServer, Head, connect, data_directory
from landsraad_server.store.aof_repair import growing_file
from landsraad_server.store.errors import Rewound

if TYPE_CHECKING:
    from tests.server.conftest import Embed, Health

#: Ends of a file after a power loss, and how many of three entries they leave.
DAMAGES: dict[str, tuple[Callable[[bytes], bytes], int]] = {
    "zeros": (lambda content: content + bytes(5000), 3),
    "zeros in a command": (lambda content: content[:-700] + bytes(5000), 2),
    "zeros and later commands": (lambda content: content[:-120] + bytes(60) + content[-60:], 2),
    "noise": (lambda content: content[:-700] + b"\x17" * 700, 2),
}


async def write_three(server: EmbeddedServer) -> list[Head]:
    store = await connect(server.url)
    heads = [GENESIS]
    for _ in range(3):
        heads.append(await store.committed(store.log.draft("m", heads[-1], b"x" * 2000, over_epoch=0)))
    await store.close()
    return heads


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.parametrize("durability", [Durability.EVERYSEC, Durability.ALWAYS])
async def test_a_damaged_file_is_repaired_and_its_logs_go_on_in_a_new_epoch(
    tmp_path: Path, embed: Embed, kind: str, durability: Durability, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server itself does not start with such a file."""
    data = tmp_path / "data"
    with embed(data, durability=durability) as server:
        heads = await write_three(server)
        assert server._process is not None
        server._process.kill()
        server._process.wait()
    monkeypatch.setattr(data_directory, "_boot", lambda: "the next one")
    path = growing_file(data)
    assert path is not None
    damage, left = DAMAGES[kind]
    path.write_bytes(damage(path.read_bytes()))
    with capture_logs() as lines, embed(data, durability=durability) as server:
        store = await connect(server.url)
        loaded = await store.log.load("m")
        assert [entry.head for entry in loaded.entries] == heads[1 : left + 1]
        assert loaded.found is not None
        with pytest.raises(Rewound):  # nobody goes on in the old epoch, whatever he remembers
            await store.committed(store.log.draft("m", heads[left], b"as if nothing had happened"))
        draft = store.log.draft("m", heads[left], b"4", over_epoch=loaded.lost_epoch, found=loaded.found)
        assert (await store.committed(draft)).epoch == 2
        assert (await store.log.load("m")).found is None
        await store.close()
    assert [line["event"] for line in lines] == ["store_repaired", "store_in_doubt"]


@pytest.mark.asyncio
async def test_after_the_machine_has_stopped_nothing_goes_on_in_the_old_epoch(
    tmp_path: Path, embed: Embed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor if the next start is cut short as well. A process that dies loses nothing."""
    data = tmp_path / "data"

    async def in_doubt(durability: Durability, *, dies: bool = True) -> bool:
        server = embed(data, durability=durability)
        server.start()
        store = await connect(server.url)
        found = (await store.log.load("m")).found is not None
        await store.close()
        assert server._process is not None
        if dies:
            server._process.kill()
            server._process.wait()
        server.stop()
        return found

    with embed(data) as server:
        await write_three(server)
    assert not await in_doubt(Durability.EVERYSEC)
    assert not await in_doubt(Durability.EVERYSEC)
    monkeypatch.setattr(data_directory, "_boot", lambda: "the next one")
    assert not await in_doubt(Durability.ALWAYS)  # acknowledged entries were on the disk
    monkeypatch.setattr(data_directory, "_boot", lambda: "the one after it")
    data_directory.DataDirectory(data).note_doubt()  # a start that was cut short
    assert await in_doubt(Durability.EVERYSEC)
    assert await in_doubt(Durability.EVERYSEC, dies=False)  # until it is mended


@pytest.mark.asyncio
@pytest.mark.parametrize("durability", [Durability.EVERYSEC, Durability.ALWAYS])
async def test_a_server_of_ones_own_that_was_restarted_is_in_doubt(
    server: EmbeddedServer, tmp_path: Path, durability: Durability, health: type[Health]
) -> None:
    """It does not tell how it ended. With `always` it lost nothing."""
    nodes = Nodes(server.binary.path, tmp_path)
    node = nodes.add(*APPEND_ONLY, "--appendfsync", durability.value)
    url = f"redis://127.0.0.1:{node.port}"
    store = await connect(url, durability=durability)
    head = await store.committed(store.log.draft("m", GENESIS, b"told", over_epoch=0))
    again = await connect(url, durability=durability)  # another worker, the same process
    assert (await again.log.load("m")).found is None
    await again.close()
    state = health(store)
    node.kill()
    await state.becomes(up=False)
    node.start()
    await state.becomes(up=True)
    in_doubt = (await store.log.load("m")).found is not None
    assert in_doubt is (durability is Durability.EVERYSEC)
    if in_doubt:
        with pytest.raises(Rewound):
            await store.committed(store.log.draft("m", head, b"as if nothing had happened"))
    await store.close()
    nodes.end()


@pytest.mark.asyncio
async def test_a_clean_stop_leaves_no_doubt(tmp_path: Path, embed: Embed, monkeypatch: pytest.MonkeyPatch) -> None:
    with embed(tmp_path / "data") as server:
        heads = await write_three(server)
    monkeypatch.setattr(data_directory, "_boot", lambda: "the next one")
    with embed(tmp_path / "data") as server:
        store = await connect(server.url)
        assert await store.log.head("m") == heads[-1]
        await store.close()
