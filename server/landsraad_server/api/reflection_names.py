"""Reflection v1: the descriptor of the newer service, derived from v1alpha, the only one that the library has.

Both versions have the same messages except for the package name, which is not on the wire. Clients ask for the newer
one first, and may ask for its description as well.
"""

from __future__ import annotations

from typing import Any, Final

from google.protobuf import descriptor_pool
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection_pb2

#: The service in the library's version, v1alpha.
SERVICE: Final = reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"]
_OLD, _NEW = "grpc.reflection.v1alpha", "grpc.reflection.v1"
#: Full names of the service in both versions.
NAMES: Final = (f"{_OLD}.{SERVICE.name}", f"{_NEW}.{SERVICE.name}")


def describe(pool: Any) -> None:
    """Add the v1 descriptor to a pool that lacks it."""
    try:
        pool.FindFileContainingSymbol(NAMES[1])
    except KeyError:
        pool.AddSerializedFile(_newer().SerializeToString())


def _newer() -> FileDescriptorProto:
    """Return the v1 file descriptor."""
    file = FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    file.name, file.package = "grpc/reflection/v1/reflection.proto", _NEW
    file.ClearField("options")  # packages of generated code, and the deprecation of v1alpha
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
