"""Records: how the values of an engine tuple stand in the fields of a message. One table serves both directions."""

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
    """A message with its fields in the order of the engine's values; with ``rest`` the last one takes all others."""

    __slots__ = ("_readers", "names", "rest", "write")

    def __init__(self, message: Descriptor, kinds: Mapping[str, Kind], *, rest: bool = False) -> None:
        fields = [kind(message, name) for name, kind in kinds.items()]
        self.names = tuple(kinds)
        self.rest = rest
        self._readers = tuple(field.read for field in fields)
        #: the message's bytes, for its values
        self.write = _writer(self.names, [field.write for field in fields], rest=rest)

    def read(self, parsed: Any) -> tuple[Any, ...]:
        """The values."""
        values = tuple([read(parsed) for read in self._readers])
        return (*values[:-1], *values[-1]) if self.rest else values


def _writer(names: tuple[str, ...], writers: Sequence[Writer], *, rest: bool) -> Callable[[Values], bytes]:
    """A function instead of a method: nothing has to be looked up again for each message."""
    size = len(names)
    last = size - 1

    def write(values: Values) -> bytes:
        if len(values) != size:
            raise ValueError(f"{len(values)} values for the fields {names}")
        return b"".join(map(call, writers, values))

    return (lambda values: write((*values[:last], values[last:]))) if rest else write


class UnreadableRecord(ValueError):
    """A message says something that this version does not know: it comes from a newer one."""


def chosen(parsed: Any, oneof: str) -> str:
    """Which message of a oneof is set; Unreadable if none that is known."""
    name: str | None = parsed.WhichOneof(oneof)
    if name is None:
        raise UnreadableRecord(f"{parsed.DESCRIPTOR.full_name} has no {oneof} that this version knows")
    return name


def one(write: Callable[[Any], bytes], read: Callable[[Any], Any]) -> Kind:
    """A message as a field; left out for None."""

    def bind(message: Descriptor, name: str) -> Field:
        mark = tag(message, name)
        return Field(
            lambda value: b"" if value is None else framed(mark, write(value)),
            lambda parsed: read(getattr(parsed, name)) if parsed.HasField(name) else None,
        )

    return bind


def many(write: Callable[[Any], bytes], read: Callable[[Any], Any]) -> Kind:
    """Messages as a repeated field."""

    def bind(message: Descriptor, name: str) -> Field:
        mark = tag(message, name)
        return Field(
            lambda values: b"".join([framed(mark, write(value)) for value in values]),
            lambda parsed: tuple([read(item) for item in getattr(parsed, name)]),
        )

    return bind


def inner(message: Descriptor, name: str) -> Descriptor:
    """The message that a field holds."""
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
        #: the field of the oneof, tag included
        self.write: Callable[[Values], bytes] = lambda values: framed(mark, body(values))
