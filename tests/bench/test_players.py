"""Bench players in isolation: their parsing and answers, against matches of the engine without a service."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any, TypeAlias

import pytest
import pytest_asyncio

from landsraad import games
from landsraad.v1 import errors_pb2, log_pb2, play_pb2
from landsraad.wire.codec import codec_for
from landsraad.wire.frames import ack_item, entries_item, item
from landsraad_bench import players
from landsraad_bench.item_peek import peek_class
from landsraad_bench.pacing import ClosedPace, Pacing
from landsraad_bench.players import BenchSeat, BenchStream, BenchTally
from landsraad_bench.random_answers import random_answerer
from landsraad_engine.kernel.execution import AUTO
from landsraad_engine.play.match import Match

_GAME = games.load("dune")
_SEATS = 6

Reason: TypeAlias = errors_pb2.ErrorReason.ValueType


class Room:
    """A fake of what players share, and of their transport."""

    def __init__(self) -> None:
        self.codec = codec_for(_GAME)
        self.answer = random_answerer(self.codec, Random(5))
        self.tally = BenchTally()
        self.pace: Pacing = ClosedPace()
        self.over: list[BenchSeat] = []
        self.sent: list[play_pb2.ClientItem] = []
        self.frames = 0
        self.running: asyncio.Task[None] | None = None

    def ended(self, stream: BenchStream, place: BenchSeat) -> None:
        self.over.append(place)

    def send(self, message: bytes) -> None:
        self.frames += 1
        self.sent += play_pb2.ClientFrame.FromString(message).items

    async def run(self, on_message: Callable[[bytes], None]) -> None:
        self.say = on_message
        await asyncio.get_running_loop().create_future()

    def said(self) -> list[play_pb2.ClientItem]:
        """Return what was sent since the last call."""
        sent, self.sent = self.sent, []
        return sent


@pytest_asyncio.fixture
async def room() -> AsyncIterator[Room]:
    made = Room()
    yield made
    if made.running is not None:
        made.running.cancel()
        await asyncio.gather(made.running, return_exceptions=True)


async def seated(room: Room, seats: int = _SEATS) -> BenchStream:
    """Make a stream with so many seats that have their snapshots and no question yet."""
    stream = BenchStream(room, room, [BenchSeat("matches/m", seat, f"key-{seat}", "") for seat in range(seats)])
    room.running = asyncio.create_task(stream.run())
    await asyncio.sleep(0)  # the next tick
    room.say(b"".join([item(seat + 1, "snapshot", _NOTHING_YET) for seat in range(seats)]))
    return stream


_NOTHING_YET = play_pb2.Snapshot(observation=log_pb2.Observation(match="matches/m")).SerializeToString()


def question() -> bytes:
    """Return the first question of a match as a log entry."""
    match = Match(_GAME, _SEATS)
    [asked, *_] = [entry for entry in match.log(match.waiting[0]) if entry[0] == "ask"]
    return codec_for(_GAME).entry(asked)


WITHDRAWN = log_pb2.Entries(entries=[log_pb2.Entry(withdrawn=log_pb2.Withdrawn())]).SerializeToString()
STEP = log_pb2.Entries(entries=[log_pb2.Entry(step=log_pb2.Step(rule="DUNE-3.1"))]).SerializeToString()


@pytest.mark.asyncio
async def test_seats_are_taken_in_frames_of_a_size_that_the_service_takes(room: Room) -> None:
    stream = await seated(room, 450)
    taken = [sent.subscribe for sent in room.said()]
    assert [(one.seat, one.credential) for one in taken] == [(seat, f"key-{seat}") for seat in range(450)]
    assert room.frames == 3
    assert stream.begun.is_set()


@pytest.mark.asyncio
async def test_players_answer_the_questions_of_a_whole_match_by_its_rules(room: Room) -> None:
    match = Match(_GAME, _SEATS, secret=b"s", orders=dict.fromkeys(range(_SEATS), (AUTO,)))
    await seated(room)
    room.said()
    told = [0] * _SEATS

    def news() -> bytes:
        """Return the entries that the seats have not received yet."""
        said = []
        for seat, before in enumerate(told):
            entries = match.log(seat)[before:]
            told[seat] += len(entries)
            said += [entries_item(seat + 1, before + 1, b"".join(map(room.codec.entry, entries)))] if entries else []
        return b"".join(said)

    room.say(news())
    answered = stale = 0
    waiting = deque(room.said())
    while waiting and answered < 300:
        sent = waiting.popleft()
        seat, submit = sent.subscription - 1, sent.submit
        if match.decision(seat) == submit.decision_id:
            match.submit(seat, room.codec.read_act(submit.act), decision=submit.decision_id)
            answered += 1
            room.say(news() + ack_item(sent.subscription, submit.seq, 1, 1, repeated=False))
        else:
            stale += 1
            room.say(refused(seat, submit.seq, errors_pb2.ERROR_REASON_STALE))
        assert len(waiting) + len(room.sent) >= len(match.waiting)
        waiting += room.said()
    assert answered == 300
    assert room.tally.acks == len(room.tally.latencies) == answered
    assert room.tally.refused.total() == stale


def refused(seat: int, seq: int, reason: Reason) -> bytes:
    return item(seat + 1, "refusal", errors_pb2.Refusal(seq=seq, reason=reason).SerializeToString())


@pytest.mark.asyncio
async def test_only_what_opens_or_closes_a_question_last_counts(room: Room) -> None:
    asked = question()
    await seated(room, 1)
    room.said()
    room.say(entries_item(1, 5, asked + WITHDRAWN))
    room.say(entries_item(1, 7, STEP + STEP))
    assert room.said() == []
    room.say(entries_item(1, 9, WITHDRAWN + STEP + asked + STEP))
    [sent] = room.said()
    assert sent.submit.decision_id == 11
    room.say(entries_item(1, 13, STEP))
    assert room.said() == []


@pytest.mark.asyncio
async def test_what_is_answered_while_a_frame_is_read_goes_out_in_one_frame(room: Room) -> None:
    asked = question()
    await seated(room)
    before = room.frames
    room.say(b"".join([entries_item(seat + 1, 1, asked) for seat in range(_SEATS)]))
    assert room.frames == before + 1
    assert [sent.submit.seq for sent in room.said() if sent.HasField("submit")] == [1] * _SEATS


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("reason", "again"), [(errors_pb2.ERROR_REASON_STALE, False), (errors_pb2.ERROR_REASON_OVERLOADED, True)]
)
async def test_an_act_is_sent_again_if_it_was_not_its_fault(room: Room, reason: Reason, again: bool) -> None:
    stream = await seated(room, 1)
    room.say(entries_item(1, 1, question()))
    room.said()
    assert len(stream.under_way()) == 1
    room.say(refused(0, 1, reason))
    assert [(sent.submit.seq, sent.submit.decision_id) for sent in room.said()] == [(2, 1)] * again
    assert len(stream.under_way()) == again
    assert room.tally.refused == {errors_pb2.ErrorReason.Name(reason): 1}


@pytest.mark.asyncio
async def test_a_seat_whose_match_is_over_makes_room(room: Room) -> None:
    await seated(room, 2)
    room.said()
    over = play_pb2.Closed(reason=play_pb2.CLOSED_REASON_OVER).SerializeToString()
    room.say(item(2, "closed", over) + entries_item(2, 1, question()))
    assert [place.seat for place in room.over] == [1]
    assert room.said() == []


@pytest.mark.asyncio
async def test_a_seat_goes_on_where_its_snapshot_says(room: Room) -> None:
    await seated(room, 1)
    room.said()
    asked = log_pb2.Entries.FromString(question()).entries[0].question
    seen = log_pb2.Observation(match="matches/m", decision_id=40, question=asked, last_seq=7)
    room.say(item(1, "snapshot", play_pb2.Snapshot(observation=seen).SerializeToString()))
    [sent] = room.said()
    assert (sent.submit.seq, sent.submit.decision_id) == (8, 40)


def closed(seat: int, reason: play_pb2.ClosedReason.ValueType) -> bytes:
    return item(seat + 1, "closed", play_pb2.Closed(reason=reason).SerializeToString())


@pytest.mark.asyncio
async def test_a_seat_that_was_closed_as_slow_is_taken_again_and_waited_for(room: Room) -> None:
    stream = await seated(room, 2)
    room.said()
    room.say(closed(1, play_pb2.CLOSED_REASON_SLOW))
    [sent] = room.said()
    assert (sent.subscription, sent.subscribe.seat) == (3, 1)
    assert (stream.begun.is_set(), stream.missing) == (False, 1)
    room.say(item(3, "snapshot", _NOTHING_YET))
    assert stream.begun.is_set()
    assert room.tally.refused == {"CLOSED_REASON_SLOW": 1}


@pytest.mark.asyncio
async def test_a_match_that_ends_before_it_was_told_is_not_waited_for(room: Room) -> None:
    stream = BenchStream(room, room, [BenchSeat("matches/m", 0, "key", "")])
    room.running = asyncio.create_task(stream.run())
    await asyncio.sleep(0)
    room.say(closed(0, play_pb2.CLOSED_REASON_OVER))
    assert stream.begun.is_set()


@pytest.mark.asyncio
async def test_a_seat_that_cannot_be_had_now_is_asked_for_again(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "_PAUSE_SECONDS", 0.0)
    await seated(room, 1)
    room.said()
    room.say(refused(0, 0, errors_pb2.ERROR_REASON_RATE_LIMITED))
    for _ in range(5):  # a pause of nothing, and the tick in which it is sent
        await asyncio.sleep(0)
    assert [(sent.subscription, sent.subscribe.seat) for sent in room.said()] == [(1, 0)]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "told", [closed(0, play_pb2.CLOSED_REASON_UNAVAILABLE), refused(0, 0, errors_pb2.ERROR_REASON_NOT_YOURS)]
)
async def test_a_seat_that_is_lost_ends_the_run(room: Room, told: bytes) -> None:
    await seated(room, 1)
    with pytest.raises(RuntimeError, match="matches/m, seat 0"):
        room.say(told)


def test_a_glance_reads_what_was_asked_for_and_nothing_else() -> None:
    ack = play_pb2.Ack(seq=3, entry=4, last=5)
    closed = play_pb2.Closed(address_hint="here")
    entries = log_pb2.Entries(first=7, entries=[log_pb2.Entry(step=log_pb2.Step(rule="r")), log_pb2.Entry()])
    entries.entries[1].withdrawn.SetInParent()
    items: list[dict[str, Any]] = [
        {"ack": ack},
        {"closed": closed},
        {"entries": entries},
        {"pong": play_pb2.Pong(token=1)},
    ]
    frame = play_pb2.Frame(items=[play_pb2.ServerItem(subscription=9, **one) for one in items])
    some = peek_class({
        play_pb2.Frame.DESCRIPTOR: {"items"},
        play_pb2.ServerItem.DESCRIPTOR: {"ack", "closed", "entries"},
        log_pb2.Entries.DESCRIPTOR: {"first", "entries"},
        log_pb2.Entry.DESCRIPTOR: {"withdrawn"},
        play_pb2.Ack.DESCRIPTOR: {"seq"},
    })  # fmt: skip
    found = some.FromString(frame.SerializeToString()).items
    assert [one.WhichOneof("item") for one in found] == ["ack", "closed", "entries", None]
    assert [field.name for field, _ in found[0].ack.ListFields()] == ["seq"]
    assert found[1].closed == closed.SerializeToString()
    assert found[2].entries.first == 7
    assert [one.WhichOneof("body") for one in found[2].entries.entries] == [None, "withdrawn"]
    assert not hasattr(found[0], "subscription")


def test_entries_that_are_joined_show_the_last_that_is_known() -> None:
    wanted = {log_pb2.Entries.DESCRIPTOR: {"entries"}, log_pb2.Entry.DESCRIPTOR: {"question", "withdrawn"}}
    joined = peek_class(wanted, joined={"entries"})
    asked = question()
    for entries, last in [
        (asked + WITHDRAWN + STEP, "withdrawn"),
        (WITHDRAWN + STEP + asked, "question"),
        (STEP + STEP, None),
    ]:
        assert joined.FromString(entries).entries.WhichOneof("body") == last
    body = log_pb2.Entries.FromString(asked).entries[0].question.SerializeToString()
    assert joined.FromString(asked + WITHDRAWN + asked).entries.question == body
