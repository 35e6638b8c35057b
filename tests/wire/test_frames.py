"""Frames joined from bytes parse to the intended messages."""

from __future__ import annotations

import pytest

from landsraad.v1 import log_pb2, play_pb2
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries
from landsraad.wire.frames import ack_item, client_item, entries_item, item, submit_item
from landsraad_engine.play.match import Match


@pytest.mark.parametrize("subscription", [0, 1, 300])
@pytest.mark.parametrize("first", [1, 127, 128, 70_000])
@pytest.mark.parametrize("size", [0, 1, 100, 5000])
def test_entries_are_an_item_like_any_other(subscription: int, first: int, size: int) -> None:
    step = log_pb2.Entry(step=log_pb2.Step(rule="r" * size))
    elements = log_pb2.Entries(entries=[step]).SerializeToString() * 3
    frame = play_pb2.Frame.FromString(entries_item(subscription, first, elements))
    assert frame == play_pb2.Frame.FromString(item(subscription, "entries", write_entries(first, [elements])))
    [said] = frame.items
    assert said.subscription == subscription
    assert said.entries.first == first
    assert list(said.entries.entries) == [step] * 3


@pytest.mark.parametrize("repeated", [False, True])
def test_an_acknowledgement(repeated: bool) -> None:
    frame = play_pb2.Frame.FromString(ack_item(7, 3, 0, 1_000_000, repeated=repeated))
    assert frame.items[0].ack == play_pb2.Ack(seq=3, entry=0, last=1_000_000, repeated=repeated)


@pytest.mark.parametrize("meant", [{"decision": 129}, {"decision": 0}, {"during": 70_000}, {}])
@pytest.mark.parametrize("number", [1, 127, 300, 70_000])
def test_acts_of_a_client(number: int, meant: dict[str, int], begun: Match) -> None:
    codec = codec_for(begun.game)
    assert begun.g.ask is not None
    act = next(begun.g.ask.options[begun.waiting[0]].enumerate())
    named = {{"decision": "decision_id"}.get(name, name): value for name, value in meant.items()}
    submit = play_pb2.SubmitItem(seq=number + 1, act=codec.act(act), **named)
    frame = play_pb2.ClientFrame.FromString(submit_item(number, number + 1, codec.act_bytes(act), **meant) * 2)
    assert list(frame.items) == [play_pb2.ClientItem(subscription=number, submit=submit)] * 2


def test_another_item_of_a_client() -> None:
    given = play_pb2.ClientItem(subscription=3, ping=play_pb2.Ping(token=5))
    assert list(play_pb2.ClientFrame.FromString(client_item(given) * 2).items) == [given] * 2
