"""Warm-up before the process reports that it is ready.

Loading a game and answering its first questions takes up to a second, which would count on the clocks of the first
match.
"""

from __future__ import annotations

import logging

from landsraad import games
from landsraad.wire.codec import codec_for
from landsraad_bots.house_runner.house_seats import default_bot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out

_log = logging.getLogger(__name__)

#: Acts played in a match of each game.
_INPUTS = 20


def warm_up() -> None:
    """Play the first acts of a match of every game. A game that fails does not stop the others."""
    for name in games.known():
        try:
            _begin(name)
        except Exception:  # noqa: BLE001  a game may be third-party code
            _log.exception("%s cannot be played", name)


def _begin(name: str) -> None:
    game = games.load(name)
    codec_for(game)
    seats = game.default_seats
    play_out(Match(game, seats), [default_bot(name, seat) for seat in range(seats)], _INPUTS)
