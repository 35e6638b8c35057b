"""Record format: the bytes of records and snapshots as they are stored, compressed with a dictionary for each game.

The first byte names the format: 1 is compressed without a dictionary, and all numbers from 2 on are those of
dictionaries, which are files in `dictionaries`. Plain MessagePack has no such byte, because a record and a snapshot are
arrays, which begin with 0x90 to 0x9f. Each record is compressed by itself, so reading may start at any version. Without
a dictionary a record shrinks by half, with one to a sixth: its words are those of every match of its game.

A dictionary is never changed once a release has written with it, because stored matches need it. `docs/decisions/0025`
says how another one is brought in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

import zstandard

from landsraad_server.refusals import Denied

#: Compressed without a dictionary, for games that have none.
COMPRESSED: Final = 1
#: By game: the dictionary that its records are written with. All that are in the folder are read.
DICTIONARIES: Final = {"dune": 2, "arrakis": 3}
#: Higher levels gain nothing; lower ones cost as much and compress less.
LEVEL: Final = 3

_Convert: TypeAlias = Callable[[bytes], bytes]
_PLAIN = range(0x90, 0xA0)


class UnknownFormat(Denied):
    """A record in a format that this build does not know. Workers of the build that wrote it can read it."""

    def __init__(self, number: int) -> None:
        super().__init__("OTHER_BUILD", f"a record has format {number}, which this build cannot read", retry_ms=1000)


def pack(body: bytes, game: str) -> bytes:
    """Return the stored form of an encoded record or snapshot of a match.

    Args:
        body: The MessagePack bytes.
        game: The game of the match, whose dictionary is used.
    """
    prefix, compress = _writer(game)
    return prefix + compress(body)


def unpack(stored: bytes) -> bytes:
    """Return the MessagePack bytes of a stored record or snapshot.

    Raises:
        UnknownFormat: Another build has written it.
    """
    number = stored[0]
    return stored if number in _PLAIN else _reader(number)(stored[1:])


# Compressors and decompressors have buffers of their own, which only the thread of the event loop may use.


@cache
def _writer(game: str) -> tuple[bytes, _Convert]:
    number = DICTIONARIES.get(game, COMPRESSED)
    dictionary = _dictionary(number)
    if dictionary is not None:
        dictionary.precompute_compress(LEVEL)
    compressor = zstandard.ZstdCompressor(
        LEVEL, dict_data=dictionary, write_checksum=False, write_content_size=True, write_dict_id=False
    )
    return bytes([number]), compressor.compress


@cache
def _reader(number: int) -> _Convert:
    return zstandard.ZstdDecompressor(dict_data=_dictionary(number)).decompress


def _dictionary(number: int) -> zstandard.ZstdCompressionDict | None:
    """Return the dictionary of a format; None if it uses none."""
    if number == COMPRESSED:
        return None
    try:
        content = files(__package__).joinpath("dictionaries", f"{number}.zdict").read_bytes()
    except FileNotFoundError:
        raise UnknownFormat(number) from None
    return zstandard.ZstdCompressionDict(content, dict_type=zstandard.DICT_TYPE_FULLDICT)
