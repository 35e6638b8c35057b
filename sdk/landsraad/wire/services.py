"""The files of the protocol that define services."""

from __future__ import annotations

from typing import Final

from google.protobuf.descriptor import ServiceDescriptor

from landsraad.v1 import (
    accounts_service_pb2,
    catalog_service_pb2,
    matches_service_pb2,
    play_service_pb2,
    replays_service_pb2,
    talk_service_pb2,
    watch_service_pb2,
)

SERVICE_FILES: Final = (
    accounts_service_pb2,
    catalog_service_pb2,
    matches_service_pb2,
    play_service_pb2,
    replays_service_pb2,
    talk_service_pb2,
    watch_service_pb2,
)
SERVICES: Final[tuple[ServiceDescriptor, ...]] = tuple(
    service for file in SERVICE_FILES for service in file.DESCRIPTOR.services_by_name.values()
)
