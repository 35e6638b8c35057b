"""Fields of messages: engine values written as the bytes of the wire, and read from parsed messages.

Writing goes past the protobuf library on purpose. Every action of a match is told to all its seats, so what costs most
is encoding log entries; joining bytes takes less than half of the time that building messages does, the bytes of a
word are made once, and an entry that several seats see is the same bytes for all of them. Field numbers come from the
descriptors, so the protocol files stay the only place that says them, and tests hold every kind of field against the
library. Reading uses the library: it is quick at that, and what comes from outside must be parsed by it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

#: Words and numbers whose bytes are kept, for each field. A game has a few thousand: places, pieces, rules.
_KEPT = 4096

_VARINT, _DELIMITED = 0, 2


class Field(NamedTuple):
    """One field of a message."""

    #: bytes of the wire for a value, tag included; none at all for what is left out
    write: Callable[[Any], bytes]
    #: the value, out of the parsed message
    read: Callable[[Any], Any]


#: What a field's values are like; bound to the field's number by its message's descriptor.
Kind: TypeAlias = "Callable[[Descriptor, str], Field]"


# ---------------------------------------------------------------------------------------------------- bytes of the wire


def _varint(n: int) -> bytes:
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


_SMALLEST_LARGE = 1 << 12
_SMALL = tuple(map(_varint, range(_SMALLEST_LARGE)))


def varint(n: int) -> bytes:
    """A whole number from 0, as the wire writes it."""
    return _SMALL[n] if n < _SMALLEST_LARGE else _varint(n)


def int32(n: int) -> bytes:
    """A signed number, as the wire writes an int32; OverflowError if it does not fit."""
    if not -(1 << 31) <= n < 1 << 31:
        raise OverflowError(f"{n} does not fit the wire")
    return varint(n if n >= 0 else n + (1 << 64))


def tag(message: Descriptor, name: str, *, delimited: bool = True) -> bytes:
    """What stands before a field's value."""
    return varint(message.fields_by_name[name].number << 3 | (_DELIMITED if delimited else _VARINT))


def framed(tag: bytes, body: bytes) -> bytes:
    """A field whose value has its length before it: a text, a message, packed numbers."""
    size = len(body)  # `varint`, but without the call: nothing is done as often as this
    return tag + (_SMALL[size] if size < _SMALLEST_LARGE else _varint(size)) + body


# ------------------------------------------------------------------------------------------------------- kinds of field


def text(message: Descriptor, name: str) -> Field:
    """A word; the empty one is left out."""
    mark = tag(message, name)

    @lru_cache(_KEPT)
    def write(value: str) -> bytes:
        return framed(mark, value.encode()) if value else b""

    return Field(write, attrgetter(name))


def maybe_text(message: Descriptor, name: str) -> Field:
    """A word or nothing."""
    mark = tag(message, name)

    @lru_cache(_KEPT)
    def write(value: str | None) -> bytes:
        return b"" if value is None else framed(mark, value.encode())

    return Field(write, _if_present(name))


def number(message: Descriptor, name: str) -> Field:
    """A signed number; 0 is left out."""
    mark = tag(message, name, delimited=False)

    @lru_cache(_KEPT)
    def write(value: int) -> bytes:
        return mark + int32(value) if value else b""

    return Field(write, attrgetter(name))


def maybe_number(message: Descriptor, name: str) -> Field:
    """A signed number or nothing."""
    mark = tag(message, name, delimited=False)

    @lru_cache(_KEPT)
    def write(value: int | None) -> bytes:
        return b"" if value is None else mark + int32(value)

    return Field(write, _if_present(name))


def count(message: Descriptor, name: str) -> Field:
    """A number from 0 that may be large (numbers of entries, epochs); 0 is left out."""
    mark = tag(message, name, delimited=False)
    return Field(lambda value: mark + varint(value) if value else b"", attrgetter(name))


def flag(message: Descriptor, name: str) -> Field:
    """True or false; false is left out."""
    mark = tag(message, name, delimited=False) + varint(1)
    return Field(lambda value: mark if value else b"", attrgetter(name))


def texts(message: Descriptor, name: str) -> Field:
    """Words, as a tuple."""
    mark = tag(message, name)

    @lru_cache(_KEPT)
    def one(value: str) -> bytes:
        return framed(mark, value.encode())

    return Field(lambda value: b"".join(map(one, value)), _as_tuple(name))


def numbers(message: Descriptor, name: str) -> Field:
    """Signed numbers, as a tuple."""
    mark = tag(message, name)

    @lru_cache(_KEPT)
    def write(value: tuple[int, ...]) -> bytes:
        return framed(mark, b"".join(map(int32, value))) if value else b""

    return Field(write, _as_tuple(name))


def number_or_text(message: Descriptor, name: str) -> Field:
    """A number, a word or nothing: a choice of the fields `name_number` and `name_text`."""
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
