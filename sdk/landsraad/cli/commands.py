"""Which subcommands there are, and where their code is.

The SDK's own stand in this table; packages above it (server, bots, third parties) add theirs as entry points of the
group `landsraad.commands`, in the same form. A target is a function or a `typer.Typer`.
"""

from collections.abc import Callable
from typing import cast

from typer import Typer

from landsraad._registry import Registry

OWN = {
    "about": "landsraad.cli.about:about",
    "content": "landsraad.cli.content:content",
    "bench": "landsraad.cli.bench:app",
    "demo": "landsraad.cli.demo:demo",
    "doctor": "landsraad.cli.doctor:doctor",
    "fuzz": "landsraad.cli.fuzz:fuzz",
    "leaktest": "landsraad.cli.leaktest:leaktest",
    "new-bot": "landsraad.cli.newbot:new_bot",
    "play": "landsraad.cli.play:play",
    "replay": "landsraad.cli.replay:replay",
    "rules": "landsraad.cli.rules:rules",
    "simulate": "landsraad.cli.simulate:simulate",
    "watch": "landsraad.cli.watch:watch",
}
COMMANDS = Registry("landsraad.commands", OWN)

#: How the help groups and orders them; what stands in no group comes last.
GROUPS = {
    "Begin here": ("demo", "play", "watch", "new-bot"),
    "A service": ("serve", "token", "doctor"),
    "Games and rules": ("rules", "content", "simulate", "replay"),
    "Checking and measuring": ("fuzz", "leaktest", "bench", "about"),
}


def ordered() -> dict[str, str]:
    """Every command with its group, as the help lists them."""
    groups = {name: group for group, names in GROUPS.items() for name in names}
    known = COMMANDS.targets()
    return {name: groups.get(name, "Others") for name in (*groups, *known) if name in known}


def load(name: str) -> Typer:
    """Import one command as a Typer application; a plain function becomes one of a single command."""
    found = COMMANDS.load(name)
    if isinstance(found, Typer):
        return found
    single = Typer(add_completion=False)
    single.command()(cast("Callable[..., None]", found))
    return single
