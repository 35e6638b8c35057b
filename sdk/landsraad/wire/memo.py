"""What is written or read again and again is kept: questions that are put anew, procedures in progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

#: How much is kept of each kind, in bytes: two generations of this. What a client sends must not fill the memory.
_GENERATION = 3 << 20
#: What a thing takes beside its image, and how large an image may be.
_BESIDE = 256
_MOST_BYTES = 4096


def written_once(write: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """Keep the bytes that are written of plain data, or of an object of the engine.

    Unlike `functools.cache` it takes dicts, and does not hold 1 and True for the same: what was written is found again
    by its MessagePack image, which is made in a fraction of the time.
    """
    return _once(write, msgspec.msgpack.Encoder().encode)


def made_once(make: Callable[[Any], bytes], plain: Callable[[Any], Any]) -> Callable[[Any], bytes]:
    """The same for objects of the engine, of which `plain` says all that their bytes depend on."""
    encode = msgspec.msgpack.Encoder().encode
    return _once(make, lambda given: encode(plain(given)))


def read_once(read: Callable[[Any], T]) -> Callable[[Any], T]:
    """Keep what is read from messages; they are known by their bytes."""
    return _once(read, lambda parsed: parsed.SerializeToString())


def _once(make: Callable[[Any], T], image_of: Callable[[Any], bytes]) -> Callable[[Any], T]:
    """Keep what is made, by its image.

    When the young generation is full it becomes the old one, and the one before it is forgotten. What is asked for in
    the old generation becomes young again: what is in use stays, and the most frequent case is one lookup.
    """
    young: dict[bytes, T] = {}
    old: dict[bytes, T] = {}
    room = _GENERATION

    def once(given: Any) -> T:
        image = image_of(given)
        found = young.get(image)
        return anew(given, image) if found is None else found

    def anew(given: Any, image: bytes) -> T:
        nonlocal young, old, room
        found = old.get(image)
        if found is None:
            found = make(given)
        if len(image) <= _MOST_BYTES:
            if room <= 0:
                young, old, room = {}, young, _GENERATION
            young[image] = found
            room -= len(image) + _BESIDE
        return found

    return once
