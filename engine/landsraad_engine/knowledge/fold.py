"""The fold: compute the knowledge of a seat from its information log.

One small method for each verb, the same for every game, so that clients in other languages can port it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from landsraad_engine.kernel.zones import HIDDEN, PIECES, UNSEEN, Content, Layout, Place, Sight

from .information import Entry, KnownTable, canonical

#: verb that touches pieces -> the places touched, from the arguments of its event
_PIECES_TOUCHED: Mapping[str, Callable[[tuple[Any, ...]], tuple[str, ...]]] = {
    "move": lambda arguments: (arguments[0], arguments[2]),
    "gather": lambda arguments: arguments[:2],
    "place": lambda arguments: arguments[:1],
    "shuffle": lambda arguments: arguments[:1],
    "look": lambda arguments: arguments[:1],
    "reveal": lambda arguments: arguments[:1],
}


class Fold:
    """An incremental fold of an information log.

    ``view`` is the result so far. With ``common`` the fold also computes which faces are common knowledge.
    """

    def __init__(self, layout: Layout, seat: int | None, *, common: bool = True) -> None:
        self.layout = layout
        self.view = KnownTable(seat)
        self._sides = {f"#{seat}"}
        self._entries = 0
        #: a second fold over the public part of all events: the faces in it are common knowledge
        self._common = Fold(layout, None, common=False) if common else None

    def add(self, entries: Iterable[Entry]) -> Fold:
        """Apply further entries of the log."""
        for entry in entries:
            self._entries += 1
            kind = entry[0]
            if kind in ("event", "aside"):
                getattr(self, "_" + entry[1])(*entry[3:])
                self._update_shown(kind, entry[1], entry[3:])
            elif kind == "at":
                self.view.at = entry[1:]
            elif kind == "ask":
                self.view.ask = (self._entries, entry[1:])
            elif kind in ("answer", "closed"):
                self.view.ask = None
        return self

    def _update_shown(self, kind: str, verb: str, arguments: tuple[Any, ...]) -> None:
        """Track common knowledge: the public part of an aside is the same event with the faces hidden."""
        touched = _PIECES_TOUCHED.get(verb)
        if touched is None or self._common is None:
            return
        getattr(self._common, "_" + verb)(*(arguments if kind == "event" else (*arguments[:-1], None)))
        for key in touched(arguments):
            shown = self._common.view.places.get(key, ())
            if self.layout.places[key].zone.sight is not Sight.OPEN and any(face != HIDDEN for face in shown):
                self.view.shown[key] = shown
            else:
                self.view.shown.pop(key, None)

    # -- helpers

    def _sees(self, place: Place) -> bool:
        return place.zone.sight not in UNSEEN or not self._sides.isdisjoint(place.owners)

    def _store(self, key: str, value: Any) -> None:
        # Empty places are not stored. A mark is empty only with None, not with 0 or ().
        if value is None or (value == self.layout.empty(key) and self._content(key) is not Content.MARK):
            self.view.places.pop(key, None)
        else:
            self.view.places[key] = value

    def _content(self, key: str) -> Content:
        return self.layout.places[key].zone.content

    def _pieces(self, key: str) -> list[str]:
        return list(self.view.places.get(key, ()))

    def _keep(self, key: str, pieces: list[str]) -> None:
        ordered = self._content(key) is Content.PILE
        self._store(key, tuple(pieces) if ordered else canonical(pieces))

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
        elif face is None:  # any of the known faces may have left, so none is certain any more
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
        elif self._content(source) is not Content.PILE:  # they arrive in an order that this seat does not see
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

    def _ignore(self, *args: Any) -> None:
        """Ignore an event that changes no place."""

    _declare = _announce = _whisper = _roll = _ignore


class ResumedFold(Fold):
    """A fold that resumes from a view, which holds the first ``number`` entries of the log."""

    def __init__(self, layout: Layout, view: KnownTable, number: int) -> None:
        super().__init__(layout, view.seat)
        self.view = view
        self._entries = number
        side = view.places.get(f"side/{view.seat}")
        self._sides |= {side} if side else set()
        assert self._common is not None
        for key, pieces in view.places.items():
            zone = layout.places[key].zone
            if zone.content in PIECES:
                known = pieces if zone.sight is Sight.OPEN else view.shown.get(key, (HIDDEN,) * len(pieces))
                self._common.view.places[key] = known


def fold(layout: Layout, seat: int | None, entries: Iterable[Entry]) -> KnownTable:
    """Return the knowledge that follows from an information log."""
    return Fold(layout, seat).add(entries).view
