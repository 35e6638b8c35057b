"""Chance: the streams are reproducible, fair and independent of each other."""

import hmac
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from landsraad_engine.errors import LawBroken
from landsraad_engine.kernel.chance import commitment, draws, match_key, order
from landsraad_engine.testing.fairness import looks_uniform

KEY = match_key(b"secret", "match-1", (b"amber", b"basalt"))


def test_golden_values() -> None:
    """Pin the streams: running matches and certificates depend on them."""
    assert commitment(b"secret") == "b5e54f1ce86a0ed4a1a735eb135a0acd87fe7754b59bbe6a52bdad3a83e37d2d"
    assert KEY.hex() == "38905d2760f568e5d47d6ba9dbd283529a3b349d8ba6bf2e2f97a42a2812cba8"
    assert draws(KEY, 0, "die/storm", 0, [6] * 10) == ([0, 2, 2, 4, 1, 0, 2, 5, 3, 0], 2)
    assert draws(KEY, 0, "die/storm", 2, [6, 1, 1 << 32, 100]) == ([4, 0, 3903984208, 28], 3)
    assert order(KEY, 0, "deck/treachery", 0, 12) == ([4, 5, 1, 9, 2, 7, 0, 3, 11, 6, 8, 10], 2)


def test_anybody_can_work_the_numbers_out_from_the_key() -> None:
    block = hmac.new(KEY, b"0|die/storm|0", "sha256").digest()
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
    assert draws(KEY, 0, "die/storm", 0, [6] * 8)[0] == [word % 6 for word in words]


def test_a_draw_goes_on_where_the_last_one_ended() -> None:
    first, after = draws(KEY, 0, "die/storm", 0, [6] * 3)
    second, _ = draws(KEY, 0, "die/storm", after, [6] * 3)
    assert after > 0
    assert draws(KEY, 0, "die/storm", 0, [6] * 3) == (first, after)
    assert first != second


def test_every_part_of_a_stream_s_name_counts() -> None:
    def numbers(key: bytes, epoch: int, label: str, counter: int) -> tuple[int, ...]:
        return tuple(draws(key, epoch, label, counter, [1 << 32] * 4)[0])

    streams = {
        numbers(KEY, 0, "die/storm", 0),
        numbers(KEY, 1, "die/storm", 0),
        numbers(KEY, 0, "die/sand", 0),
        numbers(KEY, 0, "die/storm", 1),
        numbers(KEY, 0, "die/storm|1", 0),
        numbers(KEY, 0, "die/storm|", 1),
        numbers(match_key(b"secret", "match-2", (b"amber", b"basalt")), 0, "die/storm", 0),
        numbers(match_key(b"other", "match-1", (b"amber", b"basalt")), 0, "die/storm", 0),
    }
    assert len(streams) == 8


def test_every_seat_s_entropy_counts_and_none_can_pass_for_another() -> None:
    keys = {
        match_key(b"secret", "match-1"),
        match_key(b"secret", "match-1", (b"a", b"b")),
        match_key(b"secret", "match-1", (b"b", b"a")),
        match_key(b"secret", "match-1", (b"ab",)),
        match_key(b"secret", "match-1", (b"a", b"b", b"")),
        match_key(b"secret", "match-1a", (b"b",)),
    }
    assert len(keys) == 6


@given(st.lists(st.integers(1, 1 << 32), max_size=40))
def test_numbers_are_below_their_bounds(bounds: list[int]) -> None:
    numbers, counter = draws(KEY, 0, "x", 5, bounds)
    assert len(numbers) == len(bounds)
    assert all(0 <= number < bound for number, bound in zip(numbers, bounds, strict=True))
    assert counter >= 5 + -(-len(bounds) // 8)


@pytest.mark.parametrize("bound", [0, -1, (1 << 32) + 1])
def test_a_bound_that_nothing_lies_below(bound: int) -> None:
    with pytest.raises(LawBroken, match="drawn below"):
        draws(KEY, 0, "x", 0, [bound])


@pytest.mark.parametrize("bound", [2, 6, 7, 10, 36])
def test_every_number_is_drawn_equally_often(bound: int) -> None:
    numbers, _ = draws(KEY, 0, f"fair {bound}", 0, [bound] * (200 * bound))
    assert looks_uniform(Counter(numbers), range(bound))


def test_a_bound_just_above_half_of_the_words_is_fair_too() -> None:
    """A bound for which, without rejection, the lower third would come twice as often as the rest."""
    bound = 3 << 30
    numbers, _ = draws(KEY, 0, "large", 0, [bound] * 3000)
    assert looks_uniform(Counter(number * 3 // bound for number in numbers), range(3))


def test_every_order_is_drawn_equally_often() -> None:
    found: Counter[tuple[int, ...]] = Counter()
    counter = 0
    for _ in range(24 * 60):
        indices, counter = order(KEY, 0, "deck", counter, 4)
        found[tuple(indices)] += 1
    assert looks_uniform(found, list(permutations(range(4))))


@pytest.mark.parametrize("size", [0, 1])
def test_nothing_to_shuffle_takes_nothing_from_the_stream(size: int) -> None:
    assert order(KEY, 0, "deck", 3, size) == (list(range(size)), 3)
