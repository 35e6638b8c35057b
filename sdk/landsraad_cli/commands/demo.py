"""`landsraad demo`: a whole match, played by bots over gRPC on a service of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from landsraad_cli.local_match_options import (
    BotsOption,
    OptionOption,
    SeatsOption,
    check_seats,
    load_game,
    parse_bots,
    parse_match_options,
)
from landsraad_cli.output import JsonFlag, console, finish
from landsraad_cli.service_options import reporting_errors


def demo(
    game: Annotated[str, typer.Argument(help="dune or arrakis.")] = "dune",
    fast: Annotated[bool, typer.Option("--fast", help="Play without pauses.")] = False,
    seats: SeatsOption = None,
    bots: BotsOption = "greedy",
    seed: Annotated[
        int, typer.Option("--seed", help="Seed of the bots. The service draws the chance of each match anew.")
    ] = 1,
    option: OptionOption = None,
    save: Annotated[Path, typer.Option("--save", help="Folder for the replay.")] = Path("demo-replays"),
    json: JsonFlag = False,
) -> None:
    """Watch bots play a whole match over gRPC, on a service that is started for it.

    The service runs on a free port of this machine with a store of its own. Each bot is a client that sees only what
    its seat can see. You see what spectators see. Ctrl-C ends everything, and nothing is left behind but the replay.
    """
    from landsraad_cli.local.demo import run_demo
    from landsraad_cli.local.own_service import check_server_installed
    from landsraad_cli.terminal.pictures import picture_of
    from landsraad_cli.terminal.stage import Screen

    with reporting_errors("demo"):
        check_server_installed()
    found = load_game(game)
    number = check_seats(found, seats)
    options = parse_match_options(found, option, number)
    names = parse_bots(bots, number, found)
    picture = picture_of(found)
    screen = console(to_stderr=json)
    screen.print(f"Starting a service for {found.title} ...")
    with reporting_errors("demo"):
        try:
            with Screen(picture, f"{found.title}: a match of bots over gRPC", console=screen) as stage:
                shown = asyncio.run(run_demo(found.id, names, options, seed=seed, fast=fast, stage=stage, folder=save))
        except KeyboardInterrupt:
            screen.print("Stopped. Nothing is left running.")
            raise
    result = shown.match.result
    assert result is not None
    facts: dict[str, Any] = {
        "match": shown.match.name,
        **picture.outcome(result),
        "inputs": shown.inputs,
        "log_entries": shown.entries,
        "replay": str(shown.replay),
        "differences": list(shown.differences),
        "look_at_it": f"landsraad replay {shown.replay}",
    }
    held = result.kind == "played" and not shown.differences
    finish(facts, as_json=json, title="The match is over, and its replay has been checked", held=held)
