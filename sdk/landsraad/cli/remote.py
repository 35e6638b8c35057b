"""What the commands that speak to a service share: which one, and how."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from landsraad.transport import Tls

#: The default of landsraad.async_client.SERVER, which would load gRPC.
HERE = "localhost:7447"

ServerOption = Annotated[str, typer.Option("--server", envvar="LANDSRAAD_SERVER", help="The service, as host:port.")]
TokenOption = Annotated[
    str,
    typer.Option(
        "--token", envvar="LANDSRAAD_TOKEN", help="Token of your account; a service with open accounts needs none."
    ),
]
CaOption = Annotated[
    Path | None, typer.Option("--ca", exists=True, dir_okay=False, help="Certificate of the authority to trust (TLS).")
]
PlaintextOption = Annotated[bool, typer.Option("--plaintext", help="Send everything unprotected to another machine.")]


def connection(token: str, ca: Path | None, plaintext: bool) -> dict[str, Any]:
    """The arguments of a client."""
    from landsraad.transport import Tls

    tls: Tls | None = Tls(ca=ca) if ca is not None else None
    return {"token": token, "tls": tls, "plaintext": plaintext}
