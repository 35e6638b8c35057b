"""`landsraad token`: accounts and their tokens, for whoever runs a service that takes nobody without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from landsraad_cli.output import JsonFlag, finish, rows

if TYPE_CHECKING:
    from landsraad_server.accounts.token_admin import TokenAdmin

app = typer.Typer(
    help="Accounts and their tokens: for a service with --auth token.", no_args_is_help=True, add_completion=False
)

RedisOption = Annotated[
    str,
    typer.Option(envvar="LANDSRAAD_REDIS", help="URL of the service's store (default: that in the data directory)."),
]
DataOption = Annotated[Path, typer.Option(envvar="LANDSRAAD_DATA", help="The service's data directory.")]
_DATA = Path("landsraad-data")


@app.command()
def issue(
    name: Annotated[str, typer.Argument(help="Name of the account, as other players see it; 1 to 40 characters.")],
    account: Annotated[str, typer.Option(help="Id of an account of that name that is to have one token more.")] = "",
    label: Annotated[str, typer.Option(help="What the token is for.")] = "issued by the operator",
    redis: RedisOption = "",
    data: DataOption = _DATA,
    json: JsonFlag = False,
) -> None:
    """Make an account and print its token. It is shown only here: the store keeps a digest of it.

    A client sends the token in `authorization: Bearer TOKEN`; the SDK takes it as `token=`.
    """
    if not (1 <= len(name) <= 40 and name.isprintable()):
        raise typer.BadParameter("1 to 40 characters, none of them a control character", param_hint="NAME")
    with _office(redis, data) as office:
        issued = office.issue(name, account, label)
    if json:
        finish(issued._asdict(), as_json=True)
    print(issued.token)


@app.command(name="list")
def list_(redis: RedisOption = "", data: DataOption = _DATA, json: JsonFlag = False) -> None:
    """All accounts and what is known of their tokens, the oldest first."""
    with _office(redis, data) as office:
        known = office.known()
    if json:
        finish({"tokens": [token._asdict() for token in known]}, as_json=True)
    rows(known, head=("account", "name", "token", "made", "label"))


@app.command()
def revoke(
    token: Annotated[str, typer.Argument(help="The token, as `list` shows it.")],
    redis: RedisOption = "",
    data: DataOption = _DATA,
    json: JsonFlag = False,
) -> None:
    """End a token: calls with it are refused at once, and its streams are closed within a second."""
    with _office(redis, data) as office:
        revoked = office.revoke(token)
    finish(revoked._asdict(), as_json=json, title="revoked")


@contextmanager
def _office(redis: str, data: Path) -> Iterator[TokenAdmin]:
    """Where it is done; what cannot be done is said in one line."""
    from landsraad_server.accounts.token_admin import TokenAdmin  # noqa: PLC0415  `--help` loads nothing heavy
    from landsraad_server.store.errors import StoreError  # noqa: PLC0415

    try:
        yield TokenAdmin(redis, data)
    except StoreError as trouble:
        typer.echo(f"landsraad token: {trouble}", err=True)
        raise typer.Exit(1) from None
