"""`landsraad serve`: the service, in one command."""

from __future__ import annotations

import json as json_format
import os
import sys
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from landsraad_cli.output import JsonFlag

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

#: From here on a name is another's misspelt: one letter wrong in five.
_ALIKE = 0.8
_BEYOND = "Needed beyond loopback, unless --insecure is given."


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on (default: 127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0: a free one (default: 7447).")] = None,
    admin_port: Annotated[int | None, typer.Option(help="Port for operators; 0: a free one (default: 0).")] = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes (default: one for each core).")] = None,
    redis: Annotated[str | None, typer.Option(help="URL of the store (default: a private server of our own).")] = None,
    durability: Annotated[
        str | None, typer.Option(help="What an acknowledged act survives: everysec, always or replicated.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Directory for what is kept (default: landsraad-data).")] = None,
    archive: Annotated[str | None, typer.Option(help="Directory or URL for finished matches.")] = None,
    transport: Annotated[
        str | None, typer.Option(help="What carries the public calls: http2, our own, or grpcio (default: http2).")
    ] = None,
    auth: Annotated[str | None, typer.Option(help="open (on loopback only) or token (default: open).")] = None,
    tls_cert: Annotated[Path | None, typer.Option(help=f"Certificate chain, PEM. {_BEYOND}")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Its private key, PEM.")] = None,
    tls_client_ca: Annotated[Path | None, typer.Option(help="Ask clients for a certificate of this authority.")] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Allow plaintext beyond loopback.")] = False,
    advertise: Annotated[str | None, typer.Option(help="Host that is told to clients (default: --host).")] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            help="Prometheus port of the first worker; the others have those after it, the supervisor the last."
        ),
    ] = None,
    house: Annotated[
        bool | None, typer.Option(help="Whether bots of the house fill empty seats (default: yes).")
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(help="Least important lines of the log: debug, info or warning (default: info).")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Run the service: workers, store, bots of the house. Every option can be set as LANDSRAAD_... in the environment.

    With --json one line tells the addresses as soon as everything serves. SIGTERM or Ctrl-C drains: streams are told
    where to go on, and what is under way is finished.
    """
    # Nothing of ours forks once gRPC is in use, it only starts programs; its handlers would be in the way of that.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from landsraad_server.config import Config
    from landsraad_server.process import event_loop
    from landsraad_server.process.supervisor import Supervisor
    from landsraad_server.store.errors import StoreError
    from landsraad_server.telemetry import logs

    _check_spelling(os.environ, Config.model_fields)
    given = {name: value for name, value in locals().items() if name in Config.model_fields and value is not None}
    if not insecure:
        given.pop("insecure")
    try:
        config = Config(**given)
    except ValidationError as wrong:
        raise typer.BadParameter("; ".join(_said(error, given) for error in wrong.errors())) from None
    except SettingsError:  # of the one setting that is a list, which is read as JSON
        raise typer.BadParameter('LANDSRAAD_PROXIES: a list in JSON is wanted, as in ["10.0.0.0/8"]') from None
    logs.configure(as_json=json or not sys.stderr.isatty(), level=config.log_level)

    async def run() -> None:
        await Supervisor(config).run(lambda ready: _say(ready, as_json=json))

    try:
        event_loop.run(run())
    except StoreError as trouble:
        typer.echo(f"landsraad serve: {trouble}", err=True)
        raise typer.Exit(1) from None


def _check_spelling(environment: Iterable[str], settings: Iterable[str]) -> None:
    """Refuse a variable that was meant for a setting; others may have any name, as those that Kubernetes adds."""
    names = {setting.upper() for setting in settings}
    for variable in map(str.upper, environment):
        prefix, ours, name = variable.partition("LANDSRAAD_")
        if ours and not prefix and name not in names:
            for meant in get_close_matches(name, names, n=1, cutoff=_ALIKE):
                raise typer.BadParameter(f"{variable} is no setting; is {ours}{meant} meant?")


def _said(error: ErrorDetails, given: Collection[str]) -> str:
    """What is wrong with a setting, by the name of its option or its variable; a sentence of ours names it itself."""
    said = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return said
    name = str(error["loc"][0])
    return f"--{name.replace('_', '-')}: {said}" if name in given else f"LANDSRAAD_{name.upper()}: {said}"


def _say(ready: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json_format.dumps(ready), flush=True)
        return
    accounts = "open to all" if ready["auth"] == "open" else "by token (landsraad token issue NAME)"
    print(
        f"serving on {ready['address']}: {len(ready['workers'])} workers, {ready['store']} store, accounts {accounts}"
    )
    print(f"operators: {ready['admin']}; end with Ctrl-C", flush=True)
