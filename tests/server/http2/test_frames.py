"""Frames: what is built can be read, however the bytes are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from landsraad_http2 import frames
from landsraad_http2.frames import ConnectionFault, Frame, FrameReader

FRAMES = st.lists(
    st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, frames.LAST_STREAM), st.binary(max_size=60)),
    max_size=8,
)


@given(FRAMES, st.lists(st.integers(0, 600)))
def test_any_split_gives_the_same_frames(sent: list[Frame], cuts: list[int]) -> None:
    stream = b"".join(frames.frame(*one) for one in sent)
    reader = FrameReader()
    read: list[Frame] = []
    begin = 0
    for cut in [*sorted(cut for cut in cuts if cut <= len(stream)), len(stream)]:
        read += reader.feed(stream[begin:cut])
        begin = cut
    assert read == sent


def test_byte_by_byte() -> None:
    reader = FrameReader()
    sent = frames.data(1, b"x" * 16_384) + frames.SETTINGS_ACK
    read = [one for byte in sent for one in reader.feed(bytes((byte,)))]
    assert read == [(frames.DATA, 0, 1, b"x" * 16_384), (frames.SETTINGS, frames.ACK, 0, b"")]


def test_a_frame_is_refused_before_it_has_come() -> None:
    large = frames.data(1, bytes(16_385))
    with pytest.raises(ConnectionFault) as fault:
        FrameReader().feed(large[:9])
    assert fault.value.code == frames.FRAME_SIZE_ERROR
    assert len(FrameReader(most=16_385).feed(large)) == 1


def test_the_reserved_bit_is_ignored() -> None:
    assert FrameReader().feed(b"\0\0\0\0\0\x80\0\0\x05") == [(frames.DATA, 0, 5, b"")]


def test_messages() -> None:
    assert frames.message_head(3, 2) + b"ab" == frames.data(3, frames.message_prefix(2) + b"ab")


@pytest.mark.parametrize(("length", "kinds"), [(5, [1]), (10, [1]), (11, [1, 9]), (30, [1, 9, 9])])
def test_blocks_are_cut(length: int, kinds: list[int]) -> None:
    block = bytes(range(length))
    read = FrameReader().feed(frames.headers(7, block, last=True, most=10))
    assert [kind for kind, *_ in read] == kinds
    assert b"".join(payload for *_, payload in read) == block
    assert read[0][1] & frames.END_STREAM
    assert [bool(flags & frames.END_HEADERS) for _, flags, _, _ in read] == [False] * (len(kinds) - 1) + [True]


def test_settings() -> None:
    pairs = [(frames.MAX_FRAME_SIZE, 20_000), (0xFE03, 1)]
    (kind, _, _, payload), *_ = FrameReader().feed(frames.settings(pairs))
    assert kind == frames.SETTINGS
    assert list(frames.read_settings(payload)) == pairs
    with pytest.raises(ConnectionFault):
        frames.read_settings(payload[1:])


def test_padding() -> None:
    assert frames.without_padding(frames.PADDED, b"\x02abc\0\0") == b"abc"
    assert frames.without_padding(frames.PADDED, b"\x02\0\0") == b""
    assert frames.without_padding(0, b"\x02\0\0") == b"\x02\0\0"
    for wrong in (b"", b"\x01", b"\x03\0\0"):
        with pytest.raises(ConnectionFault):
            frames.without_padding(frames.PADDED, wrong)


def test_numbers() -> None:
    assert frames.number(frames.rst_stream(1, frames.CANCEL)[9:]) == frames.CANCEL
    with pytest.raises(ConnectionFault):
        frames.number(b"\0\0\0")
