"""The knowledge of a seat, computed from the table.

There are two ways to it. `recorder` writes an information log for each seat, and `fold` computes the seat's knowledge
from its log alone; this module reads the table. A test compares the two after every step of random games.

A view also marks which hidden faces are common knowledge, because some rules depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import msgspec

from landsraad_engine.kernel.frames import Frame
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import HIDDEN, UNSEEN, Content

#: An entry of an information log as plain data: its kind, then its arguments.
Entry = tuple[Any, ...]
#: The part of the state that every seat sees: frames in progress, rule of the open question, seats asked.
PublicStep: TypeAlias = tuple[Sequence[Frame], str, tuple[int, ...]]


def canonical(known: Sequence[str]) -> tuple[str, ...]:
    """Return the pieces of an unordered place as a view shows them: known faces in order, then backs."""
    backs = known.count(HIDDEN)
    if backs == len(known):
        return tuple(known)
    return (*sorted([face for face in known if face != HIDDEN]), *[HIDDEN] * backs)


def seat_bit(g: State, seat: int | None) -> int:
    """Return the bit of a seat in masks; spectators (None) have the bit after the last seat's."""
    return 1 << (g.setting.seats if seat is None else seat)


def places_seen(g: State, seat: int | None) -> dict[str, Any]:
    """Return the places of the table as a seat sees them (None: as spectators do)."""
    bit = seat_bit(g, seat)
    table = g.table
    eyes = g.eyes
    places = g.setting.places
    view: dict[str, Any] = {}
    for key, value in table.items():
        seen = eyes.get(key)
        if seen is None:  # the engine's own: a seen-mask or a counter
            continue
        if seen & bit:
            view[key] = value
            continue
        zone = places[key].zone
        if zone.sight in UNSEEN:
            continue
        if zone.content is Content.MARK:
            view[key] = HIDDEN
            continue
        known = g.known_faces(key, bit)
        view[key] = known if zone.content is Content.PILE else canonical(known)
    return view


def shown_faces(g: State) -> dict[str, tuple[str, ...]]:
    """Return the hidden places with faces that are common knowledge, all other faces replaced by ``HIDDEN``."""
    shown = {}
    for star in g.table:
        if star[0] != "*":
            continue
        key = star[1:]
        known = g.known_to_all(key)
        if known.count(HIDDEN) < len(known):
            ordered = g.setting.places[key].zone.content is Content.PILE
            shown[key] = known if ordered else canonical(known)
    return shown


class KnownTable:
    """The knowledge of one seat: the places that it sees, the public step and its open question."""

    __slots__ = ("ask", "at", "places", "seat", "shown")

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.places: dict[str, Any] = {}
        #: hidden places with faces that are common knowledge (see ``shown_faces``)
        self.shown: dict[str, tuple[str, ...]] = {}
        #: the public step: (frames, rule of the open question, seats asked)
        self.at: Entry = ()
        #: (number of the log entry, the question as plain data) while this seat has to answer
        self.ask: Entry | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KnownTable) and (self.seat, self.places, self.shown, self.at, self.ask) == (
            other.seat,
            other.places,
            other.shown,
            other.at,
            other.ask,
        )

    __hash__ = None  # type: ignore[assignment]


_encode = msgspec.msgpack.Encoder().encode
#: Cache of ``plain_frame`` by the encoded frame. Most frames do not change from one question to the next, and encoding
#: takes a quarter of the time of conversion.
_plain_frames: dict[bytes, Entry] = {}
_CACHE_SIZE = 8192


def plain_frame(frame: Frame) -> Entry:
    """Return a frame as plain data: its fields, sorted by name, which are public facts."""
    return tuple(sorted(msgspec.to_builtins(frame).items()))


def plain_stack(frames: Iterable[Frame]) -> Entry:
    """Return all frames in progress as plain data."""
    stack = []
    for frame in frames:
        encoded = _encode(frame)
        plain = _plain_frames.get(encoded)
        if plain is None:
            if len(_plain_frames) >= _CACHE_SIZE:
                _plain_frames.clear()
            plain = _plain_frames[encoded] = plain_frame(frame)
        stack.append(plain)
    return tuple(stack)


def public_step(g: State) -> PublicStep:
    """Return the public step: the frames in progress, the rule of the open question, the seats asked."""
    ask = g.ask
    if ask is None:
        return (g.stack, "", ())
    # A question to several seats names all of them, answered or not: sealed answers are already visible as marks, and
    # nothing may be revealed about quiet ones.
    return (g.stack, ask.why, ask.seats if ask.mode == "all" else g.waiting)


def at_entry(g: State) -> Entry:
    """Return the public step as plain data, as logs and views hold it."""
    frames, why, seats = public_step(g)
    return (plain_stack(frames), why, seats)


def view_of(g: State, seat: int | None, decision: int = 0) -> KnownTable:
    """Return the knowledge of a seat, which equals the fold of its log."""
    view = KnownTable(seat)
    view.places = places_seen(g, seat)
    view.shown = shown_faces(g)
    view.at = at_entry(g)
    if seat is not None and g.ask is not None and seat in g.waiting:
        view.ask = (decision, g.ask.plain(seat))
    return view


def encode_log(entries: Iterable[Entry]) -> bytes:
    """Encode a log; equal logs give equal bytes."""
    return msgspec.msgpack.encode(list(entries))
