"""The log of a seat tells which reaction windows have closed before the seat had answered."""

from random import Random

import pytest

from landsraad.models import MatchInfo
from landsraad.seat_log import SeatLog
from landsraad.v1 import log_pb2, play_pb2
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries
from landsraad_engine.kernel.execution import plays
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.game import TEACHING

SEATS = 3
TERMS = MatchInfo(
    name="matches/m",
    game="teaching",
    options=TEACHING.parse_options({"rounds": 4, "window": "fixed:700"}, SEATS),
    seats=(None,) * SEATS,  # type: ignore[arg-type]
    clock=None,
    state="live",
    result=None,
    title="",
    watch_delay=0,
    commitment="",
    engine_build="",
    content_digest="",
)


class Follower:
    """The log of one seat, from the first entry on."""

    def __init__(self, match: Match, seat: int) -> None:
        self.entries = match.log(seat)
        self.log = SeatLog(seat)
        self.log._game = TEACHING
        self.log._codec = codec_for(TEACHING)
        self.log.match = TERMS

    def follow(self) -> None:
        """Apply the entries that are new."""
        codec = codec_for(TEACHING)
        first = self.log.number + 1
        new = codec.numbered_entries(first, self.entries[self.log.number :])
        if new:
            parsed = log_pb2.Entries.FromString(write_entries(first, new))
            self.log.apply(play_pb2.ServerItem(entries=parsed))


@pytest.mark.parametrize("seed", range(8))
def test_every_missed_window_is_counted_and_nothing_else(seed: int) -> None:
    """Windows are closed at any moment, and players act out of turn while they are open."""
    rng = Random(seed)
    match = Match(TEACHING, SEATS, dict(TERMS.options), name=f"m{seed}", timed=True)
    followers = [Follower(match, seat) for seat in range(SEATS)]
    missed = [0] * SEATS
    while (ask := match.g.ask) is not None:
        able = [seat for seat in range(SEATS) if plays(match.g, seat).choices]
        if able and rng.random() < 0.3:
            match.submit(able[0], plays(match.g, able[0]).sample(rng), during=match.step(able[0]))
        elif ask.window and (not match.waiting or rng.random() < 0.5):
            for seat in match.waiting:
                missed[seat] += 1
            match.close_window()
        else:
            seat = rng.choice(match.waiting)
            match.submit(seat, ask.options[seat].sample(rng))
        for follower in followers:
            follower.follow()
    assert [follower.log.missed_windows for follower in followers] == missed
    assert sum(missed)
