"""Decision wait: long polling for a seat's next decision, for clients that hold no stream."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from landsraad.v1 import ask_pb2, play_pb2
from landsraad_engine.kernel.execution import plays
from landsraad_server.matches import match_messages
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.records import MatchStage


def decision_message(hosted: HostedMatch, seat: int, now: int) -> play_pb2.Decision:
    """Build the message with a seat's open question, its clock, and its open out-of-turn plays."""
    state = hosted.seats[seat]
    message = play_pb2.Decision(state=match_messages.state(hosted.stage), last_seq=state.seq)
    if hosted.status.result is not None:
        message.result.CopyFrom(match_messages.result_message(hosted.status.result))
    if hosted.stage is not MatchStage.LIVE:
        return message
    game = hosted.game
    g = game.g
    number = hosted.decision(seat)
    message.decision_id = number
    if number and g.ask is not None:
        options = game.codec.options(g.ask.options[seat])
        question = ask_pb2.Question(rule=g.ask.why, window=g.ask.window, options=options, decision_id=number)
        message.question.CopyFrom(question)
    message.clock.CopyFrom(match_messages.clock_message(hosted, seat, now))
    open_ = game.codec.options(plays(g, seat))
    message.plays.CopyFrom(play_pb2.Plays(during=hosted.log_counters.steps[seat], options=open_))
    return message


class DecisionWaiter:
    """A listener that waits until a seat is asked another question than one that the client knows."""

    __slots__ = ("_known", "_seat", "_wake", "dismissed")

    def __init__(self, seat: int, known: int) -> None:
        self._seat = seat
        self._known = known
        self._wake = asyncio.Event()
        #: whether the worker is shutting down
        self.dismissed = False

    def satisfied(self, hosted: HostedMatch) -> bool:
        """Tell whether there is a new question, or the match is over."""
        return hosted.over or hosted.decision(self._seat) not in (0, self._known)

    async def wait(self, ms: int) -> None:
        """Wait for the next event that matters, or until the timeout."""
        try:
            async with asyncio.timeout(ms / 1000):
                await self._wake.wait()
        except TimeoutError:
            return

    def dismiss(self) -> None:
        """End the wait, since this worker stops: the client has to ask another one."""
        self.dismissed = True
        self._wake.set()

    def on_record(self, hosted: HostedMatch, fanout: RecordFanout) -> None:
        """Wake up if the record brings a new question."""
        if self.satisfied(hosted):
            self._wake.set()

    def on_rewound(self, hosted: HostedMatch, epoch: int, stands: Sequence[int]) -> None:
        """Wake up: the question may be another one."""
        self._wake.set()

    def on_archived(self) -> None:
        """Wake up: the match is over."""
        self._wake.set()

    def on_failed(self) -> None:
        """Wake up: no more records come."""
        self._wake.set()
