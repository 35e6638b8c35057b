"""Information logs: what each seat has been told, and the view that follows from it.

A seat's log holds, numbered from 1 for this seat alone, the events as it saw them, the public step, the questions put
to it and its own answers. It is what is streamed, resumed from, replayed and tested for leaks. A *view* is the fold of
a log; the fold is the few cases below, the same for every game, and easy to write again in another language. A test
holds ``fold(log)`` against the view built directly from the table, after every step of random games.

A log tells *events* to everybody alike, and *asides* to those alone who saw more than the others. So a seat also knows
which of the hidden faces it knows are known to all: rules may go by that, its own secrets are nobody's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from .asks import Ask
from .events import STOOD, Event
from .frames import Frame
from .grammar import Act
from .kernel import plain
from .table import State
from .zones import ENGINE_KEYS, HIDDEN, UNSEEN, Content, Layout, Place, Sight

Entry = tuple[Any, ...]
Standing: TypeAlias = tuple[Sequence[Frame], str, tuple[int, ...]]


def canonical(faces: Iterable[str], backs: int) -> tuple[str, ...]:
    """An unordered place as a view shows it: known faces in order, then backs."""
    return (*sorted(faces), *[HIDDEN] * backs)


def bit_of(g: State, seat: int | None) -> int:
    """The bit that stands for a seat in masks; the spectators (None) have the one after the last seat's."""
    return 1 << (g.setting.seats if seat is None else seat)


def places_seen(g: State, seat: int | None) -> dict[str, Any]:
    """The places of the table as one seat sees them (None: as a spectator does)."""
    bit = bit_of(g, seat)
    table = g.table
    eyes = g.eyes
    places = g.setting.places
    view: dict[str, Any] = {}
    for key, value in table.items():
        if key.startswith(ENGINE_KEYS):
            continue
        if eyes[key] & bit:
            view[key] = value
            continue
        zone = places[key].zone
        if zone.sight in UNSEEN:
            continue
        if zone.content is Content.MARK:
            view[key] = HIDDEN
            continue
        masks = table.get("*" + key)
        if masks is None:
            view[key] = (HIDDEN,) * len(value)
        elif zone.content is Content.PILE:
            view[key] = tuple(f if m & bit else HIDDEN for f, m in zip(value, masks, strict=True))
        else:
            known = [f for f, m in zip(value, masks, strict=True) if m & bit]
            view[key] = canonical(known, len(value) - len(known))
    return view


def shown_faces(g: State) -> dict[str, tuple[str, ...]]:
    """The hidden places in which everybody knows a face: those faces, and "?" for the others."""
    everybody = g.setting.everybody
    shown = {}
    for star, masks in g.table.items():
        if star[0] != "*":
            continue
        key = star[1:]
        eyes = g.eyes[key]
        if any(mask | eyes == everybody for mask in masks):
            known = tuple(f if m | eyes == everybody else HIDDEN for f, m in zip(g.table[key], masks, strict=True))
            ordered = g.setting.places[key].zone.content is Content.PILE
            shown[key] = known if ordered else canonical([f for f in known if f != HIDDEN], known.count(HIDDEN))
    return shown


class View:
    """What one seat knows: the places it sees, the public step, the question put to it."""

    __slots__ = ("ask", "at", "places", "seat", "shown")

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.places: dict[str, Any] = {}
        #: hidden places with faces that everybody knows: those faces, and "?" for the others
        self.shown: dict[str, tuple[str, ...]] = {}
        #: (path of frames and steps, rule of the open question, seats that are asked)
        self.at: Entry = ()
        #: (number of the log entry, the question as plain data) while this seat has to answer
        self.ask: Entry | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and (self.seat, self.places, self.shown, self.at, self.ask) == (
            other.seat,
            other.places,
            other.shown,
            other.at,
            other.ask,
        )

    __hash__ = None  # type: ignore[assignment]


_image = msgspec.msgpack.Encoder().encode
#: Procedures in progress as they are told, by their images, which are made in a quarter of the time: from one question
#: to the next most stand as they stood.
_told: dict[bytes, Entry] = {}
_MOST_TOLD = 8192


def told_frame(frame: Frame) -> Entry:
    """A procedure in progress as it is told. Its fields are public facts."""
    return tuple(sorted(msgspec.to_builtins(frame).items()))


def _stack(frames: Iterable[Frame]) -> Entry:
    stack = []
    for frame in frames:
        image = _image(frame)
        told = _told.get(image)
        if told is None:
            if len(_told) >= _MOST_TOLD:
                _told.clear()
            told = _told[image] = told_frame(frame)
        stack.append(told)
    return tuple(stack)


