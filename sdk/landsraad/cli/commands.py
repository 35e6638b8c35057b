"""Which subcommands there are, and where their code is.

The SDK's own stand in a table; packages above it (server, bots, third parties) add theirs as entry points of the
group `landsraad.commands`, in the same form: name = "module:attribute", where the attribute is a function or a
`typer.Typer`. Nothing is imported until a command is looked at.
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points

from typer import Typer

GROUP = "landsraad.commands"

OWN = {
    "about": "landsraad.cli.about:about",
    "rules": "landsraad.cli.rules:rules",
}


def targets() -> Mapping[str, str]:
    """Every command name with its "module:attribute"; the SDK's own names cannot be taken over."""
    return {point.name: point.value for point in entry_points(group=GROUP)} | OWN


def load(target: str) -> Typer:
    """Import one command as a Typer application; a plain function becomes one of a single command."""
    module, _, attribute = target.partition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, Typer):
        return found
    single = Typer()
    single.command()(found)
    return single
