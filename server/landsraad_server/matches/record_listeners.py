"""Record listeners: the observers of one match on one worker, such as streams and waiting calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Protocol

from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.records import MatchRecord


class RecordListener(Protocol):
    """An observer of the records of a match."""

    def on_record(self, hosted: HostedMatch, fanout: RecordFanout) -> None:
        """Take a committed record; the match is as of after it."""

    def on_rewound(self, hosted: HostedMatch, epoch: int, stands: Sequence[int]) -> None:
        """Learn that the log has lost its end; the match is as of now, in a new epoch.

        Args:
            hosted: The match.
            epoch: The new epoch, higher than all that this listener was told of.
            stands: The lengths of all information logs, as far as their entries are still valid. They may be longer by
                now, with other entries than the listener was told of.
        """

    def on_archived(self) -> None:
        """Learn that the match has left the store, and that no more records come."""

    def on_failed(self) -> None:
        """Learn that a record could not be delivered and that none follows: subscribe anew."""


class RecordListeners:
    """The listeners of one match. A listener that raises is told that it has failed; the others are told as usual."""

    __slots__ = ("_listeners", "_log_fault")

    def __init__(self, log_fault: Callable[[Exception], None]) -> None:
        self._listeners: list[RecordListener] = []
        self._log_fault = log_fault

    def __len__(self) -> int:
        return len(self._listeners)

    def __iter__(self) -> Iterator[RecordListener]:
        return iter(self._listeners)

    def add(self, listener: RecordListener) -> None:
        """Tell a listener of all that follows."""
        self._listeners.append(listener)

    def remove(self, listener: RecordListener) -> None:
        """Tell a listener of nothing more; nothing happens if it is unknown."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def notify(self, tell: Callable[[RecordListener], None]) -> None:
        """Call a function with each listener."""
        for listener in tuple(self._listeners):
            try:
                tell(listener)
            except Exception as error:  # noqa: BLE001  a fault of one listener must not reach the others
                self._on_fault(listener, error)

    def on_record(self, hosted: HostedMatch, record: MatchRecord) -> None:
        """Tell all listeners of a record: what `notify` does, without another call for each listener."""
        fanout: RecordFanout | None = None  # Made in the loop, since its faults are those of telling, too.
        for listener in tuple(self._listeners):
            try:
                if fanout is None:
                    fanout = RecordFanout(record)
                listener.on_record(hosted, fanout)
            except Exception as error:  # noqa: BLE001
                self._on_fault(listener, error)

    def _on_fault(self, listener: RecordListener, error: Exception) -> None:
        self._log_fault(error)
        with suppress(Exception):  # The listener may be too broken to take even that.
            listener.on_failed()
