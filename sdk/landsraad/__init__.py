"""Landsraad: play Dune as a program.

>>> from landsraad import Bot, run

`Bot` and `run` are the short way to play. `Client` and `AsyncClient` do whatever a player can do. The exceptions are in
`landsraad.errors`, and `landsraad.testing` has a service to test against.
"""

from typing import TYPE_CHECKING

from landsraad._version import __version__

if TYPE_CHECKING:
    from landsraad.async_client import AsyncClient
    from landsraad.bot_runner import PlayedMatch, play_seat, run
    from landsraad.client import Client
    from landsraad.errors import LandsraadError
    from landsraad.models import ClockRules, Ticket
    from landsraad.transport import Tls
    from landsraad_engine.play.bot import Bot

__all__ = [
    "AsyncClient",
    "Bot",
    "Client",
    "ClockRules",
    "LandsraadError",
    "PlayedMatch",
    "Ticket",
    "Tls",
    "__version__",
    "play_seat",
    "run",
]

# The home of each public name. They are imported on first use, so that `landsraad --help` loads neither an engine nor
# gRPC.
_HOMES = {
    "AsyncClient": "landsraad.async_client",
    "Bot": "landsraad_engine.play.bot",
    "Client": "landsraad.client",
    "ClockRules": "landsraad.models",
    "LandsraadError": "landsraad.errors",
    "PlayedMatch": "landsraad.bot_runner",
    "Ticket": "landsraad.models",
    "Tls": "landsraad.transport",
    "play_seat": "landsraad.bot_runner",
    "run": "landsraad.bot_runner",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    from importlib import import_module  # noqa: PLC0415 - needed only here

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
