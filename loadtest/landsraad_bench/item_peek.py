"""Messages read at a glance: parsed are the fields that a reader names, and nothing else.

The protobuf library turns all that it is given into objects, and most of what a player is told of a match are the
public steps and events that a random player never looks at. With a smaller schema, made from the real one, the library
skips them, five times as fast; a message that is wanted only now and then stays the bytes that it came in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

_PACKAGE = "glance"


def glance(wanted: Mapping[Descriptor, Collection[str]], *, joined: Collection[str] = ()) -> Any:
    """The class that reads the first of these messages, of each the fields that are named.

    Messages in them that are not among these are bytes. A repeated field that is `joined` is read as if it were a
    single one. The library then merges all that it holds, and of a oneof the last that was set remains.
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
    """Which of the part's oneofs this is: they are numbered anew."""
    names = [oneof.name for oneof in part.oneof_decl]
    if name not in names:
        part.oneof_decl.add(name=name)
        return len(names)
    return names.index(name)
