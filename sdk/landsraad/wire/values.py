"""Plain values of tables and acts on the wire: the message `Value`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from landsraad.v1 import value_pb2

from .fields import Field, framed, int32, tag, varint
from .records import many, one

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

_VALUE = value_pb2.Value.DESCRIPTOR
_NUMBER = tag(_VALUE, "number", delimited=False)
_TEXT = tag(_VALUE, "text")
_FLAG = tag(_VALUE, "flag", delimited=False)
_LIST = tag(_VALUE, "list")
_ITEM = tag(value_pb2.ValueList.DESCRIPTOR, "items")


@lru_cache(16384)
def _text(value: str) -> bytes:
    return framed(_TEXT, value.encode())


@lru_cache(4096)
def _number(value: int) -> bytes:
    return _NUMBER + int32(value)


def write_list(values: tuple[Any, ...] | list[Any]) -> bytes:
    """Write the bytes of a list of values."""
    return b"".join([framed(_ITEM, write_value(value)) for value in values])


def _list(values: tuple[Any, ...] | list[Any]) -> bytes:
    return framed(_LIST, write_list(values))


_WRITERS: Mapping[type, Callable[[Any], bytes]] = {
    type(None): lambda _: b"",
    str: _text,
    bool: lambda value: _FLAG + varint(value),
    int: _number,
    tuple: _list,
    list: _list,
}


def write_value(value: Any) -> bytes:
    """Write the bytes of a value.

    Raises:
        TypeError: A table cannot hold such a value.
    """
    write = _WRITERS.get(type(value))
    if write is None:
        raise TypeError(f"{value!r} has no form on the wire")
    return write(value)


def read_value(parsed: Any) -> Any:
    """Read a value. Lists become tuples, as in the table."""
    if word := parsed.text:  # most values are words
        return word
    kind = parsed.WhichOneof("kind")
    if kind is None:
        return None
    return read_list(parsed.list) if kind == "list" else getattr(parsed, kind)


def read_list(parsed: Any, name: str = "items") -> tuple[Any, ...]:
    """Read a list of values."""
    return tuple([read_value(item) for item in getattr(parsed, name)])


#: A value as a field; left out for None.
value = one(write_value, read_value)
#: Lists of values as a repeated field.
value_lists = many(write_list, read_list)


def values(message: Descriptor, name: str) -> Field:
    """Make a repeated field for values. Most are words, of which questions list dozens."""
    mark = tag(message, name)

    @lru_cache(4096)
    def word(value: str) -> bytes:
        return framed(mark, _text(value))

    def write(values: tuple[Any, ...] | list[Any]) -> bytes:
        return b"".join([word(v) if type(v) is str else framed(mark, write_value(v)) for v in values])

    return Field(write, lambda parsed: read_list(parsed, name))
