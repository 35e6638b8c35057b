"""Command `landsraad serve`: parse options and run the supervisor."""

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
from landsraad_server.transports.registry import DEFAULT, installed

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

#: Similarity above which an unknown variable is taken for a misspelt setting: one letter wrong in five.
_ALIKE = 0.8
_BEYOND = "Required beyond loopback unless you pass --insecure."


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on (default: 127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 picks a free one (default: 7447).")] = None,
    admin_port: Annotated[int | None, typer.Option(help="Port for operators; 0 picks a free one (default: 0).")] = None,
    workers: Annotated[
        int | None, typer.Option(help="Number of worker processes (default: one for each core).")
    ] = None,
    redis: Annotated[str | None, typer.Option(help="URL of the store (default: an embedded one).")] = None,
    durability: Annotated[
        str | None, typer.Option(help="Durability of acknowledged acts: everysec, always or replicated.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Data directory (default: landsraad-data).")] = None,
    archive: Annotated[str | None, typer.Option(help="Directory or URL for finished matches.")] = None,
    transport: Annotated[
        str | None,
        typer.Option(help=f"Transport of the public port, one of those installed: {installed()} (default: {DEFAULT})."),
    ] = None,
    auth: Annotated[
        str | None, typer.Option(help="Accounts: open (on loopback only) or token (default: open).")
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(help=f"TLS certificate chain, PEM. {_BEYOND}")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Private key of the certificate, PEM.")] = None,
    tls_client_ca: Annotated[
        Path | None, typer.Option(help="Require client certificates signed by this authority.")
    ] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Allow plaintext beyond loopback.")] = False,
    advertise: Annotated[str | None, typer.Option(help="Host name that clients are given (default: --host).")] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            help="Prometheus port of the first worker; the others and then the supervisor use the ports after it."
        ),
    ] = None,
    house: Annotated[bool | None, typer.Option(help="Let house bots fill empty seats (default: yes).")] = None,
    house_cpu: Annotated[
        float | None, typer.Option(help="CPU seconds for each second, for all house bots together (default: 0.5).")
    ] = None,
    house_decision_seconds: Annotated[
        float | None, typer.Option(help="Most CPU seconds for a decision of a house bot, by its name (default: 2).")
    ] = None,
    log_level: Annotated[str | None, typer.Option(help="Log level: debug, info or warning (default: info).")] = None,
    cell: Annotated[str | None, typer.Option(help="Name of this cell, of a service of several cells.")] = None,
    cells: Annotated[Path | None, typer.Option(help="File that names all cells with their addresses, TOML.")] = None,
    accounts: Annotated[str | None, typer.Option(help="URL of the store that holds the accounts of all cells.")] = None,
    http: Annotated[
        str | None,
        typer.Option(
            help="Port of the page for browsers, or HOST:PORT; 0 picks a free port (default: a free one on loopback)."
        ),
    ] = None,
    no_http: Annotated[bool, typer.Option("--no-http", help="Serve no page.")] = False,
    http_behind_proxy: Annotated[
        bool | None, typer.Option("--http-behind-proxy", help="A proxy in front of the page has TLS.")
    ] = None,
    http_name: Annotated[
        list[str] | None, typer.Option(help="Host name by which browsers reach the page. Give it once for each name.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Run the service: workers, store, house bots and a page for browsers.

    You can set every option as LANDSRAAD_... in the environment.

    With --json the first line of output holds the addresses, printed once everything serves. SIGTERM or Ctrl-C drains
    the service: streams are closed with their cursors, and calls under way are finished.
    """
    # Our processes never fork once gRPC is loaded, they only start programs; gRPC's fork handlers would get in the way.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    # gRPC's core writes a line to standard error for bad calls, which would let a client fill the disk.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")

    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from landsraad_server.config import OFF, Config
    from landsraad_server.process import event_loop
    from landsraad_server.process.supervisor import Supervisor
    from landsraad_server.store.errors import StoreError
    from landsraad_server.telemetry import logs

    _check_spelling(os.environ, Config.model_fields)
    given = {name: value for name, value in locals().items() if name in Config.model_fields and value is not None}
    if not insecure:
        given.pop("insecure")
    if no_http:
        given["http"] = OFF
    if http_name:
        given["http_names"] = tuple(http_name)
    try:
        config = Config(**given)
    except ValidationError as invalid:
        raise typer.BadParameter("; ".join(_error_text(error, given) for error in invalid.errors())) from None
    except SettingsError as unread:  # only two are lists, which are parsed as JSON
        name, example = (
            ("HTTP_NAMES", "games.example.org") if "http_names" in str(unread) else ("PROXIES", "10.0.0.0/8")
        )
        raise typer.BadParameter(f'LANDSRAAD_{name} has to be a JSON list, such as ["{example}"]') from None
    logs.configure(as_json=json or not sys.stderr.isatty(), level=config.log_level)

    async def run() -> None:
        await Supervisor(config).run(lambda ready: _print_ready(ready, as_json=json))

    try:
        event_loop.run(run())
    except StoreError as error:
        typer.echo(f"landsraad serve: {error}", err=True)
        raise typer.Exit(1) from None


def _check_spelling(environment: Iterable[str], settings: Iterable[str]) -> None:
    """Refuse a variable that looks like a misspelt setting; other names, such as those that Kubernetes adds, are
    ignored.
    """
    names = {setting.upper() for setting in settings}
    for variable in map(str.upper, environment):
        prefix, ours, name = variable.partition("LANDSRAAD_")
        if ours and not prefix and name not in names:
            for meant in get_close_matches(name, names, n=1, cutoff=_ALIKE):
                raise typer.BadParameter(f"{variable} is not a setting; did you mean {ours}{meant}?")


def _error_text(error: ErrorDetails, given: Collection[str]) -> str:
    """Return the text of a validation error, after the option or variable unless the text names it itself."""
    text = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return text
    name = str(error["loc"][0])
    return f"--{name.replace('_', '-')}: {text}" if name in given else f"LANDSRAAD_{name.upper()}: {text}"


def _print_ready(ready: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json_format.dumps(ready), flush=True)
        return
    accounts = "open to all" if ready["auth"] == "open" else "by token (landsraad token issue NAME)"
    cell = f"cell {ready['cell']} " if "cell" in ready else ""
    has = f"{len(ready['workers'])} workers, {ready['store']} store, accounts {accounts}"
    print(f"serving {cell}on {ready['address']}: {has}")
    if "http" in ready:
        print(f"play and watch in a browser: {ready['http']}")
    print(f"operators: {ready['admin']}; stop with Ctrl-C", flush=True)
