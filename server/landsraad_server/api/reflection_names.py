"""Names for reflection that the library lacks: the newer version of its service, and the methods of services.

The library has v1alpha only. Both versions have the same messages except for the package name, which is not on the
wire. Clients ask for the newer one first, and may ask for its description as well. `grpcurl describe` asks for the file
of a method by the method's name, which protobuf's descriptor pool does not know.
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


class MethodPool:
    """A descriptor pool that also finds the file of a method by its full name."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the pool behind this one."""
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> Any:  # noqa: N802  the library calls it by this name
        """Return the file that defines a symbol; KeyError if there is none."""
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            service, _, method = symbol.rpartition(".")
            found = self._pool.FindServiceByName(service)
            if method not in found.methods_by_name:
                raise
            return found.file


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
