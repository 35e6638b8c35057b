"""Replays as they come from the service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from landsraad import games
from landsraad.models import MatchInfo
from landsraad.seat_log import LogEntry
from landsraad_engine.kernel.zones import Layout
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.knowledge.views import SeatView


@dataclass(frozen=True, slots=True)
class Replay:
    """One information log of a match."""

    match: MatchInfo
    #: whose log it is; None: the spectators'
    seat: int | None
    told: Sequence[LogEntry]
    layout: Layout

    def view(self, upto: int | None = None) -> Any:
        """What was known after so many entries, with the game's words."""
        told = self.told if upto is None else self.told[:upto]
        fold = Fold(self.layout, self.seat).add(one.entry for one in told)
        facade: type[SeatView] = games.load(self.match.game).facade
        return facade.of(fold.view.places, self.seat, fold.view.at[0] if fold.view.at else ())
