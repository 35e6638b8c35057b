"""Partial parsing: protobuf classes that parse only chosen fields of a message.

The protobuf library builds objects for everything it parses, and most of what a player receives are public steps and
events that a random player ignores. With a smaller schema, derived from the real one, the library skips them, which is
five times as fast. A message that is rarely needed is left as bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

_PACKAGE = "item_peek"


def peek_class(wanted: Mapping[Descriptor, Collection[str]], *, joined: Collection[str] = ()) -> Any:
    """Make a class that parses the first of these messages, with only the named fields.

    Fields of message types that are not in `wanted` are bytes. A repeated field that is `joined` is parsed as a
    singular one: the library then merges its elements, and of a oneof the last one that was set remains.
    """
    smaller = FileDescriptorProto(name=f"{_PACKAGE}.proto", package=_PACKAGE, syntax="proto3")
    known = {f".{message.full_name}": f".{_PACKAGE}.{message.name}" for message in wanted}
    for message, names in wanted.items():
        _part(message, names, joined, known, smaller.message_type.add(name=message.name))
    pool = DescriptorPool()
    pool.Add(smaller)
    return GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.{next(iter(wanted)).name}"))


def _part(
    message: Descriptor,
    names: Collection[str],
    joined: Collection[str],
    known: Mapping[str, str],
    part: DescriptorProto,
) -> None:
    whole = DescriptorProto()
    message.CopyToProto(whole)
    for field in whole.field:
        if field.name not in names:
            continue
        kept = part.field.add()
        kept.CopyFrom(field)
        if field.name in joined:
            kept.label = FieldDescriptorProto.LABEL_OPTIONAL
        if field.type == FieldDescriptorProto.TYPE_MESSAGE and field.type_name in known:
            kept.type_name = known[field.type_name]
        elif field.type == FieldDescriptorProto.TYPE_MESSAGE:
            kept.type = FieldDescriptorProto.TYPE_BYTES
            kept.ClearField("type_name")
        if field.HasField("oneof_index"):
            kept.oneof_index = _oneof(part, whole.oneof_decl[field.oneof_index].name)


def _oneof(part: DescriptorProto, name: str) -> int:
    """Return the index of a oneof in the part, where oneofs are numbered anew."""
    names = [oneof.name for oneof in part.oneof_decl]
    if name not in names:
        part.oneof_decl.add(name=name)
        return len(names)
    return names.index(name)
