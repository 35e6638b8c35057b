"""Canaries: every piece of a match is marked, and no mark may turn up where its face must not be known.

A face is a string, and rules hand it on as it is. So each piece gets a string of its own, equal to all others of its
face but another object: it can be told from a name that stands in a list of all cards, say. The canary follows the
objects through the table, not the events, and takes the sight of places from :mod:`.secrets`, not from the zones; it
shares nothing with the verbs that it checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from landsraad_engine.kernel.zones import PIECES
from landsraad_engine.knowledge.information import Entry
from landsraad_engine.play.match import Match
from landsraad_engine.testing.leaks.secrets import may_look, may_see, reveals, shows


class Canary:
    """A watch on one recorded match, from its present position on."""

    def __init__(self, match: Match) -> None:
        self.match = match
        places = match.g.setting.places.values()
        self._places = [place.key for place in places if place.zone.content in PIECES]
        #: mark (the identity of a face's string) -> the string, which stays alive as long as it is a mark
        self._marks: dict[int, str] = {}
        self._where: dict[int, str] = {}
        self._before: dict[int, str] = {}
        #: per seat (the last one stands for the spectators): the marks that it has rightly been shown
        self._known: list[set[int]] = [set() for _ in range(match.seats + 1)]
        self._read = [0] * (match.seats + 1)
        self.look()

    @property
    def _seats(self) -> tuple[int | None, ...]:
        return (*range(self.match.seats), None)

    def _mark(self) -> None:
        """Give every piece that has come to the table a string of its own, and note where all of them lie."""
        table = self.match.g.table
        self._where.clear()
        for key in self._places:
            faces = table.get(key)
            if not faces:
                continue
            if not all(id(face) in self._marks for face in faces):
                faces = table[key] = tuple(face if id(face) in self._marks else _another(face) for face in faces)
            for face in faces:
                self._marks[id(face)] = face
                self._where[id(face)] = key

    def look(self) -> list[str]:
        """Return the pieces that have been told since the last look and should not have been."""
        self._before = dict(self._where)
        self._mark()
        self._follow()
        found = []
        seen: dict[int, tuple[int, ...]] = {}  # most entries are the same object in all logs
        for at, seat in enumerate(self._seats):
            log = self.match.log(seat)
            told = []
            for entry in log[self._read[at] :]:
                if id(entry) not in seen:
                    seen[id(entry)] = tuple(self._in(entry))
                if self._is_shown(at, entry):
                    self._known[at].update(
                        seen[id(entry)]
                    )  # a piece shown by one of these entries may be named before it
                else:
                    told.append(entry)
            for entry in told:
                for mark in seen[id(entry)]:
                    if self._may_know(at, mark):
                        self._known[at].add(mark)
                    else:
                        found.append(self._said(seat, mark, entry))
            self._read[at] = len(log)
        return found

    def holds(self, seat: int, value: Any) -> list[str]:
        """Return the pieces in a view or question of a seat that the seat must not know."""
        return [self._said(seat, mark, "this") for mark in self._in(value) if not self._may_know(seat, mark)]

    def _said(self, seat: int | None, mark: int, where: Any) -> str:
        return f"seat {seat} is shown {self._marks[mark]} of {self._where.get(mark)} in {where}"

    def _in(self, value: Any) -> Iterator[int]:
        """Yield the marks anywhere in some plain data."""
        parts = [value]
        while parts:
            part = parts.pop()
            if type(part) is str:
                if id(part) in self._marks:
                    yield id(part)
            elif type(part) is tuple or type(part) is list:
                parts += part
            elif type(part) is dict:
                parts += part
                parts += part.values()

    def _may_know(self, seat: int, mark: int) -> bool:
        """Return whether a seat sees this piece, has seen it, or sees an equal one, whose face may be named."""
        g, face = self.match.g, self._marks[mark]
        here = self._where.get(mark)
        if any(key is not None and may_see(g, key) >> seat & 1 for key in (here, self._before.get(mark))):
            return True
        twins = {mark: here} | {twin: key for twin, key in self._where.items() if self._marks[twin] == face}
        known = self._known[seat]  # equal pieces in one place cannot be told apart
        return any((twin in known and key == here) or may_see(g, key) >> seat & 1 for twin, key in twins.items() if key)

    def _is_shown(self, seat: int, entry: Entry) -> bool:
        """Return whether the rules show a piece to the seat by this entry."""
        if entry[0] not in ("event", "aside"):
            return entry[0] in ("answer", "play")  # its own words
        verb, rule, *arguments = entry[1:]
        g = self.match.g
        match verb:
            case "open" | "place":
                return True
            case "reveal":
                return reveals(self.match.game, rule, arguments[0])
            case "declare":
                return rule in self.match.game.disclosures
            case "look":
                return bool(may_look(g, rule, arguments[2]) >> seat & 1)
            case "move" | "gather":
                ends = (arguments[0], arguments[2 if verb == "move" else 1])
                return any(may_see(g, key) >> seat & 1 for key in ends)
            case "set":
                return shows(self.match.game, arguments[0]) or may_see(g, arguments[0]) != g.setting.everybody
        return False

    def _follow(self) -> None:
        """Follow the entries that change what all seats know: pieces placed from the box, revealed, shuffled."""
        gathered: dict[str, set[str | None]] = {}
        for kind, verb, rule, *arguments in self.match.log(None)[self._read[-1] :]:
            if kind != "event":
                continue
            if verb == "place":
                self._all(True, arguments[0], {None})
            elif verb == "reveal" and reveals(self.match.game, rule, arguments[0]):
                self._all(True, arguments[0], {arguments[0]}, arguments[2])
            elif verb == "gather":
                gathered.setdefault(arguments[1], {arguments[1], None}).add(arguments[0])
            elif verb == "shuffle":
                self._all(False, arguments[0], gathered.get(arguments[0], {arguments[0], None}))

    def _all(self, know: bool, key: str, sources: set[str | None], face: str | None = None) -> None:
        """Let all seats know, or forget, the pieces in a place (of one face) that have come from these places."""
        for mark, here in self._where.items():
            if here == key and self._before.get(mark) in sources and face in (None, self._marks[mark]):
                for known in self._known:
                    known.add(mark) if know else known.discard(mark)


def _another(face: str) -> str:
    """Return an equal string that is another object; a single letter has no other."""
    return "".join(face)
