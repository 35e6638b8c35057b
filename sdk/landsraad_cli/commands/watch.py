"""`landsraad watch MATCH`: a match as spectators see it, drawn as it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from landsraad_cli.output import JsonFlag, console, finish
from landsraad_cli.service_options import (
    HERE,
    CaOption,
    CertOption,
    KeyOption,
    PlaintextOption,
    ServerOption,
    TokenOption,
    check_reachable,
    connection_arguments,
    reporting_errors,
)

if TYPE_CHECKING:
    from landsraad.client import Client


def watch(
    match: Annotated[
        str, typer.Argument(help="The match, as matches/ID (default: the newest that is being played).")
    ] = "",
    server: ServerOption = HERE,
    lines: Annotated[bool, typer.Option("--lines", help="Print sentences instead of drawing a board.")] = False,
    token: TokenOption = "",
    ca: CaOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    plaintext: PlaintextOption = False,
    json: JsonFlag = False,
) -> None:
    """Watch a match to its end: the board and, in sentences, what happens.

    Spectators see only what lies open, after the delay of the match. With --json, each line of standard output is one
    entry of the spectators' log, and the last line is the result.
    """
    from landsraad.client import Client

    how = connection_arguments(token, ca, plaintext, cert, key)
    with reporting_errors("watch", server, how):
        check_reachable(server, how)
        with Client(server, **how) as client:
            name = _name(match) or _newest(client)
            if json:
                _as_json(client, name)
            _drawn(client, name, lines=lines)


def _name(match: str) -> str:
    return match if not match or match.startswith("matches/") else f"matches/{match}"


def _newest(client: Client) -> str:
    found = client.matches(state="live", limit=1)
    if not found:
        raise typer.BadParameter("no match is being played on this service", param_hint="MATCH")
    return found[0].name


def _drawn(client: Client, name: str, *, lines: bool) -> None:
    from landsraad.seat_log import installed_game
    from landsraad_cli.terminal.pictures import picture_of
    from landsraad_cli.terminal.stage import Screen

    screen = console(to_stderr=False)
    picture = picture_of(installed_game(client.match(name).game))
    result = None
    with Screen(picture, f"{picture.game.title}: {name}", console=screen, live=False if lines else None) as stage:
        for update in client.watch(name):
            stage.show([one.entry for one in update.entries], update.view, update.step)
            result = update.match.result
    assert result is not None, "the last update of a match has its result"
    finish({"match": name, **picture.outcome(result)}, as_json=False, title="The match is over")


def _as_json(client: Client, name: str) -> None:
    from json import dumps

    result = None
    for update in client.watch(name):
        for one in update.entries:
            print(dumps({"number": one.number, "entry": one.entry}, ensure_ascii=False), flush=True)
        result = update.match.result
    assert result is not None
    facts = {"match": name, "kind": result.kind, "ending": result.ending, "winners": list(result.winners)}
    finish(facts, as_json=True, held=result.kind != "infrastructure")
