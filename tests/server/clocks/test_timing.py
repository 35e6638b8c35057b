"""The arithmetic of clocks."""

from __future__ import annotations

import pytest

from landsraad_server.matches.match_clocks import MOST_NETWORK_MS, runs_out, start_clock, time_left
from landsraad_server.matches.records import ClockTerms, Overtime, Presence, SeatState
from landsraad_server.streams.network_delay import NetworkDelay
from landsraad_testkit import HandClock

RULES = ClockTerms(10_000, 60_000, 2_000, 5_000, Overtime.DEFAULT_ACT)


def seat(**more: int) -> SeatState:
    state = SeatState(presence=Presence.HERE, bank_ms=60_000)
    for name, value in more.items():
        setattr(state, name, value)
    return state


def test_a_question_in_other_words_is_the_same_question() -> None:
    """Else the public time bank would reveal that a purse, and with it the possible answers, has changed."""
    state = seat(asked_at=1_000)
    start_clock(RULES, state, 7, 9, 14_000, answered=False, window=False)
    assert (state.asked_at, state.bank_ms, state.thinking_ms) == (1_000, 60_000, 0)
    start_clock(RULES, state, 9, 0, 15_000, answered=True, window=False)
    assert (state.asked_at, state.bank_ms, state.thinking_ms) == (0, 60_000 - 4_000 + 2_000, 14_000)


def test_an_answer_and_the_next_question() -> None:
    state = seat(asked_at=1_000)
    start_clock(RULES, state, 7, 9, 4_000, answered=True, window=False)
    assert (state.asked_at, state.bank_ms, state.thinking_ms) == (4_000, 62_000, 3_000)


def test_a_question_that_is_taken_back_earns_nothing() -> None:
    state = seat(asked_at=1_000)
    start_clock(RULES, state, 7, 0, 14_000, answered=False, window=False)
    assert (state.asked_at, state.bank_ms) == (0, 57_000)


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize("asked", [0, 9])
def test_a_window_is_free(answered: bool, asked: int) -> None:
    state = seat()
    start_clock(RULES, state, 0, 7, 1_000, answered=False, window=True)
    assert (state.asked_at, state.in_window) == (1_000, True)
    start_clock(RULES, state, 7, asked, 31_000, answered=answered, window=False)
    assert state.bank_ms == 60_000
    assert (state.asked_at, state.in_window) == (31_000 if asked else 0, False)


def test_the_network_is_taken_off() -> None:
    state = seat(asked_at=1_000, network_ms=700)
    assert runs_out(RULES, state) == 1_000 + 10_000 + 60_000 + 700
    start_clock(RULES, state, 7, 0, 12_500, answered=True, window=False)
    assert (state.network_ms, state.thinking_ms, state.bank_ms) == (700, 10_800, 60_000 - 800 + 2_000)
    state = seat(asked_at=1_000, network_ms=700)
    start_clock(RULES, state, 7, 0, 1_200, answered=True, window=False)
    assert (state.network_ms, state.thinking_ms) == (200, 0)


def test_when_time_is_up() -> None:
    assert runs_out(RULES, seat()) == 0
    assert runs_out(RULES, seat(asked_at=1_000)) == 71_000
    assert runs_out(RULES, seat(asked_at=1_000, presence=Presence.AWAY, away_at=500)) == 6_000
    assert runs_out(RULES, seat(asked_at=1_000, presence=Presence.AWAY, away_at=3_000)) == 8_000
    unlimited = ClockTerms(0, 0, 0, 0, Overtime.DEFAULT_ACT)
    assert runs_out(unlimited, seat(asked_at=1_000, bank_ms=0)) == 0
    assert runs_out(unlimited, seat(asked_at=1_000, bank_ms=0, presence=Presence.AWAY, away_at=500)) == 0


def test_a_clock_that_waits() -> None:
    away = seat(asked_at=1_000, presence=Presence.AWAY, away_at=500)
    assert runs_out(RULES, away, 9_000) == 14_000
    assert time_left(RULES, away, 8_000, 9_000) == (10_000, 60_000)
    assert time_left(RULES, away, 10_000, 9_000) == (9_000, 60_000)
    start_clock(RULES, away, 7, 0, 8_000, answered=False, window=False, waits=9_000)
    assert (away.bank_ms, away.thinking_ms) == (60_000, 0)


def test_the_network_is_asked_now_and_then() -> None:
    """Not while a pong is outstanding, nor soon after one. A late pong to an earlier ping does not count."""
    said: list[bytes] = []
    clock = HandClock()
    network = NetworkDelay(clock, said.append)

    def asked(after_ms: int) -> int:
        clock.advance(after_ms)
        network.ping()
        return len(said)

    assert [asked(0), asked(10_000)] == [1, 1]
    network.on_pong(1)
    assert network.ms == MOST_NETWORK_MS
    assert asked(0) == 2
    network.on_pong(1)
    assert asked(10_000) == 2
    network.on_pong(2)
    assert asked(0) == 3
    clock.advance(40)
    network.on_pong(3)
    assert network.ms == 40
    assert [asked(4_959), asked(1)] == [3, 4]


def test_what_is_left() -> None:
    assert time_left(RULES, seat(), 99_000) == (10_000, 60_000)
    assert time_left(RULES, seat(asked_at=1_000), 4_000) == (7_000, 60_000)
    assert time_left(RULES, seat(asked_at=1_000), 16_000) == (0, 55_000)
    assert time_left(RULES, seat(asked_at=1_000), 999_000) == (0, 0)
