"""Stored bytes: what whole matches take in the store. Seeded matches are counted in bytes, no seconds."""

from __future__ import annotations

from importlib.resources import files

import msgspec
import pytest
import redis
import zstandard

import capacity
from landsraad_server.matches import record_format
from landsraad_server.matches.record_format import UnknownFormat, pack, unpack
from landsraad_server.matches.records import MatchRecord, decode_image, decode_record, encode
from landsraad_server.store import GENESIS, Store, connect, keys
from landsraad_server.store.embedded_server import EmbeddedServer
from landsraad_testkit.recorded_match import recorded_match

#: Game, bots, seed, and bytes of all entries of the log, headers included: a fifth more than measured.
MATCHES = [
    ("dune", 6, ("random",), 1001, 516_000),
    ("dune", 6, ("greedy", "random"), 1003, 420_000),
    ("arrakis", 2, ("random",), 1001, 346_000),
]
#: The largest part of their size without compression that records may have.
SHARE = 0.24


async def write(store: Store, match: str, game: str, seats: int, bots: tuple[str, ...], seed: int) -> tuple[int, int]:
    """Play a match and commit its records; return the bytes of its entries, and those of the records uncompressed."""
    head, entries, plain = GENESIS, 0, 0
    for hosted, record in recorded_match(game, seats, seed, bots=bots):
        draft = store.log.draft(match, head, encode(record, game), due=hosted.due())
        head = await store.committed(draft)
        entries += len(draft.blob)
        plain += len(msgspec.msgpack.encode(record))
        hosted.add_waypoint(head)
        if store.log.snapshot_due(head):
            assert await store.log.keep_snapshot(match, head, encode(hosted.image(), game))
    return entries, plain


@pytest.mark.asyncio
@pytest.mark.parametrize(("game", "seats", "bots", "seed", "most"), MATCHES)
async def test_a_whole_match_stays_small(
    server: EmbeddedServer,
    raw: redis.Redis,
    game: str,
    seats: int,
    bots: tuple[str, ...],
    seed: int,
    most: int,
) -> None:
    """Compress a match to less than a quarter, and keep the memory that the capacity plan counts on."""
    store = await connect(server.url)
    try:
        entries, plain = await write(store, "m", game, seats, bots, seed)
        assert entries <= most
        assert sum(map(len, await payloads(store))) <= SHARE * plain
        memory = sum(raw.memory_usage(key, samples=0) or 0 for key in keys.of_match("m"))
        assert memory <= capacity.LOG_GROWTH * 2**20
        loaded = await store.log.load("m")
        assert loaded.snapshot is not None
        assert len(loaded.snapshot.payload) <= 4096
        image = decode_image(loaded.snapshot.payload)
        assert len(image.waypoints) == loaded.snapshot.head.version // 32
    finally:
        await store.close()


async def payloads(store: Store) -> list[bytes]:
    """Return the stored records of the match."""
    return [entry.payload for entry in await store.log.read("m")]


def test_each_record_is_read_back_by_itself(teaching: None) -> None:
    for game, seats in (("dune", 3), ("arrakis", 2), ("teaching", 3)):
        for number, (_, record) in zip(range(200), recorded_match(game, seats, 3), strict=False):
            stored = encode(record, game)
            assert stored[0] == record_format.DICTIONARIES.get(game, record_format.COMPRESSED)
            assert plain(decode_record(stored)) == plain(record), number


def plain(record: MatchRecord) -> bytes:
    return msgspec.msgpack.encode(record)


def test_plain_records_are_read_too(teaching: None) -> None:
    """Archives hold them, and so did the store before records were compressed."""
    _, record = next(recorded_match("teaching", 2, 1))
    assert plain(decode_record(plain(record))) == plain(record)
    assert unpack(plain(record)) == plain(record)


@pytest.mark.parametrize("number", [0, 4, 0x7F, 0x8F, 0xFF])
def test_an_unknown_format_is_refused(number: int) -> None:
    with pytest.raises(UnknownFormat, match=f"format {number}") as refused:
        unpack(bytes([number]) + pack(b"\x90", "dune")[1:])
    assert (refused.value.reason, refused.value.retry_ms) == ("OTHER_BUILD", 1000)


def test_a_torn_record_is_refused() -> None:
    stored = pack(b"\x90" + bytes(500), "dune")
    for torn in (stored[:1], stored[:-1], stored[:1] + bytes(len(stored) - 1)):
        with pytest.raises(zstandard.ZstdError):
            unpack(torn)


def test_each_dictionary_is_what_its_name_says() -> None:
    folder = files("landsraad_server.matches").joinpath("dictionaries")
    found = {int(path.name.removesuffix(".zdict")): path.read_bytes() for path in folder.iterdir()}
    assert set(record_format.DICTIONARIES.values()) <= set(found)
    for number, content in found.items():
        assert zstandard.ZstdCompressionDict(content).dict_id() == number
        assert record_format.COMPRESSED < number < 0x80
