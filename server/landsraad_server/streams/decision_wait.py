"""What a seat has to decide now, for clients that ask instead of holding a stream."""

from __future__ import annotations

import asyncio

from landsraad.v1 import ask_pb2, play_pb2
from landsraad_engine.kernel.execution import plays
from landsraad_server.matches import match_messages
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.records import MatchStage


def decision_message(hosted: HostedMatch, seat: int, now: int) -> play_pb2.Decision:
    """The open question of a seat with its clock, and the plays that are open."""
    state = hosted.seats[seat]
    message = play_pb2.Decision(state=match_messages.state(hosted.stage), last_seq=state.seq)
    if hosted.standing.result is not None:
        message.result.CopyFrom(match_messages.result_message(hosted.standing.result))
    if hosted.stage is not MatchStage.LIVE:
        return message
    game = hosted.game
    g = game.g
    message.decision_id = hosted.decision(seat)
    if message.decision_id and g.ask is not None:
        options = game.codec.options(g.ask.options[seat])
        message.question.CopyFrom(ask_pb2.Question(rule=g.ask.why, window=g.ask.window, options=options))
    message.clock.CopyFrom(match_messages.clock_message(hosted, seat, now))
    open_ = game.codec.options(plays(g, seat))
    message.plays.CopyFrom(play_pb2.Plays(during=hosted.marks.steps[seat], options=open_))
    return message


class DecisionWaiter:
    """A listener that waits for a question to a seat, other than one that is known."""

    __slots__ = ("_come", "_known", "_seat", "dismissed")

    def __init__(self, seat: int, known: int) -> None:
        self._seat = seat
        self._known = known
        self._come = asyncio.Event()
        #: the worker is about to stop
        self.dismissed = False

    def satisfied(self, hosted: HostedMatch) -> bool:
        """Whether there is news."""
        return hosted.over or hosted.decision(self._seat) not in (0, self._known)

    async def wait(self, ms: int) -> None:
        """Until there is, or for so long."""
        try:
            async with asyncio.timeout(ms / 1000):
                await self._come.wait()
        except TimeoutError:
            return

    def dismiss(self) -> None:
        """It waits in vain: somebody else has to be asked."""
        self.dismissed = True
        self._come.set()

    def on_record(self, hosted: HostedMatch, fanout: RecordFanout) -> None:
        """See Listener."""
        if self.satisfied(hosted):
            self._come.set()

    def on_rewound(self, hosted: HostedMatch, epoch: int) -> None:
        """See Listener."""
        self._come.set()

    def on_archived(self) -> None:
        """See Listener."""
        self._come.set()

    def on_failed(self) -> None:
        """See Listener."""
        self._come.set()
