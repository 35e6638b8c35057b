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


class FakeTable:
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
async def table() -> AsyncIterator[FakeTable]:
    made = FakeTable()
    yield made
    if made.running is not None:
        made.running.cancel()
        await asyncio.gather(made.running, return_exceptions=True)


async def seated(table: FakeTable, seats: int = _SEATS) -> BenchStream:
    """Make a stream with so many seats that have their snapshots and no question yet."""
    stream = BenchStream(table, table, [BenchSeat("matches/m", seat, f"key-{seat}", "") for seat in range(seats)])
    table.running = asyncio.create_task(stream.run())
    await asyncio.sleep(0)  # the next tick
    table.say(b"".join([item(seat + 1, "snapshot", _NOTHING_YET) for seat in range(seats)]))
    return stream


_NOTHING_YET = play_pb2.Snapshot(observation=log_pb2.Observation(match="matches/m")).SerializeToString()


def question() -> bytes:
    """Return the first question of a match as a log entry."""
    match = Match(_GAME, _SEATS)
    [asked, *_] = [entry for entry in match.log(match.waiting[0]) if entry[0] == "ask"]
    return codec_for(_GAME).entry(asked, 1)


WITHDRAWN = log_pb2.Entries(entries=[log_pb2.Entry(withdrawn=log_pb2.Withdrawn())]).SerializeToString()
STEP = log_pb2.Entries(entries=[log_pb2.Entry(step=log_pb2.Step(rule="DUNE-3.1"))]).SerializeToString()


@pytest.mark.asyncio
async def test_seats_are_taken_in_frames_of_a_size_that_the_service_takes(table: FakeTable) -> None:
    stream = await seated(table, 450)
    taken = [sent.subscribe for sent in table.said()]
    assert [(one.seat, one.credential) for one in taken] == [(seat, f"key-{seat}") for seat in range(450)]
    assert table.frames == 3
    assert stream.begun.is_set()


@pytest.mark.asyncio
async def test_players_answer_the_questions_of_a_whole_match_by_its_rules(table: FakeTable) -> None:
    match = Match(_GAME, _SEATS, secret=b"s", orders=dict.fromkeys(range(_SEATS), (AUTO,)))
    await seated(table)
    table.said()
    told = [0] * _SEATS

    def news() -> bytes:
        """Return the entries that the seats have not received yet."""
        said = []
        for seat, before in enumerate(told):
            entries = match.log(seat)[before:]
            told[seat] += len(entries)
            bodies = b"".join(table.codec.numbered_entries(before + 1, entries))
            said += [entries_item(seat + 1, before + 1, bodies)] if entries else []
        return b"".join(said)

    table.say(news())
    answered = stale = 0
    waiting = deque(table.said())
    while waiting and answered < 300:
        sent = waiting.popleft()
        seat, submit = sent.subscription - 1, sent.submit
        if match.decision(seat) == submit.decision_id:
            match.submit(seat, table.codec.read_act(submit.act), decision=submit.decision_id)
            answered += 1
            table.say(news() + ack_item(sent.subscription, submit.seq, 1, 1, repeated=False))
        else:
            stale += 1
            table.say(refused(seat, submit.seq, errors_pb2.ERROR_REASON_STALE))
        assert len(waiting) + len(table.sent) >= len(match.waiting)
        waiting += table.said()
    assert answered == 300
    assert table.tally.acks == len(table.tally.latencies) == answered
    assert table.tally.refused.total() == stale


def refused(seat: int, seq: int, reason: Reason) -> bytes:
    return item(seat + 1, "refusal", errors_pb2.Refusal(seq=seq, reason=reason).SerializeToString())


@pytest.mark.asyncio
async def test_only_what_opens_or_closes_a_question_last_counts(table: FakeTable) -> None:
    asked = question()
    await seated(table, 1)
    table.said()
    table.say(entries_item(1, 5, asked + WITHDRAWN))
    table.say(entries_item(1, 7, STEP + STEP))
    assert table.said() == []
    table.say(entries_item(1, 9, WITHDRAWN + STEP + asked + STEP))
    [sent] = table.said()
    assert sent.submit.decision_id == 11
    table.say(entries_item(1, 13, STEP))
    assert table.said() == []


