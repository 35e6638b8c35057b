"""Fields of messages: engine values written as bytes, and read from parsed messages.

Writing bypasses the protobuf library on purpose. Every action of a match is sent to all its seats, so encoding log
entries costs most. Joining bytes takes less than half of the time of building messages, the bytes of a word are made
once, and an entry for several seats has the same bytes for all of them. Field numbers come from the descriptors, so the
protocol files stay the only place that defines them, and tests compare every kind of field with the library. Reading
uses the library: it is fast, and input from outside must be parsed by it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

#: Words and numbers whose bytes are cached for each field. A game has a few thousand: places, pieces, rules.
_CACHED_VALUES = 4096

_VARINT, _DELIMITED = 0, 2


class Field(NamedTuple):
    """One field of a message."""

    #: returns the bytes for a value, tag included; no bytes if it is left out
    write: Callable[[Any], bytes]
    #: returns the value from a parsed message
    read: Callable[[Any], Any]


#: The kind of a field's values; the descriptor of a message binds it to the number of the field.
Kind: TypeAlias = "Callable[[Descriptor, str], Field]"


# ---------------------------------------------------------------------------------------------------- bytes of the wire


def _varint(n: int) -> bytes:
    """Encode a non-negative integer of any size."""
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


_SMALLEST_LARGE = 1 << 12
_SMALL = tuple(map(_varint, range(_SMALLEST_LARGE)))


def varint(n: int) -> bytes:
    """Encode a non-negative integer as a varint."""
    return _SMALL[n] if n < _SMALLEST_LARGE else _varint(n)


def int32(n: int) -> bytes:
    """Encode a signed integer as an int32.

    Raises:
        OverflowError: It does not fit.
    """
    if not -(1 << 31) <= n < 1 << 31:
        raise OverflowError(f"{n} does not fit the wire")
    return varint(n if n >= 0 else n + (1 << 64))


def tag(message: Descriptor, name: str, *, delimited: bool = True) -> bytes:
    """Return the tag that precedes the value of a field."""
    return varint(message.fields_by_name[name].number << 3 | (_DELIMITED if delimited else _VARINT))


def framed(tag: bytes, body: bytes) -> bytes:
    """Encode a length-delimited field: a text, a message, packed numbers."""
    size = len(body)  # `varint`, inlined: no other code runs as often
    return tag + (_SMALL[size] if size < _SMALLEST_LARGE else _varint(size)) + body


# ------------------------------------------------------------------------------------------------------- kinds of field


def text(message: Descriptor, name: str) -> Field:
    """Make a field for a word; the empty word is left out."""
    mark = tag(message, name)

    @lru_cache(_CACHED_VALUES)
    def write(value: str) -> bytes:
        return framed(mark, value.encode()) if value else b""

    return Field(write, attrgetter(name))


def maybe_text(message: Descriptor, name: str) -> Field:
    """Make a field for a word or None."""
    mark = tag(message, name)

    @lru_cache(_CACHED_VALUES)
    def write(value: str | None) -> bytes:
        return b"" if value is None else framed(mark, value.encode())

    return Field(write, _if_present(name))


def number(message: Descriptor, name: str) -> Field:
    """Make a field for a signed number; 0 is left out."""
    mark = tag(message, name, delimited=False)

    @lru_cache(_CACHED_VALUES)
    def write(value: int) -> bytes:
        return mark + int32(value) if value else b""

    return Field(write, attrgetter(name))


def maybe_number(message: Descriptor, name: str) -> Field:
    """Make a field for a signed number or None."""
    mark = tag(message, name, delimited=False)

    @lru_cache(_CACHED_VALUES)
    def write(value: int | None) -> bytes:
        return b"" if value is None else mark + int32(value)

    return Field(write, _if_present(name))


def count(message: Descriptor, name: str) -> Field:
    """Make a field for a non-negative number that may be large, such as an epoch; 0 is left out."""
    mark = tag(message, name, delimited=False)
    return Field(lambda value: mark + varint(value) if value else b"", attrgetter(name))


def flag(message: Descriptor, name: str) -> Field:
    """Make a field for a truth value; False is left out."""
    mark = tag(message, name, delimited=False) + varint(1)
    return Field(lambda value: mark if value else b"", attrgetter(name))


def texts(message: Descriptor, name: str) -> Field:
    """Make a repeated field for a tuple of words."""
    mark = tag(message, name)

    @lru_cache(_CACHED_VALUES)
    def one(value: str) -> bytes:
        return framed(mark, value.encode())

    return Field(lambda value: b"".join(map(one, value)), _as_tuple(name))


def numbers(message: Descriptor, name: str) -> Field:
    """Make a repeated field for a tuple of signed numbers."""
    mark = tag(message, name)

    @lru_cache(_CACHED_VALUES)
    def write(value: tuple[int, ...]) -> bytes:
        return framed(mark, b"".join(map(int32, value))) if value else b""

    return Field(write, _as_tuple(name))


def number_or_text(message: Descriptor, name: str) -> Field:
    """Make a field for a number, a word or None: a choice of the fields `name_number` and `name_text`."""
    digits = maybe_number(message, f"{name}_number")
    words = maybe_text(message, f"{name}_text")
    read_digits, read_words = digits.read, words.read

    def write(value: int | str | None) -> bytes:
        return words.write(value) if value is None or isinstance(value, str) else digits.write(value)

    def read(parsed: Any) -> int | str | None:
        found = read_digits(parsed)
        return read_words(parsed) if found is None else found  # type: ignore[no-any-return]

    return Field(write, read)


def _if_present(name: str) -> Callable[[Any], Any]:
    return lambda parsed: getattr(parsed, name) if parsed.HasField(name) else None


def _as_tuple(name: str) -> Callable[[Any], Any]:
    return lambda parsed: tuple(getattr(parsed, name))
