"""Records: the mapping of an engine tuple to the fields of a message. One table serves both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import call
from typing import TYPE_CHECKING, Any, TypeAlias

from .fields import Field, Kind, framed, tag

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

Values: TypeAlias = "tuple[Any, ...] | list[Any]"
Writer: TypeAlias = Callable[[Any], bytes]


class Record:
    """A message whose fields follow the order of the engine's values. With ``rest``, the last field takes all other
    values.
    """

    __slots__ = ("_readers", "names", "rest", "write")

    def __init__(self, message: Descriptor, kinds: Mapping[str, Kind], *, rest: bool = False) -> None:
        fields = [kind(message, name) for name, kind in kinds.items()]
        self.names = tuple(kinds)
        self.rest = rest
        self._readers = tuple(field.read for field in fields)
        #: returns the bytes of the message for its values
        self.write = _writer(self.names, [field.write for field in fields], rest=rest)

    def read(self, parsed: Any) -> tuple[Any, ...]:
        """Read the values."""
        values = tuple([read(parsed) for read in self._readers])
        return (*values[:-1], *values[-1]) if self.rest else values


def _writer(names: tuple[str, ...], writers: Sequence[Writer], *, rest: bool) -> Callable[[Values], bytes]:
    """Make the function that writes a record. A function saves the attribute lookups of a method for each message."""
    size = len(names)
    last = size - 1

    def write(values: Values) -> bytes:
        if len(values) != size:
            raise ValueError(f"{len(values)} values for the fields {names}")
        return b"".join(map(call, writers, values))

    return (lambda values: write((*values[:last], values[last:]))) if rest else write


class UnreadableRecord(ValueError):
    """A message contains something unknown to this version, so it comes from a newer one."""


def set_member(parsed: Any, oneof: str) -> str:
    """Return the name of the member of a oneof that is set.

    Raises:
        UnreadableRecord: None is set that this version knows.
    """
    name: str | None = parsed.WhichOneof(oneof)
    if name is None:
        raise UnreadableRecord(f"{parsed.DESCRIPTOR.full_name} has no {oneof} that this version knows")
    return name


def one(write: Callable[[Any], bytes], read: Callable[[Any], Any]) -> Kind:
    """Make a field for a message; None is left out."""

    def bind(message: Descriptor, name: str) -> Field:
        mark = tag(message, name)
        return Field(
            lambda value: b"" if value is None else framed(mark, write(value)),
            lambda parsed: read(getattr(parsed, name)) if parsed.HasField(name) else None,
        )

    return bind


def many(write: Callable[[Any], bytes], read: Callable[[Any], Any]) -> Kind:
    """Make a repeated field for messages."""

    def bind(message: Descriptor, name: str) -> Field:
        mark = tag(message, name)
        return Field(
            lambda values: b"".join([framed(mark, write(value)) for value in values]),
            lambda parsed: tuple([read(item) for item in getattr(parsed, name)]),
        )

    return bind


def inner(message: Descriptor, name: str) -> Descriptor:
    """Return the type of the message in a field."""
    found = message.fields_by_name[name].message_type
    assert found is not None
    return found


class Variant:
    """One of the messages of a oneof: its tag there, and its record."""

    __slots__ = ("record", "write")

    def __init__(self, message: Descriptor, name: str, kinds: Mapping[str, Kind], *, rest: bool = False) -> None:
        mark = tag(message, name)
        self.record = Record(inner(message, name), kinds, rest=rest)
        body = self.record.write
        #: returns the bytes of the member of the oneof, tag included
        self.write: Callable[[Values], bytes] = lambda values: framed(mark, body(values))
