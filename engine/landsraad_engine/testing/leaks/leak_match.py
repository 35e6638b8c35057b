"""The leak test of one random match: two runs at many of its positions, canaries in all of them.

Positions with a rare secret (a captured leader, a plan that waits for the other one) are tested more often than others.
While sealed answers lie on the table, the test takes a seat that has not given its answer.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from landsraad_engine.kernel import execution
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.zones import Sight
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.play.match import Match
from landsraad_engine.testing.fuzz.random_play import random_input, random_orders
from landsraad_engine.testing.leaks.canary import Canary
from landsraad_engine.testing.leaks.secrets import kind_at, may_see, wrong_sights
from landsraad_engine.testing.leaks.two_runs import Leak, TwoRuns

#: One position in so many is tested.
EVERY = 30
#: A place is seldom filled if it has been at fewer than this part of the positions; half of those are tested, and all
#: where it hardly ever is.
SELDOM = 0.05
HARDLY_EVER = 0.005
#: How often the chance key is changed, too.
REKEYED = 0.15
#: How many acts of the others are kept, to be tried by the seat that is tested.
OVERHEARD = 40


@dataclass(slots=True)
class LeakReport:
    """The results of the test so far."""

    positions: int = 0
    changed: int = 0
    changed_by_kind: Counter[str] = field(default_factory=Counter)
    #: what was done to find differences: answers and plays given to both worlds, refusals compared
    done: Counter[str] = field(default_factory=Counter)
    findings: list[Leak] = field(default_factory=list)

    def add(self, other: LeakReport) -> None:
        self.positions += other.positions
        self.changed += other.changed
        self.changed_by_kind.update(other.changed_by_kind)
        self.done.update(other.done)
        self.findings += other.findings


def leak_match(game: Game, seats: int, options: Mapping[str, Any], seed: int, positions: int) -> LeakReport:
    """Play one random match and test positions of it, until something is found."""
    rng = Random(seed)
    orders = random_orders(seats, rng)
    match = Match(game, seats, options, secret=rng.randbytes(8), name=f"leak-{seed}", orders=orders)
    return _LeakTest(match, rng).test(positions)


class _LeakTest:
    """The leak test in one match, position by position."""

    def __init__(self, match: Match, rng: Random) -> None:
        self.match = match
        self.rng = rng
        self.report = LeakReport()
        self.canary = Canary(match)
        self.overheard: deque[Act] = deque(maxlen=OVERHEARD)
        self.sides = ""
        #: kinds of place -> at how many positions something lay there
        self.filled: Counter[str] = Counter()
        self.inputs = 0

    def test(self, positions: int) -> LeakReport:
        report, g = self.report, self.match.g
        while g.ask is not None and report.positions < positions and not report.findings:
            self._check_sights()
            seat = self._seat()
            if self.rng.random() < self._interest(seat):
                self._position(seat)
            given = random_input(self.match, self.rng)
            self.overheard.append(execution.from_plain(self.match.game, given.act))
            self.match.take(given)
            self._told(0, self.canary.look(), "canary in the log")
        return report

    def _seat(self) -> int:
        ask = self.match.g.ask
        waiting = self.match.waiting
        if ask is not None and ask.sight is Sight.SEALED and len(waiting) < len(ask.seats):
            return self.rng.choice(waiting)
        return self.rng.randrange(self.match.seats)

    def _check_sights(self) -> None:
        """Check the sight of each place, once for every way in which the seats play sides."""
        sides = repr(self.match.g.sides)
        if sides != self.sides:
            self.sides = sides
            self._told(0, list(wrong_sights(self.match.g)), "sight")

    def _interest(self, seat: int) -> float:
        """Return how likely a position is to be tested.

        It is certain if something is hidden from this seat that hardly ever lies there, and at the beginning, where
        much is written down that is secret from then on.
        """
        g = self.match.g
        self.inputs += 1
        hidden = {key.partition("/")[0] for key in g.table if kind_at(g, key) and not may_see(g, key) >> seat & 1}
        self.filled.update(hidden)
        often = min((self.filled[name] for name in hidden), default=self.inputs) / self.inputs
        return 1 if often < HARDLY_EVER or self.inputs == 1 else 0.5 if often < SELDOM else 1 / EVERY

    def _position(self, seat: int) -> None:
        report, g = self.report, self.match.g
        rekeyed = self.rng.random() < REKEYED
        runs = TwoRuns(self.match, seat, self.rng, rekeyed=rekeyed, overheard=self.overheard)
        report.positions += 1
        report.changed += bool(runs.kinds)
        report.changed_by_kind.update(runs.kinds)
        shown = (
            places_seen(g, seat),
            g.ask and seat in g.waiting and g.ask.plain(seat),
            execution.plays(g, seat).plain(),
        )
        self._told(seat, self.canary.holds(seat, shown), "canary in the view")
        found = runs.compare() or runs.play_on()
        report.done.update(runs.done)
        if found is not None:
            report.findings.append(found)

    def _told(self, seat: int, problems: list[str], what: str) -> None:
        """Add a finding for each piece that was told to a seat that must not know it."""
        for problem in problems:
            self.report.findings.append(Leak(seat, self.match.g.path(), what, problem, "", ()))
