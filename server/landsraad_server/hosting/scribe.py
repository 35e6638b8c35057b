"""The information logs of a match on their way out: what is told is written once, for all who are told it alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from landsraad_engine.information import Entry, Recorder, at_entry
from landsraad_engine.table import State
from landsraad_server.hosting.records import Marks


@lru_cache(1024)
def _members(logs: int) -> tuple[int, ...]:
    """The numbers of the logs in a mask."""
    return tuple([number for number in range(logs.bit_length()) if logs >> number & 1])


class Scribe(Recorder):
    """The engine's recorder, but its logs are not kept: a worker has thousands of matches in memory.

    All that a recorder knows follows from the state and from the `marks`, so the logs, and with them the numbers of
    decisions, come out the same on whichever worker the match goes on.
    """

    def __init__(self, seats: int, write: Callable[[Entry], bytes]) -> None:
        super().__init__(seats)
        self._write = write
        self._spoken: list[tuple[int, Entry]] = []
        self._counts = [0] * (seats + 1)
        self._to_all = 0  # entries that everybody was told since `_counts` was right

    def resume(self, g: State, marks: Marks) -> None:
        """Go on with a state whose question has been put, as of these marks."""
        self._spoken.clear()
        self._counts, self._to_all = list(marks.counts), 0
        self._steps = list(marks.steps)
        self._at = at_entry(g) if any(marks.steps) else ()
        self._asked = [
            (number, g.ask.plain(seat)) if number and g.ask is not None else None
            for seat, number in enumerate(marks.asked)
        ]

    def _tell(self, logs: int, entry: Entry) -> None:
        self._spoken.append((logs, entry))
        if logs == self._everybody:
            self._to_all += 1
        else:
            counts = self._counts
            for number in _members(logs):
                counts[number] += 1

    def _last(self, log: int) -> int:
        return self._counts[log] + self._to_all

    def last(self, log: int) -> int:
        """The number of a log's last entry."""
        return self._last(log)

    @property
    def spoken(self) -> bool:
        """Whether something was told since the last `take`."""
        return bool(self._spoken)

    def marks(self) -> Marks:
        """How far the logs go."""
        counts = [count + self._to_all for count in self._counts]
        return Marks(counts, list(self._steps), [asked[0] if asked else 0 for asked in self._asked])

    def take(self) -> list[tuple[int, bytes]]:
        """What was told since the last call, in its order."""
        write = self._write
        told = [(mask, write(entry)) for mask, entry in self._spoken]
        self._spoken.clear()
        return told
