"""An open loop issues as many acts as its rate says, and times them from when they were due."""

from __future__ import annotations

import asyncio

import pytest

from landsraad_bench.measurements import latencies
from landsraad_bench.pacing import ClosedPace, OpenPace


class Clock:
    """Advances by a tenth of a second at each reading."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 0.1
        return self.now


def test_acts_are_due_at_fixed_times_whenever_a_seat_is_free() -> None:
    pace = OpenPace(10.0, Clock())
    asyncio.run(pace.run(1.0))  # no seat is free all that time
    due = pace.overdue
    assert len(due) == 9
    assert [round(at - due[0], 6) for at in due] == [number / 10 for number in range(9)]
    begun: list[float] = []
    pace.ask(begun.append)
    assert begun == due[:1]
    assert pace.overdue == due[1:]


def test_no_more_seats_act_than_the_rate_allows() -> None:
    pace = OpenPace(10.0, Clock())
    begun: list[float] = []
    for _ in range(50):
        pace.ask(begun.append)
    assert begun == []
    asyncio.run(pace.run(1.0))
    assert len(begun) == 9
    assert pace.overdue == []


def test_a_closed_loop_lets_everybody_act_at_once() -> None:
    begun: list[float] = []
    ClosedPace().ask(begun.append)
    assert len(begun) == 1


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ([n / 1000 for n in range(1000, 0, -1)], {"p50_ms": 501.0, "p99_ms": 991.0, "p999_ms": 1000.0}),
        ([0.002], {"p50_ms": 2.0, "p99_ms": 2.0, "p999_ms": 2.0}),
    ],
)
def test_latencies(seconds: list[float], expected: dict[str, float]) -> None:
    assert latencies(seconds) == expected


def test_seats_that_wait_are_not_taken_in_turn() -> None:
    """First come, first served would keep all matches in step."""
    pace = OpenPace(100.0, Clock())
    gone: list[int] = []
    for number in range(50):
        pace.ask(lambda _, number=number: gone.append(number))  # type: ignore[misc]
    asyncio.run(pace.run(1.0))
    assert sorted(gone) == list(range(50))
    assert gone != sorted(gone)


def test_matches_are_scattered_before_they_begin() -> None:
    pace = OpenPace(100.0, Clock())
    played = [0] * 200

    def play(match: int) -> None:
        def act(_: float) -> None:
            played[match] += 1
            play(match)

        pace.ask(act)

    for match in range(100):
        play(match)
    assert not any(played)  # no seat acts before
    with pace.scattered():
        assert sum(played[:100]) > 100
        for match in range(100, 200):
            play(match)
    before = list(played)
    mean = sum(before) / len(before)
    assert 30 < mean < 120
    assert min(before) < mean / 4
    assert max(before) > mean * 2
    play(0)
    assert played == before
