"""Command `landsraad token`: issue, list and revoke API tokens, for operators of a service with `--auth token`."""

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
    help="Manage accounts and tokens of a service with --auth token.", no_args_is_help=True, add_completion=False
)

RedisOption = Annotated[
    str,
    typer.Option(
        envvar=["LANDSRAAD_ACCOUNTS", "LANDSRAAD_REDIS"],
        help="URL of the store; of a service of cells, that of the accounts (default: the one in the data directory).",
    ),
]
DataOption = Annotated[Path, typer.Option(envvar="LANDSRAAD_DATA", help="The service's data directory.")]
_DATA = Path("landsraad-data")


@app.command()
def issue(
    name: Annotated[str, typer.Argument(help="Name of the account, as other players see it; 1 to 40 characters.")],
    account: Annotated[
        str, typer.Option(help="Id of an existing account of that name, to issue another token for.")
    ] = "",
    label: Annotated[
        str, typer.Option(help="Note that `list` shows, such as the token's purpose.")
    ] = "issued by the operator",
    redis: RedisOption = "",
    data: DataOption = _DATA,
    json: JsonFlag = False,
) -> None:
    """Create an account and print its token. The token is shown only once: the store keeps a digest of it.

    Clients send it as `authorization: Bearer TOKEN`; pass it to the SDK as `token=`.
    """
    if not (1 <= len(name) <= 40 and name.isprintable()):
        raise typer.BadParameter("1 to 40 characters, none of them a control character", param_hint="NAME")
    with _token_admin(redis, data) as admin:
        issued = admin.issue(name, account, label)
    if json:
        finish(issued._asdict(), as_json=True)
    print(issued.token)


@app.command(name="list")
def list_(redis: RedisOption = "", data: DataOption = _DATA, json: JsonFlag = False) -> None:
    """List all accounts and their tokens, oldest first."""
    with _token_admin(redis, data) as admin:
        known = admin.list_tokens()
    if json:
        finish({"tokens": [token._asdict() for token in known]}, as_json=True)
    rows(known, head=("account", "name", "token", "made", "label"))


@app.command()
def revoke(
    token: Annotated[str, typer.Argument(help="Id of the token, as `list` shows it.")],
    redis: RedisOption = "",
    data: DataOption = _DATA,
    json: JsonFlag = False,
) -> None:
    """Revoke a token: calls with it are refused at once, and its streams are closed within a second."""
    with _token_admin(redis, data) as admin:
        revoked = admin.revoke(token)
    finish(revoked._asdict(), as_json=json, title="revoked")


@contextmanager
def _token_admin(redis: str, data: Path) -> Iterator[TokenAdmin]:
    """Provide the token administration; print a store error as one line and exit with status 1."""
    from landsraad_server.accounts.token_admin import TokenAdmin  # noqa: PLC0415  `--help` loads nothing heavy
    from landsraad_server.store.errors import StoreError  # noqa: PLC0415

    try:
        yield TokenAdmin(redis, data)
    except StoreError as error:
        typer.echo(f"landsraad token: {error}", err=True)
        raise typer.Exit(1) from None
