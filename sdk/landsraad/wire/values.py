"""Plain values of the table and of acts: `Value` of the protocol."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from landsraad.v1 import value_pb2

from .fields import framed, int32, tag, varint
from .records import many, one

_VALUE = value_pb2.Value.DESCRIPTOR
_NUMBER = tag(_VALUE, "number", delimited=False)
_TEXT = tag(_VALUE, "text")
_FLAG = tag(_VALUE, "flag", delimited=False)
_LIST = tag(_VALUE, "list")
_ITEM = tag(value_pb2.ValueList.DESCRIPTOR, "items")


@lru_cache(16384)
def _text(value: str) -> bytes:
    return framed(_TEXT, value.encode())


def write_value(value: Any) -> bytes:
    """The bytes of a value; TypeError if it is none of those that a table may hold."""
    if value is None:
        return b""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return _FLAG + varint(value)
    if isinstance(value, int):
        return _NUMBER + int32(value)
    if isinstance(value, tuple | list):
        return framed(_LIST, write_list(value))
    raise TypeError(f"{value!r} has no form on the wire")


def write_list(values: tuple[Any, ...] | list[Any]) -> bytes:
    """The bytes of a list of values."""
    return b"".join([framed(_ITEM, write_value(value)) for value in values])


def read_value(parsed: Any) -> Any:
    """The value; lists are tuples, as in the table."""
    kind = parsed.WhichOneof("kind")
    if kind is None:
        return None
    return read_list(parsed.list) if kind == "list" else getattr(parsed, kind)


def read_list(parsed: Any) -> tuple[Any, ...]:
    """The values of a list."""
    return tuple([read_value(item) for item in parsed.items])


#: A value as a field; left out for None.
value = one(write_value, read_value)
#: Values as a repeated field.
values = many(write_value, read_value)
#: Lists of values as a repeated field.
value_lists = many(write_list, read_list)
