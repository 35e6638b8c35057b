"""`landsraad play GAME`: play a seat in the terminal."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from landsraad_cli.local_match_options import (
    OptionOption,
    SeatsOption,
    check_bot,
    check_seats,
    load_game,
    parse_bots,
    parse_match_options,
)
from landsraad_cli.output import console, finish
from landsraad_cli.service_options import (
    HERE,
    CaOption,
    CertOption,
    KeyOption,
    PlaintextOption,
    TokenOption,
    check_reachable,
    connection_arguments,
    reporting_errors,
)

if TYPE_CHECKING:
    from rich.console import Console

    from landsraad.advice import AdvisingBot
    from landsraad.client import Client
    from landsraad.seat import Seat
    from landsraad_engine.kernel.game import Game

#: The file that keeps the seat until its match is over.
_SEAT = Path(typer.get_app_dir("landsraad")) / "seat.json"


def play(
    game: Annotated[str, typer.Argument(help="dune or arrakis.")] = "dune",
    seat: Annotated[int, typer.Option("--seat", min=0, help="The number of your seat, from 0.")] = 0,
    match: Annotated[
        str,
        typer.Option("--match", help="Join this match, which waits for players, instead of a new one."),
    ] = "",
    seats: SeatsOption = None,
    against: Annotated[
        str,
        typer.Option("--against", help="The bot that plays the other seats: a name, file.py:Class or module:Class."),
    ] = "greedy",
    option: OptionOption = None,
    server: Annotated[
        str,
        typer.Option(
            "--server",
            envvar="LANDSRAAD_SERVER",
            help="The service, as host:port (default: a new one; with --match, the one on this machine).",
        ),
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Come back to the seat that you left last.")] = False,
    advice: Annotated[
        bool, typer.Option("--advice", help="Show what a bot would consider before each of your decisions.")
    ] = False,
    advisor: Annotated[str, typer.Option("--advisor", help="The bot that advises.")] = "searcher@1s",
    token: TokenOption = "",
    ca: CaOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    plaintext: PlaintextOption = False,
) -> None:
    """Play a seat against bots: numbered legal acts, the board, and the rule behind every question.

    Without --server, a service is started for this match and ended after it. On any other service you can leave the
    seat with q and take it up again with --resume, even after a crash. At any question, type h to see what you can
    type.
    """
    from landsraad.bot_references import is_reference
    from landsraad.client import Client
    from landsraad_cli.local.company import playing_bots
    from landsraad_cli.local.own_service import check_server_installed
    from landsraad_cli.terminal.playing import SavedSeat

    saved = None
    if resume:
        try:
            saved = SavedSeat.read(_SEAT)
        except (OSError, ValueError):
            raise typer.BadParameter("there is no seat to come back to", param_hint="--resume") from None
        server = saved.server
    if match:
        server = server or HERE  # a match that waits is on a service that runs
    found = load_game(game)
    number = check_seats(found, seats)
    options = parse_match_options(found, option, number)
    if seat >= number:
        raise typer.BadParameter(f"the seats have the numbers 0 to {number - 1}", param_hint="--seat")
    adviser = _advisor(advisor, found) if advice else None
    company = is_reference(against)  # the service plays its own bots only, so this process plays this one
    if company and (server or match):
        problem = (
            "a bot from a file or module plays only in a match on a service of its own; leave out --server and --match"
        )
        raise typer.BadParameter(problem, param_hint="--against")
    if not server:
        with reporting_errors("play"):
            check_server_installed()
        parse_bots(against, number, found)  # another service may have other bots
    how = connection_arguments(token, ca, plaintext, cert, key)
    with reporting_errors("play", server, how):
        if server:
            check_reachable(server, how)
        else:
            console(to_stderr=False).print(f"Starting a service for {found.title} ...")
        with service(server) as address, Client(address, **how) as client:
            if saved is not None:
                mine = client.seat(saved.ticket)
            else:
                fills = ["open" if at == seat or company else f"house:{against}" for at in range(number)]
                name = match or client.create_match(found.id, fills, options, title="landsraad play").name
                mine = client.join(name, seat, player="a person")
                if server:
                    SavedSeat.of(address, mine.ticket).write(_SEAT)
            if company:
                others = [at for at in range(number) if at != seat]
                with playing_bots(address, mine.ticket.match, found.id, against, others):
                    _sit(client, mine, adviser, stays=False)
            else:
                _sit(client, mine, adviser, stays=bool(server))


def _advisor(name: str, game: Game) -> AdvisingBot:
    """Return the bot that advises, or exit with status 2 if it cannot."""
    from landsraad.advice import AdvisingBot
    from landsraad.bots import make_bot

    check_bot(name, game)
    bot = make_bot(name, game.id, secrets.randbits(48))
    if not isinstance(bot, AdvisingBot):
        raise typer.BadParameter(f"{name} does not tell what it considers", param_hint="--advisor")
    return bot


def _sit(client: Client, seat: Seat, advisor: AdvisingBot | None, *, stays: bool) -> None:
    from landsraad.errors import ConnectionLost
    from landsraad.seat_log import installed_game
    from landsraad_cli.terminal.person import Person
    from landsraad_cli.terminal.pictures import picture_of
    from landsraad_cli.terminal.playing import play as play_seat
    from landsraad_cli.terminal.stage import Screen

    match = client.match(seat.ticket.match)
    screen = console(to_stderr=False)
    picture = picture_of(installed_game(match.game))
    stage = Screen(picture, f"{picture.game.title}: you play seat {seat.number}", console=screen, live=False)
    info = client.game(match.game)
    person = Person(stage, info.rules, screen, orders=info.standing_orders)
    screen.print(f"{match.name}: you have seat {seat.number}. At any question, type h for help.")
    try:
        result = play_seat(seat, person, stage, advisor)
    except KeyboardInterrupt:
        screen.print()
        _left(screen, stays=stays)
        raise typer.Exit(130) from None
    except ConnectionLost:
        _left(screen, stays=stays)
        raise
    if result is None:
        _left(screen, stays=stays)
        raise typer.Exit(0)
    _SEAT.unlink(missing_ok=True)
    won = seat.number in result.winners
    facts = {"match": match.name, **picture.outcome(result), "you_have_won": won}
    finish(facts, as_json=False, title="The match is over")


def _left(screen: Console, *, stays: bool) -> None:
    hint = "Come back with `landsraad play --resume`." if stays else "The service ends, too."
    screen.print(f"You have left the match. {hint}")


@contextmanager
def service(server: str) -> Iterator[str]:
    """Yield the given address, or start a service and yield its address. It runs on an event loop in another thread."""
    if server:
        yield server
        return
    from landsraad.portal import Portal
    from landsraad_cli.local.own_service import own_service

    portal = Portal()
    running = own_service()
    try:
        address = portal.run(running.__aenter__())
        try:
            yield address
        finally:
            portal.run(running.__aexit__(None, None, None))
    finally:
        portal.close()
