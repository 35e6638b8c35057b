"""Those who only watch: the spectators' log, as far behind the players as the match says."""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import groupby

from landsraad.v1 import common_pb2, play_pb2
from landsraad_server.hosting.history import History
from landsraad_server.hosting.host import Host
from landsraad_server.hosting.position import Position
from landsraad_server.sessions.following import LogStream, Why
from landsraad_server.sessions.observing import blank_observation, snapshot_bytes, wanted
from landsraad_server.sessions.session import Session


class Spectator(LogStream):
    """What it is told goes through a delay line; without a delay that is as good as none."""

    __slots__ = ("_delay_ms", "_due", "_line", "_timer", "_told_all")

    def __init__(self, session: Session, host: Host) -> None:
        super().__init__(session, 0, host, None)
        self._delay_ms = 0
        self._line: deque[tuple[int, bytes, bool]] = deque()  # when it may be told, the item, part of the log?
        self._due = 0  # when what is put now may be told; 0: a delay from now
        self._timer: asyncio.TimerHandle | None = None
        self._told_all = False  # nothing will be put any more

    def begin(self, position: Position, cursor: common_pb2.Cursor | None) -> None:
        """With a delay nobody has kept the view as it was then: it begins with nothing, and the whole log follows."""
        delay = position.terms.watch_delay_ms
        if not delay or (position.over and position.standing.ended + delay <= self.session.hall.now()):
            super().begin(position, cursor)
            return
        self.host.listen(self)
        self.tell_match(position)
        self.sent = max(0, wanted(cursor) - 1)
        if not wanted(cursor):
            nothing = blank_observation(position, self.host.head.epoch)
            self.put("snapshot", snapshot_bytes(nothing, play_pb2.SNAPSHOT_REASON_ASKED))
        self._delay_ms = delay
        self.catch_up(position)

    def resend(self, history: History) -> bool:
        """Tell what was missed, each entry when its time has come."""
        if not self._delay_ms:
            return super().resend(history)
        for at, entries in groupby(history.after(self.sent), key=lambda entry: entry[0]):
            self._due = at + self._delay_ms
            self.tell_entries([body for _, body in entries])
        self._due = 0
        return True

    def send(self, said: bytes, *, log: bool, patient: bool = False) -> None:
        """Let an item be written, when it is time."""
        if not self._delay_ms:
            super().send(said, log=log, patient=patient)
            return
        due = self._due or self.session.hall.now() + self._delay_ms
        self._line.append((due, said, log))
        self._release()

    def _release(self) -> None:
        now = self.session.hall.now()
        while self._line and self._line[0][0] <= now:
            _, body, log = self._line.popleft()
            self.session.outbox.put(body, log=log)
        self.forget()
        if self._line:
            seconds = (self._line[0][0] - now) / 1000
            self._timer = asyncio.get_running_loop().call_later(seconds, self._release)
        elif self._told_all:
            self.session.close_stream(self, None)

    def forget(self) -> None:
        """Release nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def close(self, reason: Why) -> None:
        """The end of the match is told late, too; all other ends at once."""
        if self._delay_ms and reason == play_pb2.CLOSED_REASON_OVER:
            if not self._told_all:
                self._told_all = True
                self.host.unlisten(self)
                self.farewell(reason)
        else:
            self._delay_ms = 0
            self.forget()
            super().close(reason)
