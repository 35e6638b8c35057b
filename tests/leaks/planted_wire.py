"""Deliberate leaks of the service: each must be caught by the two-run test on the wire.

The engine tells nothing it must not in any of them; it is the service that says too much, by what it sends, how much of
it, or when.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

import msgspec

from landsraad.v1 import matches_pb2, play_pb2
from landsraad.wire.seat_semantics import Ack
from landsraad_engine.dune.game import DUNE
from landsraad_engine.errors import Refused
from landsraad_engine.kernel.execution import plain
from landsraad_engine.kernel.grammar import Act
from landsraad_server.api import play_service
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.matches_service import MatchesService
from landsraad_server.matches import match_changes, match_messages
from landsraad_server.matches.history import History
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.records import LogRecord, Waypoint
from landsraad_server.matches.requests import SeatInput
from landsraad_server.matches.running_match import RunningMatch
from landsraad_server.streams import log_stream
from landsraad_server.streams.log_stream import LogStream
from landsraad_server.streams.seat_stream import SeatStream
from landsraad_server.streams.session import Session
from landsraad_testkit.leaks.wire_leak_test import leak_wire

#: Positions in which a plant has to be found.
POSITIONS = 60
#: With some seeds a plant breaks what it is planted in before it is found.
SEED = 6

Patch = AbstractContextManager[Any]


def _wrapped(owner: Any, name: str, wrap: Callable[..., Any]) -> Patch:
    """A function of the service replaced by one that is given the plain one first."""
    plain_one = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return wrap(plain_one, *args, **kwargs)

    return patch.object(owner, name, wrapped)


# --- what is said


def _all_banks(clock_message: Any, hosted: HostedMatch, seat: int, now: int) -> play_pb2.Clock:
    message: play_pb2.Clock = clock_message(hosted, seat, now)
    del message.others[:]
    for number, other in enumerate(hosted.seats):
        message.others.add(seat=number, bank_ms=other.bank_ms, running=bool(other.asked_at))
    return message


def _longest_thought(clock_message: Any, hosted: HostedMatch, seat: int, now: int) -> play_pb2.Clock:
    message: play_pb2.Clock = clock_message(hosted, seat, now)
    message.thinking_ms = max(other.thinking_ms for other in hosted.seats)
    return message


def _title_of_orders(match_message: Any, hosted: HostedMatch) -> Any:
    message = match_message(hosted)
    message.title = str(sum(bool(plan.orders) for plan in hosted.terms.seats))
    return message


def _counts_refusals(refuse: Any, self: Session, at: int, error: Exception, seq: int, hosted: HostedMatch) -> None:
    if isinstance(error, Refused):
        error.message += f" (refusal {sum(seat.refused for seat in hosted.seats)} of this match)"
    refuse(self, at, error, seq, hosted)


def _quotes_a_hand(try_out: Any, self: RunningMatch, seat: int, act: Act) -> None:
    held = [value for key, value in sorted(self.g.table.items()) if key.startswith("hand/")]
    raise Refused("against_rules", f"{plain(act)[0]} is of no use against {held}")


def _sums_inputs(decision_message: Any, hosted: HostedMatch, seat: int, now: int) -> play_pb2.Decision:
    message: play_pb2.Decision = decision_message(hosted, seat, now)
    message.last_seq = sum(state.seq for state in hosted.seats)
    return message


def _names_the_bot_by_inputs(give_to_house: Any, hosted: HostedMatch, now: int, number: int) -> None:
    give_to_house(hosted, now, number)
    hosted.changes.plan(number).invited = str(hosted.seats[number].seq)


# --- how much is sent, and in which numbers


def _padded(observation: Any, hosted: HostedMatch, seat: int | None, epoch: int) -> bytes:
    """An unknown field (number 100, as bytes), as long as all logs together: readers skip it."""
    length = sum(hosted.log_counters.counts) % 128
    return bytes(observation(hosted, seat, epoch)) + b"\xa2\x06" + bytes([length]) + bytes(length)


def _counts_all_logs(run: Any, self: SeatInput, hosted: HostedMatch, now: int) -> Ack:
    ack: Ack = run(self, hosted, now)
    return ack._replace(last=sum(hosted.last(log) for log in range(len(hosted.seats))))


def _tells_whatever_happens(on_record: Any, self: SeatStream, hosted: HostedMatch, fanout: RecordFanout) -> None:
    on_record(self, hosted, fanout)
    if not fanout.record.entries and self.session.is_open(self):
        self.send_extras(hosted)


def _presence_of_who_acts(send_presence: Any, self: LogStream, seats: Any) -> None:
    self._sent_presence = [None] * len(self._sent_presence)  # type: ignore[list-item]  # so that all is news
    send_presence(self, seats)


def _tells_more_than_was_told(log: Any, self: LogRecord, number: int) -> list[bytes]:
    return [body for mask, body in self.entries if mask >> number & 1 or mask == 1]


async def _history_of_the_first_seat(
    history: Any,
    self: MatchHosts,
    match: str,
    log: int,
    first: int,
    waypoints: list[Waypoint],
    **bounds: Any,
) -> History:
    hosted = self.host(match).hosted
    spectators = hosted is not None and log == len(hosted.seats)
    found: History = await history(self, match, 0 if spectators else log, first, waypoints, **bounds)
    return found


def _counted_behind(get_match: Any, self: MatchesService, request: Any, call: RpcCall) -> Any:
    hosted = self._hosts.host(request.name.removeprefix("matches/")).hosted
    call.trailing.append(("inputs", str(sum(state.seq for state in hosted.seats) if hosted else 0)))
    return get_match(self, request, call)


def _listed_with_orders(summary: Any, hosted: HostedMatch) -> bytes:
    found = match_messages.read_summary(summary(hosted))
    found.message += matches_pb2.Match(
        title=str(sum(bool(plan.orders) for plan in hosted.terms.seats))
    ).SerializeToString()
    return msgspec.msgpack.encode(found)


# --- when it is sent


def _closes_with_the_last_answer() -> Patch:
    plain_one = HostedMatch.window_ends

    def ends(self: HostedMatch) -> int:
        due: int = plain_one.fget(self)  # type: ignore[attr-defined]
        return self.log_counters.window_at + 1 if due and not any(self.log_counters.question_entries) else due

    return patch.object(HostedMatch, "window_ends", property(ends))


PLANTS: dict[str, Callable[[], Sequence[Patch]]] = {
    "banks are shown while a window or a sealed question is open": lambda: [
        _wrapped(match_messages, "clock_message", _all_banks)
    ],
    "a clock tells how long others have thought": lambda: [_wrapped(match_messages, "clock_message", _longest_thought)],
    "the match tells who has given orders": lambda: [_wrapped(match_messages, "match_message", _title_of_orders)],
    "a refusal counts those of others": lambda: [_wrapped(Session, "refuse", _counts_refusals)],
    "an explanation quotes hands": lambda: [_wrapped(RunningMatch, "try_out", _quotes_a_hand)],
    "a decision counts the inputs of all": lambda: [_wrapped(play_service, "decision_message", _sums_inputs)],
    "a seat that goes to the house says how often it has acted": lambda: [
        _wrapped(match_changes, "give_to_house", _names_the_bot_by_inputs)
    ],
    "a snapshot is padded": lambda: [
        _wrapped(play_service, "observation", _padded),
        _wrapped(log_stream, "observation", _padded),
    ],
    "an acknowledgement counts all logs": lambda: [_wrapped(SeatInput, "run", _counts_all_logs)],
    "a clock comes with every record": lambda: [_wrapped(SeatStream, "on_record", _tells_whatever_happens)],
    "presence is told of whoever acts": lambda: [_wrapped(LogStream, "_send_presence", _presence_of_who_acts)],
    "everybody is told what the first seat is told": lambda: [_wrapped(LogRecord, "log", _tells_more_than_was_told)],
    "spectators' replay is the first seat's": lambda: [_wrapped(MatchHosts, "history", _history_of_the_first_seat)],
    "what comes behind an answer counts the inputs of all": lambda: [
        _wrapped(MatchesService, "get_match", _counted_behind)
    ],
    "the list of matches tells who has given orders": lambda: [
        _wrapped(match_messages, "summary", _listed_with_orders)
    ],
    "a window of fixed length closes with the last answer": lambda: [_closes_with_the_last_answer()],
}


def is_caught(plant: Callable[[], Sequence[Patch]]) -> bool:
    """Tell if the test finds something. A plant that breaks the service instead raises, and proves nothing."""
    patches = plant()
    for one in patches:
        one.__enter__()
    try:
        return bool(asyncio.run(leak_wire(DUNE, POSITIONS, SEED)).findings)
    finally:
        for one in patches:
            one.__exit__(None, None, None)


def caught() -> dict[str, bool]:
    """For each plant, whether it is caught."""
    return {name: is_caught(plant) for name, plant in PLANTS.items()}
