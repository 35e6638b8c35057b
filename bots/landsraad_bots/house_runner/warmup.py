"""Before the bots' process says that it is ready: what is slow the first time is done once.

A game is loaded and its first questions are answered in up to a second, in which the clocks of the first match run.
"""

from __future__ import annotations

import logging

from landsraad import games
from landsraad.wire.codec import codec_for
from landsraad_bots.house_runner.house_seats import usual_bot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out

_log = logging.getLogger(__name__)

#: So far a match of each game is played.
_INPUTS = 20


def warm_up() -> None:
    """Begin a match of every game. A broken one is no reason not to play the others."""
    for name in games.known():
        try:
            _begin(name)
        except Exception:  # noqa: BLE001  it is another package's, perhaps
            _log.exception("%s cannot be played", name)


def _begin(name: str) -> None:
    game = games.load(name)
    codec_for(game)
    seats = max(game.seats)
    play_out(Match(game, seats), [usual_bot(name, seat) for seat in range(seats)], _INPUTS)
