"""The information logs of a match on their way out: what is told is written once, for all who are told it alike."""

from __future__ import annotations

from collections.abc import Callable

from landsraad_engine.information import Entry, Recorder, at_entry
from landsraad_engine.table import State
from landsraad_server.hosting.records import Marks


class _Counted(list[Entry]):
    """Stands in for one log: counts its entries and hands them on, instead of keeping them."""

    __slots__ = ("_bit", "_told", "length")

    def __init__(self, number: int, told: list[tuple[int, Entry]]) -> None:
        super().__init__()
        self.length = 0
        self._bit = 1 << number
        self._told = told

    def __len__(self) -> int:
        return self.length

    def append(self, entry: Entry) -> None:
        self.length += 1
        told = self._told
        # The recorder gives all who are told the same the very same entry, and at most two forms of one event.
        for at in range(len(told) - 1, max(-1, len(told) - 3), -1):
            if told[at][1] is entry:
                told[at] = (told[at][0] | self._bit, entry)
                return
        told.append((self._bit, entry))


class Scribe(Recorder):
    """The engine's recorder, but its logs are not kept: a worker has thousands of matches in memory.

    All that a recorder knows follows from the state and from the `marks`, so the logs, and with them the numbers of
    decisions, come out the same on whichever worker the match goes on.
    """

    def __init__(self, seats: int, write: Callable[[Entry], bytes]) -> None:
        super().__init__(seats)
        self._write = write
        self._told: list[tuple[int, Entry]] = []
        self._counted = [_Counted(number, self._told) for number in range(seats + 1)]
        self.logs = list(self._counted)

    def resume(self, g: State, marks: Marks) -> None:
        """Go on with a state whose question has been put, as of these marks."""
        for log, count in zip(self._counted, marks.counts, strict=True):
            log.length = count
        self._steps = list(marks.steps)
        self._at = at_entry(g) if any(marks.steps) else ()
        self._asked = [
            (number, g.ask.plain(seat)) if number and g.ask is not None else None
            for seat, number in enumerate(marks.asked)
        ]
        self._told.clear()

    @property
    def spoken(self) -> bool:
        """Whether something was told since the last `take`."""
        return bool(self._told)

    def marks(self) -> Marks:
        """How far the logs go."""
        counts = [log.length for log in self._counted]
        return Marks(counts, list(self._steps), [asked[0] if asked else 0 for asked in self._asked])

    def take(self) -> list[tuple[int, bytes]]:
        """What was told since the last call, in its order."""
        told = [(mask, self._write(entry)) for mask, entry in self._told]
        self._told.clear()
        return told
