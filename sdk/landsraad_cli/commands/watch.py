"""`landsraad watch MATCH`: what everybody may see of a match, drawn as it happens."""

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
    connection,
    conversing,
    reach,
)

if TYPE_CHECKING:
    from landsraad.client import Client


def watch(
    match: Annotated[
        str, typer.Argument(help="The match, matches/ID; left out: the newest that is being played.")
    ] = "",
    server: ServerOption = HERE,
    lines: Annotated[bool, typer.Option("--lines", help="Sentences one below the other instead of a board.")] = False,
    token: TokenOption = "",
    ca: CaOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    plaintext: PlaintextOption = False,
    json: JsonFlag = False,
) -> None:
    """Watch a match to its end: the board and, in sentences, what happens.

    Spectators see what lies open, after the delay that the match has been given. With --json each line of standard
    output is one entry of the spectators' log, and the last one is the result.
    """
    from landsraad.client import Client

    how = connection(token, ca, plaintext, cert, key)
    with conversing("watch", server, how):
        reach(server, how)
        with Client(server, **how) as client:
            name = _name(match) or _newest(client)
            if json:
                _as_json(client, name)
            _drawn(client, name, lines=lines)


def _name(match: str) -> str:
    return match if not match or match.startswith("matches/") else f"matches/{match}"


def _newest(client: Client) -> str:
    found = client.matches(state="live", most=1)
    if not found:
        raise typer.BadParameter("no match is being played there now", param_hint="MATCH")
    return found[0].name


def _drawn(client: Client, name: str, *, lines: bool) -> None:
    from landsraad.seat_log import installed
    from landsraad_cli.terminal.pictures import picture_of
    from landsraad_cli.terminal.stage import Screen

    screen = console(to_stderr=False)
    picture = picture_of(installed(client.match(name).game))
    result = None
    with Screen(picture, f"{picture.game.title}: {name}", console=screen, live=False if lines else None) as stage:
        for update in client.watch(name):
            stage.show([told.entry for told in update.told], update.view, update.step)
            result = update.match.result
    assert result is not None, "the last thing that is told of a match is how it ended"
    finish({"match": name, **picture.outcome(result)}, as_json=False, title="The match is over")


def _as_json(client: Client, name: str) -> None:
    from json import dumps

    result = None
    for update in client.watch(name):
        for told in update.told:
            print(dumps({"number": told.number, "entry": told.entry}, ensure_ascii=False), flush=True)
        result = update.match.result
    assert result is not None
    facts = {"match": name, "kind": result.kind, "ending": result.ending, "winners": list(result.winners)}
    finish(facts, as_json=True, held=result.kind != "infrastructure")