def standing(g: State) -> Standing:
    """Where the match stands: its procedures in progress, the rule of the open question, who is asked."""
    ask = g.ask
    if ask is None:
        return (g.stack, "", ())
    # Who has answered a sealed question is public and stands in its places; of a quiet one nothing may be told.
    return (g.stack, ask.why, ask.seats if ask.mode == "all" else g.waiting)


def at_entry(g: State) -> Entry:
    """The public step. Frames' fields are public facts, so the whole stack may be told."""
    frames, why, seats = standing(g)
    return (_stack(frames), why, seats)


def view_of(g: State, seat: int | None, decision: int = 0) -> View:
    """The view built directly from the table (the fold of the log must equal it)."""
    view = View(seat)
    view.places = places_seen(g, seat)
    view.shown = shown_faces(g)
    view.at = at_entry(g)
    if seat is not None and g.ask is not None and seat in g.waiting:
        view.ask = (decision, g.ask.plain(seat))
    return view


class Asked(NamedTuple):
    """A question that a seat has open."""

    number: int  #: of its entry
    entry: Any
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
        self._asked: list[Asked | None] = [None] * seats

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
        """The public step."""
        return ("at", _stack(frames), why, seats)

    def _question(self, ask: Ask, seat: int) -> Any:
        """What a seat is asked."""
        return ("ask", *ask.plain(seat))

    def _own(self, kind: str, act: Act) -> Any:
        """A seat's own answer, or out-of-turn play."""
        return (kind, plain(act))

    def _withdrawn(self) -> Any:
        """A question is closed by somebody else's answer."""
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

    def answered(self, seat: int, act: Act) -> None:
        """A seat's own answer was accepted; its question is closed."""
        self._tell(1 << seat, self._own("answer", act))
        self._asked[seat] = None

    def played(self, seat: int, act: Act) -> None:
        """A seat's out-of-turn play was accepted."""
        self._tell(1 << seat, self._own("play", act))

    def note(self, g: State) -> None:
        """Take what has happened since the last call."""
        everybody = self._everybody
        for event in g.events:
            public, insiders = event.public, event.insiders
            if event.verb == STOOD and public is not None:
                self._stands(self._step(*public))
                continue
            if insiders:
                kind = "event" if insiders == everybody else "aside"
                self._tell(insiders, self._event(kind, event, event.private))
            if public is not None and insiders != everybody:
                self._tell(everybody & ~insiders, self._event("event", event, public))
        g.events.clear()
        self._stands(self._step(*standing(g)))
        self._questions(g)

    def _stands(self, at: Any) -> None:
        """Tell everybody the public step, if it is another one than before."""
        if at != self._at:
            self._at = at
            self._tell(self._everybody, at)
            self._steps = self._ends()

    def _questions(self, g: State) -> None:
        ask = g.ask
        for seat, asked in enumerate(self._asked):
            if ask is not None and seat in g.waiting:
                if asked is not None and asked.ask is ask:
                    continue  # of several who are asked, one who has not answered
                entry = self._question(ask, seat)
                if asked is None or asked.entry != entry:
                    self._tell(1 << seat, entry)
                    self._asked[seat] = Asked(self._last(seat), entry, ask)
            elif asked is not None:
                self._tell(1 << seat, self._withdrawn())
                self._asked[seat] = None


#: verbs that touch pieces -> the places that they touch, from the arguments of an event
_PIECES_TOUCHED: Mapping[str, Callable[[tuple[Any, ...]], tuple[str, ...]]] = {
    "move": lambda arguments: (arguments[0], arguments[2]),
    "gather": lambda arguments: arguments[:2],
    "place": lambda arguments: arguments[:1],
    "shuffle": lambda arguments: arguments[:1],
    "look": lambda arguments: arguments[:1],
    "reveal": lambda arguments: arguments[:1],
}


