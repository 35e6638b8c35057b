"""What the commands that speak to a service share: which one, and how; and what they say when that goes wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from landsraad.transport import Tls

#: The default of landsraad.async_client.SERVER, which would load gRPC.
HERE = "localhost:7447"
#: Seconds after which nobody is expected to answer any more who has not yet.
_REACH_SECONDS = 5.0

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
CertOption = Annotated[
    Path | None,
    typer.Option("--cert", exists=True, dir_okay=False, help="Your own certificate, for a service that asks for one."),
]
KeyOption = Annotated[Path | None, typer.Option("--key", exists=True, dir_okay=False, help="The key of --cert.")]
PlaintextOption = Annotated[bool, typer.Option("--plaintext", help="Send everything unprotected to another machine.")]


def connection(
    token: str, ca: Path | None, plaintext: bool, cert: Path | None = None, key: Path | None = None
) -> dict[str, Any]:
    """The arguments of a client; ends with status 2 if the files of TLS cannot be used."""
    # What it has to say about TLS is said in a sentence, see `hindered`.
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


def hindered(server: str, how: dict[str, Any]) -> str:
    """What keeps one from a service, in a sentence; empty if that is not known."""
    from landsraad.transport import is_loopback
    from landsraad_cli.local.connection_problem import connection_problem

    secure = bool(how["tls"]) or not (how["plaintext"] or is_loopback(server))
    return connection_problem(server, how["tls"], secure=secure) if server else ""


@contextmanager
def conversing(command: str, server: str, how: dict[str, Any]) -> Iterator[None]:
    """What goes wrong with a service is told in a line, and the status is 1; Ctrl-C ends with 130, and quietly."""
    from landsraad.errors import ConnectionLost, LandsraadError

    try:
        yield
    except ConnectionLost as lost:
        typer.echo(f"landsraad {command}: {hindered(server, how) or lost}", err=True)
        raise typer.Exit(1) from None
    except LandsraadError as error:
        typer.echo(f"landsraad {command}: {error}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def reach(server: str, how: dict[str, Any]) -> None:
    """ConnectionLost soon, if nobody answers: once a match is under way, patience lasts longer."""
    from landsraad.client import Client

    with Client(server, **how, patience=_REACH_SECONDS) as client:
        client.games()
