"""Wire recorder: encode new entries of the information logs, once for all logs that share an entry."""

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
    """The engine's recorder with encoded entries. It keeps no logs, since a worker has thousands of matches in memory.

    Its state follows from the game's state and from the `LogCounters`. So the logs, and with them the numbers of
    decisions, are the same on whichever worker the match goes on.
    """

    def __init__(self, seats: int, codec: Codec) -> None:
        super().__init__(seats)
        self._codec = codec
        self._write = codec.cached_entry
        self._entries: list[tuple[int, bytes]] = []
        self._counts = [0] * (seats + 1)
        self._to_all = 0  # Entries of all logs that `_counts` does not include yet.

    def resume(self, g: State, log_counters: LogCounters) -> None:
        """Continue the logs from a state whose question has been put."""
        self._entries.clear()
        self._counts, self._to_all = list(log_counters.counts), 0
        self._steps = list(log_counters.steps)
        self._at = self._step(*public_step(g)) if any(log_counters.steps) else b""
        self._asked = [
            OpenQuestion(number, self._question(g.ask, seat), g.ask) if number and g.ask is not None else None
            for seat, number in enumerate(log_counters.question_entries)
        ]

    def _event(self, kind: str, event: Event, arguments: tuple[Any, ...]) -> bytes:
        return self._write((kind, event.verb, event.rule, *arguments))

    def _step(self, frames: Sequence[Frame], why: str, seats: tuple[int, ...]) -> bytes:
        return self._codec.step(frames, why, seats)

    def _question(self, ask: Ask, seat: int) -> bytes:
        return self._codec.question(ask, seat)

    def _numbered(self, question: bytes, number: int) -> bytes:
        return self._codec.number_question(question, number)

    def _own(self, kind: str, act: tuple[Any, ...]) -> bytes:
        return self._write((kind, act))

    def _withdrawn(self) -> bytes:
        return self._write(("closed",))

    def _tell(self, logs: int, entry: bytes) -> None:
        self._entries.append((logs, entry))
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
        """Return the number of a log's last entry."""
        return self._last(log)

    @property
    def has_entries(self) -> bool:
        """Tell whether there are entries that were not taken yet."""
        return bool(self._entries)

    def log_counters(self) -> LogCounters:
        """Return the lengths of the logs, with the current steps and questions."""
        return LogCounters(self._ends(), list(self._steps), [asked.number if asked else 0 for asked in self._asked])

    def take(self) -> list[tuple[int, bytes]]:
        """Return the entries since the last call, in order."""
        entries, self._entries = self._entries, []
        return entries
