"""The fuzzer: random matches with every invariant checked after every action, and the other laws now and then.

A failing match is shrunk: parts of its script of inputs are left out as long as it fails in the same way. In the gaps
of a script, and in place of inputs that have become illegal, questions take their defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from landsraad_engine.errors import LawBroken, Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.frames import FlowTable
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.match import Match
from landsraad_engine.play.match_core import Input
from landsraad_engine.testing.conformance import LAWS, Trial, invariants_hold, windows_have_names
from landsraad_engine.testing.fuzz.random_play import random_input, random_orders, random_setting
from landsraad_engine.testing.kernel_laws import watched

#: A match that takes more inputs than this counts as one that does not end.
BOUND = 20_000
#: After one input in so many all laws are held against the match, and not these alone.
LAWS_EVERY = 100
_EACH_TIME = (invariants_hold, windows_have_names)
#: How often an input changes standing orders, or sends a seat away.
UNREST = 0.002
#: How often the laws are held against the end of a shrunk script: they try different acts each time.
AGAIN = 6

Script = tuple[Input, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure, with the script that reproduces it: the last input leads to it."""

    kind: str
    message: str
    seats: int
    options: Mapping[str, Any]
    seed: int
    script: Script

    @property
    def same_as(self) -> tuple[str, str]:
        """The key by which failures count as the same."""
        return (self.kind, self.message.partition(":")[0][:60])


@dataclass(slots=True)
class FuzzedMatch:
    """The outcome of one random match."""

    inputs: int = 0
    decisions: int = 0
    failure: Failure | None = None


@dataclass(slots=True)
class StepCoverage:
    """Coverage: the steps of a game's frames that random play has reached."""

    total: frozenset[tuple[str, str]]
    reached: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, game: Game) -> StepCoverage:
        return cls(frozenset((frame.__name__, name) for frame in game.frames for name in frame.STEPS))

    @property
    def missing(self) -> list[str]:
        return sorted(f"{frame}.{name}" for frame, name in self.total - self.reached)

    def watch(self, flow: FlowTable) -> FlowTable:
        """Return the same steps, each of which notes that it has run and is checked against the laws of the kernel."""

        def noting(frame: str, step: str, fn: Callable[..., Any]) -> Callable[..., Any]:
            def run(f: Any, g: Any) -> Any:
                self.reached.add((frame, step))
                return fn(f, g)

            return run

        return watched(flow).wrapped(noting)


def _match(game: Game, seats: int, options: Mapping[str, Any], seed: int, watch: Any = watched) -> Match:
    rng = Random(seed)
    orders = random_orders(seats, rng)
    return Match(game, seats, options, secret=rng.randbytes(8), name=f"fuzz-{seed}", orders=orders, watch=watch)


def fuzz_match(game: Game, seed: int, coverage: StepCoverage, fixed: Mapping[str, Any] | None = None) -> FuzzedMatch:
    """Play one random match, with these options at least, up to its end or the first failure."""
    rng = Random(seed)
    seats, options = random_setting(game, rng, fixed)
    script: list[Input] = []
    played = FuzzedMatch()
    try:
        match = _match(game, seats, options, seed, coverage.watch)
        trial = Trial(match, seed)
        while (ask := match.g.ask) is not None:
            if len(script) > BOUND:
                raise LawBroken(f"the match does not end: {match.g.path()}")
            given = random_input(match, rng, unrest=UNREST)
            script.append(given)
            played.decisions += given.kind == "answer" and ask.options[given.seat].only() is None
            match.take(given)
            trial.check(LAWS if rng.random() * LAWS_EVERY < 1 or match.g.ask is None else _EACH_TIME)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        played.failure = _failed(error, Failure("", "", seats, options, seed, tuple(script)))
    played.inputs = len(script)
    return played


def _failed(error: Exception, where: Failure) -> Failure:
    return replace(where, kind=type(error).__name__, message=str(error))


# ----------------------------------------------------------------------------------------------------------- shrinking


def play_script(
    game: Game, failure: Failure, script: Script, *, checked: bool = True
) -> tuple[Match | None, Script, Any]:
    """Play a script with defaults in its gaps; return the match as far as it got, its inputs, and the exception."""
    match: Match | None = None
    done: list[Input] = []
    try:
        match = _match(game, failure.seats, failure.options, failure.seed)
        trial = Trial(match, failure.seed)
        for given in script:
            for each in (*_until_asked(match, given), given):
                if match.g.ask is None:
                    break
                done.append(each)
                try:
                    match.take(each)
                except Refused:
                    done.pop()
                if checked:
                    trial.check((invariants_hold,))
        for _ in range(AGAIN if checked else 0):
            trial.check()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        return match, tuple(done), error
    return match, tuple(done), None


def _until_asked(match: Match, given: Input) -> Sequence[Input]:
    """Return one default answer of another seat if this seat is not asked yet: a gap in the script."""
    ask = match.g.ask
    if given.kind != "answer" or ask is None or given.seat in match.g.waiting:
        return ()
    other = match.g.waiting[0]
    return (Input(other, "answer", execution.plain(ask.default_for(other))),)


def shrink(game: Game, failure: Failure, tries: int = 120) -> Failure:
    """Return a failure with a shorter script that fails in the same way (bounded delta debugging)."""
    best = failure
    size = max(1, len(best.script) // 2)
    while size >= 1 and tries > 0:
        at = 0
        while at < len(best.script) and tries > 0:
            tries -= 1
            _, done, error = play_script(game, failure, best.script[:at] + best.script[at + size :])
            found = best if error is None else _failed(error, replace(failure, script=done))
            if len(found.script) < len(best.script) and found.same_as == failure.same_as:
                best = found
            else:
                at += size
        size //= 2
    return best


def failed_match(game: Game, failure: Failure) -> Match | None:
    """Return the match of a failure as far as it got, with its journal, for the replay file."""
    return play_script(game, failure, failure.script, checked=False)[0]
