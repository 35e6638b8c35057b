"""The table of subcommands, each with its code.

The SDK's own commands are in this table. Packages above it (server, bots, third parties) add theirs as entry points of
the group `landsraad.commands`, in the same form. A target is a function or a `typer.Typer`.
"""

from collections.abc import Callable
from typing import cast

from typer import Typer

from landsraad_engine.registry import Registry

OWN = {
    "about": "landsraad_cli.commands.about:about",
    "content": "landsraad_cli.commands.content:content",
    "bench": "landsraad_cli.commands.bench:app",
    "demo": "landsraad_cli.commands.demo:demo",
    "doctor": "landsraad_cli.commands.doctor:doctor",
    "fuzz": "landsraad_cli.commands.fuzz:fuzz",
    "leaktest": "landsraad_cli.commands.leaktest:leaktest",
    "new-bot": "landsraad_cli.commands.new_bot:new_bot",
    "play": "landsraad_cli.commands.play:play",
    "replay": "landsraad_cli.commands.replay:replay",
    "rules": "landsraad_cli.commands.rules:rules",
    "simulate": "landsraad_cli.commands.simulate:simulate",
    "watch": "landsraad_cli.commands.watch:watch",
    "whoami": "landsraad_cli.commands.whoami:whoami",
}
COMMANDS = Registry("landsraad.commands", OWN)
#: Commands that the distribution of the server brings, and the advice to users who have installed only the SDK.
SERVER_COMMANDS = ("serve", "token", "compare", "train")
INSTALL_SERVER = "Install the distribution landsraad-service."
#: Benchmarks that the distribution landsraad-loadtest brings.
LOADTEST_BENCHES = ("service",)

#: The groups of the help, in order. Commands of no group come last.
GROUPS = {
    "Begin here": ("demo", "play", "watch", "new-bot"),
    "A service": ("serve", "token", "whoami", "doctor"),
    "Games and rules": ("rules", "content", "simulate", "compare", "replay"),
    "Checking and measuring": ("fuzz", "leaktest", "bench", "train", "about"),
}


def advise_loadtest() -> str:
    """Return the advice to install benchmarks and wire tests. Both stand on the server, which may be missing too."""
    parts = "./loadtest" if set(SERVER_COMMANDS) <= COMMANDS.targets().keys() else ". ./loadtest"
    return f"Install the distribution landsraad-loadtest: `pip install {parts}` in a checkout of the repository."


def ordered() -> dict[str, str]:
    """Return every command with its group, in the order of the help."""
    groups = {name: group for group, names in GROUPS.items() for name in names}
    known = COMMANDS.targets()
    return {name: groups.get(name, "Others") for name in (*groups, *known) if name in known}


def load(name: str) -> Typer:
    """Import a command as a Typer application. A plain function becomes an application with a single command."""
    found = COMMANDS.load(name)
    if isinstance(found, Typer):
        return found
    single = Typer(add_completion=False)
    single.command()(cast("Callable[..., None]", found))
    return single
