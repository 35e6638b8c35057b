"""Caches of the wire: the same value again, and never more than the limit."""

import gc

import pytest

from landsraad.wire import memo
from landsraad.wire.memo import cached_writer

LITTLE = 1024


class Scribble:
    """Writes words, and knows which ones it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, word: str) -> bytes:
        self.asked.append(word)
        return word.encode()


@pytest.fixture
def scribble() -> Scribble:
    return Scribble()


@pytest.fixture
def _little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room for a few small things only, in each of two generations."""
    monkeypatch.setattr(memo, "_GENERATION_BYTES", LITTLE)


def test_what_was_written_is_not_written_again(scribble: Scribble) -> None:
    write = cached_writer(scribble)
    assert [write(word) for word in ("a", "b", "a", "b")] == [b"a", b"b", b"a", b"b"]
    assert scribble.asked == ["a", "b"]


@pytest.mark.usefixtures("_little_room")
def test_what_is_in_use_stays_whatever_comes_and_goes(scribble: Scribble) -> None:
    write = cached_writer(scribble)
    for n in range(200):
        write("in use")
        write(f"once {n}")
    assert scribble.asked.count("in use") == 1
    write("once 0")
    assert scribble.asked.count("once 0") == 2


@pytest.mark.usefixtures("_little_room")
def test_what_is_kept_does_not_grow() -> None:
    class Read:
        pass

    read = memo._cached(lambda n: Read(), lambda n: b"%d" % n)
    for n in range(1000):
        read(n)
    gc.collect()
    assert 0 < sum(isinstance(thing, Read) for thing in gc.get_objects()) <= 2 * (1 + LITTLE // memo._OVERHEAD_BYTES)


def test_what_is_very_large_is_not_kept(scribble: Scribble) -> None:
    write = cached_writer(scribble)
    large = "x" * 5000
    assert write(large) == write(large) == large.encode()
    assert scribble.asked == [large, large]


def test_what_cannot_be_written_is_tried_again() -> None:
    tries = []

    def fail(word: str) -> bytes:
        tries.append(word)
        raise TypeError(word)

    write = cached_writer(fail)
    for _ in range(2):
        with pytest.raises(TypeError):
            write("a")
    assert tries == ["a", "a"]
