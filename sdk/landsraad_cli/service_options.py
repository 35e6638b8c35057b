"""Options of the commands that connect to a service, and the report of connection errors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from landsraad.transport import Tls

#: The same as landsraad.async_client.SERVER, whose import would load gRPC.
HERE = "localhost:7447"
#: Seconds within which a service has to answer at first.
_REACH_SECONDS = 5.0

ServerOption = Annotated[str, typer.Option("--server", envvar="LANDSRAAD_SERVER", help="The service, as host:port.")]
TokenOption = Annotated[
    str,
    typer.Option(
        "--token", envvar="LANDSRAAD_TOKEN", help="The token of your account. A service with open accounts needs none."
    ),
]
CaOption = Annotated[
    Path | None,
    typer.Option("--ca", exists=True, dir_okay=False, help="Certificate of the authority to trust."),
]
CertOption = Annotated[
    Path | None,
    typer.Option("--cert", exists=True, dir_okay=False, help="Your own certificate, if the service asks for it."),
]
KeyOption = Annotated[Path | None, typer.Option("--key", exists=True, dir_okay=False, help="The key of --cert.")]
PlaintextOption = Annotated[bool, typer.Option("--plaintext", help="Send everything unprotected.")]


def connection_arguments(
    token: str, ca: Path | None, plaintext: bool, cert: Path | None = None, key: Path | None = None
) -> dict[str, Any]:
    """Return the arguments of a client, or exit with status 2 if a TLS file cannot be used."""
    # gRPC's own log lines about TLS are of no use: `explain_unreachable` prints a sentence instead.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")

    from landsraad.errors import BadTls
    from landsraad.transport import Tls

    tls: Tls | None = Tls(ca, cert, key) if ca or cert or key else None
    if tls is not None:
        try:
            tls.context()
        except BadTls as error:
            raise typer.BadParameter(str(error)) from None
    return {"token": token, "tls": tls, "plaintext": plaintext}


def explain_unreachable(server: str, how: Mapping[str, Any]) -> str:
    """Return a sentence that explains why the service cannot be reached; empty if unknown."""
    from landsraad.transport import is_loopback
    from landsraad_cli.local.connection_problem import connection_problem

    if not server:
        return ""
    secure = bool(how["tls"]) or not (how["plaintext"] or is_loopback(server))
    return connection_problem(server, how["tls"], secure=secure)


@contextmanager
def reporting_errors(command: str, server: str = "", how: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Report errors of the service in one line and exit with status 1. Ctrl-C exits with status 130, silently."""
    from landsraad.errors import ConnectionLost, LandsraadError

    try:
        yield
    except ConnectionLost as lost:
        typer.echo(f"landsraad {command}: {explain_unreachable(server, how or {}) or lost}", err=True)
        raise typer.Exit(1) from None
    except LandsraadError as error:
        typer.echo(f"landsraad {command}: {error}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def check_reachable(server: str, how: dict[str, Any]) -> None:
    """Fail early if the service cannot be reached. Once a match has begun, retries go on for longer.

    Raises:
        ConnectionLost: The service cannot be reached.
    """
    from landsraad.client import Client

    with Client(server, **how, retry_timeout=_REACH_SECONDS) as client:
        client.games()
