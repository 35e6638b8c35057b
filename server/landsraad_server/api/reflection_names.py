"""Reflection under both of its names: its first one, for which there is a library, and the one that it has had since.

Their messages are the same but for the package in their names, which the wire does not tell. Clients ask for the newer
one first. They may also ask what it is, so its description is made of the other's.
"""

from __future__ import annotations

from typing import Any, Final

from google.protobuf import descriptor_pool
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection_pb2

#: As the library has it.
SERVICE: Final = reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"]
_OLD, _NEW = "grpc.reflection.v1alpha", "grpc.reflection.v1"
#: What the service is called.
NAMES: Final = (f"{_OLD}.{SERVICE.name}", f"{_NEW}.{SERVICE.name}")


def describe(pool: Any) -> None:
    """Let a pool know the newer one, unless it does already."""
    try:
        pool.FindFileContainingSymbol(NAMES[1])
    except KeyError:
        pool.AddSerializedFile(_newer().SerializeToString())


def _newer() -> FileDescriptorProto:
    """The file of the newer one."""
    file = FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    file.name, file.package = "grpc/reflection/v1/reflection.proto", _NEW
    file.ClearField("options")  # places for generated code, and that it is deprecated
    for message in file.message_type:
        for field in message.field:
            if field.type_name:
                field.type_name = _renamed(field.type_name)
    for service in file.service:
        for method in service.method:
            method.input_type, method.output_type = _renamed(method.input_type), _renamed(method.output_type)
    return file


def _renamed(name: str) -> str:
    return name.replace(f".{_OLD}.", f".{_NEW}.")


describe(descriptor_pool.Default())
