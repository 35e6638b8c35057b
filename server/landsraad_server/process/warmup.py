"""Warm-up: pay one-time costs before a worker reports that it is ready.

Loading a game takes up to half a second and would stall every other match of the worker.
"""

from __future__ import annotations

from landsraad import games
from landsraad.v1.catalog_service_pb2 import GetGameRequest
from landsraad_server.api.catalog_service import game_details
from landsraad_server.matches.records import SeatPlan, Terms
from landsraad_server.matches.running_match import RunningMatch
from landsraad_server.telemetry import logs


def warm_up() -> None:
    """Load each game, render its catalog entry and start a match of it; a broken game must not keep the worker from
    serving.
    """
    for name in games.known():
        try:
            game = games.load(name)
            seats = game.default_seats
            game_details(game, GetGameRequest(name=f"games/{name}").SerializeToString(deterministic=True))
            terms = Terms(name, [SeatPlan() for _ in range(seats)], game.parse_options({}, seats), "", 0, b"", "", "")
            RunningMatch("warm", terms).begin({})
        except Exception as error:  # noqa: BLE001 games may come from other packages
            logs.fault(f"game {name}", error)