class Fold:
    """The fold of an information log, entry by entry."""

    def __init__(self, layout: Layout, seat: int | None, *, told: bool = True) -> None:
        self.layout = layout
        self.view = View(seat)
        self._sides = {f"#{seat}"}
        self._n = 0
        #: the fold of what everybody was told of the pieces (it needs none of its own)
        self._told = Fold(layout, None, told=False) if told else None

    def add(self, entries: Iterable[Entry]) -> Fold:
        for entry in entries:
            self._n += 1
            kind = entry[0]
            if kind in ("event", "aside"):
                getattr(self, "_" + entry[1])(*entry[3:])
                self._note_shown(kind, entry[1], entry[3:])
            elif kind == "at":
                self.view.at = entry[1:]
            elif kind == "ask":
                self.view.ask = (self._n, entry[1:])
            elif kind in ("answer", "closed"):
                self.view.ask = None
        return self

    def _note_shown(self, kind: str, verb: str, arguments: tuple[Any, ...]) -> None:
        """Follow what everybody knows of the pieces: of an aside the others are told as much as hides the faces."""
        touched = _PIECES_TOUCHED.get(verb)
        if touched is None or self._told is None:
            return
        getattr(self._told, "_" + verb)(*(arguments if kind == "event" else (*arguments[:-1], None)))
        for key in touched(arguments):
            shown = self._told.view.places.get(key, ())
            if self.layout.places[key].zone.sight is not Sight.OPEN and any(face != HIDDEN for face in shown):
                self.view.shown[key] = shown
            else:
                self.view.shown.pop(key, None)

    # -- helpers

    def _sees(self, place: Place) -> bool:
        return place.zone.sight not in UNSEEN or not self._sides.isdisjoint(place.owners)

    def _store(self, key: str, value: Any) -> None:
        # A mark is there with any value but None; of everything else the empty value is not stored.
        if value is None or (value == self.layout.empty(key) and self._content(key) is not Content.MARK):
            self.view.places.pop(key, None)
        else:
            self.view.places[key] = value

    def _content(self, key: str) -> Content:
        return self.layout.places[key].zone.content

    def _pieces(self, key: str) -> list[str]:
        return list(self.view.places.get(key, ()))

    def _keep(self, key: str, pieces: list[str]) -> None:
        if self._content(key) is Content.PILE:
            self._store(key, tuple(pieces))
        else:
            known = [p for p in pieces if p != HIDDEN]
            self._store(key, canonical(known, len(pieces) - len(known)))

    # -- one method for each verb

    def _set(self, key: str, value: Any) -> None:
        self._store(key, value)
        if key.startswith("side/"):
            seat = self.view.seat
            if key == f"side/{seat}":
                self._sides = {f"#{seat}"} | ({value} if value else set())

    def _open(self, key: str, value: Any) -> None:
        self._store(key, None)

    def _transfer(self, source: str, target: str, amount: int) -> None:
        for key, change in ((source, -amount), (target, amount)):
            if self._sees(self.layout.places[key]):
                self._store(key, self.view.places.get(key, 0) + change)

    def _shift(self, source: str, target: str, counts: tuple[int, ...]) -> None:
        zero = (0,) * len(counts)
        for key, sign in ((source, -1), (target, 1)):
            have = self.view.places.get(key, zero)
            self._store(key, tuple(a + sign * b for a, b in zip(have, counts, strict=True)))

    def _exchange(self, key: str, counts: tuple[int, ...]) -> None:
        self._store(key, counts)

    def _move(self, source: str, at: int | None, target: str, to: int | None, face: str | None) -> None:
        left = self._pieces(source)
        if at is not None:
            del left[at]
        elif face is None:  # one that this seat knew may have left: it knows none of them any more
            left = [HIDDEN] * (len(left) - 1)
        else:
            left.remove(face if face in left else HIDDEN)
        self._keep(source, left)
        there = self._pieces(target)
        there.insert(len(there) if to is None else to, HIDDEN if face is None else face)
        self._keep(target, there)

    def _place(self, key: str, what: tuple[Any, ...]) -> None:
        if self._content(key) is Content.STACK:
            self._store(key, what)
        else:
            self._keep(key, list(what))

    def _gather(self, source: str, target: str, faces: tuple[str, ...] | None) -> None:
        pieces = self._pieces(source)
        if faces is not None:
            pieces = list(faces)
        elif self._content(source) is not Content.PILE:  # they came in an order that this seat has not seen
            pieces = [HIDDEN] * len(pieces)
        self._keep(target, self._pieces(target) + pieces)
        self._store(source, None)

    def _shuffle(self, key: str) -> None:
        self._store(key, (HIDDEN,) * len(self._pieces(key)))

    def _look(self, key: str, index: int | None, seats: int, shown: Any) -> None:
        if shown is None:
            return
        if index is None:
            self._keep(key, list(shown))
        else:
            pieces = self._pieces(key)
            pieces[index] = shown
            self._keep(key, pieces)

    def _reveal(self, key: str, index: int | None, face: str) -> None:
        pieces = self._pieces(key)
        if index is not None:
            pieces[index] = face
        elif face not in pieces:
            pieces[pieces.index(HIDDEN)] = face
        self._keep(key, pieces)

    def _nothing(self, *args: Any) -> None:
        """Said aloud, changes no place."""

    _declare = _announce = _whisper = _roll = _nothing


def fold(layout: Layout, seat: int | None, entries: Iterable[Entry]) -> View:
    """The view that follows from an information log."""
    return Fold(layout, seat).add(entries).view


def encode_log(entries: Iterable[Entry]) -> bytes:
    """A log as bytes: equal logs, equal bytes."""
    return msgspec.msgpack.encode(list(entries))
