"""The fuzzer: random matches with every invariant checked after every action.

A match is played from a *script*: at each question the script says what to try, and where it says nothing, or something
that is not legal, the question's default is taken. A failing match is shrunk by leaving out parts of its script as long
as it fails in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from landsraad_engine import kernel
from landsraad_engine.errors import LawBroken, Refused
from landsraad_engine.exceptions import Moment
from landsraad_engine.frames import FlowTable
from landsraad_engine.game import Game, OptionSpec
from landsraad_engine.grammar import Act
from landsraad_engine.match import Match
from landsraad_engine.selfplay import standing

#: A match that takes more inputs than this counts as one that does not end.
BOUND = 20_000
#: Out-of-turn plays are offered this seldom, else every Karama burns in its first window.
PLAY_WEIGHT = 0.02
#: Steps of the kernel itself are not rules of a game.
_OWN = frozenset({Moment.__name__})

Check = Callable[[Match], list[str]]


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, and how to see it again."""

    kind: str
    message: str
    seats: int
    options: Mapping[str, Any]
    seed: int
    script: tuple[tuple[int, str, tuple[Any, ...]], ...]

    @property
    def same_as(self) -> tuple[str, str]:
        """Failures with equal keys count as the same."""
        return (self.kind, self.message.partition(":")[0][:60])


@dataclass(slots=True)
class Coverage:
    """Which steps of a game's frames random play has reached."""

    total: frozenset[tuple[str, str]]
    reached: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, game: Game) -> Coverage:
        return cls(frozenset((frame.__name__, name) for frame in game.frames for name in frame.STEPS))

    @property
    def missing(self) -> list[str]:
        return sorted(f"{frame}.{name}" for frame, name in self.total - self.reached)


def watched(flow: FlowTable, reached: set[tuple[str, str]]) -> FlowTable:
    """The same steps, each of which notes that it has run."""

    def noting(frame: str, step: str, fn: Callable[..., Any]) -> Callable[..., Any]:
        def run(f: Any, g: Any) -> Any:
            reached.add((frame, step))
            return fn(f, g)

        return run

    return flow.wrapped(noting)


def random_setting(game: Game, rng: Random) -> tuple[int, dict[str, Any]]:
    """A number of seats and options at random: what the defaults say in half of the matches."""
    seats = rng.choice(game.seats)
    options: dict[str, Any] = {}
    for spec in game.option_specs:
        if rng.random() < 0.4:
            options[spec.name] = _random_value(spec, rng)
    try:
        return seats, game.parse_options(options, seats)
    except Exception:  # noqa: BLE001 - a combination that the game refuses is no failure
        return seats, game.parse_options({}, seats)


def _random_value(spec: OptionSpec, rng: Random) -> Any:
    if spec.values:
        return rng.choice(spec.values)
    match spec.default:
        case bool():
            return rng.random() < 0.5
        case int():
            return rng.randint(spec.low, spec.high)
        case _:
            return spec.default


def _new_match(game: Game, seats: int, options: Mapping[str, Any], seed: int, record: bool) -> Match:
    rng = Random(seed)
    orders = standing(seats) if rng.random() < 0.7 else {}
    return Match(game, seats, options, secret=rng.randbytes(8), name=f"fuzz-{seed}", record=record, orders=orders)


def fuzz_match(
    game: Game, seed: int, checks: Sequence[Check], coverage: Coverage | None = None
) -> tuple[int, int, Failure | None]:
    """Play one random match; its inputs, decisions and the first failure."""
    rng = Random(seed)
    seats, options = random_setting(game, rng)
    script: list[tuple[int, str, tuple[Any, ...]]] = []
    decisions = 0
    try:
        match = _new_match(game, seats, options, seed, record=False)
        if coverage is not None:
            g = match.g
            g.setting = replace(g.setting, flow=watched(g.setting.flow, coverage.reached))
        while match.g.ask is not None:
            if len(script) > BOUND:
                raise LawBroken(f"the match does not end: {match.g.path()}")
            seat, kind, act, choice = _random_input(match, rng)
            decisions += choice
            script.append((seat, kind, kernel.plain(act)))
            _give(match, seat, kind, act)
            _check(match, checks)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        failure = Failure(type(error).__name__, str(error), seats, options, seed, tuple(script))
        return len(script), decisions, failure
    return len(script), decisions, None


def _random_input(match: Match, rng: Random) -> tuple[int, str, Act, bool]:
    g = match.g
    assert g.ask is not None
    if rng.random() < PLAY_WEIGHT:
        seat = rng.randrange(match.seats)
        open_ = kernel.plays(g, seat)
        if open_.choices:
            return seat, "play", open_.sample_kind(rng), True
    seat = g.waiting[int(rng.random() * len(g.waiting))]
    options = g.ask.options[seat]
    only = options.only()
    return seat, "answer", only or options.sample_kind(rng), only is None


def _give(match: Match, seat: int, kind: str, act: Act) -> None:
    if kind == "play":
        match.submit(seat, act)
    else:
        match.answer(seat, act)


def _check(match: Match, checks: Sequence[Check]) -> None:
    for check in checks:
        problems = check(match)
        if problems:
            raise LawBroken(f"{problems[0]}")


def invariants(match: Match) -> list[str]:
    """The game's own invariants."""
    return match.game.problems(match.g)


def step_checks() -> tuple[Check, ...]:
    """What is checked after every input."""
    return (invariants,)


def play_script(
    game: Game, failure: Failure, script: Sequence[tuple[int, str, tuple[Any, ...]]], checks: Sequence[Check]
) -> tuple[Match | None, Failure | None]:
    """Play a script with defaults in its gaps, up to the length of its last input; the failure, if it fails."""
    match: Match | None = None
    done: list[tuple[int, str, tuple[Any, ...]]] = []
    try:
        match = _new_match(game, failure.seats, failure.options, failure.seed, record=False)
        for seat, kind, plain in script:
            if match.g.ask is None:
                break
            for filler in _until_asked(match, seat, kind):
                done.append(filler)
                _give(match, filler[0], "answer", kernel.from_plain(game, filler[2]))
                _check(match, checks)
            done.append((seat, kind, plain))
            try:
                _give(match, seat, kind, kernel.from_plain(game, plain))
            except Refused:
                done.pop()
                continue
            _check(match, checks)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        return match, replace(failure, kind=type(error).__name__, message=str(error), script=tuple(done))
    return match, None


def _until_asked(match: Match, seat: int, kind: str) -> list[tuple[int, str, tuple[Any, ...]]]:
    """One default answer of somebody else, if this seat is not asked yet (the script's gap)."""
    ask = match.g.ask
    if kind == "play" or ask is None or seat in match.g.waiting:
        return []
    other = match.g.waiting[0]
    return [(other, "answer", kernel.plain(ask.default_for(other)))]


def shrink(game: Game, failure: Failure, checks: Sequence[Check], tries: int = 120) -> Failure:
    """A shorter script that fails in the same way (delta debugging, bounded)."""
    best = failure
    size = max(1, len(best.script) // 2)
    while size >= 1 and tries > 0:
        at = 0
        while at < len(best.script) and tries > 0:
            tries -= 1
            shorter = best.script[:at] + best.script[at + size :]
            _, found = play_script(game, failure, shorter, checks)
            if found is not None and found.same_as == failure.same_as and len(found.script) < len(best.script):
                best = found
            else:
                at += size
        size //= 2
    return best


def failed_match(game: Game, failure: Failure) -> Match | None:
    """The match of a failure as far as it got, with its journal (for the replay file)."""
    return play_script(game, failure, failure.script, ())[0]
