"""Passing until something changes: answers that a person has given for the time being."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.knowledge.information import Entry
from landsraad_engine.knowledge.views import SeatView


def passing_act(options: Options, passing: Collection[str]) -> Act | None:
    """Return the act by which a seat passes; None if it cannot."""
    for choice in options.choices:
        if choice.act.__name__ in passing:
            return Options([choice]).only()
    return None


def concerns(entry: Entry, side: str | None) -> bool:
    """Return whether an entry of a log names a side: its pieces, its places, its acts."""
    return side is not None and entry[0] in ("event", "aside") and _names(entry[1:], side)


def _names(value: Any, side: str) -> bool:
    if isinstance(value, str):
        return side in value.split("/")
    return isinstance(value, tuple | list) and any(_names(part, side) for part in value)


@dataclass(slots=True)
class Passing:
    """The person's wish to pass, from the moment when it was said until something changes."""

    wanted: bool = False
    #: True when something has happened since the last question that is worth a sentence
    news: bool = False

    def begin(self) -> None:
        """Pass from now on."""
        self.wanted, self.news = True, False

    def hear(self, entries: Iterable[Entry], sentences: int, view: SeatView) -> None:
        """Take in what has happened. An entry that concerns the seat ends the passing."""
        self.news = self.news or sentences > 0
        if sentences and any(concerns(entry, view.side) for entry in entries):
            self.wanted = False

    def answer(self, options: Options, passing: Collection[str]) -> Act | None:
        """Return the act by which the seat passes now; None if the person has to be asked."""
        if not self.wanted:
            return None
        act = passing_act(options, passing)
        if act is None or (self.news and options.only() is None):
            self.wanted = False
            return None
        self.news = False
        return act
