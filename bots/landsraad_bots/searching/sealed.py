"""Sealed questions of two seats, searched as matrix games: battle plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import mul
from random import Random
from typing import Any, Final, NamedTuple

from landsraad_bots.searching.deciding import LEAST_LEAD, LEAST_WORLDS
from landsraad_bots.searching.halving import Effort, Samples
from landsraad_bots.searching.matrix import Payoffs, drawn, solve, trimmed
from landsraad_bots.searching.rolling import Horizon, roll
from landsraad_bots.searching.worlds import WorldPool
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.world import World

#: The most plans of the opponent, and the fewest and most worlds.
_REPLIES: Final = 4
_LEAST_WORLDS: Final = 2
_MOST_WORLDS: Final = 16
#: Dials that are nearer to each other than this are the same plan.
_NEAR: Final = 2
#: Plans that differ in nothing but the dial.
_DIALS: Final = 3


class MixedPlan(NamedTuple):
    """The result of a matrix game."""

    chosen: int
    mixture: tuple[float, ...]
    #: for each plan its payoff in each world against the opponent's mixture there
    samples: list[Samples]


class MatrixTable(NamedTuple):
    """The parts of a matrix game that are the same in all worlds."""

    seat: int
    plans: Sequence[Act]
    #: (view, decision) -> acts with scores, as the opponent would see them
    scored: Callable[[Any, Decision], Iterable[tuple[float, Act]]]
    #: the players of a world, by its seed
    players: Callable[[int], Callable[[int], Bot]]
    #: view -> the end of a playout
    horizon: Callable[[Any], Horizon]
    #: (world, seat) -> its expected share of the win
    value: Callable[[World, int], float]


def different(scored: Iterable[tuple[float, Act]], most: int, first: Act | None = None) -> list[Act]:
    """Return the best plans that differ: in leader or cards, or in the dial by more than a little.

    Args:
        scored: Acts with their scores.
        most: The most plans.
        first: A plan that comes first, whatever its score.
    """
    chosen = [] if first is None else [first]
    for _, act in sorted(scored, key=lambda pair: -pair[0]):
        if len(chosen) >= most:
            break
        alike = [_dial(other) for other in chosen if _but_dial(other) == _but_dial(act)]
        if len(alike) < _DIALS and all(abs(_dial(act) - dial) >= _NEAR for dial in alike):
            chosen.append(act)
    return chosen


def play_matrix(table: MatrixTable, pool: WorldPool, effort: Effort, z: float, rng: Random) -> MixedPlan | None:
    """Play all plans of both sides against each other in some worlds, and draw a plan from the best mixture.

    Args:
        table: The plans and players.
        pool: The worlds.
        effort: The effort for all worlds together.
        z: The standard errors by which the mixture must be better than the policy's plan, which stands otherwise.
        rng: The source of the draw.

    Returns:
        The plan, or None if the question is not one of two seats.
    """
    worlds: list[Payoffs] = []
    while len(worlds) < _MOST_WORLDS and (len(worlds) < _LEAST_WORLDS or effort.spent(len(worlds)) < 1):
        world, seed = pool[len(worlds)]
        payoffs = _payoffs(table, world, seed)
        if payoffs is None:
            return None
        worlds.append(payoffs)
    solution = solve(worlds)
    samples = [Samples() for _ in table.plans]
    for payoffs, answer in zip(worlds, solution.opponent, strict=True):
        for sample, row in zip(samples, payoffs.own, strict=True):
            sample.values.append(sum(map(mul, row, answer)))
    mixture = trimmed(solution.own, 0)
    if not _is_better(mixture, samples, z):
        mixture = (1.0, *[0.0] * (len(mixture) - 1))
    return MixedPlan(drawn(mixture, rng), mixture, samples)


def _is_better(mixture: Sequence[float], samples: Sequence[Samples], z: float) -> bool:
    """Return True on evidence that a mixture is better than the policy's plan in the same worlds."""
    mixed = Samples()
    mixed.values = [sum(map(mul, mixture, row)) for row in zip(*(each.values for each in samples), strict=True)]
    lead, error = mixed.lead_over(samples[0])
    return len(mixed.values) >= LEAST_WORLDS and lead > LEAST_LEAD and lead > z * error


def _payoffs(table: MatrixTable, world: World, seed: int) -> Payoffs | None:
    """Return what each pair of plans is worth to both sides in one world."""
    others = [seat for seat in world.asked if seat != table.seat]
    if len(others) != 1:
        return None
    rival = others[0]
    options = world.legal(rival)
    assert options is not None
    asked = Decision(rival, options, world.why(rival))
    replies = different(table.scored(world.view(rival), asked), _REPLIES)
    if not replies:
        return None
    own: list[list[float]] = []
    opponent: list[list[float]] = []
    for plan in table.plans:
        own.append([])
        opponent.append([])
        for reply in replies:
            copy = world.copy()
            copy.apply(plan, table.seat)
            copy.apply(reply, rival)
            roll(copy, table.players(seed), table.horizon(world.view(table.seat)))
            own[-1].append(table.value(copy, table.seat))
            opponent[-1].append(table.value(copy, rival))
    return Payoffs(own, opponent)


def _dial(act: Any) -> int:
    return int(getattr(act, "dial", 0))


def _but_dial(act: Any) -> tuple[Any, ...]:
    """Return the fields of a plan without its dial."""
    return tuple(getattr(act, name) for name in act.__struct_fields__ if name != "dial")
