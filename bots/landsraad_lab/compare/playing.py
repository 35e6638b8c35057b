"""The two matches of a set, played in one process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from landsraad import games
from landsraad.bots import make_bot
from landsraad.replay_files import save_match
from landsraad_engine.play.bot import Bot, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing
from landsraad_lab.statistics.sets import SetShares

from .guard import SeatFailed, TimeLimit, guarded
from .schedule import ComparisonPlan, Fixture, fixtures


class ComparedMatch(msgspec.Struct, frozen=True):
    """The result of a match. Timeouts and faults are counted for "a", "b" and "panel"."""

    a: float
    b: float
    ending: str
    timeouts: dict[str, int]
    faults: dict[str, int]
    #: a sentence for each fault
    notes: tuple[str, ...]
    cpu_seconds: float


class PlayedSet(msgspec.Struct, frozen=True):
    """The result of a set."""

    number: int
    matches: tuple[ComparedMatch, ComparedMatch]

    @property
    def shares(self) -> SetShares:
        """The shares of A and B."""
        one, two = self.matches
        return SetShares((one.a, two.a), (one.b, two.b))


def play_set(plan: ComparisonPlan, number: int, faults: Path | None = None) -> PlayedSet:
    """Play a set. Matches in which a bot fails are saved as replays in the folder `faults`."""
    first, second = fixtures(plan, number)
    return PlayedSet(number, (play_match(plan, first, faults), play_match(plan, second, faults)))


def play_match(plan: ComparisonPlan, fixture: Fixture, faults: Path | None) -> ComparedMatch:
    """Play a match. With two seats it ends when a bot fails; else the bot's seat goes on with default acts."""
    found = games.load(plan.game)
    began = time.process_time()
    match = Match(
        found,
        plan.seats,
        dict(plan.options),
        secret=fixture.secret,
        name=fixture.name,
        record=False,
        orders=standing(plan.seats),
    )
    failed: dict[int, str] = {}
    late: dict[int, str] = {}  # failures after the end, which change nothing about the result
    limit = TimeLimit(plan.time_limit)
    with limit.installed():
        bots = [_seated(plan, fixture, match, seat, limit, failed) for seat in range(plan.seats)]
        while match.result is None and not (failed and plan.seats == 2):
            _play_on(match, bots, failed, late)
    shares = _shares(match, plan.seats, failed)
    failed |= late
    if failed and faults is not None:
        place = faults / f"{fixture.name}-{''.join(each[0] for each in fixture.players)}.json.gz"
        save_match(match, place, faults={str(seat): why for seat, why in failed.items()})
    return ComparedMatch(
        a=shares[fixture.players.index("a")],
        b=shares[fixture.players.index("b")],
        ending=match.result[0] if match.result else "fault",
        timeouts=_count(fixture, [getattr(bot, "timeouts", 0) for bot in bots]),
        faults=_count(fixture, [int(seat in failed) for seat in range(plan.seats)]),
        notes=tuple(
            f"{fixture.name}, seat {seat} ({fixture.bots[seat]}): {why}" for seat, why in sorted(failed.items())
        ),
        cpu_seconds=time.process_time() - began,
    )


def _seated(
    plan: ComparisonPlan, fixture: Fixture, match: Match, seat: int, limit: TimeLimit, failed: dict[int, str]
) -> Bot:
    """Make the bot of a seat. A bot that cannot be made has failed, and its seat takes default acts."""
    try:
        return guarded(make_bot(fixture.bots[seat], plan.game, fixture.seeds[seat]), match, seat, limit)
    except Exception as error:  # noqa: BLE001 - a bot's constructor is the bot's own
        failed[seat] = f"{type(error).__name__} when the bot was made: {error}"
        match.set_absent(seat)
        return RandomBot()


def _play_on(match: Match, bots: Sequence[Bot], failed: dict[int, str], late: dict[int, str]) -> None:
    """Play until the end or the next failure."""
    try:
        play_out(match, bots)
    except SeatFailed as failure:
        if match.result is not None:
            late |= {} if failure.seat in failed else {failure.seat: failure.why}
            return
        failed[failure.seat] = failure.why
        match.set_absent(failure.seat)


def _shares(match: Match, seats: int, failed: dict[int, str]) -> list[float]:
    """Return the share of each seat. Winners share 1, and nobody's win is shared by all. A failed bot gets nothing."""
    if match.result is None:  # decided by a fault
        return [float(seat not in failed) for seat in range(seats)]
    winners = match.result[1] or tuple(range(seats))
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
    if seats == 2 and failed:
        return [float(seat not in failed) for seat in range(seats)]
    return [0.0 if seat in failed else share for seat, share in enumerate(shares)]


def _count(fixture: Fixture, numbers: Sequence[int]) -> dict[str, int]:
    """Add the numbers of seats up for "a", "b" and "panel"."""
    counted = {"a": 0, "b": 0, "panel": 0}
    for player, number in zip(fixture.players, numbers, strict=True):
        counted[player] += number
    return counted
