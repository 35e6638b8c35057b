"""Positions of self-play with their outcomes: the data from which values are learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from landsraad import games
from landsraad.bots import derive_seed, make_bot
from landsraad_bots.searching.features import arrakis, dune
from landsraad_bots.searching.rolling import EndOfTurn, NextActions
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing, view_apart

#: The share of decisions that are made at random, so that the data hold more than a policy's usual positions.
_STRAY: Final = 0.03


class SelfPlayPlan(NamedTuple):
    """The matches to play."""

    game: str
    seats: int
    options: Mapping[str, Any]
    bot: str
    seed: int


class Position(NamedTuple):
    """A position as one seat sees it."""

    board: int
    #: the model that it belongs to: "faction", or the side in whose eyes it is
    model: str
    #: a row for each faction, or one row
    rows: list[list[float]]
    #: the share of the win of each row
    shares: list[float]


class MomentRecorder(Bot):
    """A bot that plays another's acts, strays at times, and notes quiet moments of its match."""

    def __init__(self, bot: Bot, seed: int, moments: Moments) -> None:
        super().__init__(seed)
        self._bot = bot
        self._moments = moments

    def decide(self, view: Any, ask: Decision) -> Act:
        """Return the other bot's act, or now and then a random one."""
        self._moments.note(view, ask)
        if self.rng.random() < _STRAY:
            return ask.sample(self.rng)
        return self._bot.decide(view, ask)


class Moments:
    """The quiet moments of a match, as playouts end at them."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._horizon: EndOfTurn | NextActions | None = None
        #: the views of all seats at each moment
        self.views: list[list[Any]] = []

    def note(self, view: Any, ask: Decision) -> None:
        """Note the moment if a playout from the last one would end here."""
        if self._horizon is None or self._horizon.reached(view, ask.options):
            self._horizon = (EndOfTurn if self._match.game.id == "dune" else NextActions)(view)
            self.views.append([view_apart(self._match, seat) for seat in range(self._match.seats)])


def positions(plan: SelfPlayPlan, board: int) -> list[Position]:
    """Play a match and return its quiet moments in the eyes of each seat."""
    rng = Random(derive_seed(plan.seed, "training", board))
    match = Match(
        games.load(plan.game),
        plan.seats,
        dict(plan.options),
        secret=rng.randbytes(32),
        name=f"training-{board}",
        record=False,
        orders=standing(plan.seats),
    )
    moments = Moments(match)
    bots = [
        MomentRecorder(make_bot(plan.bot, plan.game, rng.getrandbits(48)), rng.getrandbits(48), moments)
        for _ in range(plan.seats)
    ]
    play_out(match, bots)
    assert match.result is not None
    winners = match.result[1] or tuple(range(plan.seats))
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(plan.seats)]
    make = _of_dune if plan.game == "dune" else _of_arrakis
    made = [make(board, view, shares) for views in moments.views if _begun(views) for view in views]
    return [position for position in made if len(position.rows) in (1, plan.seats)]  # not before all are at the table


def _begun(views: Sequence[Any]) -> bool:
    """Return True if all seats have their sides, and the first turn or round has begun."""
    first = views[0]
    started: int = first.table.get("turn", 0) or first.table.get("round", 0)
    return bool(started) and all(view.side is not None for view in views)


def _of_dune(board: int, view: Any, shares: Sequence[float]) -> Position:
    factions, rows = dune.rows(view)
    by_faction = {view.table[f"side/{seat}"]: share for seat, share in enumerate(shares)}
    return Position(board, "faction", rows, [by_faction[faction] for faction in factions])


def _of_arrakis(board: int, view: Any, shares: Sequence[float]) -> Position:
    side = view.side
    won = sum(share for seat, share in enumerate(shares) if view.table.get(f"side/{seat}") == side)
    return Position(board, side, [arrakis.row(view)], [won])
