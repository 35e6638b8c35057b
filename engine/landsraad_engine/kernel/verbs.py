"""Verbs: the only code that writes to the table.

Each verb checks its precondition, does nothing if nothing changes, and emits one event. The part of the event that a
seat sees follows from the places that it touches. A test scans the sources of both games for any other write.

What seats know of hidden faces is kept in seen-masks; see `seen_masks`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, sub
from typing import Any

from msgspec.structs import astuple

from landsraad_engine.errors import LawBroken

from .announcements import Announcement
from .chance import draws, order
from .events import Event
from .memo import Topics
from .seen_masks import masks_after_joining, masks_after_leaving
from .zones import HIDDEN, PIECES, UNSEEN, Content, Sight

_ORDERED = Content.PILE


class Verbs:
    """Mixin of ``State``: the verbs."""

    __slots__ = ()

    table: dict[str, Any]
    eyes: dict[str, int]
    dirty: set[str]
    memo: dict[Any, Any]
    topics: Topics
    events: list[Event]
    rule: str
    setting: Any

    # ------------------------------------------------------------------------------------------------------- plumbing

    def emit(
        self,
        verb: str,
        public: tuple[Any, ...] | None,
        insiders: int = 0,
        private: tuple[Any, ...] = (),
        rule: str = "",
    ) -> None:
        """Record an event; ``rule`` defaults to the rule of the running step."""
        self.events.append(Event(verb, rule or self.rule, public, insiders, private))

    def _write_pieces(self, key: str, faces: tuple[str, ...], masks: list[int] | None) -> None:
        table = self.table
        if faces:
            table[key] = faces
        else:
            table.pop(key, None)
        self._outdate(self.setting.places[key].zone.topics)
        self.dirty.add(key)
        star = "*" + key
        if masks and any(masks):
            table[star] = tuple(masks)
            self.dirty.add(star)
        elif star in table:
            del table[star]
            self.dirty.add(star)

    def _outdate(self, topics: tuple[str, ...]) -> None:
        """Invalidate the cached values that may depend on a place of these topics."""
        self.memo.clear()
        for topic in topics:
            self.topics.pop(topic, None)

    def _ordered(self, key: str) -> bool:
        content: Content = self.setting.places[key].zone.content
        return content is _ORDERED

    def _masks(self, key: str, size: int) -> list[int]:
        masks = self.table.get("*" + key)
        return list(masks) if masks else [0] * size

    # ---------------------------------------------------------------------------------------------------------- marks

    def set_mark(self, key: str, value: Any, rule: str = "") -> None:
        """Set a mark to a value, or remove it (None)."""
        table = self.table
        old = table.get(key)
        if old == value and type(old) is type(value):
            return
        zone = self.setting.places[key].zone
        if zone.content is not Content.MARK:
            raise LawBroken(f"{key} is not a mark")
        if value is None:
            del table[key]
        else:
            table[key] = value
        self.dirty.add(key)
        sight = zone.sight
        if sight is Sight.OPEN:
            self._outdate(zone.topics)
            self.emit("set", (key, value), rule=rule)
        elif sight in UNSEEN or (old is not None and value is not None):
            # To the other seats a hidden mark looks the same before and after, so they get no event: it would reveal
            # that the value has changed.
            self.emit("set", None, self.eyes[key], (key, value), rule)
        else:
            hidden = None if value is None else HIDDEN
            self.emit("set", (key, hidden), self.eyes[key], (key, value), rule)

    def open(self, key: str, rule: str = "") -> Any:
        """Reveal a sealed mark to all seats, remove it from the table and return its value."""
        value = self.table.get(key)
        if value is None or self.setting.places[key].zone.content is not Content.MARK:
            raise LawBroken(f"no mark lies in {key}")
        del self.table[key]
        self.dirty.add(key)
        self.emit("open", (key, value), rule=rule)
        return value

    # ------------------------------------------------------------------------------------------------ purses and units

    def transfer(self, source: str, target: str, amount: int, rule: str = "") -> None:
        """Move an amount between two purses."""
        if amount == 0 or source == target:
            return
        from_zone = self.setting.places[source].zone
        to_zone = self.setting.places[target].zone
        if from_zone.content is not Content.PURSE or to_zone.content is not Content.PURSE:
            raise LawBroken(f"{source} and {target} are not both purses")
        table = self.table
        left = table.get(source, 0) - amount
        if amount < 0 or (left < 0 and not from_zone.unlimited):
            raise LawBroken(f"cannot take {amount} from {source}, which holds {table.get(source, 0)}")
        right = table.get(target, 0) + amount
        for key, value in ((source, left), (target, right)):
            if value:
                table[key] = value
            else:
                table.pop(key, None)
            self.dirty.add(key)
        arguments = (source, target, amount)
        if from_zone.sight in UNSEEN and to_zone.sight in UNSEEN:
            self.emit("transfer", None, self.eyes[source] | self.eyes[target], arguments, rule)
        else:
            self.emit("transfer", arguments, rule=rule)

    def shift(self, source: str, target: str, counts: tuple[int, ...], rule: str = "") -> None:
        """Move units between two stacks."""
        if not any(counts) or source == target:
            return
        table = self.table
        places = self.setting.places
        zero = (0,) * len(counts)
        have = table.get(source, zero)
        left = tuple(map(sub, have, counts))
        if min(left) < 0 or min(counts) < 0:
            raise LawBroken(f"cannot take {counts} from {source}, which holds {have}")
        right = tuple(map(add, table.get(target, zero), counts))
        to_zone = places[target].zone
        if not len(have) == len(counts) == len(to_zone.units):
            raise LawBroken(f"{target} does not hold such units")
        if any(left):
            table[source] = left
        else:
            table.pop(source, None)
        table[target] = right
        self._outdate(places[source].zone.topics)
        self._outdate(to_zone.topics)
        self.dirty.add(source)
        self.dirty.add(target)
        self.emit("shift", (source, target, counts), rule=rule)

    def exchange(self, key: str, counts: tuple[int, ...], rule: str = "") -> None:
        """Set new counts with the same total in a stack: units change kind in place."""
        have = self.table.get(key, (0,) * len(counts))
        if have == counts:
            return
        if sum(have) != sum(counts) or min(counts) < 0:
            raise LawBroken(f"{key} holds {have}, which cannot become {counts}")
        self.table[key] = counts
        self._outdate(self.setting.places[key].zone.topics)
        self.dirty.add(key)
        self.emit("exchange", (key, counts), rule=rule)

    # --------------------------------------------------------------------------------------------------------- pieces

    def move(self, source: str, target: str, face: str, *, to: int | None = None, rule: str = "") -> None:
        """Move a piece with this face. ``to`` is its index in an ordered target (default: on top)."""
        faces = self.table.get(source, ())
        if face not in faces:
            raise LawBroken(f"no {face} in {source}")
        self._move(source, faces.index(face), target, to, rule)

    def draw(self, source: str, target: str, rule: str = "") -> str:
        """Move the top piece of a pile; return its face, which players may not see."""
        faces = self.table.get(source, ())
        if not faces:
            raise LawBroken(f"{source} is empty")
        face: str = faces[-1]
        self._move(source, len(faces) - 1, target, None, rule)
        return face

    def take(self, source: str, target: str, index: int, rule: str = "") -> str:
        """Move the piece at an index (a blind pick, with an index from chance); return its face."""
        face: str = self.table[source][index]
        self._move(source, index, target, None, rule)
        return face

    def _move(self, source: str, at: int, target: str, to: int | None, rule: str) -> None:
        table = self.table
        places = self.setting.places
        eyes = self.eyes
        from_zone = places[source].zone
        to_zone = places[target].zone
        if to_zone.content not in PIECES:
            raise LawBroken(f"{target} does not hold pieces")
        faces = table[source]
        face = faces[at]
        ordered = from_zone.content is _ORDERED
        masks = table.get("*" + source)
        # The face is visible to the seats that see either place, and to those that knew the card at this position.
        seen = eyes[source] | eyes[target]
        if masks and ordered:
            seen |= masks[at]
        # Remove the piece from the source.
        rest = faces[:at] + faces[at + 1 :]
        if masks is None:
            kept = None
        elif ordered:
            kept = list(masks[:at] + masks[at + 1 :])
        else:
            kept = masks_after_leaving(faces, masks, face, seen)
        self._write_pieces(source, rest, kept)
        # Insert it into the target.
        there = table.get(target, ())
        bits = seen & ~eyes[target]
        if to_zone.content is _ORDERED:
            to = len(there) if to is None else to
            new = (*there[:to], face, *there[to:])
            held = None
            if bits or "*" + target in table:
                held = self._masks(target, len(there))
                held.insert(to, bits)
        else:
            to = None
            new = tuple(sorted((*there, face)))
            held = None
            if bits or "*" + target in table:
                held = masks_after_joining(there, self._masks(target, len(there)), face, bits)
        self._write_pieces(target, new, held)
        # Emit the event.
        slot = at if ordered else None
        shown = (source, slot, target, to, face)
        if seen == self.setting.everybody:
            self.emit("move", shown, rule=rule)
        else:
            self.emit("move", (source, slot, target, to, None), seen, shown, rule)

    def place(self, target: str, faces: tuple[Any, ...], rule: str = "") -> None:
        """Put pieces from the box (for a stack: counts) into an empty place, in public."""
        if self.table.get(target):
            raise LawBroken(f"{target} is not empty")
        if not any(faces):
            return
        zone = self.setting.places[target].zone
        if zone.content is Content.STACK:
            self.table[target] = faces
            self._outdate(zone.topics)
            self.dirty.add(target)
            self.emit("place", (target, faces), rule=rule)
            return
        if zone.content not in PIECES:
            raise LawBroken(f"{target} holds neither pieces nor units")
        faces = faces if zone.content is _ORDERED else tuple(sorted(faces))
        bits = self.setting.everybody & ~self.eyes[target]
        self._write_pieces(target, faces, [bits] * len(faces))
        self.emit("place", (target, faces), rule=rule)

    def gather(self, source: str, target: str, rule: str = "") -> None:
        """Put all pieces of one place onto a pile, in their order. Shuffle it afterwards."""
        faces = self.table.get(source, ())
        if not faces:
            return
        eyes = self.eyes
        seen = eyes[source] | eyes[target]
        there = self.table.get(target, ())
        if self.setting.places[target].zone.content is not _ORDERED:
            raise LawBroken(f"{target} is not a pile")
        masks = self._masks(target, len(there))
        # From an unordered place, only seats that see all pieces see the order in which they arrive.
        known = self._masks(source, len(faces)) if self._ordered(source) else [0] * len(faces)
        masks += [(mask | seen) & ~eyes[target] for mask in known]
        self._write_pieces(source, (), None)
        self._write_pieces(target, (*there, *faces), masks)
        self.emit("gather", (source, target, None), seen, (source, target, faces), rule)

    def shuffle(self, key: str, rule: str = "") -> None:
        """Shuffle a face-down pile with its own chance stream. Afterwards no seat knows any face in it."""
        faces = self.table.get(key, ())
        if not faces:
            return
        if not self._ordered(key) or self.eyes[key]:
            raise LawBroken(f"{key} cannot be shuffled: it is not a face-down pile")
        if len(faces) > 1:
            indices = self._order("deck/" + key, len(faces))
            faces = tuple(faces[i] for i in indices)
        self._write_pieces(key, faces, None)
        self.emit("shuffle", (key,), rule=rule)

    # ------------------------------------------------------------------------------------------------------ knowledge

    def look(self, key: str, seat_mask: int, index: int | None = None, rule: str = "") -> None:
        """Let seats look at a place, or at one index of a pile: in public, but only they see the faces."""
        faces = self.table.get(key, ())
        if not faces:
            return
        eyes = self.eyes[key]
        everybody = self.setting.everybody
        if seat_mask | eyes != everybody and seat_mask > everybody >> 1:
            raise LawBroken("spectators may see only what all seats see")
        masks = self._masks(key, len(faces))
        bits = seat_mask & ~eyes
        if index is not None:
            if not self._ordered(key):
                raise LawBroken(f"the pieces in {key} have no positions")
            index %= len(faces)
            masks[index] |= bits
            shown: Any = faces[index]
        else:
            masks = [m | bits for m in masks]
            shown = faces
        self._write_pieces(key, faces, masks)
        self.emit("look", (key, index, seat_mask, None), seat_mask | eyes, (key, index, seat_mask, shown), rule)

    def reveal(self, key: str, face: str, rule: str = "") -> None:
        """Show one piece of a hidden place to all seats, without moving it."""
        faces = self.table.get(key, ())
        if face not in faces:
            raise LawBroken(f"no {face} in {key}")
        masks = self._masks(key, len(faces))
        # The first of equal faces has the widest mask, so a staircase stays one: all seats know of at least one.
        first = faces.index(face)
        masks[first] |= self.setting.everybody & ~self.eyes[key]
        self._write_pieces(key, faces, masks)
        self.emit("reveal", (key, first if self._ordered(key) else None, faces[first]), rule=rule)

    def declare(self, rule: str, seat: int, fact: str, value: Any = True) -> None:
        """Make a hidden fact public, as a rule demands. All such rules are listed in ``Game.disclosures``."""
        if rule not in self.setting.game.disclosures:
            raise LawBroken(f"{rule} is not one of the game's disclosures")
        self.emit("declare", (seat, fact, value), rule=rule)

    def announce(self, fact: Announcement, rule: str = "") -> None:
        """Log a public fact that changes no place, of one of the kinds in ``Game.announcements``."""
        kind = type(fact)
        if kind not in self.setting.game.announcements:
            raise LawBroken(f"{kind.__name__} is not one of the game's announcements")
        self.emit("announce", (kind.__name__, *astuple(fact)), rule=rule)

    def whisper(self, seat_mask: int, what: str, *facts: Any, rule: str = "") -> None:
        """Tell a fact to some seats; the others see that they were told something."""
        self.emit("whisper", (seat_mask, what), seat_mask, (seat_mask, what, *facts), rule)

    # --------------------------------------------------------------------------------------------------------- chance

    def roll(self, label: str, sides: int, rule: str = "") -> int:
        """Roll a die in public: a number from 0 to sides - 1."""
        number = self._draws("die/" + label, (sides,))[0]
        self.emit("roll", (label, number), rule=rule)
        return number

    def rolls(self, label: str, sides: int, dice: int, rule: str = "") -> tuple[int, ...]:
        """Roll several dice in public."""
        if dice <= 0:
            return ()
        numbers = tuple(self._draws("die/" + label, (sides,) * dice))
        self.emit("roll", (label, *numbers), rule=rule)
        return numbers

    def pick(self, label: str, bound: int) -> int:
        """Draw a number below ``bound`` without an event (which card of a hand is stolen)."""
        return self._draws("pick/" + label, (bound,))[0] if bound > 1 else 0

    def _draws(self, label: str, bounds: tuple[int, ...]) -> list[int]:
        return self._from_stream(draws, label, bounds)

    def _order(self, label: str, size: int) -> list[int]:
        return self._from_stream(order, label, size)

    def _from_stream(self, draw: Callable[..., tuple[list[int], int]], label: str, arguments: Any) -> list[int]:
        """Draw from a chance stream at its counter, and advance the counter."""
        table = self.table
        key = "chance/" + label
        numbers, table[key] = draw(self.setting.key, table.get("epoch", 0), label, table.get(key, 0), arguments)
        self.dirty.add(key)
        return numbers
