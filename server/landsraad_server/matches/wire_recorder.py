"""The information logs of a match on their way out: what is told is written once, for all who are told it alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from landsraad.wire.codec import Codec
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.events import Event
from landsraad_engine.kernel.frames import Frame
from landsraad_engine.kernel.state import State
from landsraad_engine.knowledge.information import public_step
from landsraad_engine.knowledge.recorder import OpenQuestion, Recorder
from landsraad_server.matches.record_fanout import members
from landsraad_server.matches.records import LogCounters


class WireRecorder(Recorder):
    """The engine's recorder, but its entries are bytes of the wire, and its logs are not kept: a worker has thousands
    of matches in memory.

    All that a recorder knows follows from the state and from the `marks`, so the logs, and with them the numbers of
    decisions, come out the same on whichever worker the match goes on.
    """

    def __init__(self, seats: int, codec: Codec) -> None:
        super().__init__(seats)
        self._codec = codec
        self._write = codec.cached_entry
        self._told: list[tuple[int, bytes]] = []
        self._counts = [0] * (seats + 1)
        self._to_all = 0  # entries that everybody was told since `_counts` was right

    def resume(self, g: State, marks: LogCounters) -> None:
        """Go on with a state whose question has been put, as of these marks."""
        self._told.clear()
        self._counts, self._to_all = list(marks.counts), 0
        self._steps = list(marks.steps)
        self._at = self._step(*public_step(g)) if any(marks.steps) else b""
        self._asked = [
            OpenQuestion(number, self._question(g.ask, seat), g.ask) if number and g.ask is not None else None
            for seat, number in enumerate(marks.asked)
        ]

    def _event(self, kind: str, event: Event, arguments: tuple[Any, ...]) -> bytes:
        return self._write((kind, event.verb, event.rule, *arguments))

    def _step(self, frames: Sequence[Frame], why: str, seats: tuple[int, ...]) -> bytes:
        return self._codec.step(frames, why, seats)

    def _question(self, ask: Ask, seat: int) -> bytes:
        return self._codec.question(ask, seat)

    def _own(self, kind: str, act: tuple[Any, ...]) -> bytes:
        return self._write((kind, act))

    def _withdrawn(self) -> bytes:
        return self._write(("closed",))

    def _tell(self, logs: int, entry: bytes) -> None:
        self._told.append((logs, entry))
        if logs == self._everybody:
            self._to_all += 1
        else:
            counts = self._counts
            for number in members(logs):
                counts[number] += 1

    def _last(self, log: int) -> int:
        return self._counts[log] + self._to_all

    def _ends(self) -> list[int]:
        to_all = self._to_all
        return [count + to_all for count in self._counts]

    def last(self, log: int) -> int:
        """The number of a log's last entry."""
        return self._last(log)

    @property
    def spoken(self) -> bool:
        """Whether something was told since the last `take`."""
        return bool(self._told)

    def marks(self) -> LogCounters:
        """How far the logs go."""
        return LogCounters(self._ends(), list(self._steps), [asked.number if asked else 0 for asked in self._asked])

    def take(self) -> list[tuple[int, bytes]]:
        """What was told since the last call, in its order."""
        told, self._told = self._told, []
        return told
