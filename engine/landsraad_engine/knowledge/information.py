"""What a seat knows: the view of a match, built from the table.

The same follows from what a seat has been told, its information log: `recorder` writes the logs, `fold` makes views of
them, and a test holds the fold of a log against the view built here, after every step of random games.

Of the hidden faces that it knows, a seat also knows which are known to all: rules may go by that, its own secrets are
nobody's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import msgspec

from landsraad_engine.kernel.frames import Frame
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import ENGINE_KEYS, HIDDEN, UNSEEN, Content

#: An entry of an information log, as plain data.
Entry = tuple[Any, ...]
PublicStep: TypeAlias = tuple[Sequence[Frame], str, tuple[int, ...]]


def canonical(faces: Iterable[str], backs: int) -> tuple[str, ...]:
    """An unordered place as a view shows it: known faces in order, then backs."""
    return (*sorted(faces), *[HIDDEN] * backs)


def seat_bit(g: State, seat: int | None) -> int:
    """The bit that stands for a seat in masks; the spectators (None) have the one after the last seat's."""
    return 1 << (g.setting.seats if seat is None else seat)


def places_seen(g: State, seat: int | None) -> dict[str, Any]:
    """The places of the table as one seat sees them (None: as a spectator does)."""
    bit = seat_bit(g, seat)
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


class KnownTable:
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
        return isinstance(other, KnownTable) and (self.seat, self.places, self.shown, self.at, self.ask) == (
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


def plain_frame(frame: Frame) -> Entry:
    """A procedure in progress as it is told. Its fields are public facts."""
    return tuple(sorted(msgspec.to_builtins(frame).items()))


def plain_stack(frames: Iterable[Frame]) -> Entry:
    """All procedures in progress as they are told."""
    stack = []
    for frame in frames:
        image = _image(frame)
        told = _told.get(image)
        if told is None:
            if len(_told) >= _MOST_TOLD:
                _told.clear()
            told = _told[image] = plain_frame(frame)
        stack.append(told)
    return tuple(stack)


def public_step(g: State) -> PublicStep:
    """Where the match stands: its procedures in progress, the rule of the open question, who is asked."""
    ask = g.ask
    if ask is None:
        return (g.stack, "", ())
    # Who has answered a sealed question is public and stands in its places; of a quiet one nothing may be told.
    return (g.stack, ask.why, ask.seats if ask.mode == "all" else g.waiting)


def at_entry(g: State) -> Entry:
    """The public step. Frames' fields are public facts, so the whole stack may be told."""
    frames, why, seats = public_step(g)
    return (plain_stack(frames), why, seats)


def view_of(g: State, seat: int | None, decision: int = 0) -> KnownTable:
    """The view built directly from the table (the fold of the log must equal it)."""
    view = KnownTable(seat)
    view.places = places_seen(g, seat)
    view.shown = shown_faces(g)
    view.at = at_entry(g)
    if seat is not None and g.ask is not None and seat in g.waiting:
        view.ask = (decision, g.ask.plain(seat))
    return view


def encode_log(entries: Iterable[Entry]) -> bytes:
    """A log as bytes: equal logs, equal bytes."""
    return msgspec.msgpack.encode(list(entries))
