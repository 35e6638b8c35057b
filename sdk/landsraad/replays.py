"""Replays: the logs of matches, fetched page by page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from landsraad import games
from landsraad.models import MatchInfo, read_match
from landsraad.seat_log import LogEntry, installed_game
from landsraad.v1 import replays_pb2, replays_service_pb2
from landsraad.wire.codec import codec_for
from landsraad.wire.tables import read_layout
from landsraad_engine.kernel.zones import Layout
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.knowledge.views import SeatView


@dataclass(frozen=True, slots=True)
class Replay:
    """The log of a match, as one seat or the spectators know it."""

    match: MatchInfo
    #: the seat whose log it is; None for the spectators' log
    seat: int | None
    entries: Sequence[LogEntry]
    layout: Layout

    def view(self, upto: int | None = None) -> Any:
        """Rebuild a view from the log.

        Args:
            upto: The number of entries to include; by default, all of them.

        Returns:
            The view after that entry, typed by the game.
        """
        entries = self.entries if upto is None else self.entries[:upto]
        fold = Fold(self.layout, self.seat).add(one.entry for one in entries)
        facade: type[SeatView] = games.load(self.match.game).facade
        return facade.of(fold.view.places, self.seat, fold.view.at[0] if fold.view.at else ())


def replay_name(match: str) -> str:
    """Return the resource name of a match's replay."""
    return f"replays/{match.removeprefix('matches/')}"


async def fetch_replay(call: Callable[..., Awaitable[replays_pb2.Replay]], match: str, seat: int | None) -> Replay:
    """Fetch all pages of a log.

    Args:
        call: `AsyncClient.call`.
        match: The name of the match.
        seat: The seat whose log to fetch; None for the spectators' log.

    Returns:
        The log.
    """
    name = replay_name(match)
    entries: list[LogEntry] = []
    request = replays_service_pb2.GetReplayRequest(name=name, seat=seat, **{"from": 1})
    first = page = await call("Replays/GetReplay", request, replays_pb2.Replay)
    info = read_match(first.match)
    codec = codec_for(installed_game(info.game))
    while True:
        read = codec.read_entries(page.entries)
        entries += [LogEntry(number, entry) for number, entry in enumerate(read, page.entries.first)]
        if not page.next_from:
            return Replay(info, seat, entries, read_layout(first.layout))
        request = replays_service_pb2.GetReplayRequest(name=name, seat=seat, **{"from": page.next_from})
        page = await call("Replays/GetReplay", request, replays_pb2.Replay)
