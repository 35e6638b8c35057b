"""What is written or read again and again is kept: questions that are put anew, procedures in progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

#: How many of each kind are kept, and how large an image may be: what a client sends must not fill the memory.
_KEPT = 8192
_MOST_BYTES = 4096


def written_once(write: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """Keep the bytes that are written of plain data.

    Unlike `functools.cache` it takes dicts, and does not hold 1 and True for the same: what was written is found again
    by its MessagePack image, which is made in a fraction of the time.
    """
    return _once(write, msgspec.msgpack.Encoder().encode)


def read_once(read: Callable[[Any], T]) -> Callable[[Any], T]:
    """Keep what is read from messages; they are known by their bytes."""
    return _once(read, lambda parsed: parsed.SerializeToString())


def _once(make: Callable[[Any], T], image_of: Callable[[Any], bytes]) -> Callable[[Any], T]:
    kept: dict[bytes, T] = {}

    def once(given: Any) -> T:
        image = image_of(given)
        found = kept.get(image)
        if found is None:
            found = make(given)
            if len(image) <= _MOST_BYTES:
                if len(kept) >= _KEPT:
                    kept.clear()
                kept[image] = found
        return found

    return once
