"""`landsraad demo`: a whole match in front of you, played over gRPC by bots on a service of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from landsraad_cli.local_match_options import OptionOption, SeatsOption, the_bots, the_game, the_options, the_seats
from landsraad_cli.output import JsonFlag, chosen, console, finish


def demo(
    game: Annotated[str, typer.Argument(help="dune or arrakis.")] = "dune",
    fast: Annotated[bool, typer.Option("--fast", help="Play without pauses.")] = False,
    seats: SeatsOption = None,
    bots: Annotated[str, typer.Option("--bots", help="One bot name, or one per seat, separated by commas.")] = "greedy",
    seed: Annotated[
        int, typer.Option("--seed", help="Of the bots alone: the service draws the chance of each match anew.")
    ] = 1,
    option: OptionOption = None,
    save: Annotated[Path, typer.Option("--save", help="Folder for the replay.")] = Path("demo-replays"),
    json: JsonFlag = False,
) -> None:
    """Play a whole match of bots in front of you: service, store, gRPC and all, and nothing of it left behind.

    The service runs on a free port of this machine, with a store of its own. Each bot is a client that sees what its
    seat may see; what you see is what spectators are told. Ctrl-C ends everything.
    """
    from landsraad.errors import LandsraadError
    from landsraad_cli.command_table import COMMANDS
    from landsraad_cli.local.demo import demonstrate
    from landsraad_cli.terminal.pictures import picture_of
    from landsraad_cli.terminal.stage import Screen

    found = the_game(game)
    number = the_seats(found, seats)
    options = the_options(found, option, number)
    names = the_bots(bots, number, found)
    chosen("command", "serve", COMMANDS.targets())
    picture = picture_of(found)
    screen = console(to_stderr=json)
    screen.print(f"Starting a service for {found.title} ...")
    try:
        with Screen(picture, f"{found.title}: a match of bots over gRPC", console=screen) as stage:
            shown = asyncio.run(demonstrate(found.id, names, options, seed=seed, fast=fast, stage=stage, folder=save))
    except KeyboardInterrupt:
        screen.print("Ended; nothing is left running.")
        raise typer.Exit(130) from None
    except LandsraadError as error:
        typer.echo(f"landsraad demo: {error}", err=True)
        raise typer.Exit(1) from None
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
    finish(facts, as_json=json, title="The match is over, and was played again from its replay", held=held)
