"""Information logs: what each seat has been told, numbered from 1 for this seat alone.

A seat's log holds the events as it saw them, the public step, the questions put to it and its own answers. It is what
is streamed, resumed from, replayed and tested for leaks. A log tells *events* to everybody alike, and *asides* to those
alone who saw more than the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from landsraad_engine.errors import Refused
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.events import WINDOW_OPENED, WINDOW_PASSED, Event
from landsraad_engine.kernel.frames import Frame
from landsraad_engine.kernel.state import State

from .information import Entry, plain_stack, public_step

_WINDOWS = (WINDOW_OPENED, WINDOW_PASSED)


class OpenQuestion(NamedTuple):
    """A question that a seat has open."""

    number: int  #: of its entry
    entry: Any  #: without its number
    ask: Ask  #: the engine's question that the entry was made of


class Recorder:
    """Keeps the information log of every seat of a match, and one for spectators (index -1).

    What is told, and to whom, is decided here alone. How an entry looks is the business of the few methods that make
    one: plain data here, while a service that only passes entries on makes bytes of them at once. Two entries must be
    equal if and only if they say the same.
    """

    def __init__(self, seats: int) -> None:
        self.logs: list[list[Entry]] = [[] for _ in range(seats + 1)]
        self._everybody = (2 << seats) - 1
        self._at: Any = ()
        #: per log: number of the entry that told the public step
        self._steps = [0] * (seats + 1)
        self._asked: list[OpenQuestion | None] = [None] * seats

    def copy(self) -> Recorder:
        """A recorder that goes on from here by itself."""
        twin = Recorder(len(self._asked))
        twin.logs = [list(log) for log in self.logs]
        twin._at = self._at
        twin._steps = list(self._steps)
        twin._asked = list(self._asked)
        return twin

    def decision(self, seat: int) -> int:
        """The number of the question that a seat has open (0: none)."""
        asked = self._asked[seat]
        return asked.number if asked else 0

    def step(self, seat: int) -> int:
        """The number of the entry that told a seat the public step."""
        return self._steps[seat]

    # ------------------------------------------------------------------------------------------------------- entries

    def _event(self, kind: str, event: Event, arguments: tuple[Any, ...]) -> Any:
        """An event as everybody was told it, or an aside."""
        return (kind, event.verb, event.rule, *arguments)

    def _step(self, frames: Sequence[Frame], why: str, seats: tuple[int, ...]) -> Any:
        """Return the entry of a public step."""
        return ("at", plain_stack(frames), why, seats)

    def _question(self, ask: Ask, seat: int) -> Any:
        """Return the entry of a question to a seat."""
        return ("ask", *ask.plain(seat))

    def _numbered(self, question: Any, number: int) -> Any:
        """Return the entry of a question with its number. Here the place in the log says it."""
        return question

    def _own(self, kind: str, act: tuple[Any, ...]) -> Any:
        """A seat's own answer, or out-of-turn play."""
        return (kind, act)

    def _withdrawn(self) -> Any:
        """Return the entry by which a question is withdrawn, because another seat has answered it."""
        return ("closed",)

    # ------------------------------------------------------------------------------------------------- who is told

    def _tell(self, logs: int, entry: Any) -> None:
        """Write an entry into the logs with these bits (the spectators' is the one after the last seat's)."""
        if logs == self._everybody:
            for log in self.logs:
                log.append(entry)
            return
        for number, log in enumerate(self.logs):
            if logs >> number & 1:
                log.append(entry)

    def _last(self, log: int) -> int:
        """The number of a log's last entry."""
        return len(self.logs[log])

    def _ends(self) -> list[int]:
        """The number of each log's last entry."""
        return list(map(len, self.logs))

    def accepted(self, seat: int, kind: str, act: tuple[Any, ...]) -> None:
        """Tell a seat that its act was accepted; an "answer" closes its question, a "play" does not."""
        self._tell(1 << seat, self._own(kind, act))
        if kind == "answer":
            self._asked[seat] = None

    def check_current(self, seat: int, decision: int | None, during: int | None) -> None:
        """Raise `Refused` if a seat names a ``decision``, or a public step ``during``, that is not the present one."""
        if during is not None and during != self._steps[seat]:
            raise Refused("stale", "the match has moved on to another step", decision=self.decision(seat))
        if decision is not None and decision != self.decision(seat):
            raise Refused("stale", "this decision is no longer open", decision=self.decision(seat))

    def note(self, g: State, events: Iterable[Event]) -> None:
        """Tell what has happened since the last call: events, then the public step and the questions of the state."""
        everybody = self._everybody
        for event in events:
            public, insiders = event.public, event.insiders
            if event.verb in _WINDOWS and public is not None:
                self._stands(self._step(*public))
                if event.verb == WINDOW_PASSED:
                    self._withdraw_all()
                continue
            if insiders:
                kind = "event" if insiders == everybody else "aside"
                self._tell(insiders, self._event(kind, event, event.private))
            if public is not None and insiders != everybody:
                self._tell(everybody & ~insiders, self._event("event", event, public))
        self._stands(self._step(*public_step(g)))
        self._questions(g)

    def _stands(self, at: Any) -> None:
        """Tell everybody the public step, if it is another one than before."""
        if at != self._at:
            self._at = at
            self._tell(self._everybody, at)
            self._steps = self._ends()

    def _withdraw_all(self) -> None:
        """Withdraw the questions that were open before a window which passed at once.

        Had a seat been asked there, they would be withdrawn at the window. So they are in any case: what a seat is told
        must not depend on what others could answer.
        """
        for seat, asked in enumerate(self._asked):
            if asked is not None:
                self._tell(1 << seat, self._withdrawn())
                self._asked[seat] = None

    def _questions(self, g: State) -> None:
        ask = g.ask
        for seat, asked in enumerate(self._asked):
            if ask is not None and seat in g.waiting:
                if asked is not None and asked.ask is ask:
                    continue  # of several who are asked, one who has not answered
                entry = self._question(ask, seat)
                if asked is None or asked.entry != entry:
                    number = self._last(seat) + 1
                    self._tell(1 << seat, self._numbered(entry, number))
                    self._asked[seat] = OpenQuestion(number, entry, ask)
            elif asked is not None:
                self._tell(1 << seat, self._withdrawn())
                self._asked[seat] = None
