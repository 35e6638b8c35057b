"""What a seat has to decide now, for clients that ask instead of holding a stream."""

from __future__ import annotations

import asyncio

from landsraad.v1 import ask_pb2, play_pb2
from landsraad_engine.kernel.execution import plays
from landsraad_server.matches import match_messages
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.records import MatchStage


def decision_message(position: HostedMatch, seat: int, now: int) -> play_pb2.Decision:
    """The open question of a seat with its clock, and the plays that are open."""
    state = position.seats[seat]
    message = play_pb2.Decision(state=match_messages.state(position.stage), last_seq=state.seq)
    if position.standing.result is not None:
        message.result.CopyFrom(match_messages.result_message(position.standing.result))
    if position.stage is not MatchStage.LIVE:
        return message
    game = position.game
    g = game.g
    message.decision_id = position.decision(seat)
    if message.decision_id and g.ask is not None:
        options = game.codec.options(g.ask.options[seat])
        message.question.CopyFrom(ask_pb2.Question(rule=g.ask.why, window=g.ask.window, options=options))
    message.clock.CopyFrom(match_messages.clock_message(position, seat, now))
    open_ = game.codec.options(plays(g, seat))
    message.plays.CopyFrom(play_pb2.Plays(during=position.marks.steps[seat], options=open_))
    return message


class Waiter:
    """A listener that waits for a question to a seat, other than one that is known."""

    __slots__ = ("_come", "_known", "_seat", "sent_away")

    def __init__(self, seat: int, known: int) -> None:
        self._seat = seat
        self._known = known
        self._come = asyncio.Event()
        #: the worker is about to stop
        self.sent_away = False

    def satisfied(self, position: HostedMatch) -> bool:
        """Whether there is news."""
        return position.over or position.decision(self._seat) not in (0, self._known)

    async def wait(self, ms: int) -> None:
        """Until there is, or for so long."""
        try:
            async with asyncio.timeout(ms / 1000):
                await self._come.wait()
        except TimeoutError:
            return

    def send_away(self) -> None:
        """It waits in vain: somebody else has to be asked."""
        self.sent_away = True
        self._come.set()

    def hear(self, position: HostedMatch, report: RecordFanout) -> None:
        """See Listener."""
        if self.satisfied(position):
            self._come.set()

    def rewound(self, position: HostedMatch, epoch: int) -> None:
        """See Listener."""
        self._come.set()

    def gone(self) -> None:
        """See Listener."""
        self._come.set()

    def lost(self) -> None:
        """See Listener."""
        self._come.set()
