"""Caches for conversions that repeat: questions that are put again, frames in progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

#: The size of each of the two generations of a cache. Input of clients must not fill the memory.
_GENERATION_BYTES = 3 << 20
#: The overhead of an entry beside its image, and the largest image that is cached.
_OVERHEAD_BYTES = 256
_MAX_IMAGE_BYTES = 4096


def cached_writer(write: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """Cache the bytes that are written for plain data or for an object of the engine.

    Unlike `functools.cache` it accepts dicts, and distinguishes 1 from True: the key is the MessagePack image of the
    value, which is made in a fraction of the time.
    """
    return _cached(write, msgspec.msgpack.Encoder().encode)


def cached_object_writer(make: Callable[[Any], bytes], plain: Callable[[Any], Any]) -> Callable[[Any], bytes]:
    """Cache the bytes written for objects of the engine. `plain` returns everything on which the bytes depend."""
    encode = msgspec.msgpack.Encoder().encode
    return _cached(make, lambda given: encode(plain(given)))


def cached_reader(read: Callable[[Any], T]) -> Callable[[Any], T]:
    """Cache the values that are read from messages, keyed by the bytes of the message."""
    return _cached(read, lambda parsed: parsed.SerializeToString())


def _cached(make: Callable[[Any], T], image_of: Callable[[Any], bytes]) -> Callable[[Any], T]:
    """Cache results by the image of their argument, in two generations.

    When the young generation is full, it becomes the old one, and the former old one is evicted. A hit in the old
    generation makes the entry young again. So what is in use stays, and the most frequent case is one lookup.
    """
    young: dict[bytes, T] = {}
    old: dict[bytes, T] = {}
    room = _GENERATION_BYTES

    def cached(given: Any) -> T:
        image = image_of(given)
        found = young.get(image)
        return promote_or_make(given, image) if found is None else found

    def promote_or_make(given: Any, image: bytes) -> T:
        nonlocal young, old, room
        found = old.get(image)
        if found is None:
            found = make(given)
        if len(image) <= _MAX_IMAGE_BYTES:
            if room <= 0:
                young, old, room = {}, young, _GENERATION_BYTES
            young[image] = found
            room -= len(image) + _OVERHEAD_BYTES
        return found

    return cached
