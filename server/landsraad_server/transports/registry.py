"""Registry of installed transports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from landsraad_engine.registry import Registry

if TYPE_CHECKING:
    from landsraad_server.transports.protocol import (
        TransportFactory,  # it imports grpc, which `serve --help` does without
    )

#: The transport that needs no other distribution.
DEFAULT: Final = "grpcio"
TRANSPORTS: Final = Registry("landsraad.transports", {DEFAULT: "landsraad_server.transports.grpcio:GrpcioServer"})
#: Distributions of ours that add a transport, for the error message of one that is not installed.
_DISTRIBUTIONS: Final = {"http2": "landsraad-http2"}


class TransportNotUsable(ValueError):
    """A transport that is unknown, not installed, or cannot be imported."""


def installed() -> str:
    """Return the names of the installed transports as a list in a sentence."""
    return ", ".join(TRANSPORTS.targets())


def load(name: str) -> TransportFactory:
    """Return a transport by its name; TransportNotUsable if that is impossible."""
    if name not in TRANSPORTS:
        wanted = _DISTRIBUTIONS.get(name)
        what = f"is not installed: run `pip install {wanted}`" if wanted else "is unknown"
        raise TransportNotUsable(f"transport {name!r} {what}; installed: {installed()}")
    try:
        return cast("TransportFactory", TRANSPORTS.load(name))
    except (ImportError, AttributeError) as error:
        raise TransportNotUsable(f"transport {name!r} cannot be imported: {error}") from None
