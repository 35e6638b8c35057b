"""The searching bot: one step of policy improvement by playouts in sampled worlds."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from landsraad.errors import OtherRules
from landsraad_bots.greedy import greedy
from landsraad_bots.greedy.scorer import Scorer
from landsraad_bots.players import Budget
from landsraad_bots.quick import quick
from landsraad_bots.searching import explaining
from landsraad_bots.searching.candidates import candidates
from landsraad_bots.searching.clock import TimePlan, effort_for
from landsraad_bots.searching.deciding import choose
from landsraad_bots.searching.explaining import SearchReport
from landsraad_bots.searching.games import GAMES
from landsraad_bots.searching.halving import Effort, Samples, halve
from landsraad_bots.searching.rolling import roll
from landsraad_bots.searching.sealed import MatrixTable, different, play_matrix
from landsraad_bots.searching.settings import SearchSettings
from landsraad_bots.searching.values import PositionValue, value_for
from landsraad_bots.searching.worlds import WorldPool
from landsraad_engine.errors import NoWorld
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.world import World

_log = logging.getLogger(__name__)

#: With less time than this, the quick policy decides: greedy alone may take a tenth of a second.
_HURRY: Final = 0.25
#: With less time than this, nothing is searched.
_TOO_SHORT: Final = 0.01


class Searcher(Bot):
    """A bot that tries the best acts of its policy in sampled worlds, and takes another one on evidence only.

    `searcher(game, options)` makes a subclass for a game with settings.
    """

    settings: ClassVar[SearchSettings] = SearchSettings()

    #: an estimate of the CPU seconds of a searched decision, by which services limit their house bots
    cpu_seconds: ClassVar[float] = settings.cpu_seconds

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._policy = self._player(greedy, seed)
        self._hasty = self._player(quick, seed)
        self._plan = TimePlan()
        self._unsearchable = ""
        self._budget: Budget | None = None
        #: the report of the last decision
        self.last_report: SearchReport | None = None

    def _player(self, family: Callable[[str], type[Bot]], seed: int) -> Scorer:
        player = family(self.game)(seed)
        assert isinstance(player, Scorer)
        return player

    def share_budget(self, budget: Budget) -> None:
        """Take the CPU time of searches from a budget that others use as well."""
        self._budget = budget

    def decide(self, view: Any, ask: Decision) -> Act:
        """Return the policy's act, or one that is better in most worlds."""
        self.last_report = self.consider(view, ask)
        return self.last_report.chosen

    def consider(self, view: Any, ask: Decision) -> SearchReport:
        """Search a decision and return all that was found.

        Args:
            view: The view of the seat.
            ask: The decision.

        Returns:
            The report, with the chosen act.
        """
        kind = self._kind(ask)
        spare = self._plan.spare(ask.clock, kind)
        policy = self._policy if spare > _HURRY else self._hasty
        value = value_for(self.game, self._seats(view))
        note = self._reason_against(view, kind, spare, value)
        if note or value is None:
            return explaining.unsearched(ask.options, ask.why, policy.decide(view, ask), note)
        acts = self.candidates(view, ask, policy)
        alone = partial(explaining.unsearched, ask.options, ask.why, acts[0])
        if len(acts) < 2:
            return alone("there is one candidate")
        if self._budget is None:
            return self._search(view, ask, acts, value, effort_for(self.settings, spare), kind)
        granted = self._budget.grant(min(self.cpu_seconds, spare))
        try:
            if granted < _TOO_SHORT:
                return alone("the CPU budget of this process is used up")
            return self._search(view, ask, acts, value, effort_for(self.settings, spare, granted), kind)
        finally:
            self._budget.release(granted)

    def _reason_against(self, view: Any, kind: str, spare: float, value: PositionValue | None) -> str:
        """Return the reason why a decision is left to the policy; empty if it is searched."""
        if not kind:
            return "such questions are left to the policy"
        if spare < _TOO_SHORT:
            return "the clock leaves no time"
        if value is None:
            return "no value has been learned for this number of seats"
        if not _knows(value, view):
            return "the learned value does not know positions of this mode"
        return ""

    def candidates(self, view: Any, ask: Decision, policy: Scorer) -> list[Act]:
        """Return the acts to try, the policy's first."""
        scored = list(policy.scored(view, ask))
        return candidates(scored, self._first(scored, ask), self.settings.k)

    def _first(self, scored: Sequence[tuple[float, Act]], ask: Decision) -> Act:
        """Return the act with the highest score; ties are broken at random."""
        highest = max((score for score, _ in scored), default=0.0)
        best = [act for score, act in scored if score == highest]
        return self.rng.choice(best) if best else ask.sample(self.rng)

    def _search(
        self, view: Any, ask: Decision, acts: Sequence[Act], value: PositionValue, effort: Effort, kind: str
    ) -> SearchReport:
        began = time.thread_time()
        pool = WorldPool(ask, Random(self.rng.getrandbits(64)))
        if self.settings.matrix and kind in GAMES[self.game].sealed:
            mixed = self._mix(view, ask, pool, value, effort, kind)
            if mixed is not None:
                return mixed
        horizon = GAMES[self.game].horizon

        def evaluate(number: int, tried: Sequence[int]) -> list[float]:
            world, seed = pool[number]
            values = []
            for each in tried:
                copy = world.copy()
                copy.apply(acts[each], ask.seat)
                roll(copy, self._players(seed), horizon(view))
                values.append(outcome(copy, ask.seat, value))
            return values

        try:
            samples = halve(len(acts), evaluate, effort)
        except (NoWorld, OtherRules) as error:
            return self._without_worlds(ask, acts[0], error)
        chosen = self._choice(view, acts, samples)
        self._plan.note(kind, changed=chosen != 0)
        return explaining.report(ask.options, ask.why, acts, samples, chosen, time.thread_time() - began)

    def _choice(self, view: Any, acts: Sequence[Act], samples: Sequence[Samples]) -> int:
        """Return the index of the act that is chosen after a search; the policy's is 0."""
        return choose(samples, self.settings.z)

    def _mix(
        self, view: Any, ask: Decision, pool: WorldPool, value: PositionValue, effort: Effort, kind: str
    ) -> SearchReport | None:
        """Play a sealed question as a matrix game; None if it is not one of two seats."""
        began = time.thread_time()
        scored = list(self._policy.scored(view, ask))
        plans = different(scored, self.settings.k, self._first(scored, ask))
        table = MatrixTable(
            ask.seat,
            plans,
            self._policy.scored,
            self._players,
            GAMES[self.game].sealed[kind],
            lambda world, seat: outcome(world, seat, value),
        )
        try:
            mixed = play_matrix(table, pool, effort, self.settings.z, self.rng)
        except (NoWorld, OtherRules) as error:
            return self._without_worlds(ask, plans[0], error)
        if mixed is None:
            return None
        self._plan.note(kind, changed=mixed.chosen != 0)
        spent = time.thread_time() - began
        return explaining.report(ask.options, ask.why, plans, mixed.samples, mixed.chosen, spent)

    def _players(self, seed: int) -> Callable[[int], Bot]:
        """Return the players of one playout, each made when its seat is first asked."""
        made: dict[int, Bot] = {}
        kind = type(self._hasty)

        def player(seat: int) -> Bot:
            found = made.get(seat)
            if found is None:
                found = made[seat] = kind(seed + seat)
            return found

        return player

    def _without_worlds(self, ask: Decision, act: Act, error: Exception) -> SearchReport:
        """Report a decision without worlds; warn of it once."""
        note = f"there are no worlds to search: {error}"
        if not self._unsearchable:
            _log.warning("the searcher plays its policy: %s", error)
        self._unsearchable = note
        return explaining.unsearched(ask.options, ask.why, act, note)

    def _kind(self, ask: Decision) -> str:
        """Return the act type for which a question is searched; empty if it is not."""
        searched = GAMES[self.game].searched
        return next((name for choice in ask.options.choices if (name := choice.act.__name__) in searched), "")

    @staticmethod
    def _seats(view: Any) -> int:
        """Return the number of seats. An automaton's side has a negative number, and is none."""
        return sum(key.startswith("side/") and key[5:].isdigit() for key in view.table)


def _knows(value: PositionValue, view: Any) -> bool:
    """Return True if a value can be computed. Modes may lack places, or have pieces, that it was not learned with."""
    try:
        value.of(view)
    except LookupError:
        return False
    return True


def outcome(world: World, seat: int, value: PositionValue) -> float:
    """Return the share of the win that a seat's side has, or can expect, in a world."""
    view, result = world.view(seat), world.result
    return value.of(view) if result is None else value.of_result(view, result.shares)