@pytest.mark.asyncio
async def test_what_is_answered_while_a_frame_is_read_goes_out_in_one_frame(table: FakeTable) -> None:
    asked = question()
    await seated(table)
    before = table.frames
    table.say(b"".join([entries_item(seat + 1, 1, asked) for seat in range(_SEATS)]))
    assert table.frames == before + 1
    assert [sent.submit.seq for sent in table.said() if sent.HasField("submit")] == [1] * _SEATS


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("reason", "again"), [(errors_pb2.ERROR_REASON_STALE, False), (errors_pb2.ERROR_REASON_OVERLOADED, True)]
)
async def test_an_act_is_sent_again_if_it_was_not_its_fault(table: FakeTable, reason: Reason, again: bool) -> None:
    stream = await seated(table, 1)
    table.say(entries_item(1, 1, question()))
    table.said()
    assert len(stream.under_way()) == 1
    table.say(refused(0, 1, reason))
    assert [(sent.submit.seq, sent.submit.decision_id) for sent in table.said()] == [(2, 1)] * again
    assert len(stream.under_way()) == again
    assert table.tally.refused == {errors_pb2.ErrorReason.Name(reason): 1}


@pytest.mark.asyncio
async def test_a_seat_whose_match_is_over_makes_room(table: FakeTable) -> None:
    await seated(table, 2)
    table.said()
    over = play_pb2.Closed(reason=play_pb2.CLOSED_REASON_OVER).SerializeToString()
    table.say(item(2, "closed", over) + entries_item(2, 1, question()))
    assert [place.seat for place in table.over] == [1]
    assert table.said() == []


@pytest.mark.asyncio
async def test_a_seat_goes_on_where_its_snapshot_says(table: FakeTable) -> None:
    await seated(table, 1)
    table.said()
    asked = log_pb2.Entries.FromString(question()).entries[0].question
    seen = log_pb2.Observation(match="matches/m", decision_id=40, question=asked, last_seq=7)
    table.say(item(1, "snapshot", play_pb2.Snapshot(observation=seen).SerializeToString()))
    [sent] = table.said()
    assert (sent.submit.seq, sent.submit.decision_id) == (8, 40)


def closed(seat: int, reason: play_pb2.ClosedReason.ValueType) -> bytes:
    return item(seat + 1, "closed", play_pb2.Closed(reason=reason).SerializeToString())


@pytest.mark.asyncio
async def test_a_seat_that_was_closed_as_slow_is_taken_again_and_waited_for(table: FakeTable) -> None:
    stream = await seated(table, 2)
    table.said()
    table.say(closed(1, play_pb2.CLOSED_REASON_SLOW))
    [sent] = table.said()
    assert (sent.subscription, sent.subscribe.seat) == (3, 1)
    assert (stream.begun.is_set(), stream.missing) == (False, 1)
    table.say(item(3, "snapshot", _NOTHING_YET))
    assert stream.begun.is_set()
    assert table.tally.refused == {"CLOSED_REASON_SLOW": 1}


@pytest.mark.asyncio
async def test_a_match_that_ends_before_it_was_told_is_not_waited_for(table: FakeTable) -> None:
    stream = BenchStream(table, table, [BenchSeat("matches/m", 0, "key", "")])
    table.running = asyncio.create_task(stream.run())
    await asyncio.sleep(0)
    table.say(closed(0, play_pb2.CLOSED_REASON_OVER))
    assert stream.begun.is_set()


@pytest.mark.asyncio
async def test_a_seat_that_cannot_be_had_now_is_asked_for_again(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "_PAUSE_SECONDS", 0.0)
    await seated(table, 1)
    table.said()
    table.say(refused(0, 0, errors_pb2.ERROR_REASON_RATE_LIMITED))
    for _ in range(5):  # a timer without delay, and the tick in which the item is sent
        await asyncio.sleep(0)
    assert [(sent.subscription, sent.subscribe.seat) for sent in table.said()] == [(1, 0)]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "told", [closed(0, play_pb2.CLOSED_REASON_UNAVAILABLE), refused(0, 0, errors_pb2.ERROR_REASON_NOT_YOURS)]
)
async def test_a_seat_that_is_lost_ends_the_run(table: FakeTable, told: bytes) -> None:
    await seated(table, 1)
    with pytest.raises(RuntimeError, match="matches/m, seat 0"):
        table.say(told)


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
