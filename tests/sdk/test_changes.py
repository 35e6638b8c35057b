"""Changed places of a view, against a full comparison of two views, in local play and over the wire."""

import gc
import weakref
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from landsraad import games
from landsraad.models import MatchInfo
from landsraad.seat_log import SeatLog
from landsraad.v1 import log_pb2, play_pb2
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries, write_observation
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.knowledge.views import Mark, SeatView
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import standing


class Spectacle:
    """One seat's views of a match, or the spectators': the local one, and one over the wire."""

    def __init__(self, match: Match, seat: int | None) -> None:
        self.match = match
        self.seat = seat
        self.local: SeatView = match.game.facade(match.g, seat)
        self.log = SeatLog(seat)
        self.log._game = match.game
        self.log._codec = codec_for(match.game)
        self.log.match = MatchInfo(
            name="matches/m",
            game=match.game.id,
            options=match.options,
            seats=(None,) * match.seats,  # type: ignore[arg-type]
            clock=None,
            state="live",
            result=None,
            title="",
            watch_delay=0,
            commitment="",
            engine_build="",
            content_digest="",
        )

    def follow(self) -> None:
        """Apply the entries that are new."""
        codec, first = codec_for(self.match.game), self.log.number + 1
        new = [codec.entry(entry, number) for number, entry in enumerate(self.match.log(self.seat)[first - 1 :], first)]
        if new:
            parsed = log_pb2.Entries.FromString(write_entries(first, new))
            self.log.apply(play_pb2.ServerItem(entries=parsed))

    def restart(self, rng: Random) -> None:
        """Continue from a snapshot, after a rewind perhaps."""
        if rng.random() < 0.5:
            self.log.apply(play_pb2.ServerItem(rewound=play_pb2.Rewound(epoch=self.log.epoch + 1)))
        number = len(self.match.log(self.seat))
        encoded = write_observation(self.match.view(self.seat), match="m", number=number, epoch=self.log.epoch)
        observation = log_pb2.Observation.FromString(encoded)
        self.log.apply(play_pb2.ServerItem(snapshot=play_pb2.Snapshot(observation=observation)))


def compared(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Return the keys that differ, by comparing everything."""
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


@pytest.mark.parametrize(("name", "seed"), [("dune", 1), ("dune", 2), ("dune", 3), ("arrakis", 1), ("arrakis", 2)])
def test_every_place_that_differs_is_told_and_no_other(name: str, seed: int) -> None:
    rng = Random(seed)
    game = games.load(name)
    seats = rng.choice(game.seats)
    match = Match(game, seats, secret=bytes([seed]), orders=standing(seats))
    spectacles = [Spectacle(match, seat) for seat in (rng.randrange(seats), None)]
    marks: dict[int | None, list[tuple[Mark, dict[str, Any]]]] = {each.seat: [] for each in spectacles}
    told = 0
    while match.g.ask is not None:
        for _ in range(rng.choice((1, 1, 2, 9))):
            if match.g.ask is not None:
                match.answer(match.waiting[0], match.g.ask.options[match.waiting[0]].sample_kind(rng))
        for each in spectacles:
            if rng.random() < 0.1:
                each.restart(rng)
            else:
                each.follow()
            now = deepcopy(places_seen(match.g, each.seat))
            for view in (each.local.renew(), each.log.view()):
                for mark, then in rng.sample(marks[each.seat], min(4, len(marks[each.seat]))):
                    changed = view.changed_since(mark)
                    assert changed == compared(then, now)
                    told += len(changed)
                assert view.changed_since(view.mark()) == set()
                marks[each.seat].append((view.mark(), now))
    assert told > 500


def test_a_place_that_has_become_empty_has_changed() -> None:
    before, after = SeatView.of({"hand": ("a",), "bank": 3}, 1), SeatView.of({"bank": 3, "deck": ("a",)}, 1)
    assert after.changed_since(before.mark()) == {"hand", "deck"}
    assert before.changed_since(after.mark()) == {"hand", "deck"}


def test_a_mark_of_another_seat_is_refused() -> None:
    for seat, other in ((0, 1), (0, None), (None, 0)):
        with pytest.raises(ValueError, match="the mark is of seat"):
            SeatView.of({}, other).changed_since(SeatView.of({}, seat).mark())


def test_a_mark_keeps_no_match_alive() -> None:
    match = Match(games.load("arrakis"), 2, secret=b"short")
    view = match.game.facade(match.g, 0)
    mark, gone = view.mark(), weakref.ref(match)
    before = dict(view.table)
    del match, view
    gc.collect()
    assert gone() is None
    assert SeatView.of({}, 0).changed_since(mark) == before.keys()
