"""Before a worker says that it is ready: what is slow the first time is done once.

Loading a game takes up to half a second, in which no other match of the worker would go on.
"""

from __future__ import annotations

from landsraad import games
from landsraad.v1.catalog_service_pb2 import GetGameRequest
from landsraad_server.api.catalog_service import everything_about
from landsraad_server.matches.records import SeatPlan, Terms
from landsraad_server.matches.running_match import RunningMatch
from landsraad_server.telemetry import logs


def warm_up() -> None:
    """Load all games, tell everything about them, and begin a match of each. A broken one is no reason not to serve."""
    for name in games.known():
        try:
            game = games.load(name)
            seats = max(game.seats)
            everything_about(game, GetGameRequest(name=f"games/{name}").SerializeToString(deterministic=True))
            terms = Terms(name, [SeatPlan() for _ in range(seats)], game.parse_options({}, seats), "", 0, b"", "", "")
            RunningMatch("warm", terms).begin({})
        except Exception as error:  # noqa: BLE001  it is another package's, perhaps
            logs.fault(f"game {name}", error)
