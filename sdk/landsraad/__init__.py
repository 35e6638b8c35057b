"""Landsraad: play Dune as a program.

>>> from landsraad import Bot, run

`Bot` and `run` are the short way to play. `landsraad.dune` and `landsraad.arrakis` have the typed bot, the view, the
acts and the announcements of a game. `Client` and `AsyncClient` do whatever a player can do. The exceptions are in
`landsraad.errors`, and `landsraad.testing` has a service to test against.
"""

from typing import TYPE_CHECKING

from landsraad._version import __version__
from landsraad.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from landsraad.async_client import AsyncClient
    from landsraad.bot_runner import PlayedMatch, play_seat, run
    from landsraad.client import Client
    from landsraad.errors import LandsraadError
    from landsraad.models import ClockRules, Ticket
    from landsraad.transport import Tls
    from landsraad_engine.kernel.grammar import Act, Options
    from landsraad_engine.play.bot import Bot, Decision
    from landsraad_engine.play.world import World

__all__ = [
    "Act",
    "AsyncClient",
    "Bot",
    "Client",
    "ClockRules",
    "Decision",
    "LandsraadError",
    "Options",
    "PlayedMatch",
    "Ticket",
    "Tls",
    "World",
    "__version__",
    "play_seat",
    "run",
]

_HOMES = {
    "Act": "landsraad_engine.kernel.grammar:Act",
    "AsyncClient": "landsraad.async_client:AsyncClient",
    "Bot": "landsraad_engine.play.bot:Bot",
    "Client": "landsraad.client:Client",
    "ClockRules": "landsraad.models:ClockRules",
    "Decision": "landsraad_engine.play.bot:Decision",
    "LandsraadError": "landsraad.errors:LandsraadError",
    "Options": "landsraad_engine.kernel.grammar:Options",
    "PlayedMatch": "landsraad.bot_runner:PlayedMatch",
    "Ticket": "landsraad.models:Ticket",
    "Tls": "landsraad.transport:Tls",
    "World": "landsraad_engine.play.world:World",
    "play_seat": "landsraad.bot_runner:play_seat",
    "run": "landsraad.bot_runner:run",
}
__getattr__, __dir__ = lazy_exports(globals(), _HOMES)
