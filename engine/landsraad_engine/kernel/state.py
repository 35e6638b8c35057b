"""The state of a match: a flat table of places and the stack of frames."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from landsraad_engine.errors import LawBroken

from .asks import Ask
from .events import Event
from .frames import Chain, Frame, Interlude
from .memo import Topics, no_topics
from .overrides import Hooks, Moment
from .reserved_places import answer_key
from .setting import Setting, derive_senses
from .verbs import Verbs
from .zones import HIDDEN, Sight


class State(Verbs):
    """The state of a match. Games subclass it with accessors in the words of the rulebook, and no new attributes.

    Attributes:
        table: Place keys to immutable values; empty places are not stored.
        stack: The frames in progress, the innermost last.
        sides: Derived: side -> bit mask of its seats.
        eyes: Derived: place key -> bit mask of the seats that see its faces.
        hooks: Derived: the active overrides.
        ask: Derived: the open question.
        events: The events since the recorder last took them.
        dirty: The keys written since the last snapshot or commit.
        rule: The rule of the running step, cited by its events.

    """

    __slots__ = (
        *("ask", "dirty", "events", "eyes", "hooks", "memo"),
        *("rule", "setting", "sides", "stack", "table", "topics", "waiting"),
    )

    def __init__(self, setting: Setting, table: dict[str, Any] | None = None, stack: list[Frame] | None = None) -> None:
        self.setting = setting
        self.table = {} if table is None else table
        self.stack = [] if stack is None else stack
        self.events: list[Event] = []
        self.dirty: set[str] = set()
        self.rule = ""
        #: cache of values derived from pieces, stacks and open marks; verbs that write one of these clear it
        self.memo: dict[Any, Any] = {}
        #: caches of values derived from the zones of one topic alone, cleared when one of these is written
        self.topics: Topics = no_topics()
        self.ask: Ask | None = None
        #: seats whose answer is missing, without those that standing orders answer for
        self.waiting: tuple[int, ...] = ()
        self.sides: dict[str, int]
        self.eyes: dict[str, int]
        self.hooks: Hooks
        self.sides, self.eyes, self.hooks = derive_senses(setting, self.table)

    def copy(self) -> State:
        """Return an independent copy, cheap enough for tree search."""
        twin = self.__class__.__new__(self.__class__)
        twin.setting = self.setting
        twin.table = self.table.copy()
        twin.stack = [frame.copy() for frame in self.stack]
        twin.events = []
        twin.dirty = set()
        twin.rule = self.rule
        twin.memo = {}
        twin.topics = no_topics()
        twin.ask = self.ask
        twin.waiting = self.waiting
        twin.sides = self.sides
        twin.eyes = self.eyes
        twin.hooks = self.hooks
        return twin

    def forget(self) -> None:
        """Clear all caches, after the table has been written by something other than the verbs."""
        self.memo.clear()
        self.topics.clear()

    def drop_events(self) -> None:
        """Drop what has happened, where nothing records it."""
        self.events.clear()
        self.dirty.clear()

    # ---------------------------------------------------------------------------------------------- sides and seats

    @property
    def options(self) -> Any:
        return self.setting.options

    def assign(self, seat: int, side: str | None, rule: str = "") -> None:
        """Give a seat a side to play: from now on it sees the places of that side.

        These must be empty if they are hidden: all that a seat knows must follow from the events that it was sent.
        """
        key = f"side/{seat}"
        sides, eyes, hooks = derive_senses(self.setting, {**self.table, key: side})
        if any(eyes.get(place) != self.eyes.get(place) for place in self.table):
            raise LawBroken(f"{side} has hidden places that are not empty")
        self.set_mark(key, side, rule)
        self.sides, self.eyes, self.hooks = sides, eyes, hooks

    def side(self, seat: int) -> str:
        """Return the side that a seat plays."""
        side: str = self.table[f"side/{seat}"]
        return side

    def seats_of(self, side: str) -> tuple[int, ...]:
        """Return the seats that play a side, in ascending order."""
        mask = self.sides.get(side, 0)
        return tuple(seat for seat in range(self.setting.seats) if mask >> seat & 1)

    def seat(self, side: str) -> int:
        """Return the seat of a side that a single seat plays."""
        return self.sides[side].bit_length() - 1

    # ------------------------------------------------------------------------------------------------------- the end

    def finish(self, kind: str, winners: tuple[int, ...] = (), rule: str = "") -> None:
        """End the match with a result; no step runs afterwards."""
        self.set_mark("result", (kind, winners), rule)
        self.stack.clear()

    @property
    def result(self) -> tuple[str, tuple[int, ...]] | None:
        return self.table.get("result")

    # ----------------------------------------------------------------------------------------- answers under way

    @property
    def level(self) -> int:
        """The number of out-of-turn plays in progress."""
        return tuple(map(type, self.stack)).count(Interlude)

    def reopen(self, rule: str = "") -> None:
        """Void all answers to the questions that the out-of-turn plays in progress interrupt.

        For plays that may make a sealed answer illegal: to void only illegal answers would reveal what they were.
        """
        for level in range(self.level):
            self.void_answers(level, {}, rule)

    def void_answers(self, level: int, asked: Mapping[int, Sight | None], rule: str = "") -> None:
        """Remove the answers of one level, except those of seats that are still asked with the same sight."""
        for seat in range(self.setting.seats):
            for sight in (Sight.SEALED, Sight.QUIET):
                if asked.get(seat) is not sight:
                    self.set_mark(answer_key(sight, seat, level), None, rule)

    # ---------------------------------------------------------------------------------------------- overrides

    def query(self, name: Enum, value: Any, *args: Any) -> Any:
        """Return a number or set of the general rule after all overrides that modify it."""
        for fn in self.hooks.modifies.get(name._name_, ()):
            value = fn(self, value, *args)
        return value

    def allowed(self, name: Enum, *args: Any, default: bool = False) -> bool:
        """Return True if an action is allowed: a bar wins over a permission, a permission over the default."""
        for fn in self.hooks.forbids.get(name._name_, ()):
            if fn(self, *args):
                return False
        return default or any(fn(self, *args) for fn in self.hooks.permits.get(name._name_, ()))

    def at(self, name: Enum, *args: Any) -> Frame | None:
        """Run the hooks of a named moment in order, up to the first that returns a frame.

        Return that frame, followed by a :class:`Moment` that runs the remaining hooks; None if no hook returns one.
        """
        hooks = self.hooks.at.get(name._name_)
        if hooks is None:
            return None
        for index, (fn, self.rule) in enumerate(hooks, 1):
            frame: Frame | None = fn(self, *args)
            if frame is not None:
                return frame if index == len(hooks) else Chain(frame, Moment(name._name_, args, index))
        return None

    def instead(self, name: Enum, *args: Any) -> Frame | None:
        """Return the frame of the first override that replaces a procedure, or None."""
        for fn in self.hooks.instead_of.get(name._name_, ()):
            frame: Frame | None = fn(self, *args)
            if frame is not None:
                return frame
        return None

    # -------------------------------------------------------------------------------------------------------- reading

    def get(self, key: str) -> Any:
        """Return the value of a place, which may be empty."""
        value = self.table.get(key)
        return self.setting.layout.empty(key) if value is None else value

    def path(self) -> tuple[tuple[str, str], ...]:
        """Return the name and the next step of each frame in progress."""
        return tuple((type(frame).__name__, frame.pc) for frame in self.stack)

    def known_faces(self, key: str, seats: int) -> tuple[str, ...]:
        """Return the pieces in a place in their order, with "?" for each face that not all of these seats know.

        A seat knows a face if it sees the place or has its bit in the face's seen-mask. ``seats`` is a bit mask.
        """
        faces: tuple[str, ...] = self.table.get(key, ())
        blind = seats & ~self.eyes[key]
        if not blind:
            return faces
        masks = self.table.get("*" + key)
        if masks is None:
            return (HIDDEN,) * len(faces)
        return tuple([HIDDEN if blind & ~mask else face for face, mask in zip(faces, masks, strict=True)])

    def known_to_all(self, key: str) -> tuple[str, ...]:
        """Return the pieces in a place in their order, with "?" for each face that not everybody knows."""
        return self.known_faces(key, self.setting.everybody)
