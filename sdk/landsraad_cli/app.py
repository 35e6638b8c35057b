"""The root of the command line: `landsraad NAME ...`, with subcommands that load only when they are used."""

from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from landsraad import games
from landsraad._version import __version__
from landsraad_cli.command_table import COMMANDS, INSTALL_SERVER, SERVER_COMMANDS, load, ordered
from landsraad_cli.output import require_known


class LazyCommands(TyperGroup):
    """A command group that finds its members by name instead of importing all of them."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command. Report an unusable file by its name, instead of a traceback that hides it."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.filename is None:
                raise
            typer.echo(f"landsraad {ctx.invoked_subcommand}: {error.filename}: {error.strerror}", err=True)
            raise typer.Exit(1) from None

    def list_commands(self, ctx: object) -> list[str]:
        return list(ordered())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # typer's name for a command is private
        if cmd_name not in COMMANDS.targets():
            if cmd_name in SERVER_COMMANDS:
                ctx.fail(f"`landsraad {cmd_name}` needs the server. {INSTALL_SERVER}")
            return None
        command: Any = get_command(load(cmd_name))
        command.name = cmd_name
        command.rich_help_panel = ordered()[cmd_name]
        for one in (command, *getattr(command, "commands", {}).values()):
            one.help = unwrapped(one.help or "")
        return command


def unwrapped(text: str) -> str:
    """Return a docstring without the line breaks of its source: a terminal has its own width."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in cleandoc(text).split("\n\n"))


# Plain tracebacks: the pretty ones print local variables, which may contain hands, plans and tokens.
app = typer.Typer(
    cls=LazyCommands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> None:
    """Print the version and exit."""
    if wanted:
        typer.echo(f"landsraad {__version__}")
        raise typer.Exit


def offer_content(given: list[str] | None) -> None:
    """Check content files, and offer them to everything that plays, child processes included."""
    from landsraad_engine.errors import BadContent

    try:
        for game, path in games.offered():  # from the environment
            check_file(game, path)
            games.load(game)
        for word in given or ():
            game, _, name = word.partition("=")
            check_file(game, Path(name))
            games.offer(game, Path(name))
    except BadContent as error:
        raise typer.BadParameter(str(error)) from None


def check_file(game: str, path: Path) -> None:
    """Check the game and the file of a content option."""
    require_known("game", game, games.known())
    if not path.is_file():
        raise typer.BadParameter(f"{path} is not a file; write GAME=FILE")


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    content: Annotated[
        list[str] | None,
        typer.Option(
            "--content",
            metavar="GAME=FILE",
            callback=offer_content,
            help="Allow matches with this content file; they choose it with the option content=NAME.",
        ),
    ] = None,
) -> None:
    """Play, watch, check and measure matches of classic Dune and Dune: War for Arrakis."""
